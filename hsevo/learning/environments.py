"""`hsevo.make_env` and its sisters: battles as environments for learners.

make_env    one battle, for Gymnasium                  make_vec    many at once
make_sb3    many at once, for Stable-Baselines3        aec_env     two agents, for PettingZoo
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

import numpy as np

from hsevo.cards.decks import Deck
from hsevo.cards.tables import find_ruleset
from hsevo.config import MOST_MEMORY, parts, short, whole
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, did_you_mean, quoted, refuse_unknown
from hsevo.learning.dealing import Dealer, DecksLike, DeckSource, deck_source
from hsevo.learning.opponents import OpponentLike, names_of, read_opponents
from hsevo.optional import need
from hsevo.play.match import Setting
from hsevo.seeds import MOST_SEED
from hsevo.types import Array

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

    from hsevo.learning.aec import BattleEnv
    from hsevo.learning.single import SingleBattleEnv
    from hsevo.learning.texts import TextBattleEnv
    from hsevo.learning.vector import BattleVectorEnv

TASKS = ("battle",)
SHOWN = ("hidden", "known")
RENDER_MODES = (None, "ansi")
MOST_ENVS = MOST_MEMORY // 8_000  # bytes of a game with its observations and masks
MOST_TURNS, MOST_THREADS, MOST_RETRIES = 32_000, 256, 1_000


class BattleFields(TypedDict, total=False):
    """Set how battles are played, and what the learner observes; see `make_vec`."""

    seed: int
    """Seed of everything random; default: 0."""
    ruleset: str
    """Version of cards and rules; default: cig2018."""
    max_turns: int
    """Player turns after which a game is a draw; default: 89."""
    opponent_deck: str
    """known: observations show the opponent's deck list, which a fair player does not know;
    default: hidden.
    """
    history: bool
    """Observations of the second version, which include the history of the game; default: False."""
    all_places: bool
    """Allow a minion at every board position; default: only where the position matters."""


class AgainstFields(BattleFields, total=False):
    """Also set the information of the opponent's look-aheads."""

    information: str
    """Information of look-aheads of the opponent; default: fair."""


BATTLE: AgainstFields = {"seed": 0, "ruleset": "cig2018", "information": "fair", "max_turns": 89,
                         "opponent_deck": "hidden", "history": False, "all_places": False}


@overload
def make_env(id: str = "battle", *, opponent: OpponentLike = "random",
             decks: DecksLike = CIG2018, opponent_decks: DecksLike | None = None,
             render_mode: str | None = None, text: Literal[False] = False, retries: int = 0,
             **battle: Unpack[AgainstFields]) -> SingleBattleEnv: ...


@overload
def make_env(id: str = "battle", *, opponent: OpponentLike = "random",
             decks: DecksLike = CIG2018, opponent_decks: DecksLike | None = None,
             render_mode: str | None = None, text: Literal[True], retries: int = 0,
             **battle: Unpack[AgainstFields]) -> TextBattleEnv: ...


