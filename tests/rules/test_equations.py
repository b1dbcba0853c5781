"""Equations 1-8 of the paper against numbers worked out by hand, on positions set up directly.

Every expected number stands in the test with its working; the weights are binary fractions, so
that the sums are exact. `score` is what the agent thought of a move, `Position.chosen` its choice.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from hsevo.agents.genomes.weights import NAMES
from hsevo.agents.shared.agent import eva
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import by_name, cards, index, tables
from hsevo.cards.terms import Keyword
from hsevo.engine.record.codec import END
from hsevo.engine.view.show import move_text
from hsevo.engine.view.snapshot import snapshot
from hsevo.play import match

WIN = 1e300
DECKS = tuple(read_deck(name) for name in ("warrior", "mage"))


class Position:
    """Player 0 to move with ten mana; both heroes at 30; the boards and hand that are asked for."""

    def __init__(self, hand: Sequence[str] = (), mine: Sequence[str] = (),
                 theirs: Sequence[str] = (), power: bool = False, **weights: float) -> None:
        vector = np.array([[weights.get(name, 0.0) for name in NAMES]])
        assert set(weights) <= set(NAMES)
        self.table = match.Table(eva(vector), match.Setting(decks=DECKS))
        self.table.deal(np.array([(0, 0, 0, 1, 1, 7)], match.PAIRING)[0], 0)
        self.g = self.table.game
        self.g.me, self.g.turn = 0, 19
        for side in self.g.side:
            side.n_hand = side.minions = 0
            side.mana, side.crystals, side.power_used = 10, 10, not power
        for card in hand:
            self.hold(card)
        for side, names in enumerate((mine, theirs)):
            for name in names:
                self.summon(side, name)

    def hold(self, name: str) -> None:
        """Put a card into the hand of the player to move."""
        side = self.g.side[0]
        side.hand[side.n_hand] = (index()[by_name().get(name, "GAME_005")], 0, 0, 0, 0)
        side.n_hand += 1

    def summon(self, owner: int, name: str) -> None:
        """Put a minion on a board, ready to attack."""
        side, number = self.g.side[owner], index()[by_name()[name]]
        c, k = self.g.char[8 * owner + side.minions], tables().card[number]
        c.card, c.uid, c.attack, c.health, c.max_health = (
            number, self.g.next_uid, k.attack, k.health, k.health)
        c.keywords = k.keywords
        side.row[side.minions] = side.minions
        side.minions += 1
        self.g.next_uid += 1

    @property
    def chosen(self) -> str:
        return move_text(snapshot(self.g), self.table.decide())

    @property
    def scores(self) -> Mapping[str, float]:
        self.table.decide()
        now = snapshot(self.g)
        return {move_text(now, move): score for move, score in zip(
            self.table.moves.tolist(), self.table.scores.tolist(), strict=True)}

    def score(self, words: str) -> float:
        return self.scores[words]


FIREBALL = "play Fireball at the enemy hero"  # 6 damage for 4 mana


# -- heroes: equations 1-3 ------------------------------------------------------------------------


def test_eq_1_what_the_enemy_loses_less_what_the_agent_loses() -> None:
    scores = Position(["Fireball"], HHR=0.5).scores
    assert scores[FIREBALL] == 3.0  # 6 * 0.5
    assert scores["play Fireball at the own hero"] == -3.0


def test_eq_1_mana_is_paid_for_with_bmr() -> None:
    assert Position(["Fireball"], HHR=0.5, BMR=0.25).score(FIREBALL) == 2.0  # 3 - 4 * 0.25
    assert Position(["Fireball"], BMR=1.0).score(FIREBALL) == -4.0


def test_eq_1_mana_that_is_gained_was_not_spent() -> None:
    position = Position(["The Coin"], BMR=0.25)
    position.g.side[0].mana = 3
    assert position.score("play The Coin") == 0.25  # 3 - 4 = -1 spent


def test_eq_2_armour_counts_as_health() -> None:
    position = Position(["Fireball"], HHR=0.5)
    position.g.side[1].armor = 4
    assert position.score(FIREBALL) == 3.0  # 4 of the armour and 2 of the health
    assert Position(power=True, HHR=0.5).score("use Armor Up!") == 1.0  # lost: -2 armour


def test_eq_2_a_heros_attack_is_his_weapons_in_his_own_turn() -> None:
    position = Position(["Fiery War Axe"], HAR=0.5)
    assert position.score("play Fiery War Axe") == 1.5  # lost: -3
    side = position.g.side[0]
    side.weapon, side.weapon_attack, side.durability = index()[by_name()["Fiery War Axe"]], 3, 1
    assert position.score("attack the enemy hero with the own hero") == -1.5  # it breaks


def test_eq_2_the_enemys_weapon_is_not_attack_now() -> None:
    position = Position(["Acidic Swamp Ooze"], HAR=0.5, HHR=0.5)
    side = position.g.side[1]
    side.weapon, side.weapon_attack, side.durability = index()[by_name()["Fiery War Axe"]], 3, 2
    assert position.score("play Acidic Swamp Ooze") == 0.0


def test_eq_2_secrets() -> None:
    assert Position(["Ice Block"], BSR=0.5).score("play Ice Block") == 0.5  # lost: -1
    assert Position(["Ice Block"], BSR=0.5, BMR=0.125).score("play Ice Block") == 0.125  # - 3/8


# -- minions: equations 4-8 -----------------------------------------------------------------------

# An ogre is 6/7 for 6 mana, a yeti 4/5 for 4, both of rarity 1.
@pytest.mark.parametrize(("weights", "expected"), [
    ({"MH": 0.25}, 5.25),  # 6 lost * 0.5 * (7 * 0.25): the value before the action
    ({"MA": 0.25}, 4.5),  # 6 * 0.5 * (6 * 0.25)
    ({"MR": 0.25}, 0.75),  # 6 * 0.5 * (1 * 0.25)
    ({"MM": 0.25}, 4.5),  # 6 * 0.5 * (6 * 0.25)
    ({}, 0.0),  # a minion without value is worth nothing
])
def test_eq_5_a_wounded_minion_by_its_value(weights: dict, expected: float) -> None:
    wound = Position(["Fireball"], [], ["Boulderfist Ogre"], BMHR=0.5, **weights)
    assert wound.score("play Fireball at Boulderfist Ogre (enemy minion 1)") == expected
    own = Position(["Fireball"], ["Boulderfist Ogre"], [], BMHR=0.5, **weights)
    assert own.score("play Fireball at Boulderfist Ogre (own minion 1)") == -expected


def test_eq_5_attack_that_a_minion_gains_was_lost_negatively() -> None:
    """+4/+4 on the own yeti: lost -4 attack and -4 health."""
    words = "play Blessing of Kings at Chillwind Yeti (own minion 1)"
    kings = Position(["Blessing of Kings"], ["Chillwind Yeti"], BMAR=0.5, MH=0.25)
    assert kings.score(words) == 2.5  # 4 * 0.5 * (5 * 0.25)
    both = Position(["Blessing of Kings"], ["Chillwind Yeti"], BMAR=0.5, BMHR=0.25, MH=0.25)
    assert both.score(words) == 3.75  # and 4 * 0.25 * 1.25


def test_eq_4_a_minion_that_dies() -> None:
    """Only BMK counts then, not what health it had."""
    words = "play Fireball at Chillwind Yeti (enemy minion 1)"
    kill = Position(["Fireball"], [], ["Chillwind Yeti"], BMK=0.5, BMHR=1.0, BMAR=1.0, MA=0.25)
    assert kill.score(words) == 0.5  # 0.5 * (4 * 0.25)


def test_eq_4_a_minion_that_appears_by_its_value_afterwards() -> None:
    yeti = Position(["Chillwind Yeti"], BMA=0.5, MH=0.25, MM=0.125, BMR=0.0625)
    assert yeti.score("play Chillwind Yeti") == 0.625  # 0.5 * (5/4 + 4/8) - 4 / 16


def test_eq_4_a_transformed_minion_goes_and_another_comes() -> None:
    hex_ = Position(["Hex"], [], ["Boulderfist Ogre"], BMK=0.5, BMA=0.25, MA=0.5, MHT=0.125)
    # the ogre: 6/2 = 3, half of it; the frog 0/1 with Taunt: 0.125, a quarter of it, against
    assert hex_.score("play Hex at Boulderfist Ogre (enemy minion 1)") == 1.46875


@pytest.mark.parametrize(("name", "keyword"), [
    ("MHC", Keyword.CHARGE), ("MHD", Keyword.DEATHRATTLE), ("MHDS", Keyword.DIVINE_SHIELD),
    ("MHI", Keyword.INSPIRE), ("MHLS", Keyword.LIFESTEAL), ("MHS", Keyword.STEALTH),
    ("MHS", Keyword.STEALTH_TURN), ("MHT", Keyword.TAUNT), ("MHW", Keyword.WINDFURY),
    ("MHP", Keyword.POISONOUS),
])
def test_eqs_6_to_8_each_keyword_by_its_weight_alone(name: str, keyword: Keyword) -> None:
    """Twisting Nether destroys an enemy minion; each weight is another power of 1/2."""
    weights = {other: 0.5 ** (i + 1) for i, other in enumerate(NAMES[NAMES.index("MHC"):-2])}
    position = Position(["Twisting Nether"], [], ["Wisp"], BMK=1.0, **weights)
    assert position.score("play Twisting Nether") == 0.0
    position.g.char[8].keywords = keyword
    assert position.score("play Twisting Nether") == weights[name]


@pytest.mark.parametrize("keyword", [
    Keyword.FREEZES, Keyword.IMMUNE, Keyword.ELUSIVE, Keyword.BATTLECRY, Keyword.FROZEN])
def test_eqs_6_to_8_no_other_keyword_counts(keyword: Keyword) -> None:
    everything = dict.fromkeys(NAMES[NAMES.index("MHC"):-2], 1.0)
    position = Position(["Twisting Nether"], [], ["Wisp"], BMK=1.0, **everything)
    position.g.char[8].keywords = keyword
    assert position.score("play Twisting Nether") == 0.0


def test_eqs_6_to_8_rarity_from_one_to_four() -> None:
    names = {card.rarity: card.name for card in cards().values()
             if card.collectible and not (card.deathrattle or card.triggers or card.auras)
             and card.kind == 1}
    for rarity in (1, 2, 3, 4):
        position = Position(["Twisting Nether"], [], [names[rarity]], BMK=1.0, MR=0.25)
        assert position.score("play Twisting Nether") == rarity * 0.25, names[rarity]


def test_a_whole_trade() -> None:
    """The own yeti attacks an ogre and dies, the ogre loses 4 health.

    ogre 7/4 + 6/2 + 1/8 + 6/16 = 5.25, yeti 5/4 + 4/2 + 1/8 + 4/16 = 3.625;
    enemy loses 4 * 0.5 * 5.25 = 10.5, the agent 0.75 * 3.625 = 2.71875
    """
    trade = Position([], ["Chillwind Yeti"], ["Boulderfist Ogre"], BMHR=0.5, BMK=0.75, HHR=0.5,
                     MH=0.25, MA=0.5, MR=0.125, MM=0.0625)
    words = "attack Boulderfist Ogre (enemy minion 1) with Chillwind Yeti (own minion 1)"
    assert trade.score(words) == 7.78125
    assert trade.score("attack the enemy hero with Chillwind Yeti (own minion 1)") == 2.0
    assert trade.chosen == words


# -- the choice -----------------------------------------------------------------------------------


def test_winning_is_worth_everything_and_losing_nothing() -> None:
    position = Position(["Fireball"], HHR=0.5, BMR=1.0)
    position.g.char[7].health = position.g.char[15].health = 6
    assert position.scores == {"end the turn": 0.0, FIREBALL: WIN,
                               "play Fireball at the own hero": -WIN}
    assert position.chosen == FIREBALL


def test_both_dead_counts_as_won() -> None:
    """The enemy's death is looked at first (agents.md); by the rules the game is a draw."""
    position = Position(["Hellfire"])
    position.g.char[7].health = position.g.char[15].health = 3
    assert position.score("play Hellfire") == WIN


