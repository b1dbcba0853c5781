"""A position set up directly, with any agent of the roster to move."""

from collections.abc import Sequence

from hsevo.engine.record.state import FAIR
from hsevo.strength.roster import read_agent
from tests.rules.test_equations import Position


class Seat(Position):
    """Player 0 to move, an agent; both heroes at 30, ten mana, the boards and hand asked for."""

    def __init__(self, agent: object, hand: Sequence[str] = (), mine: Sequence[str] = (),
                 theirs: Sequence[str] = (), power: bool = False) -> None:
        super().__init__(hand, mine, theirs, power)
        self.table.agents[0] = read_agent(agent)[0] if isinstance(agent, str) else agent[0]
        self.table.agents.sight = FAIR