def make_env(id: str = "battle", *, opponent: OpponentLike = "random",
             decks: DecksLike = CIG2018, opponent_decks: DecksLike | None = None,
             render_mode: str | None = None, text: bool = False, retries: int = 0,
             **battle: Unpack[AgainstFields]) -> SingleBattleEnv | TextBattleEnv:
    """Return a Gymnasium environment: one battle at a time against an agent.

    `gymnasium.make("hsevo/battle-v0", ...)` returns the same environment. The games are those of
    `hsevo.make_vec` with num_envs=1.

    Parameters
    ----------
    id : {"battle"}, default "battle"
        Type of environment.
    opponent : agent or mapping of agents to weights, default "random"
        Agent that plays the other side, in any form, or an opponent pool as in `hsevo.make_vec`.
        Python players and end-to-end policies decide in Python, so they are slow.
    decks : deck, sequence of decks or mapping, default the three decks of CIG2018
        Decks of the learner, as in `hsevo.make_vec`. Each game draws one.
    opponent_decks : deck, sequence of decks or mapping, optional
        Decks of the opponent. Default: `decks`.
    render_mode : {"ansi"}, optional
        "ansi": `render()` returns the board as text.
    text : bool, default False
        Texts as observations and actions, for language models. An observation is the text of
        `hsevo.View.text`. An action is the text of a legal move, and info["moves"] lists them.
    retries : int, default 0
        With text=True: number of illegal actions at each decision that only ask again.
    **battle : AgainstFields
        Rules and observations, as in `hsevo.make_vec`.

    Returns
    -------
    SingleBattleEnv or TextBattleEnv
        The environment.

    Raises
    ------
    ConfigError
        If an argument is invalid, or Gymnasium is missing (install it with pip install -e
        '.[env]').
    AgentError
        If an agent is unknown, damaged or unable to play here.
    DeckError
        If a deck is unknown or invalid.
    CardError
        If a ruleset or card is unknown or invalid.

    Notes
    -----
    An observation is an int16 array of shape (1055,), or (1235,) with a history. An action is the
    number of a move, 0 to 3,661, as in `hsevo.Games`. `action_masks()` and info["action_mask"] have
    the legal actions. An illegal action loses the game: the reward is -1, and info["illegal"] is
    True. At the end of a game, info["opponent"] is the name of the opponent. `set_opponents` of the
    environment changes the opponents of the next games.

    Examples
    --------
    >>> env = hsevo.make_env("battle", opponent="eva:2018", decks="mage", seed=1)
    >>> seen, info = env.reset()
    >>> seen, reward, ended, cut, info = env.step(env.action_space.sample(info["action_mask"]))
    >>> seen.shape, reward, ended
    ((1055,), 0.0, False)
    >>> env = hsevo.make_env("battle", text=True, decks="mage", seed=1)
    >>> seen, info = env.reset()
    >>> seen.splitlines()[1]
    'It is your move.'
    >>> seen, reward, ended, cut, info = env.step("end the turn")
    """
    _refuse_self_play(opponent)
    _check_render_mode(render_mode)
    if _is_wanted("text", text):
        battle = {**battle, "history": True}  # for the acts of the opponent
    retries = whole("retries", retries, 0, MOST_RETRIES)
    if retries and not text:
        raise ConfigError(f"retries is {retries}, but needs text=True")
    games = make_vec(id, 1, opponent=opponent, decks=decks, opponent_decks=opponent_decks,
                     threads=1, **battle)
    from hsevo.learning.single import SingleBattleEnv

    arguments = {name: value for name, value in games.spec.kwargs.items()
                 if name not in ("num_envs", "threads")}
    arguments |= {"render_mode": render_mode}
    numbers = SingleBattleEnv(games, arguments, render_mode)
    if not text:
        return numbers
    from hsevo.learning.texts import TextBattleEnv

    known = games.metadata["opponent_deck"] == "known"
    return TextBattleEnv(numbers, {**arguments, "text": True, "retries": retries}, retries,
                         games.slots.decks if known else ())


def make_sb3(id: str = "battle", num_envs: int = 64, *, opponent: OpponentLike = "random",
             decks: DecksLike = CIG2018, opponent_decks: DecksLike | None = None,
             threads: int | None = None, **battle: Unpack[AgainstFields]) -> VecEnv:
    """Return a VecEnv of Stable-Baselines3: battles against an agent, with a monitor.

    Learn with MaskablePPO of sb3-contrib, which uses the masks of legal actions. Its argument
    `seed` replaces the seed given here.

    Parameters
    ----------
    id : {"battle"}, default "battle"
        Type of environment.
    num_envs : int, default 64
        Number of parallel battles.
    opponent : agent or mapping of agents to weights, default "random"
        Agent that plays the other side, in any form, or an opponent pool as in `hsevo.make_vec`.
    decks : deck, sequence of decks or mapping, default the three decks of CIG2018
        Decks of the learner, as in `hsevo.make_vec`. Each game draws one.
    opponent_decks : deck, sequence of decks or mapping, optional
        Decks of the opponent. Default: `decks`.
    threads : int, optional
        Number of threads, which does not change games. Default: one per core.
    **battle : AgainstFields
        Rules and observations, as in `hsevo.make_vec`.

    Returns
    -------
    VecEnv
        The environment, with the observations and actions of `hsevo.make_env`. An illegal action
        raises GameError. `set_opponents` changes the opponents of the next games, and the info of
        the last step of a game has the name of its "opponent".

    Raises
    ------
    ConfigError
        If an argument is invalid, or sb3-contrib is missing (after PyTorch, install it with pip
        install -e '.[sb3]').
    AgentError
        If an agent is unknown, damaged or unable to play here.
    DeckError
        If a deck is unknown or invalid.
    CardError
        If a ruleset or card is unknown or invalid.

    Examples
    --------
    >>> from sb3_contrib import MaskablePPO                            # doctest: +SKIP
    >>> env = hsevo.make_sb3("battle", num_envs=64, opponent="random") # doctest: +SKIP
    >>> model = MaskablePPO("MlpPolicy", env, seed=1).learn(100_000)   # doctest: +SKIP
    >>> hsevo.make_sb3(opponent=None)
    Traceback (most recent call last):
    hsevo.errors.ConfigError: opponent is None, but this environment has one player; ...
    """
    _refuse_self_play(opponent)
    _need("gymnasium", "stable_baselines3", install="gymnasium sb3-contrib, after PyTorch")
    games = make_vec(id, num_envs, opponent=opponent, decks=decks, opponent_decks=opponent_decks,
                     threads=threads, **battle)
    from hsevo.learning.sb3 import monitored

    return monitored(games)


