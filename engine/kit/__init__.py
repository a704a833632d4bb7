"""Parts that two or more games use."""
