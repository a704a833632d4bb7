"""`python -m app.cli`: the same as `chasqui`."""

from app.cli.main import main

main()
