"""The metagame: decks against decks as numbers, what follows for mixtures and line-ups."""
