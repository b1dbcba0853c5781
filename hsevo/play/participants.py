"""Who plays, whole: agents with all their numbers, decks with all their cards, and the rules.

    write(folder, names, agents, setting) -> cast.json --read(folder)--> Cast

A folder of games keeps it, so that each of them can be played again when the files and runs that
its agents and decks came from are gone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hsevo import __version__, config
from hsevo.agents.genomes.decks import joined
from hsevo.agents.learned import nets
from hsevo.agents.registry import check_agents
from hsevo.agents.shared.agent import agent
from hsevo.cards.decks import Deck
from hsevo.engine.jit import fingerprint
from hsevo.errors import AgentError, HsevoError, RunError
from hsevo.files import read_json, undamaged, write_whole
from hsevo.play.match import Setting, decklists
from hsevo.types import Array

NAME = "cast.json"
FORMAT, VERSION = "hsevo cast", 1
MOST_TURNS = 32_000
NETS = "net", "policy"  # of a learned player; the second: a policy next to the net of values
MOST_BYTES = 2**28  # of the file: a large network, and some small ones


@dataclass(frozen=True)
class Cast:
    """Agents and their names (n), the rules with the decks, and the engine that played."""

    names: tuple[str, ...]
    agents: Array  # AGENT (n,) or (n, d, d)
    setting: Setting
    engine: str


def write(folder: Path, names: tuple[str, ...], agents: Array, setting: Setting,
          engine: str = "") -> None:
    """Write the cast of a folder of games. Raises RunError, AgentError.

    engine: that played them; "": this one.
    """
    data = {
        "format": FORMAT, "version": VERSION, "hsevo": __version__,
        "engine": engine or fingerprint(),
        "ruleset": setting.ruleset, "information": setting.information,
        "max_turns": setting.max_turns, "decks": [deck_data(deck) for deck in setting.decks],
        "agents": [{"name": name} | agent_data(record)
                   for name, record in zip(names, agents, strict=True)]}
    text = (json.dumps(data) + "\n").encode()
    if len(text) > MOST_BYTES:
        raise AgentError(f"agents of {len(text):,} bytes can't be stored with their games; the"
                         f" limit is {MOST_BYTES:,}")
    write_whole(folder / NAME, text)


def read(folder: Path) -> Cast:
    """Read the cast of a folder of games. Raises RunError if it is not there, or damaged."""
    path = folder / NAME
    with undamaged(path, "", HsevoError):
        data = read_json(path, MOST_BYTES)
        if (data["format"], data["version"]) != (FORMAT, VERSION):
            raise RunError(f"{path} was written by hsevo {data['hsevo']}, in another format")
        return _cast(data)


def _cast(data: Any) -> Cast:
    agents = joined([agent_of(entry) for entry in data["agents"]], len(data["decks"]))
    check_agents(agents.ravel())
    setting = Setting(str(data["ruleset"]), tuple(deck_of(deck) for deck in data["decks"]),
                      str(data["information"]), int(data["max_turns"]))
    decklists(setting.decks, setting.ruleset)  # raises for what the engine does not take
    config.parts(setting.information)
    if not 1 <= setting.max_turns <= MOST_TURNS:
        raise ValueError("its limit of turns is not valid")
    return Cast(tuple(str(entry["name"]) for entry in data["agents"]), agents, setting,
                str(data["engine"]))


def agent_data(agent: Any) -> dict[str, Any]:
    """Return an agent, AGENT () or (d, d), as data that json.dumps takes."""
    if agent.ndim and nets.carried(agent.ravel()) and (agent == agent[0, 0]).all():
        agent = agent[0, 0]  # `joined` spreads it again; its net is large
    if agent.ndim:
        return {"by_decks": [[agent_data(against) for against in own] for own in agent]}
    data = {name: agent[name].tolist() for name in ("kind", "budget", "w")}
    return data | dict(zip(NETS, map(nets.text_of, nets.carried(agent.reshape(1))), strict=False))


def agent_of(data: Mapping[str, Any]) -> Array:
    """Return the agent, AGENT (1,) or (1, d, d), of `agent_data`.

    Raises LookupError, TypeError or ValueError if it is damaged.
    """
    if "by_decks" in data:
        whole: Array = np.array([[[agent_of(entry)[0] for entry in own]
                                  for own in data["by_decks"]]])
        return whole
    nets.keep([nets.of_text(data[name], int(data["kind"])) for name in NETS if name in data])
    return agent(int(data["kind"]), tuple(data["budget"]), data["w"])


def deck_data(deck: Deck) -> dict[str, Any]:
    """Return a deck as data that json.dumps takes."""
    return {"name": deck.name, "hero": deck.hero_class, "cards": [*deck.ids]}


def deck_of(data: Mapping[str, Any]) -> Deck:
    """Return the deck that `deck_data` made data of.

    Raises LookupError, TypeError or ValueError if it is damaged.
    """
    return Deck.of(str(data["name"]), str(data["hero"]), tuple(data["cards"]))
