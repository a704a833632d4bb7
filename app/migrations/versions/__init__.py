"""The history of the tables, oldest first; Alembic runs it."""
