"""Keeping a service: backups and cleanup."""
