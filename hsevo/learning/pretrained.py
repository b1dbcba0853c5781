"""The learned player whose weights a network begins with (setting `pretrained`), e.g. rl:2026."""

from __future__ import annotations

from hsevo.agents.learned import nets
from hsevo.agents.network.network import NET
from hsevo.agents.shared.agent import AFTERSTATE
from hsevo.errors import AgentError
from hsevo.types import Array


def check_pretrained(name: str, agent: Array) -> None:
    """Raise AgentError if an agent, AGENT (1,), is not a player whose weights can be learned on."""
    if agent["kind"][0] != AFTERSTATE:
        raise AgentError(f"pretrained: '{name}' has no network to start from; name a learned"
                         " player, for example rl:2026 or rl:RUN")
    if pretrained_net(agent).dtype != NET:
        raise AgentError(f"pretrained: '{name}' reads cards by their text; name a learned player"
                         " that knows cards by number (learner.cards: number)")


def pretrained_net(agent: Array) -> Array:
    """Return the net of a learned player, AGENT (1,)."""
    (net,) = nets.carried(agent)
    assert not isinstance(net, bytes)
    return net
