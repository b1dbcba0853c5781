from .run import DeckState as DeckState
