"""The learned player whose weights a network begins with (setting `pretrained`), e.g. rl:2026."""

from __future__ import annotations

from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import read_values
from hsevo.agents.learned.text import ROWS
from hsevo.agents.network.network import NET
from hsevo.agents.shared.agent import AFTERSTATE
from hsevo.errors import AgentError
from hsevo.strength.roster import net_file, read_agent
from hsevo.types import Array


def check_pretrained(name: str, agent: Array, cards: str) -> None:
    """Raise AgentError if an agent, AGENT (1,), is not a player whose weights can be learned on.

    cards: how the learner knows cards, as setting learner.cards.
    """
    if agent["kind"][0] != AFTERSTATE:
        raise AgentError(f"pretrained: '{name}' has no network to start from; name a learned"
                         " player, for example rl:2026 or rl:RUN")
    if "?" in name:
        raise AgentError(f"pretrained: '{name}' has options, which change no weight; write"
                         f" {name.partition('?')[0]}")
    net = pretrained_net(agent)
    if cards == "text" and net.dtype != NET and any(net["net"][part].any() for part in ROWS):
        raise AgentError(f"pretrained: '{name}' also knows cards by their numbers, but"
                         " learner.cards is text; set learner.cards: both")
    known, by = ("number", "numbers") if net.dtype == NET else ("text", "texts")
    if (known == "number") != (cards == "number"):
        raise AgentError(f"pretrained: '{name}' knows cards by their {by}, but learner.cards is"
                         f" {cards}; set learner.cards: {known}")


def values_of(name: str) -> str:
    """Return the name of the agent whose network has the values of a learned player."""
    return f"{name}?search=turn"


def read_values_of(name: str) -> Array:
    """Return the agent, AGENT (1,), that `values_of` names; without one, the player itself.

    Raises AgentError for a damaged file.
    """
    file = net_file(name)
    assert file is not None
    has_values = read_values(file) is not None
    return read_agent(values_of(name) if has_values else name)


def pretrained_net(agent: Array) -> Array:
    """Return the net of a learned player, AGENT (1,): that of its values, if it has one."""
    net, *_ = nets.carried(agent)
    assert not isinstance(net, bytes)
    return net
