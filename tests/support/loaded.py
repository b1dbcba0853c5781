"""What most commands import, for the server of tests/support/apart.py to load once."""

import hsevo.cli.arena
import hsevo.cli.coevolution
import hsevo.cli.deck_evolution
import hsevo.cli.evolution
import hsevo.cli.learning
import hsevo.coevolution.run
import hsevo.deckbuilding.run
import hsevo.evolution.run
import hsevo.learning.run
import hsevo.play.entry
import hsevo.strength.contest  # noqa: F401
