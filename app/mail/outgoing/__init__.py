"""Composers, one for each kind of mail."""
