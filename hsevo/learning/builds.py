"""How deck building developed: what a policy builds at each checkpoint, in numbers and a picture.

    builds = drawn(actor, Class.MAGE, 200, seed=1)      200 decks, and how sure their choices were
    described(builds), cards_of(builds.decks)           a row of a table; a row a card
    draw(building, cards)                               the picture

Decks are drawn as in a match, without random-CB. The entropy of a choice is that of the chances by
which the card was drawn. It is computed here in numpy: compiled code keeps only the chance of the
card that was drawn. A policy that peeks sees nothing of an opponent here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from hsevo.cards import tables
from hsevo.cards.database import DeckDatabase, in_common
from hsevo.cards.decks import Deck
from hsevo.cards.terms import Class
from hsevo.learning.acting.actor import ANY, Actor
from hsevo.learning.acting.agents import picked
from hsevo.learning.acting.building import Branch
from hsevo.pictures import COLOURS, INK, Picture, single
from hsevo.types import Array

if TYPE_CHECKING:
    from hsevo.pictures import Axes, Figure

LATE = 7  # this much mana and more: the last column of a curve
NAMELESS = "unknown"  # the archetype of human lists whose source names none
UNIFORM = -1  # in the place of a period: of a policy that draws each card uniformly
TOP = 8  # cards of a class in the picture


class Builds(NamedTuple):
    """Decks of a class that a policy built."""

    cls: Class
    decks: list[Deck]  # (n,)
    bits: Array  # float64 (n, 30): the entropy of each choice


def uniform(actor: Actor) -> Actor:
    """Return a policy that draws each card of a deck uniformly from those that it may take."""
    return replace(actor, branches={
        owner: branch._replace(query=np.zeros_like(branch.query),
                               query_bias=np.zeros_like(branch.query_bias))
        for owner, branch in actor.branches.items()})


def drawn(actor: Actor, cls: Class, n: int, seed: int) -> Builds:
    """Return `decks` with the entropy of their choices."""
    assert actor.pool is not None
    picks = picked(actor, cls, n, seed)
    branch = actor.branches[cls if cls in actor.branches else ANY]
    return Builds(cls, [actor.pool.deck(cls, cards) for cards in picks],
                  entropies(branch, cls, picks, actor.pool.most[cls]))


def decks(actor: Actor, cls: Class, n: int, seed: int) -> list[Deck]:
    """Return n decks that a policy builds for a class: those of `hsevo decks built`."""
    assert actor.pool is not None
    return [actor.pool.deck(cls, cards) for cards in picked(actor, cls, n, seed)]


def entropies(branch: Branch, cls: Class, picks: Array, most: Array) -> Array:
    """Return the entropy in bits of each choice, float64 (n, 30), of decks that were built.

    As of `chances`.
    """
    from scipy.special import entr  # a quarter of a second to import

    nats = [entr(probabilities).sum(axis=1) for probabilities in chances(branch, cls, picks, most)]
    return np.asarray(np.stack(nats, axis=1) / np.log(2))


def chances(branch: Branch, cls: Class, picks: Array, most: Array) -> Iterator[Array]:
    """Yield the probability of each card at each choice, float64 (n, k), of decks of a class.

    picks: places in the pool, (n, 30), in the order of choice. most: copies that a deck may have of
    each card, (k,).
    """
    from scipy.special import softmax

    n, wide = len(picks), branch.cards.shape[1]
    keys = (branch.cards @ branch.key + branch.key_bias).T / branch.root
    counts, so_far = np.zeros((n, len(most)), np.int64), np.zeros((n, wide), np.float32)
    inputs = np.zeros((n, len(branch.hidden)), np.float32)
    inputs[:, :wide] = branch.heroes[cls]
    for step, cards in enumerate(picks.T):
        inputs[:, wide:2 * wide] = so_far / branch.list_scale
        inputs[:, (2 + branch.peeks) * wide] = step / picks.shape[1]
        hidden = np.maximum(inputs @ branch.hidden + branch.hidden_bias, 0)
        scores = (hidden @ branch.query + branch.query_bias) @ keys
        yield softmax(np.where(counts < most, scores, -np.inf).astype(np.float64), axis=1)
        counts[np.arange(n), cards] += 1
        so_far += branch.cards[cards]


def described(builds: Builds, ruleset: str = "cig2018") -> dict[str, Any]:
    """Return what decks of a class have in common, as the columns of a table.

    class; entropy: the mean of a choice, in bits; different: decks; cards: different ones in all
    decks; cost: mean mana of a card; mana_0 to mana_7: cards of a deck that cost so much, or more;
    in_common: cards, of 30, in common with the nearest human list; archetype: the most frequent of
    these lists; archetype_share: how many of them have it, from 0 to 1.
    """
    decks, pool = builds.decks, tables.every_card()
    costs = np.array([[pool[id].cost for id in deck.ids] for deck in decks])
    curve = np.bincount(np.minimum(costs, LATE).ravel(), minlength=LATE + 1) / len(decks)
    shared, lists = nearest(decks, ruleset)
    archetype, times = Counter(lists["archetype"]).most_common(1)[0]
    return {"class": title(builds.cls), "entropy": float(builds.bits.mean()),
            "different": len({tuple(sorted(deck.ids)) for deck in decks}),
            "cards": len({id for deck in decks for id in deck.ids}), "cost": float(costs.mean()),
            **{f"mana_{cost}": float(number) for cost, number in enumerate(curve)},
            "in_common": float(shared.mean()), "archetype": archetype,
            "archetype_share": times / len(decks)}


def cards_of(decks: Sequence[Deck]) -> pd.DataFrame:
    """Return a row for each card that decks of one class hold, the most frequent first.

    Columns class, card, share (of the decks that hold it, 0 to 1), copies (the mean of all decks).
    """
    pool, n = tables.every_card(), len(decks)
    held = Counter(id for deck in decks for id in {*deck.ids})
    copies = Counter(id for deck in decks for id in deck.ids)
    table = pd.DataFrame([{"class": title(Class[decks[0].hero_class]), "card": pool[id].name,
                           "share": times / n, "copies": copies[id] / n}
                          for id, times in held.items()])
    return table.sort_values(["share", "copies", "card"], ascending=[False, False, True],
                             ignore_index=True)


def nearest(decks: Sequence[Deck], ruleset: str = "cig2018") -> tuple[Array, pd.DataFrame]:
    """Return how many cards decks of one class, (n,), share with the nearest human list of it.

    Beside it what is known of these lists, a row each: deck (its name), archetype and so on.
    """
    known = DeckDatabase.load(ruleset).of_class(Class[decks[0].hero_class])
    number = tables.index(known.ruleset)
    shared = in_common(np.array([[number[id] for id in deck.ids] for deck in decks]), known.decks)
    first = shared.argmax(axis=1)
    facts = known.facts.iloc[first].reset_index(drop=True)
    return shared.max(axis=1), facts.assign(archetype=facts["archetype"].fillna(NAMELESS))


def title(cls: Class) -> str:
    """Return the name of a class in tables."""
    return cls.name.title()


def draw(building: pd.DataFrame, cards: pd.DataFrame) -> Picture:
    """Draw the entropy of a choice by period, and the share of the last period's first cards."""
    classes = building["class"].unique()

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1 + len(classes), 1, squeeze=False).ravel()
        _entropy(panels[0], building)
        for axes, cls in zip(panels[1:], classes, strict=True):
            shades = _shares(axes, cards[cards["class"] == cls], cls)
        panels[-1].set_xlabel("period")
        figure.colorbar(shades, ax=panels[1:].tolist(), label="decks that hold it (%)")

    return single(paint, 2.6 + 2.2 * len(classes))


