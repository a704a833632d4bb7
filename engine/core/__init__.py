"""What all games share: the game as a value, the log, chance, the chain, records and the referee."""
