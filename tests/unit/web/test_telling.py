"""What happened, told to "you"."""

import itertools
import re

import pytest

import hsevo
from hsevo.replays.wording import YOU, to_you
from hsevo.web.frames import Teller


@pytest.mark.parametrize(("line", "said"), [
    ("you goes first", "you go first"), ("you has no card to draw: 2 fatigue damage",
                                         "you have no card to draw: 2 fatigue damage"),
    ("you plays Fireball at the hero of gsv (4 mana)",
     "you play Fireball at the hero of gsv (4 mana)"),
    ("you discards Fireball", "you discard Fireball"),
    ("you may choose Fireball", "you may choose Fireball"),
    ("you (Mage) wins in turn 9: the hero of gsv (Warrior) dies",
     "you (Mage) win in turn 9: the hero of gsv (Warrior) dies"),
    ("the hero of you attacks Yeti", "your hero attacks Yeti"),
    ("Fireball leaves the hand of you", "Fireball leaves your hand"),
    ("the secret Ice Block of you is revealed", "your secret Ice Block is revealed"),
    ("the hero power of you is now Die, Insect!", "your hero power is now Die, Insect!"),
    ("Yeti enters play for you", "Yeti enters play for you"), ("turn 3: you", "turn 3: you")])
def test_lines_are_said_to_the_player(line: str, said: str) -> None:
    assert to_you(line) == said


def test_no_line_of_whole_games_speaks_of_a_third_person() -> None:
    for seed, (mine, theirs) in enumerate([("mage", "warrior"), ("zoo-warlock", "oil-rogue"),
                                           ("secret-hunter", "nzoth-paladin")]):
        game = hsevo.Game(mine, theirs, players=["eva:2018", "eva:2018"], seed=seed)
        teller = Teller((YOU, "gsv"), "cig2018")
        teller.meet_view(game.beginning().view(0))
        game.run()
        for line in teller.lines(game.events_for(0)):
            assert not re.search(r"^you \w+s\b|of you\b|to be destroyed", line), line


def test_a_card_that_is_played_is_told_once() -> None:
    game = hsevo.Game("mage", "warrior", players=["eva:2018", "eva:2018"], seed=1)
    teller = Teller((YOU, "gsv"), "cig2018")
    teller.meet_view(game.beginning().view(0))
    game.run()
    lines = teller.lines(game.events_for(0))
    attacks = [line for line in lines if " attacks " in line]
    assert len(attacks) > 5
    assert not any("its target" in line for line in lines)  # also what is not told has a name
    for line, after in itertools.pairwise(lines):
        for card in re.findall(r"^(?:you play|gsv plays) (.+) \(\d+ mana\)$", line):
            assert not after.startswith((f"{card} enters play", f"you equip {card}",
                                         f"gsv equips {card}")), after
