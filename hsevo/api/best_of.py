"""`hsevo.series`: best-of-n matches of two agents with line-ups of decks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Unpack

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.api.contests import play_out
from hsevo.cards.decks import DeckLike, as_decks, each_deck
from hsevo.config.named import CIG2018
from hsevo.errors import AgentError, RunError
from hsevo.experiments.playing import ARGUMENTS, Progress, parted, workers_of
from hsevo.generated import SeriesFields
from hsevo.metagame.best_of import Series
from hsevo.metagame.series import SeriesLineup, SeriesPlan
from hsevo.strength.agents import Agent, AgentLike
from hsevo.strength.roster import merged

SeriesResult = Series  # its name before version 0.6


def series(a: AgentLike, b: AgentLike, series: int = 1000, *,
           mine: DeckLike | Iterable[DeckLike] = CIG2018,
           theirs: DeckLike | Iterable[DeckLike] | None = None, out: str | Path | None = None,
           progress: Progress = False, **fields: Unpack[SeriesFields]) -> Series:
    """Play series, best of 2 n - 1 with line-ups of n decks, as tournaments do.

    mine, theirs: the decks of a and of b, one of a class at most; theirs are by default the same.
    out: a folder for the games, from which `hsevo.replay` plays any again; series that were stopped
    continue with the same call. A drawn game is played again with the same decks; a series with
    more than 20 of them is drawn. The seed of a game draws who begins.

    fields: format="conquest" (a deck that has won is out, and who has won with each wins) or
    "last-hero-standing" (a deck that has lost is out, the winner's plays on); ban=True: each first
    strikes a deck of the other, and the series is a best of 2 n - 3; choose="uniform": decks are
    chosen at random of those that may play, and struck at random; "best": both first see
    scouting=200 games of every deck against every deck, and choose and strike optimally for these
    rates; and seed, ruleset, information, max_turns, workers and backend, as of `match`.

    Raises AgentError, DeckError, ConfigError, CardError, RunError.

    >>> ours = hsevo.series("greedy:metastone", "eva:2018", 200, mine=["mage", "shaman"],
    ...                     theirs=["warrior", "mage"], choose="best", scouting=20)
    >>> len(ours.series), 0 < ours.chance.value < 1
    (200, True)
    """
    given, team = parted("series", SeriesFields, fields)
    own, workers = each_deck(mine), workers_of(**team)
    lineup = _lineup((Agent(a), Agent(b)), own, own if theirs is None else each_deck(theirs),
                     {"series": series, **given})
    return play_out(Series(lineup, None if out is None else Path(out)), workers, progress)


def open_series(path: str | Path) -> Series:
    """Open a folder of finished series: their result, from the games that are stored there.

    Raises RunError, and ConfigError for a damaged series.yaml.

    >>> hsevo.series("greedy:metastone", "random", 20, out="runs/series").played
    20
    >>> hsevo.open_series("runs/series").played
    20
    """
    found = Series.open(path)
    if not found.finished:
        raise RunError(f"{path} is not a finished series of hsevo: it was stopped, and the same"
                       " call of hsevo.series continues it")
    return found


def _lineup(agents: tuple[Agent, Agent], mine: list[DeckLike], theirs: list[DeckLike],
            given: dict[str, Any]) -> SeriesLineup:
    """Return who plays which decks. Raises AgentError, DeckError, ConfigError."""
    for one in agents:
        if one.deck is not None:
            raise AgentError(f"'{one.name}' has a deck of its own; name line-ups instead (mine,"
                             " theirs)")
    decks, named = merged([], [*as_decks(mine), *as_decks(theirs)])
    place = {deck.name: i for i, deck in enumerate(decks)}
    own, others = named[:len(mine)], named[len(mine):]
    names = agents[0].name, agents[1].name
    plan = config.check(SeriesPlan, {"a": names[0], "b": names[1], "decks": [*place], "mine": own,
                               "theirs": others, **given}, ARGUMENTS)
    players = joined([agent._named.on(decks) for agent in agents], len(decks))
    return SeriesLineup.checked(plan, names, players, decks, [place[name] for name in own],
                                [place[name] for name in others])
