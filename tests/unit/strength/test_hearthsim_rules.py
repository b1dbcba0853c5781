"""HearthSim's ruleset and its decks of cards that no other ruleset has, in all that plays games."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import hsevo
from hsevo.cards import decks
from hsevo.errors import AgentError, DeckError
from hsevo.strength import load_study

NAMES = [f"{name}-{k}" for k in (1, 2, 3) for name in ("taunts", "bodies")]
FOREIGN = "deck 'taunts-1' has the card Body 1/1, which only ruleset hearthsim has; this is "


def test_the_shipped_decks_are_drawn_by_the_study() -> None:
    study = load_study("taunts").model_copy(update={"seed": 2026})
    for name, drawn in zip(NAMES, study.decks(16, np.arange(3)), strict=True):
        deck = hsevo.Deck(name)
        assert Counter(deck.ids) == Counter(drawn.ids)
        guards = sum(card.startswith("Guard ") for card in deck.cards)
        assert guards == (16 if name.startswith("taunts") else 0)


def test_own_cards_have_no_limit_of_copies_and_no_deck_code() -> None:
    deck = hsevo.Deck([*30 * ["Guard 5/4"]], hero="mage")
    assert deck.ids == 30 * ("HS_54T",)
    with pytest.raises(DeckError, match="only ruleset hearthsim has, so it has no deck code"):
        _ = deck.code
    with pytest.raises(DeckError, match="29 copies of Wisp"):
        hsevo.Deck([*29 * ["Wisp"], "Guard 5/4"], hero="mage")


def test_other_rulesets_refuse_them_in_one_line(tmp_path: Path) -> None:
    out = tmp_path / "out"
    for refused in (
        lambda: hsevo.match("random", "noaggression", games=2, decks="taunts-1"),
        lambda: hsevo.Game("taunts-1", "mage"),
        lambda: hsevo.evolve("smoke", changes={"decks": ["taunts-1"]}, out=out),
        lambda: hsevo.learn("osfp-smoke", changes={"decks": ["taunts-1"]}, out=out),
    ):
        with pytest.raises(DeckError) as error:
            refused()
        assert str(error.value) == FOREIGN + "cig2018"
    assert not out.exists()
    assert decks.foreign(decks.read_deck("mage")) is None


def test_compiled_learners_know_only_cards_of_the_game(tmp_path: Path) -> None:
    changes = {"decks": ["taunts-1"], "ruleset": "hearthsim"}
    with pytest.raises(AgentError, match="does not know the cards of deck 'taunts-1'"):
        hsevo.learn("osfp-smoke", changes=changes, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_evolve_and_learn_play_by_its_rules(tmp_path: Path) -> None:
    few = {"ruleset": "hearthsim", "evolution.generations": 1}
    run = hsevo.evolve("smoke", changes={**few, "decks": ["taunts-1", "bodies-1"]}, workers=1,
                       out=tmp_path / "run")
    assert not run.verify().problems
    few = {"ruleset": "hearthsim", "decks": ["super-basic"], "periods": 1, "rounds": 1,
           "games": 2, "payoff_games": 0, "references.games": 2}
    learned = hsevo.learn("osfp-smoke", changes=few, workers=1, out=tmp_path / "learned")
    result = hsevo.match(learned.agent(), "random", games=4, decks="super-basic",
                         ruleset="hearthsim")
    assert result.played == 4
