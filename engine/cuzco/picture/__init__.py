"""The board as a picture and as text, from a view alone."""
