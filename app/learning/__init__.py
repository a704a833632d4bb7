"""Learning a game: lessons that nobody keeps but for who solved them."""
