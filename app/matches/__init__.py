"""Write side of play: tables, seats, drafts, submissions."""
