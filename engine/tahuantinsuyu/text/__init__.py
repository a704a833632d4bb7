"""Orders and sentences: what players write, and what they read."""
