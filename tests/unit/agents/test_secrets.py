"""How look-aheads take the opponent's face-down secrets: by hand, and what they may never learn.

The builder of positions is that of test_search.
"""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from hsevo.agents.shared.scratch import GUESSES
from hsevo.agents.shared.secrets import MOST, choose_next, ways
from hsevo.cards.decks import read_deck
from hsevo.cards.tables import by_name, ids, index
from hsevo.cards.tables import cards as all_cards
from hsevo.engine.jit import plain
from hsevo.engine.record.state import RUNNING, STATE
from hsevo.play import match
from hsevo.strength.roster import read_agent
from tests.rules.test_equations import Position
from tests.unit.agents.test_search import position

FACE = "attack the enemy hero with Bloodfen Raptor (own minion 1)"
SPECS = ("hearthsim", "dl:miller", "gsv", "eva:2018", "eva:wide", "eva:turn", "eva:reply",
         "greedy:metastone", "tyche:onestep", "tyche:mc")


def number(name: str) -> int:
    return index()[by_name()[name]]


def facing(spec: str, secrets: tuple[str, ...], deck: tuple[str, ...] = (),
           mine: tuple[str, ...] = ("Bloodfen Raptor",), hand: tuple[str, ...] = ()) -> Position:
    """Return a position of an agent whose opponent has secrets, and a deck but no hand."""
    made = position(spec, hand, mine, ())
    foe = made.g.side[1]
    foe.n_hand, foe.n_deck, foe.n_secrets = 0, len(deck), len(secrets)
    for i, name in enumerate(secrets):
        foe.secret[i].card, foe.secret[i].uid = number(name), made.g.next_uid
        made.g.next_uid += 1
    for i, name in enumerate(deck):
        foe.deck[i] = number(name)
    return made


def gains(made: Position, words: str) -> float:
    scores = made.scores
    return scores[words] - scores["end the turn"]


# HearthSim's scores: a 3/2 is worth 5, a point of a hero's health 0.1.


def test_by_default_secrets_do_not_fire() -> None:
    made = facing("hearthsim", ("Explosive Trap",))
    assert gains(made, FACE) == pytest.approx(0.3)


def test_the_worst_of_one_guess_is_that_guess() -> None:
    """Explosive Trap: 2 damage to the Raptor, which dies before it hits, and to the own hero."""
    made = facing("hearthsim?secrets=worst", ("Explosive Trap",))
    assert gains(made, FACE) == pytest.approx(-5 - 0.2)
    assert made.chosen == "end the turn"


def test_the_guess_with_the_worst_best_move_counts() -> None:
    """Of Bear Trap (a 3/3 for the enemy, once the hero is hit) and Snipe, which answers a minion.

    With Snipe, the Raptor's attack gains 0.3; with Bear Trap nothing gains anything. So the agent
    plays what it would play against Bear Trap, whichever it is.
    """
    for secret, other in (("Bear Trap", "Snipe"), ("Snipe", "Bear Trap")):
        made = facing("hearthsim?secrets=worst", (secret,), (other,))
        assert gains(made, FACE) == pytest.approx(0.3 - 6)
        assert made.chosen == "end the turn"
        assert made.table.simulated == 2  # the attack, in both guesses


def test_what_is_left_of_the_deck_rules_secrets_out() -> None:
    made = facing("hearthsim?secrets=worst", ("Snipe",), ("Wisp", "Savannah Highmane"))
    assert gains(made, FACE) == pytest.approx(0.3)


def test_a_sampled_guess_is_one_of_what_could_be() -> None:
    made = facing("hearthsim?secrets=sampled", ("Bear Trap",), ("Snipe", "Snipe"))
    found = []
    for _ in range(300):
        found.append(round(gains(made, FACE), 6))
        made.table.decide()  # advances the stream that guesses come from
    assert {*found} == {round(0.3 - 6, 6), 0.3}
    assert 60 < found.count(0.3 - 6) < 140  # 1 of 3: 100, standard deviation 8


def test_counterspell_is_feared() -> None:
    made = facing("hearthsim?secrets=worst", ("Counterspell",), mine=(), hand=("Fireball",))
    # its cost is spent, and nothing done: a card less
    assert gains(made, "play Fireball at the enemy hero") == pytest.approx(-0.1)


@pytest.mark.parametrize("spec", SPECS)
def test_without_secrets_the_option_changes_nothing(spec: str) -> None:
    told = []
    for option in ("none", "worst", "sampled"):
        made = position(f"{spec}?secrets={option}", ("Fireball", "Arcane Missiles"),
                        ("River Crocolisk",), ("Wisp", "Bloodfen Raptor"))
        told.append((made.table.decide(), made.table.scores.tolist(), made.table.simulated))
    assert told[0] == told[1] == told[2]


# -- in games of secret hunters and mages -------------------------------------------------------


def games(spec: str, n: int = 12) -> tuple[match.Table, list[np.ndarray]]:
    """Return positions of games of decks with secrets in which the opponent has some."""
    decks = tuple(read_deck(name) for name in ("secret-hunter", "mage", "aggro-paladin"))
    greedy = match.Table(read_agent("eva:2018"), match.Setting("cig2018", decks))
    found = []
    for k in range(n):
        greedy.deal(np.array([(0, 0, k % 3, (k + 1) % 3, 1, 500 + k)], match.PAIRING)[0], 0)
        while greedy.game.result == RUNNING:
            move, foe = greedy.decide(), greedy.game.side[1 - greedy.game.me]
            if foe.n_secrets > 0 and greedy.game.pending == 0:
                found.append(greedy.game.copy())
            greedy.move(move)
    return match.Table(read_agent(spec), greedy.setting), found


