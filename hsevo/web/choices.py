"""What a player can choose from on the first page: agents and decks, and what words there mean.

Nothing that a browser sends is ever taken for a path: a deck is one of those offered, one that was
saved here, one of the human lists by its id, a deck code, or the lines of a deck file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from hsevo import config
from hsevo.agents.learned.nets import shipped
from hsevo.agents.registry import ROSTER
from hsevo.cards import deck_facts, human_decks
from hsevo.cards import decks as plain
from hsevo.cards.database import DeckDatabase
from hsevo.cards.decks import Deck, DeckLike
from hsevo.cards.tables import cards, is_legal, tables
from hsevo.errors import AgentError, DeckError, HsevoError, did_you_mean, quoted
from hsevo.play.deck_search import search_decks
from hsevo.play.specs import short_names
from hsevo.strength.agents import Agent, AgentLike, as_agent
from hsevo.strength.scores import ratings
from hsevo.texts import say, texts
from hsevo.web.shelf import PREFIX, Shelf

# The ruleset when people play, which has a mulligan; and that of the experiments, which has none.
PEOPLES, EXPERIMENTS = "msg2017", "cig2018"
DEFAULT = "random"  # a newcomer beats it: 800 Elo below all others that try to win
# What is as strong as another agent, its further weights being 0; and ratings of docs/figures.yml,
# speed-frontier.
ALIKE = {"eva:wide": "eva:2018", "eva:wide-turn": "eva:turn", "eva:wide-reply": "eva:reply"}
MEASURED = {"rl:ppo-2026": 287.0, "greedy:santos:exchanged": -7.0}
# The word of ratings from a number on, in Elo.
STRENGTHS = ((250.0, "strongest"), (100.0, "strong"), (0.0, "medium"), (-300.0, "easy"),
             (-inf, "first"))
MOST_FOUND = 30  # decks of a search
LONGEST = 4096  # characters of a deck that is pasted, or of a search
CODE = re.compile(r"AAE[A-Za-z0-9+/]{20,600}={0,2}")


class AgentChoice(NamedTuple):
    """An agent on the first page. strength: a word for it."""

    name: str
    says: str
    agent: AgentLike
    strength: str = ""


class DeckChoice(NamedTuple):
    """A deck on the first page."""

    name: str
    hero: str
    says: str
    deck: Deck


class SavedDeck(NamedTuple):
    """A deck that was saved here. problem: why it can't be played, "" if it can."""

    words: str
    name: str
    hero: str
    problem: str


