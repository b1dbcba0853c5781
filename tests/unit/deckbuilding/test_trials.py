"""Trials, swaps and card values: common seeds, races that find what is planted, bad input."""

import re
from pathlib import Path

import numpy as np
import pytest

import hsevo
from hsevo.cards.deck_pool import DeckPool
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import cards
from hsevo.config import Workers
from hsevo.deckbuilding import card_values, swaps
from hsevo.deckbuilding.swaps import Trials, counts_of
from hsevo.errors import ConfigError
from hsevo.play.workers import open_workers
from tests.support.command import hsevo as command

SERIAL = {"backend": "serial"}
PILOT = "greedy:metastone"
BAD = "cig2018+Wisp.cost=30"  # a card that is never played


def trials(*against: str, ruleset: str = "cig2018", seed: int = 1) -> Trials:
    return Trials.of(against or ("shaman", "warrior"), PILOT, ruleset, 89, seed)


@pytest.fixture(scope="module")
def serial():
    with open_workers(Workers(backend="serial")) as executor:
        yield executor


def test_a_score_is_that_of_both_games(serial) -> None:
    """As a match of the deck against the field's, seed by seed, from either seat."""
    here = trials("shaman", "random@warrior")
    pairs = np.arange(6)
    found = here.scores(serial, [read_deck("mage")], pairs, 0)[0]
    for k, score in zip(pairs.tolist(), found.tolist(), strict=True):
        rival, agent = [("shaman", PILOT), ("warrior", "random")][k % 2]
        points = 0.0
        for seat in (0, 1):
            decks, agents = ["mage", rival], [PILOT, agent]
            game = hsevo.Game(*(decks if seat == 0 else decks[::-1]),
                              players=agents if seat == 0 else agents[::-1],
                              seed=int(here.seeds(np.array([k]), 0)[0]))
            game.run()
            points += {seat: 1.0, None: 0.5}.get(game.winner, 0.0)
        assert score == points / 2
    assert counts_of(found).sum() == 6


def test_a_deck_scores_the_same_alone_and_with_others(serial) -> None:
    """Also with more decks than a setting holds."""
    here, mage = trials(), read_deck("mage")
    many = [read_deck("classic-mage")] * 300 + [mage]
    alone = here.scores(serial, [mage], np.arange(2), 3)
    assert (here.scores(serial, many, np.arange(2), 3)[-1] == alone[0]).all()
    assert (here.scores(serial, [mage], np.array([[1, 0]]), 3)[0] == alone[0, ::-1]).all()


def test_swaps_are_legal_and_keep_the_order() -> None:
    deck = read_deck("mage")
    pool = DeckPool.of("mage", keep=["Fireball"], ban=["Wisp"])
    found = swaps.possible(deck, pool)
    names = {(cards()[out].name, cards()[into].name) for out, into in found}
    assert "Fireball" not in {out for out, _ in names}
    assert "Wisp" not in {into for _, into in names}
    assert ("Frostbolt", "Fireball") in names  # a second copy
    assert ("Frostbolt", "Alexstrasza") not in names  # a second legendary
    out, into = found[0]
    after = swaps.changed(deck, out, into)
    assert [a for a, b in zip(deck.ids, after.ids, strict=True) if a != b] == [out]
    small = DeckPool.of("mage", sets=["basic"])
    assert {out for out, _ in swaps.possible(deck, small)} == set(deck.ids)  # none is of the pool


def test_main_effects_by_hand() -> None:
    """Gaps are a sum of what a card out and a card in are worth: that is what is found."""
    outs, ins = {"a": 1.0, "b": -1.0, "c": 0.0}, {"x": 5.0, "y": -5.0}
    pairs = [(out, into) for out in outs for into in ins]
    gaps = np.array([outs[out] + ins[into] for out, into in pairs])
    assert swaps._main_effects(pairs, gaps) == pytest.approx(gaps)


def test_a_race_finds_a_planted_card() -> None:
    """A 6/7 for nothing is the card to bring in, and the deck is surely better with it."""
    # EVA finds it with seeds 1 to 4; in 4,000 games, it finds it with one seed of three
    how = {"pilot": "eva:2018", "games": 8000, "confirm": 400, "sets": ["basic"],
           "ruleset": "cig2018+Boulderfist Ogre.cost=0"}
    found = hsevo.improve_deck("mage", ["shaman", "warrior"], **how, **SERIAL)
    assert found.swaps["in"].tolist() == ["Boulderfist Ogre"]
    assert len(found.deck) == 30
    assert found.comparison.gain.value > 0
    assert found.comparison.chance > 0.9
    assert "swap" in found.sentence
    again = hsevo.improve_deck("mage", "shaman,warrior", **how, workers=2)
    assert again.deck == found.deck
    assert again.comparison == found.comparison


