from .experiment import DeckState as DeckState
