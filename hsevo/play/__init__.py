"""Play: pairings of agents and decks in, results of games out."""
