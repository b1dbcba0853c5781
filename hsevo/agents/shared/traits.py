"""What agents of several kinds have in common, by name: no meaning hangs on the order of kinds."""

from hsevo.agents.shared.agent import AGENT_T, EVA_TURN, EVA_WIDE, EVA_WIDE_TURN
from hsevo.engine.jit import BOOL, kernel


@kernel(BOOL(AGENT_T), inline=True)
def has_further_terms(a):
    """Return whether EVA's score has the further terms (eva/further_terms.py), too."""
    return a.kind == EVA_WIDE or a.kind == EVA_WIDE_TURN


@kernel(BOOL(AGENT_T), inline=True)
def searches_by_eva(a):
    """Return whether an agent searches its turn by EVA's score, and so may weigh a reply."""
    return a.kind == EVA_TURN or a.kind == EVA_WIDE_TURN
