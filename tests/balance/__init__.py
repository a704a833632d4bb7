"""How fair the games are: bots of one strength play each other, and tables tell who wins and how."""