def test_end_turn_counts_zero_and_beats_what_is_worse() -> None:
    position = Position(["Fireball"], BMR=0.25)
    assert position.score("end the turn") == 0.0
    assert position.chosen == "end the turn"


def test_of_equal_options_the_later_is_taken() -> None:
    position = Position([], ["Wisp", "Wisp"], ["Wisp"])  # no weights: all options count 0
    assert list(position.scores)[-1] == position.chosen == (
        "attack the enemy hero with Wisp (own minion 2)")


def test_the_coin_is_played_when_mana_counts_nothing() -> None:
    position = Position(["The Coin"], HHR=1.0)
    assert position.score("play The Coin") == 0.0
    assert position.chosen == "play The Coin"


def test_of_equal_cards_the_last_is_simulated() -> None:
    position = Position(["Fireball", "Fireball"], HHR=0.5)
    position.table.decide()
    plays = dict(zip(position.table.moves.tolist(), position.table.scores.tolist(), strict=True))
    del plays[END]
    assert [score for _, score in sorted(plays.items())] == [-WIN, -WIN, -3.0, 3.0]


def test_simulating_changes_nothing() -> None:
    position = Position(["Fireball"], ["Wisp"], ["Wisp"], HHR=0.5)
    before = position.g.side.tobytes(), position.g.char.tobytes(), int(position.g.rng)
    assert position.chosen == FIREBALL
    assert (position.g.side.tobytes(), position.g.char.tobytes(), int(position.g.rng)) == before
