"""`hsevo.balance`: which few changes of cards make a field of decks even?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
import pandas as pd

from hsevo import config
from hsevo.agents.genomes.decks import joined
from hsevo.cards import tables
from hsevo.cards.decks import Deck, DeckLike
from hsevo.config.contests import BalanceSettings
from hsevo.config.overlays import is_overlay
from hsevo.deckbuilding.responses import Response
from hsevo.errors import AgentError, CardError, ConfigError
from hsevo.experiments.playing import ARGUMENTS, Progress, parted, playing, workers_of
from hsevo.generated import BalanceFields
from hsevo.metagame import balance as search
from hsevo.metagame.metagame import Metagame, each_once
from hsevo.metagame.re_evolving import BALANCE_GAMES, LAST, Responder, refuse_idle
from hsevo.objects import Fields
from hsevo.seeds import Stream, derive
from hsevo.strength import rating
from hsevo.strength.agents import Agent
from hsevo.strength.comparing import arena
from hsevo.strength.rating import Estimate
from hsevo.strength.roster import read_agent, split_deck


@dataclass(frozen=True)
class Balance:
    """Hold a metagame of decks, and changes of cards that make it more even, small changes first.

    Attributes
    ----------
    before : Metagame
        The unchanged decks, in new games that were not used for selection.
    after : tuple of Metagame
        The same games after each proposal.
    rulesets : tuple of str
        The proposals, as lines of overlays, which `hsevo.nerf` accepts.
    tried : tuple of Tried
        All proposals that were evaluated.
    challengers : tuple of tuple of Response
        With re_evolve, the decks that evolved last against the unchanged metagame, and after each
        proposal. In `before` and `after`, they come after the decks of the metagame.

    Examples
    --------
    >>> found = hsevo.balance(["mage", "shaman"], "greedy:metastone", most=1, proposals=4, games=4,
    ...                       confirm=36)
    >>> found.front.columns.tolist()[:5]
    ['size', 'changes', 'unevenness', 'unevenness_low', 'unevenness_high']
    """

    FIELDS: ClassVar[Fields] = {
        "rulesets": "rulesets", "front": "front", "before": "before", "after": "after"}

    before: Metagame
    after: tuple[Metagame, ...]
    rulesets: tuple[str, ...]
    tried: tuple[search.Tried, ...]
    challengers: tuple[tuple[Response, ...], ...] = ()

    @property
    def front(self) -> pd.DataFrame:
        """One row for no change, and one for each proposal, from the new games.

        Columns size (number of steps), changes, unevenness (root mean square of the decks' rates
        against all others less 1/2, corrected for chance) with the ends of its interval, searched
        (the same without correction, in the games that selected the proposal), best, best_rate,
        best_rate_low, best_rate_high, and the same of worst (decks and their rates).

        With re_evolve, the unevenness also includes each challenger that wins more than half
        against the metagame, by this excess. challenger is the best evolved deck, with
        challenger_rate and its interval (against the metagame, in games that were not used for
        selection) and challenger_code. It is None, with NaN, if no evolved deck is new.
        """
        none = search.Tried((), self.before.matchups.rates)
        metas = self.before, *self.after
        evolved = self.challengers or [()] * len(metas)
        return pd.DataFrame([
            {"size": trial.size, "changes": said(trial.changes), **_facts(meta, len(others)),
             "searched": trial.unevenness if trial.changes else np.nan,
             **_extremes(meta, len(others)),
             **(_challenger(meta, others) if self.challengers else {})}
            for trial, meta, others in zip((none, *self.tried), metas, evolved, strict=True)])

    def __repr__(self) -> str:
        lines = [f"{row['changes'] or 'no change'}: {100 * row['unevenness']:.1f}"
                 for row in self.front.to_dict("records")]
        return f"Balance({'; '.join(lines)})"


def said(changes: search.Changes) -> str:
    """Return changes in words: "Spirit Claws cost+1, Wisp health-2"."""
    return ", ".join(f"{card} {fact}{steps:+d}" for card, fact, steps in changes)


def _facts(meta: Metagame, challengers: int) -> dict[str, float]:
    estimate = search.estimated(meta.matchups, challengers)
    return {"unevenness": estimate.value, "unevenness_low": estimate.low,
            "unevenness_high": estimate.high}


def _extremes(meta: Metagame, challengers: int) -> dict[str, Any]:
    """Return the best and the worst deck of the field, by their games against the field."""
    field = len(meta.decks) - challengers
    rates = [_against(meta, deck, field) for deck in range(field)]
    order = sorted(range(field), key=lambda deck: -rates[deck].value)
    return {column: value for name, deck in (("best", order[0]), ("worst", order[-1]))
            for column, value in {name: meta.decks[deck],
                                  **_ends(f"{name}_rate", rates[deck])}.items()}


def _challenger(meta: Metagame, challengers: Sequence[Response]) -> dict[str, Any]:
    """Return the best challenger, by the games that chose it among the decks of its class."""
    if not challengers:
        return {"challenger": None, **_ends("challenger_rate", Estimate(*[np.nan] * 3)),
                "challenger_code": None}
    best = max(range(len(challengers)), key=lambda i: challengers[i].rate)
    field = len(meta.decks) - len(challengers)
    return {"challenger": meta.decks[field + best],
            **_ends("challenger_rate", _against(meta, field + best, field)),
            "challenger_code": Deck(challengers[best].deck).code}


def _against(meta: Metagame, deck: int, field: int) -> Estimate:
    """Return the rate of a deck against the others of the field."""
    return rating.rate(meta.matchups.counts[deck, :field].sum(axis=0))


def _ends(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def balance(decks: DeckLike | Iterable[DeckLike], pilot: str = "eva:2018", *,
            progress: Progress = False, **fields: Unpack[BalanceFields]) -> Balance:
    """Find the few changes of cards that make a metagame of decks most even.

    A proposal changes costs, attack, health or durability of cards of the decks in steps of 1.
    Decks and their pilot stay the same.

    Parameters
    ----------
    decks : deck or iterable of decks
        Decks of the metagame, in any form.
    pilot : str, default "eva:2018"
        Agent that plays all decks.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.
    **fields : BalanceFields
        `cards` (change only these cards, default: all cards of the decks), `most` (default 3,
        maximum number of steps), `proposals` (default 300, number of proposals to evaluate),
        `games` (default 20, approximate games of every two decks after each proposal, four times as
        many for the best of each size), `confirm` (default 400, new games of every two decks for
        the reported proposals), `re_evolve` (True: decks evolve against each accepted proposal, one
        of each class, and count in its unevenness), `evolve_games` (default 2000, games of each
        such search, ten times as many for the reported proposals), `seed`, `ruleset`, `max_turns`,
        `workers` and `backend`.

    Returns
    -------
    Balance
        The proposals, with their metagames.

    Raises
    ------
    HsevoError
        If an input is invalid, a folder is unusable, or games fail. See `hsevo.HsevoError`.

    Examples
    --------
    >>> found = hsevo.balance(["mage", "shaman"], "greedy:metastone", most=1, proposals=4, games=4,
    ...                       confirm=36)
    >>> len(found.front) == 1 + len(found.rulesets)
    True
    """
    settings, worker_fields = parted("balance", BalanceFields, fields)
    asked = config.check(BalanceSettings, settings, ARGUMENTS)
    refuse_idle(asked.re_evolve, evolve_games=asked.evolve_games)
    field = _field(each_once(decks), pilot, asked)
    most, proposals, each = asked.most, asked.proposals, asked.games + asked.games % 2
    evolving = BALANCE_GAMES if asked.evolve_games is None else asked.evolve_games
    responder = Responder(field, pilot, evolving) if asked.re_evolve else None
    total = search.games_of(len(field.decks), proposals, most, each,
                            len(responder.classes) if responder else 0)
    if responder:
        total += responder.most_games(1 + proposals) + responder.most_games(1 + most, LAST)
    with playing(total, workers_of(**worker_fields), progress,
                 ruleset=field.ruleset) as (executor, meter):
        respond = responder.respond(executor, meter.advance) if responder else None
        trials = search.search(executor, field, most, proposals, each, meter.advance, respond)
        evolved = responder.last(executor, [trial.changes for trial in trials],
                                 [trial.challengers for trial in trials],
                                 meter.advance) if responder else []
    tried = trials[1:]
    rules: dict[str, Any] = {"seed": int(derive((field.seed, 9, Stream.ARENA))[0] >> np.uint64(1)),
                             "max_turns": asked.max_turns}
    rulesets = [search.overlay(field.ruleset, trial.changes) for trial in tried]
    metas = []
    for i, name in enumerate((field.ruleset, *rulesets)):
        others = [response.deck for response in evolved[i]] if evolved else []
        everyone = [Agent(pilot, deck=Deck(deck)) for deck in (*field.decks, *others)]
        metas.append(Metagame(arena(everyone, asked.confirm, ruleset=name, progress=progress,
                                    **rules, **worker_fields)))
    return Balance(metas[0], tuple(metas[1:]), tuple(rulesets), tuple(tried), tuple(evolved))


def _field(decks: list[DeckLike], pilot: str, asked: BalanceSettings) -> search.BalancedField:
    """Return the field of a search. Raises AgentError, ConfigError, CardError."""
    if not isinstance(pilot, str):
        raise ConfigError(f"pilot is {config.short(pilot)}, but must be a spec, such as 'eva:2018'")
    if split_deck(pilot)[1]:
        raise AgentError(f"pilot '{pilot}' already has a deck; remove @DECK")
    agents = joined([read_agent(pilot, None)], 0)
    base = tables.find_ruleset(asked.ruleset).name
    if is_overlay(base):
        raise ConfigError("ruleset is an overlay, but proposals need a shipped ruleset; use"
                          f" {tables.base_of(base)}")
    plain = tuple(Deck(deck) for deck in decks)
    only = {tables.card_of(card, base) for card in asked.cards}
    if lacking := only - {id for deck in plain for id in deck.ids}:
        raise CardError(f"no deck has {tables.cards(base)[min(lacking)].name}; choose cards that"
                        " are in the decks")
    facts = tuple(search.facts_of(deck, base, lambda id: not only or id in only) for deck in plain)
    return search.BalancedField(plain, facts, agents, base, asked.max_turns, asked.seed,
                                frozenset(only))
