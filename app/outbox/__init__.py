"""Transactional outbox: which mails are due to whom."""