def rehidden(place: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Deal the opponent's secrets, hand and deck anew, from the same cards."""
    other, foe = place.copy(), None
    foe = other["side"][1 - int(place["me"])]
    coin, n, m = index()["GAME_005"], int(foe["n_hand"]), int(foe["n_deck"])
    hand = [i for i in range(n) if foe["hand"]["card"][i] != coin]
    rows = [*foe["secret"]["card"][:foe["n_secrets"]], *foe["hand"]["card"][hand],
            *(foe["deck"][:m] & 0x7FF)]
    known = all_cards()
    while True:
        dealt = random.permutation(rows)
        first = dealt[:foe["n_secrets"]]
        if len({*first}) == len(first) and all(known[ids()[card]].secret for card in first):
            break
    foe["secret"]["card"][:len(first)] = first
    foe["hand"]["card"][hand] = dealt[len(first):len(first) + len(hand)]
    foe["deck"][:m] = dealt[len(first) + len(hand):]
    for name in ("cost", "attack", "health"):
        foe["hand"][name] = 0
    return other


def thought(table: match.Table, place: np.ndarray) -> tuple[int, list[float]]:
    table.game = place
    move = table.decide()
    return move, table.scores.tolist()


@pytest.mark.parametrize("option", ["worst", "sampled"])
@pytest.mark.parametrize("spec", ["eva:2018", "hearthsim", "greedy:metastone", "eva:reply"])
def test_guesses_tell_nothing_of_what_is_hidden(spec: str, option: str) -> None:
    """Where nothing else is random: hands that effects read are dealt by position, not by card."""
    table, found = games(f"{spec}?secrets={option}")
    random = np.random.default_rng(5)
    places = [place for place in found if not (place["side"]["deck"] >> 11).any()][::3]
    assert len(places) > 15
    for place in places:
        told = thought(table, place)
        if spec == "eva:reply" or len({tuple(thought(table, reseeded(place, k))[1])
                                       for k in range(4)}) == 1:
            assert thought(table, rehidden(place, random)) == told


def reseeded(place: np.ndarray, seed: int) -> np.ndarray:
    other = place.copy()
    other["lookahead_rng"] = seed
    return other


@pytest.mark.parametrize("spec", SPECS)
def test_the_true_game_is_put_back(spec: str) -> None:
    table, found = games(f"{spec}?secrets=worst", 3)
    for place in found[::4]:
        table.game = place
        before = table.state
        table.decide()
        after = table.state
        after["lookahead_rng"] = before["lookahead_rng"]
        assert after.tobytes() == before.tobytes()
        assert (table.agents.sight == 1).all()
    assert len(before) == len(STATE.names or ())


# -- guesses, in order -------------------------------------------------------------------------


@pytest.mark.parametrize("m", range(1, 8))
def test_all_guesses_are_made_once(m: int) -> None:
    for n in range(1, min(m, 5) + 1):
        q = np.zeros(1, GUESSES).view(np.recarray)[0]
        q.n_cards, found = m, []
        q.chosen[:n] = range(n)
        for _ in range(comb(m, n)):
            found.append(tuple(q.chosen[:n].tolist()))
            plain(choose_next)(q, n)
        assert found == [*combinations(range(m), n)]
        assert plain(ways)(m, n) == min(comb(m, n), MOST + 1)


def test_with_too_many_guesses_some_are_made() -> None:
    mages = ("Counterspell", "Ice Barrier", "Ice Block", "Mirror Entity", "Vaporize",
             "Spellbender", "Duplicate", "Effigy")
    made = facing("hearthsim?secrets=worst", mages[:3], mages[3:])
    made.table.decide()
    assert comb(8, 3) > MOST
    assert made.table.simulated == MOST  # the Raptor's attack, in each
    first = made.table.scores.tolist()
    made.g.lookahead_rng = 7
    made.table.decide()
    made.g.lookahead_rng = 7
    again = made.scores["end the turn"], made.table.scores.tolist()
    assert len(first) == len(again[1]) == 2


@pytest.mark.parametrize("secrets", ["none", "sampled", "worst"])
def test_the_opponent_that_replies_walks_into_the_agents_own_secret(secrets: str) -> None:
    """Its look-ahead is fair: it attacks with all it has, whatever the agent guesses of it."""
    worth = []
    for own in ((), ("Explosive Trap",)):
        made = position(f"eva:reply?secrets={secrets}", ("Wisp",), (),
                        ("Bloodfen Raptor", "Murloc Raider", "Murloc Raider"), mana=1)
        for player, names in ((0, own), (1, ("Freezing Trap",))):
            side = made.g.side[player]
            side.n_secrets = len(names)
            for i, name in enumerate(names):
                side.secret[i].card, side.secret[i].uid = number(name), made.g.next_uid
                made.g.next_uid += 1
        made.g.side[1].n_hand, made.g.side[1].n_deck = 0, 0
        worth.append(made.score("end the turn"))
    assert worth[1] > worth[0] + 5  # three minions die of it
