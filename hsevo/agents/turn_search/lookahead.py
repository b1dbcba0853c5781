"""Dynamic look-ahead: an exhaustive search over the next few own actions. Kind LOOKAHEAD.

The agents that won the Hearthstone AI competitions of 2019 (Heimbrodt) and 2020 (Miller) choose the
search depth by the number of legal moves, including END TURN: 3 with fewer than 5 moves, 2 with 5
to 24, 1 with 25 or more. The score of a position is linear (`scores.LINEAR`, with their weights
below); a line of actions scores as its best position, and the first action of the best line is
played.

Our choices: the order of weights is own, enemy hero's health; own, enemy minions; total health,
attack of the own minions; the same of the enemy's. Armour counts as health (the descriptions do not
say). The competition's program lists a minion once for each position, `moves.list_moves` only where
positions matter, so ours has fewer moves and sometimes searches deeper. What else the descriptions
leave open is decided in `search.py`.
"""

from hsevo.engine.jit import I8, kernel

HEIMBRODT = (21.5, -33.6, 41.1, -19.4, 54.0, 60.5, -88.5, -84.7, 1.0)  # 1.0: armour counts
MILLER = (2.0, -3.0, 4.0, -6.0, 5.0, 6.0, -9.0, -8.0, 1.0)


@kernel(I8(I8))
def depth_for(n_moves):
    """Return the search depth, in actions, for a number of legal moves."""
    if n_moves < 5:
        return 3
    return 2 if n_moves < 25 else 1