def test_a_race_meets_each_deck_of_the_field_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first step, however few the games: 2,600 are the fewest for five decks."""
    met: list[list[int]] = []

    def scores(self, executor, decks, pairs, stage, on_games=None):
        if pairs.ndim == 1:
            met.append(np.bincount(pairs % 5, minlength=5).tolist())
        return np.random.default_rng(stage).random((len(decks), pairs.shape[-1]))
    monkeypatch.setattr(Trials, "scores", scores)
    field = ["shaman", "warrior", "zoo-warlock", "classic-druid", "mage"]
    for games in (5 * swaps.LEAST_GAMES, 20_000):
        swaps.race(None, trials(*field), read_deck("mage"),  # type: ignore[arg-type]
                   DeckPool.of("mage", sets=["basic", "classic"]), games, 0)
    assert len(met) == 8
    assert all(len(set(counts)) == 1 and counts[0] for counts in met)
    with pytest.raises(ConfigError, match=r"games is 2599, but .* from 2,600"):
        hsevo.improve_deck("mage", field, games=2_599)


def test_a_comparison_of_a_deck_with_itself_is_nothing(serial) -> None:
    mage = read_deck("mage")
    found = swaps.compare(serial, trials(), mage, mage, 20)
    assert (found.gain.value, found.pairs) == (0, 10)
    assert found.before == found.after
    assert found.chance == pytest.approx(0.5)


def test_watched_games_are_those_of_trials(serial) -> None:
    """The games that look at cards are the same games; a dealt card is drawn, a shown one, too."""
    here, deck = trials("shaman", "random@warrior"), read_deck("mage")
    score, seen = card_values.watched(serial, here, deck, 8)
    assert (score == here.scores(serial, [deck], np.arange(8), card_values.STAGE)[0]).all()
    assert seen["won"].sum() == pytest.approx(4 * score.sum())
    assert set(seen["dealt"].sum(axis=1)) <= {3, 4}
    # but for copies that are shuffled into the deck, or come otherwise
    assert (seen["drawn"] | ~seen["dealt"]).mean() > 0.97
    assert (seen["drawn"] | ~seen["shown"]).mean() > 0.97
    assert 0.3 < seen["drawn"].mean() < 1


def test_values_find_a_card_that_is_worth_less() -> None:
    spoilt = hsevo.Deck([*hsevo.Deck("mage").cards[1:], "Wisp"], hero="mage", name="spoilt")
    found = hsevo.card_values(spoilt, ["shaman", "warrior"], pilot=PILOT, games=300, ruleset=BAD,
                              **SERIAL)
    table = found.table
    assert found.rate.low < found.rate.value < found.rate.high
    assert table["value"].is_monotonic_decreasing
    assert "Wisp" in table["card"][-8:].tolist()
    wisp = table.set_index("card").loc["Wisp"]
    assert np.isnan(wisp["shown"])
    assert wisp["shown_games"] == 0
    assert (table["value_low"] <= table["value"]).all()
    assert (table["dealt_games"] <= table["drawn_games"]).all()


def test_what_takes_a_cards_place() -> None:
    deck = read_deck("mage")
    for id in deck.ids[:10]:
        others = card_values.substitutes(deck, id, "cig2018")
        assert {cards()[one].cost for one in others} == {cards()[id].cost}
        assert not {*others} & {*deck.ids}


def test_what_commands_print(here: Path) -> None:
    words = ("--against", "shaman", "--pilot", "random", "--backend", "serial")
    race = ("decks", "improve", "mage", *words, "--games", "520", "--confirm", "20")
    shown = command(*race, "--output", "better.txt")
    assert "new games each" in shown.stdout or "none of the tested swaps" in shown.stdout
    assert "mage, played by random, against shaman; ruleset cig2018" in shown.stdout
    assert hsevo.Deck("better.txt").hero == "Mage"
    assert '"comparison"' in command(*race, "--json").stdout
    cards_of = ("decks", "cards", "mage", *words, "--games", "4")
    shown = command(*cards_of).stdout
    assert "cards have intervals that exclude 0" in shown
    rows = [line for line in shown.splitlines() if re.search(r"[-+]\d+\.\d to [-+]\d", line)]
    assert rows
    for row in rows:
        rates = re.split(r"[-+]\d+\.\d to [-+]\d+\.\d", row)[1]
        assert not re.sub(r"\d+ \(\d+ to \d+\)", "", rates).strip()  # no rate without its ends
    assert command(*cards_of, "--csv").stdout.startswith("card,copies,cost,value,value_low")
    assert '"dealt_games"' in command(*cards_of, "--json").stdout


def test_arguments() -> None:
    with pytest.raises(ConfigError, match="field is empty"):
        hsevo.improve_deck("mage", [])
    with pytest.raises(ConfigError, match="pilot is 3"):
        hsevo.card_values("mage", ["shaman"], pilot=3)