def make_vec(id: str = "battle", num_envs: int = 1, *, opponent: OpponentLike | None = None,
             decks: DecksLike = CIG2018, opponent_decks: DecksLike | None = None,
             threads: int | None = None, **battle: Unpack[AgainstFields]) -> BattleVectorEnv:
    """Return a Gymnasium vector environment of battles, stepped in compiled code.

    `gymnasium.make_vec("hsevo/battle-v0", ...)` returns the same environment, with "random" as the
    default opponent.

    Parameters
    ----------
    id : {"battle"}, default "battle"
        Type of environment.
    num_envs : int, default 1
        Number of parallel battles.
    opponent : agent or mapping of agents to weights, optional
        Agent that plays the other side, in any form, or an opponent pool such as
        {"rl:2026": 2, "eva:2018": 1}. Each game draws one of the pool by the weights, which are
        above 0 and of any sum. Python players and end-to-end policies decide in Python, so they
        are slow. Default: self-play, in which you move for both players.
    decks : deck, sequence of decks or mapping, default the three decks of CIG2018
        Decks of the learner: names, files, deck codes, URLs or `hsevo.Deck` objects. Each game
        draws one. "human:known" and "human:held-out" draw human decks. A mapping sets shares as
        the key `decks` of a learning config does, such as {"human": 0.7, "changed": 0.3}. In
        self-play, the decks of player 0.
    opponent_decks : deck, sequence of decks or mapping, optional
        Decks of the opponent, or of player 1. Default: `decks`.
    threads : int, optional
        Number of threads, which does not change games. Default: one per core.
    **battle : AgainstFields
        `seed` (of everything random), `ruleset`, `max_turns`, `opponent_deck` ("known" shows the
        opponent's deck list, which a fair player does not know), `history` (observations of the
        second version, which include the history of the game, `learning.layout(history=True)`),
        `all_places` (allow a minion at every board position, default: only where the position
        matters) and `information` (of look-aheads of the opponent).

    Returns
    -------
    BattleVectorEnv
        The environment.

    Raises
    ------
    ConfigError
        If an argument is invalid, or Gymnasium is missing (install it with pip install -e
        '.[env]').
    AgentError
        If an agent is unknown, damaged or unable to play here.
    DeckError
        If a deck is unknown or invalid.
    CardError
        If a ruleset or card is unknown or invalid.

    Notes
    -----
    The learner is player 0 or 1 with equal probability. An observation is an int16 array of shape
    (num_envs, 1055), or (num_envs, 1235) with a history. An action is (what, at, where). The masks
    of an observation have the legal actions, and `sample(seed)` samples legal actions. After `from
    hsevo import learning`, `learning.actions()` lists the actions and `learning.layout()` describes
    observations. A finished game is reset in the same step (AutoresetMode.SAME_STEP), and
    `infos["final_info"]["opponent"]` has the name of its opponent. `set_opponents` of the
    environment changes the opponents of the next games.

    Examples
    --------
    >>> from hsevo import learning
    >>> env = hsevo.make_vec("battle", num_envs=8, opponent="random", seed=1)
    >>> seen, infos = env.reset()
    >>> seen["observation"].shape
    (8, 1055)
    >>> seen, rewards, ended, cut, infos = env.step(env.sample(1))
    >>> rewards.shape
    (8,)
    >>> seen, infos = hsevo.make_vec("battle", num_envs=8, history=True).reset()
    >>> learning.split(seen["observation"])["enemy_acts"].shape
    (8, 12, 7)
    """
    _check_task(id)
    games = whole("num_envs", num_envs, 1, MOST_ENVS)
    if threads is not None:
        threads = whole("threads", threads, 1, MOST_THREADS)
    asked = _asked("make_vec", battle)
    sources, own, others, setting = _decks(decks, opponent_decks, asked)
    known, past = _is_known(asked["opponent_deck"]), _is_wanted("history", asked["history"])
    number = whole("seed", asked["seed"], 0, MOST_SEED)
    dealer = Dealer(*sources) if sources[0].draws or sources[1].draws else None
    pool = () if opponent is None else read_opponents(opponent, setting.decks, dealer is not None)
    _need("gymnasium")
    from hsevo.learning.slots import Slots
    from hsevo.learning.vector import BattleVectorEnv

    slots = Slots(games, setting, pool, own, others, known, past, threads, dealer)
    settings = {
        "opponent": names_of(opponent, pool) if pool else None,
        "decks": sources[0].names, "opponent_decks": sources[1].names, "ruleset": setting.ruleset,
        "information": setting.information, "max_turns": setting.max_turns,
        "opponent_deck": asked["opponent_deck"], "history": past,
        "all_places": setting.all_places}
    arguments = {**settings, "opponent": opponent, "decks": decks, "opponent_decks": opponent_decks,
                 "seed": number, "threads": threads}
    return BattleVectorEnv(slots, number, settings, arguments)


