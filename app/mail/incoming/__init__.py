"""Mails that come in: routing, reading, commands, bounces."""
