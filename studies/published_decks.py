"""Published decks with a measured fitness, measured again: do our games rank them as theirs did?

    python -m studies.published_decks [GAMES]     prints the findings as JSON

Zhang, Fontaine, Hoover and Nikolaidis ("Deep surrogate assisted MAP-Elites for automated
Hearthstone deckbuilding", GECCO 2022) measured rogue decks against the elite field: the mean
difference of the heroes' health over 200 games, all begun by the rogue, played by a network with a
search. studies/data/published_rogue_decks.csv has 485 of them. Those whose cards are all here play
the same field under several pilots, GAMES (by default as TRIALS has it) against each of its six
decks, all with the same deals. The two trials of the highest correlation, which are in part the
luckiest, are done again with another seed.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import spearmanr

from hsevo.cards import tables
from hsevo.cards.decks import Deck, read_deck
from hsevo.cards.rulesets import RULESETS
from hsevo.config import Workers
from hsevo.play import match, tournament
from hsevo.play.workers import open_workers
from hsevo.seeds import derive
from hsevo.strength.roster import read_agent
from studies import DATA, ROOT

Array: TypeAlias = npt.NDArray[Any]

PUBLISHED = DATA / "published_rogue_decks.csv"
BOTH = ROOT / "configs" / "decks" / "published-pilots.csv"
FIELD = [f"elite-{style}-{cls}" for cls in ("hunter", "paladin", "warlock")
         for style in ("aggro", "control")]
SEED, RESAMPLES = 2026, 2000
OWN = "published players"  # the field's decks have pilots of their own, aggro and control


class Trial(NamedTuple):
    """Who plays the rogue, who the field; games against each deck of it; does the rogue begin?"""

    rogue: str
    field: str
    games: int
    begins: bool = True


TRIALS = (Trial("eva:2018", "eva:2018", 100), Trial("eva:2018", "eva:2018", 100, begins=False),
          Trial("eva:wide:2026", "eva:wide:2026", 50), Trial("rl:2026", "rl:2026", 30),
          Trial("eva:2018", OWN, 20), Trial("control", OWN, 20), Trial("aggro", OWN, 20))
AGAIN = 2  # trials that are done again
# As cig2018, but the player of the first seat begins every game.
RULES = replace(RULESETS["cig2018"], name="cig2018-first-begins", first_begins=True)


def published() -> tuple[list[Deck], Array, Counter[str]]:
    """Return the playable decks, their published fitness (n,), and in how many others which cards
    are that are not here.
    """
    named = {name.casefold(): id for name, id in tables.by_name().items()}
    decks, fitness, missing = [], [], Counter[str]()
    for row in pd.read_csv(PUBLISHED).itertuples():
        copies = [(name, int(n or 1)) for name, _, n in (
            one.partition("*") for one in str(row.cards).split("|"))]
        lacking = [name for name, _ in copies if name.casefold() not in named]
        missing.update(lacking)
        if not lacking:
            cards = tuple(named[name.casefold()] for name, n in copies for _ in range(n))
            decks.append(Deck.of(f"published-{row.deck}", "ROGUE", cards))
            fitness.append(float(row.mean_health_difference))  # type: ignore[arg-type]
    return decks, np.array(fitness), missing


def margins(decks: list[Deck], trial: Trial, games: int, seed: int) -> Array:
    """Return the mean difference of health of decks (n,) in two halves of the games: (n, 2)."""
    RULESETS[RULES.name] = RULES
    field = [read_deck(name) for name in FIELD]
    opponents = [name.split("-")[1] if trial.field == OWN else trial.field for name in FIELD]
    agents = np.concatenate([read_agent(_spec(name), None) for name in (trial.rogue, *opponents)])
    rows = np.zeros((len(decks), len(field), 2), match.PAIRING)
    rows["a"], rows["b"] = 0, 1 + np.arange(len(field))[:, None]
    rows["deck_a"] = len(field) + np.arange(len(decks))[:, None, None]
    rows["deck_b"], rows["games"] = np.arange(len(field))[:, None], max(games // 2, 1)
    rows["seed"] = derive((seed,), *np.indices((len(field), 2)).reshape(2, -1)).reshape(-1, 2)
    setting = match.Setting(RULES.name if trial.begins else "cig2018", (*field, *decks))
    with open_workers(Workers(backend="serial")) as executor:
        found = tournament.play(executor, rows.ravel(), agents, setting).reshape(rows.shape)
    gaps = (found["margin_a"] - found["margin_b"]) / rows["games"]
    return np.asarray(gaps.mean(axis=1))


def _spec(name: str) -> str:
    """Return the spec of an agent, which may be a published pilot."""
    return f"eva:wide-turn:{BOTH}#{name}" if name in ("control", "aggro") else name


def compared(ours: Array, theirs: Array) -> dict[str, float]:
    """Return Spearman's rho of both, its 95 % interval over decks drawn anew, and the reliability.

    ours: (n, 2) by halves of the games. reliability: the correlation of two such measurements as
    the halves tell it (Spearman and Brown): rho could be its root at most, were theirs exact.
    """
    mean, random = ours.mean(axis=1), np.random.default_rng(SEED)
    drawn = random.integers(len(mean), size=(RESAMPLES, len(mean)))
    low, high = np.quantile([spearmanr(mean[one], theirs[one])[0] for one in drawn],
                            [0.025, 0.975])
    half = float(spearmanr(*ours.T)[0])
    return {"value": float(spearmanr(mean, theirs)[0]), "low": float(low), "high": float(high),
            "reliability": 2 * half / (1 + half), "mean": float(mean.mean())}


def main() -> None:
    """Measure and print."""
    decks, theirs, missing = published()

    def measured(trial: Trial, seed: int) -> dict[str, Any]:
        games = int(sys.argv[1]) if len(sys.argv) > 1 else trial.games
        found = trial._asdict() | {"seed": seed, "games": len(FIELD) * games} | compared(
            margins(decks, trial, games, seed), theirs)
        print(found, file=sys.stderr)
        return found

    found = [measured(trial, SEED) for trial in TRIALS]
    best = sorted(range(len(found)), key=lambda i: -found[i]["value"])[:AGAIN]
    found += [measured(TRIALS[i], SEED + 1) for i in best]
    print(json.dumps({"playable": len(decks), "mean": float(theirs.mean()),
                      "missing": dict(missing.most_common()), "trials": found}, indent=1))


if __name__ == "__main__":
    main()
