"""Mails out and in: composing, transports, answers."""