def aec_env(deck_0: DecksLike = CIG2018, deck_1: DecksLike | None = None, *,
            render_mode: str | None = None, dict_observations: bool = False,
            **battle: Unpack[BattleFields]) -> BattleEnv:
    """Return a PettingZoo environment (AEC): one battle of two agents that move in turn.

    Parameters
    ----------
    deck_0, deck_1 : deck, sequence of decks or mapping
        Decks of player_0 and player_1, as in `hsevo.make_vec`. Each game draws one. Default: the
        three decks of CIG2018 for player_0, and `deck_0` for player_1.
    render_mode : {"ansi"}, optional
        "ansi": `render()` returns the board as text.
    dict_observations : bool, default False
        Observations are {"observation": ..., "action_mask": ...}.
    **battle : BattleFields
        Rules and observations, as in `hsevo.make_vec`.

    Returns
    -------
    BattleEnv
        The environment, with the observations and actions of `hsevo.make_env`. info["action_mask"]
        has the legal actions. An illegal action raises GameError and changes nothing.

    Raises
    ------
    ConfigError
        If an argument is invalid, or PettingZoo is missing (install it with pip install -e
        '.[env]').
    DeckError
        If a deck is unknown or invalid.
    CardError
        If a ruleset or card is unknown or invalid.

    Examples
    --------
    >>> env = hsevo.aec_env("mage", "warrior", seed=1)
    >>> env.reset()
    >>> seen, reward, ended, cut, info = env.last()
    >>> seen.shape, info["action_mask"].shape
    ((1055,), (3662,))
    """
    _check_render_mode(render_mode)
    asked = _asked("aec_env", battle, without="information")
    sources, _, _, setting = _decks(deck_0, deck_1, asked)
    dicts = _is_wanted("dict_observations", dict_observations)
    known, past = _is_known(asked["opponent_deck"]), _is_wanted("history", asked["history"])
    number = whole("seed", asked["seed"], 0, MOST_SEED)
    _need("gymnasium", "pettingzoo")
    from hsevo.learning.aec import BattleEnv

    return BattleEnv(sources, number, setting, known, past, render_mode, dicts)


def _refuse_self_play(opponent: Any) -> None:
    if opponent is None:
        raise ConfigError("opponent is None, but this environment has one player; for self-play,"
                          " use hsevo.make_vec or hsevo.aec_env, where you control both players")


def _check_render_mode(mode: Any) -> None:
    if mode not in RENDER_MODES:
        raise ConfigError(f"render_mode is {short(mode)}, but must be one of None, ansi")


def _check_task(id: Any) -> None:
    if id not in TASKS:
        raise ConfigError(f"no environment {quoted(id)}{did_you_mean(str(id), TASKS)}; known are"
                          f" {', '.join(TASKS)}")


def _need(*libraries: str, install: str = "gymnasium pettingzoo") -> None:
    """Raise ConfigError if a library is missing or broken, by names that need no clone."""
    need("this environment", *libraries, install=install)


def _is_known(shown: Any) -> bool:
    if shown not in SHOWN:
        raise ConfigError(f"opponent_deck is {short(shown)}, but must be one of"
                          f" {', '.join(SHOWN)}")
    return bool(shown == "known")


def _is_wanted(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ConfigError(f"{name} is {short(value)}, but must be True or False")
    return bool(value)


def _asked(function: str, battle: Mapping[str, Any], without: str = "") -> AgainstFields:
    """Return the arguments with the defaults of the others. Raises TypeError for an unknown one."""
    known = {*BATTLE} - {without}
    refuse_unknown(function, battle, known)
    asked: Any = {**BATTLE, **battle}
    fields: AgainstFields = asked
    return fields


def _decks(first: Any, second: Any, asked: AgainstFields
           ) -> tuple[tuple[DeckSource, DeckSource], Array, Array, Setting]:
    """Return both players' decks, the numbers of those among all, int64 (m,), and the setting."""
    ruleset, information = find_ruleset(asked["ruleset"]).name, asked["information"]
    parts(information if isinstance(information, str) else short(information))
    turns = whole("max_turns", asked["max_turns"], 1, MOST_TURNS)
    own = deck_source(first, ruleset)
    others = own if second is None else deck_source(second, ruleset)
    known: dict[Deck, int] = {}
    numbers = [np.array([known.setdefault(deck, len(known)) for deck in source.decks], np.int64)
               for source in (own, others)]
    setting = Setting(ruleset, tuple(known), information, turns,
                      _is_wanted("all_places", asked["all_places"]))
    return (own, others), numbers[0], numbers[1], setting