def _entropy(axes: Axes, building: pd.DataFrame) -> None:
    for (cls, own), colour in zip(building.groupby("class", sort=False), COLOURS * 2, strict=False):
        after = own[own["period"] != UNIFORM]
        axes.plot(after["period"], after["entropy"], "o-", color=colour, markersize=3, label=cls)
        for bits in own["entropy"][own["period"] == UNIFORM]:
            axes.axhline(bits, color=colour, linestyle=":", linewidth=1)
    axes.plot([], [], color=INK, linestyle=":", linewidth=1, label="uniform choice")
    axes.set_ylim(bottom=0)
    locator: Any = axes.xaxis.get_major_locator()
    locator.set_params(integer=True)
    axes.set_title("Entropy of a choice", loc="left")
    axes.set_ylabel("bits")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small", ncols=4)


def _shares(axes: Axes, cards: pd.DataFrame, cls: str) -> Any:
    """Draw the shares of a class's first cards in shades; return what a colour bar needs."""
    shares = cards.pivot_table(index="card", columns="period", values="share", fill_value=0.0)
    last = cards[cards["period"] == cards["period"].max()]
    rows = 100 * shares.loc[last["card"].head(TOP)]
    axes.set_title(f"{cls}: the most frequent cards at the end", loc="left")
    axes.set_yticks(range(len(rows)), rows.index, fontsize="small")
    places = np.arange(shares.shape[1])
    axes.set_xticks(places, [f"{period}" for period in shares.columns], fontsize="small")
    axes.invert_yaxis()
    return axes.pcolormesh(places, np.arange(len(rows)), rows.to_numpy(), cmap="Blues", vmin=0,
                           vmax=100)
