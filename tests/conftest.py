"""What holds for all tests: the template is one of the games, so whatever the registry drives runs through it."""

from tests.template import register_template

register_template()
