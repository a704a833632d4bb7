"""Keeping a service: backups, cleanup, health, moving to another database."""
