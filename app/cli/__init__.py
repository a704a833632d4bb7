"""The `chasqui` command."""
