"""hsevo as a game of OpenSpiel.

    import hsevo.open_spiel
    import pyspiel

    game = pyspiel.load_game("python_hsevo", {"deck_0": "mage", "deck_1": "warrior"})

Actions are the numbers of moves, 0 to 3661, and `deals` chance outcomes. A chance node at the start
draws one of `deals` random streams, and all later random results come from it: OpenSpiel cannot
store Python games whose chance is sampled, and the results of a single move can be too many to
list. So copies of a state have the same results; `resample_from_infostate` samples them, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hsevo.config import whole
from hsevo.engine.record.codec import N_MOVES
from hsevo.engine.view.observe import SIZE
from hsevo.learning.batch import observe
from hsevo.learning.information import EVENTS, MOST_EVENTS, information_tensor
from hsevo.optional import need
from hsevo.play.recall import COLUMNS
from hsevo.play.rules import costs
from hsevo.play.view import view
from hsevo.seeds import game_seed
from hsevo.strength.games import Game

need("hsevo.open_spiel", "pyspiel", install="'hsevo[open_spiel]'")

import pyspiel  # noqa: E402

NAME = "python_hsevo"
DEFAULTS: dict[str, Any] = {
    "deck_0": "mage", "deck_1": "warrior", "ruleset": "cig2018", "information": "fair",
    "max_turns": 89, "seed": 1, "deals": 1000, "events": EVENTS,
    "all_places": False}
MOST_DEALS = 1_000_000
MOVES_PER_TURN = 100  # more than any turn has had; OpenSpiel wants a bound

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Hearthstone (hsevo)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class SpielGame(pyspiel.Game):
    """Describe the game to OpenSpiel.

    Parameters
    ----------
    params : mapping, optional
        `deck_0`, `deck_1`, `ruleset`, `information`, `max_turns` and `all_places` as in
        `hsevo.Game`. `deals`: number of equally likely outcomes of the chance node, 1 to 1,000,000.
        `seed`: seed of the first of them; outcome k has the k-th seed after it. `events`: number of
        events in the tensor of an information state, 0 to 10,000.

    Raises
    ------
    HsevoError
        If a parameter is invalid.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        options = DEFAULTS | dict(params or {})
        self.deals = whole("deals", options.pop("deals"), 1, MOST_DEALS)
        self.events = whole("events", options.pop("events"), 0, MOST_EVENTS)
        self.options = options
        self.begin(0)  # refuses invalid parameters
        super().__init__(_TYPE, pyspiel.GameInfo(
            num_distinct_actions=N_MOVES, max_chance_outcomes=self.deals, num_players=2,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0,
            max_game_length=MOVES_PER_TURN * options["max_turns"]), params or {})

    def begin(self, deal: int) -> Game:
        """Return the game of a chance outcome."""
        return Game(**self.options | {"seed": game_seed(self.options["seed"], deal)})

    def new_initial_state(self) -> SpielState:
        """Return the state before the chance node."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: the chance node at the start."""
        return 1

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None
                         ) -> SpielObserver | None:
        """Return an observer for an information state (perfect recall) or an observation.

        None: hsevo has no observations of this type, such as of public information alone.
        """
        if params:
            raise ValueError(f"the observer has no parameters, but was given {params!r}")
        return SpielObserver(iig_obs_type, self.events) if _is_observed(iig_obs_type) else None


class SpielState(pyspiel.State):
    """Play a game through OpenSpiel.

    Attributes
    ----------
    game : Game or None
        The `hsevo.Game`. None before the chance node.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.game: Game | None = None

    def current_player(self) -> int:
        """Return the player to move, or one of `pyspiel.PlayerId`."""
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.game.is_over else self.game.player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game is not None and self.game.is_over

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the loser, or zeros."""
        return [0.0, 0.0] if self.game is None else self.game.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the random streams, which are equally likely."""
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)]

    def resample_from_infostate(self, player: int,
                                sampler: Callable[[], float]) -> SpielState:
        """Return a state that a player cannot tell from this one: see `hsevo.Game.worlds`.

        Parameters
        ----------
        player : {0, 1}
            The player.
        sampler : callable
            Returns a random number from 0 to 1.

        Returns
        -------
        SpielState
            The state. Its `history()` is still that of this state.
        """
        other: SpielState = self.clone()
        if self.game is not None:
            [other.game] = self.game.worlds(player, 1, int(sampler() * 2**53))
        return other

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._playing().legal_actions())

    def _apply_action(self, action: int) -> None:
        if self.game is None:
            self.game = self.get_game().begin(action)
        else:
            self.game.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        texts = {} if self.game is None else {move.index: move.text for move in self.game.moves}
        return f"{action}: {texts[action]}" if action in texts else str(action)

    def _playing(self) -> Game:
        if self.game is None:
            raise ValueError("the game begins after the chance node")
        return self.game

    def __str__(self) -> str:
        return "before the chance node" if self.game is None else str(self.game)


class SpielObserver:
    """Observe states for OpenSpiel.

    Parameters
    ----------
    iig_obs_type : pyspiel.IIGObservationType, optional
        With perfect recall: strings are the keys of `hsevo.Game.information_state`, and tensors are
        those of `hsevo.learning.information_tensor`. Without, the default: strings are the views of
        `hsevo.View` as JSON, and tensors are the observations of `hsevo.learning.observe`.
    events : int, default 64
        Number of events in a tensor with perfect recall.

    Raises
    ------
    ValueError
        If anything but the information of a single player is asked for.
    """

    def __init__(self, iig_obs_type: Any = None, events: int = EVENTS) -> None:
        if not _is_observed(iig_obs_type):
            raise ValueError("hsevo only has observations of all that one player knows")
        self.recalls = iig_obs_type is not None and bool(iig_obs_type.perfect_recall)
        self.events = events
        size = SIZE + (events * len(COLUMNS) if self.recalls else 0)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"information_state" if self.recalls else "observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player knows to `tensor`: zeros before the chance node."""
        if state.game is None:
            self.tensor[:] = 0
        elif self.recalls:
            self.tensor[:] = information_tensor(state.game, player, self.events)
        else:
            self.tensor[:] = observe(state.game.batch(), player)[0][0]

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a player knows as a string."""
        if state.game is None:
            return ""
        if self.recalls:
            return state.game.information_state(player).key
        return json.dumps(_view(state.game, player))


def _is_observed(wanted: Any) -> bool:
    """Return whether there are observations of a type: all that one player knows, and no less."""
    return wanted is None or (
        wanted.public_info and wanted.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER)


def _view(game: Game, player: int) -> dict[str, Any]:
    """Return the view of a player without the graveyard, which is history: worlds have none."""
    states, ruleset = game.states(), game.setting.ruleset
    return view(states[0], player, ruleset, costs(states, ruleset), game.legal_actions())


pyspiel.register_game(_TYPE, SpielGame)
