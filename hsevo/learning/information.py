"""Information states as tensors of a fixed size, for networks and OpenSpiel's algorithms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hsevo.config import whole
from hsevo.engine.view.observe import SIZE
from hsevo.learning import vocabulary
from hsevo.learning.batch import observe
from hsevo.play.arguments import player_number
from hsevo.play.recall import COLUMNS, information_state
from hsevo.play.session import Session

EVENTS = 64
MOST_EVENTS = 10_000
PADDING = -1  # in all columns of a row without an event
_CARDS = [COLUMNS.index(name) for name in ("card", "by_card")]


def information_tensor(game: Session, player: int,
                       length: int = EVENTS) -> npt.NDArray[np.float32]:
    """Return the information state of a player as a tensor: the observation, then recent events.

    Parameters
    ----------
    game : Game
        The game.
    player : {0, 1}
        The player.
    length : int, default 64
        Number of events, 0 to 10,000.

    Returns
    -------
    ndarray of float32, shape (1055 + 9 * length,)
        The first 1055 numbers are the observation, as `layout` describes it. Number 1055 + 9 * k +
        c is column c of event k, and event 0 is the last one that the player has seen. The columns
        are `hsevo.play.recall.COLUMNS`, with cards as numbers of `card_names`. All columns are -1
        where the player has seen fewer events. All numbers are integers.

    Raises
    ------
    ConfigError
        If `length` is out of range.

    Notes
    -----
    Equal keys of `hsevo.Game.information_state` have equal tensors. Different keys can have equal
    tensors, because only the key has perfect recall. The tensor leaves out

    - all events before the last `length` events,
    - the parts of an event without a column, such as the cards that were offered,
    - everything that an observation leaves out, such as texts that were attached to a hero.

    Examples
    --------
    >>> from hsevo import learning
    >>> game = hsevo.Game("mage", "warrior", seed=3)
    >>> learning.information_tensor(game, player=0, length=20).shape
    (1235,)
    """
    rows, number = whole("length", length, 0, MOST_EVENTS), player_number(player)
    tensor = np.full(SIZE + rows * len(COLUMNS), PADDING, np.float32)
    tensor[:SIZE] = observe(game.batch(), number)[0][0]
    events = information_state(game, number).events[::-1][:rows]
    events[:, _CARDS] = vocabulary.rows(game.ruleset)[events[:, _CARDS]]
    tensor[SIZE:SIZE + events.size] = events.ravel()
    return tensor