class Choices:
    """Agents and decks that are offered; `agents` and `decks`, those named first, come first.

    The agents of the roster follow by strength, then those that were not rated, and last those that
    refuse cards of the ruleset which they have not met.
    shelf: the decks that were saved here. `given` has the names of the agents that were given,
    `default` that of the one that is chosen at first.

    Raises AgentError, DeckError for one that is none, or that the ruleset can't play.
    """

    def __init__(self, shelf: Shelf, agents: Sequence[AgentLike] = (),
                 decks: Sequence[DeckLike] = (), ruleset: str = EXPERIMENTS) -> None:
        self.shelf, self.ruleset = shelf, ruleset
        offered = [as_agent(agent) for agent in agents]
        short = short_names(agent.name for agent in offered)
        self.offered = [short[agent.name] for agent in offered]
        self.agents = {name: AgentChoice(name, "", agent)
                       for name, agent in zip(self.offered, offered, strict=True)}
        refusing = _refusing() if tables(ruleset).late else set()
        for name in sorted(ROSTER, key=lambda name: (name in refusing, -_rating(name))):
            says = f"{_plainly(name)} {say('refuses_later')}" if name in refusing else (
                _plainly(name))
            self.agents.setdefault(name, AgentChoice(name, says, name, _strength(name)))
        self.default = self.offered[0] if self.offered else DEFAULT
        self.decks = {deck.name: deck for deck in map(self._named, map(Deck, decks))}
        self.own = len(self.decks)
        for name, says in _shipped():
            if self._fits(name) and name not in self.decks:
                self.decks[name] = self._named(Deck(name), says)

    def agent(self, name: object) -> Agent:
        """Return an agent that is offered, by its name. Raises AgentError."""
        if not isinstance(name, str) or name not in self.agents:
            raise AgentError(say("refused.no_agent", name=quoted(name),
                                 near=did_you_mean(str(name), self.agents)))
        agent = as_agent(self.agents[name].agent)
        return agent if agent.name == name else Agent(agent, name)

    def deck(self, words: object) -> Deck:
        """Return the deck that words mean: see above. Raises DeckError."""
        if not isinstance(words, str) or not words.strip() or len(words) > LONGEST:
            raise DeckError(say("refused.what_a_deck_is"))
        said = words.strip()
        if said in self.decks:
            return self.decks[said].deck
        deck = Deck(self._read(said))
        plain.refuse_foreign([deck], self.ruleset)
        missing = [id for id in deck.ids if id not in cards(self.ruleset)]
        if missing:
            raise DeckError(say("refused.no_card", ruleset=self.ruleset, card=quoted(missing[0])))
        return deck

    def _read(self, said: str) -> plain.Deck:
        if said.startswith(PREFIX):
            return self.shelf.read(said.removeprefix(PREFIX))
        if said.startswith(human_decks.PREFIX):
            return plain.read_deck(said)
        if code := CODE.search(said):
            return plain.from_code(code[0], plain.exported_name(said) or None)
        if "\n" in said:
            return plain.from_text(said, say("decks.pasted_name"), say("decks.the_deck"))
        raise DeckError(say("refused.no_deck", name=quoted(said),
                            near=did_you_mean(said, self.decks)))

    def search(self, words: str) -> list[dict[str, Any]]:
        """Return human lists with all of some words, newest first: deck, class, what it is."""
        lists = DeckDatabase.load(self.ruleset)
        table = search_decks(words[:LONGEST], database=lists).iloc[::-1].head(MOST_FOUND)
        return [{"deck": row["deck"], "class": row["class"], "says": ", ".join(
            str(row[name]) for name in ("archetype", "kind", "date")
            if isinstance(row[name], str) and row[name])} for row in table.to_dict("records")]

    def show(self, words: object) -> dict[str, Any]:
        """Return a deck as the page draws it: class, rows of its cards, what is said of it, code.

        code: "" if it has none. Raises DeckError.
        """
        deck, known = self.deck(words), cards(self.ruleset)
        counts = {id: deck.ids.count(id) for id in dict.fromkeys(deck.ids)}
        rows = sorted(counts, key=lambda id: (known[id].cost, known[id].name))
        return {"name": deck.name, "class": deck.hero, "legal": deck_facts.legality(deck),
                "says": deck_facts.says(deck),
                "cards": [{"card": id, "n": counts[id]} for id in rows],
                "code": deck.code if deck_facts.has_code(deck) else ""}

    def saved(self) -> list[SavedDeck]:
        """Return the decks that were saved here."""
        return [*map(self._saved, self.shelf.names)]

    def save(self, name: object, words: object, replace: bool = False) -> str:
        """Save a deck under a name, and return the words that mean it from now on.

        replace: a deck of that name, if there is one. Raises DeckError, RunError.
        """
        if not isinstance(name, str):
            raise DeckError(say("refused.name_missing"))
        self.shelf.save(name, self.deck(words), replace)
        return PREFIX + name

    def delete(self, name: object) -> None:
        """Delete a deck that was saved here. Raises DeckError, RunError."""
        if not isinstance(name, str):
            raise DeckError(say("refused.delete_by_name"))
        self.shelf.delete(name)

    def _saved(self, name: str) -> SavedDeck:
        try:
            return SavedDeck(PREFIX + name, name, self.deck(PREFIX + name).hero, "")
        except DeckError as error:
            return SavedDeck(PREFIX + name, name, "", str(error).splitlines()[0])

    def _fits(self, name: str) -> bool:
        """Return whether a shipped deck can be read, and has no card that the ruleset lacks."""
        try:
            deck = Deck(name)
        except HsevoError:
            return False
        known = cards(self.ruleset)
        return all(id in known and is_legal(id, self.ruleset) for id in deck.ids)

    def _named(self, deck: Deck, says: str = "") -> DeckChoice:
        plain.refuse_foreign([deck], self.ruleset)
        return DeckChoice(deck.name, deck.hero, says, deck)


def _refusing() -> set[str]:
    """Return the agents of the roster that refuse decks with cards of 2017 and later."""
    return {f"rl:{name}" for name, player in shipped().items() if player.cards == "number"}


def _rating(name: str) -> float:
    """Return the rating of an agent of the roster, in Elo; -inf if nobody measured it."""
    return MEASURED.get(name, ratings().get(ALIKE.get(name, name), -inf))


def _strength(name: str) -> str:
    """Return a word for how strong an agent of the roster is."""
    rating = _rating(name)
    word = "unrated" if rating == -inf else next(
        word for least, word in STRENGTHS if rating >= least)
    return say(f"strengths.{word}")


def _plainly(name: str) -> str:
    """Return what an agent with a name is, for a newcomer; the roster's words if there are none."""
    told = name.replace(":", "-")
    return say(f"agents.{told}") if f"agents.{told}" in texts() else ROSTER[name].says


def _shipped() -> list[tuple[str, str]]:
    """Return the decks that have names, with the first sentence of their files."""
    shipped = []
    for name in config.names("decks"):
        path: Path = config.find(name, "decks")
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        says = first.removeprefix("#").strip() if first.startswith("#") else ""
        shipped.append((name, says.rstrip(".")))
    return shipped
