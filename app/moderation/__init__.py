"""Write side of moderation: rewinds, seats, undo, reports."""
