"""Watched games: the same games, and what was seen is what one game, move by move, shows."""

import numpy as np

from hsevo.cards.decks import read_deck
from hsevo.config import Workers
from hsevo.engine.record.codec import END
from hsevo.engine.record.state import RUNNING
from hsevo.play import match, tournament
from hsevo.play.behaviour import SEEN, WATCHED, Watched, behaviour, watch_block
from hsevo.play.workers import open_workers
from hsevo.strength.roster import read_agents

SETTING = match.Setting(decks=tuple(map(read_deck, ("mage", "zoo-warlock", "warrior"))))
AGENTS = read_agents(["eva:2018", "greedy:metastone"], SETTING.decks)[1]
COUNTED = [name for name in match.RESULT.names or () if name != "simulated"]


def rows_of(matches: int, games: int) -> np.ndarray:
    rows = np.zeros(matches, match.PAIRING)
    rows["a"], rows["b"] = np.arange(matches) % 2, 1 - np.arange(matches) % 2
    rows["deck_a"], rows["deck_b"] = np.arange(matches) % 3, np.arange(matches) // 3 % 3
    rows["games"], rows["seed"] = games, 2**64 - 3 + np.arange(matches, dtype="u8")  # beyond it
    return rows


def by_hand(row: np.ndarray) -> list[int]:
    """Return SEEN of either side of the first game of a match, noted move by move."""
    table = match.Table(AGENTS, SETTING)
    table.deal(row, 0)
    seen = np.zeros((2, 3), int)
    while (g := table.game).result == RUNNING:
        me, other, hand = int(g.me), 1 - int(g.me), int(g.side[g.me].n_hand)
        left, tired = worth(g, other), int(g.side[other].fatigue)
        move = table.decide()
        passes = move == END and not g.pending
        table.move(move)
        g = table.game
        drawn = sum(range(tired + 1, int(g.side[other].fatigue) + 1))
        seen[me, 2] += max(left - worth(g, other) - drawn, 0)
        if passes or g.result != RUNNING:
            seen[me, :2] += 1, hand if passes else int(g.side[me].n_hand)
    return seen.T.ravel().tolist()


def worth(g, player: int) -> int:
    return max(int(g.char[8 * player + 7].health), 0) + int(g.side[player].armor)


def test_watched_games_are_the_same_and_seen_as_by_hand() -> None:
    rows = rows_of(6, 1)
    found = watch_block(rows, AGENTS, SETTING)
    plain = match.play_block(rows, AGENTS, SETTING)
    for name in COUNTED:
        assert (found[name] == plain[name]).all(), name
    names = [f"{name}_{side}" for name in SEEN for side in "ab"]
    assert [[*found[i][names].item()] for i in range(6)] == [by_hand(row) for row in rows]
    assert (found["damage_a"].min(), found["hand_a"].min()) > (0, 0)


def test_watched_matches_are_played_by_any_number_of_workers() -> None:
    """Small jobs are done together, and their results come back apart."""
    rows, found = rows_of(30, 12), []
    for workers in (1, 3):
        with open_workers(Workers(backend="threads", count=workers)) as executor:
            found.append(tournament.play(Watched(executor), rows, AGENTS, SETTING))
            plain = tournament.play(executor, rows, AGENTS, SETTING)
    assert found[0].dtype == WATCHED
    assert found[0].tobytes() == found[1].tobytes()
    assert all((found[0][name] == plain[name]).all() for name in COUNTED)


def test_features_are_means_over_games_and_own_turns() -> None:
    sums = [np.array([one]) for one in (4, 80, 40, 120, 90)]
    assert behaviour(*sums) == {"turns": [20.0], "hand": [3.0], "damage": [2.25]}
    assert behaviour(*map(np.array, (1, 1, 0, 0, 0)))["hand"] == 0  # it never had a turn
