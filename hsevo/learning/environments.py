"""`hsevo.make_env` and its sisters: battles as environments for learners.

make_env    one battle, for Gymnasium                  make_vec    many at once
make_sb3    many at once, for Stable-Baselines3        aec_env     two agents, for PettingZoo
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from hsevo.agents.shared.agent import AGENT
from hsevo.cards.decks import Deck, DeckLike, each_deck
from hsevo.cards.tables import find_ruleset
from hsevo.config import MOST_MEMORY, parts, short, whole
from hsevo.config.named import CIG2018
from hsevo.errors import ConfigError, did_you_mean, quoted, refuse_unknown
from hsevo.optional import need
from hsevo.play.match import Setting
from hsevo.seeds import MOST_SEED
from hsevo.strength.agents import AgentLike, as_agent

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

    from hsevo.learning.aec import BattleEnv
    from hsevo.learning.single import SingleBattleEnv
    from hsevo.learning.vector import BattleVectorEnv

TASKS = ("battle",)
SHOWN = ("hidden", "known")
RENDER_MODES = (None, "ansi")
MOST_ENVS = MOST_MEMORY // 8_000  # bytes of a game with its observations and masks
MOST_TURNS, MOST_THREADS = 32_000, 256


class BattleFields(TypedDict, total=False):
    """How battles are played, and what the learner sees; see `make_vec`."""

    seed: int
    ruleset: str
    max_turns: int
    opponent_deck: str
    history: bool
    all_places: bool


class AgainstFields(BattleFields, total=False):
    """Likewise, and what look-aheads of the opponent may know."""

    information: str


BATTLE: AgainstFields = {"seed": 0, "ruleset": "cig2018", "information": "fair", "max_turns": 89,
                         "opponent_deck": "hidden", "history": False, "all_places": False}


def make_env(id: str = "battle", *, opponent: AgentLike = "random",
             decks: DeckLike | Sequence[DeckLike] = CIG2018,
             opponent_decks: DeckLike | Sequence[DeckLike] | None = None,
             render_mode: str | None = None, **battle: Unpack[AgainstFields]) -> SingleBattleEnv:
    """Return an environment of Gymnasium: one battle at a time against an agent.

    gymnasium.make("hsevo/battle-v0", ...) returns the same. The arguments are those of `make_vec`,
    and so are the games: those of `make_vec` with num_envs=1. render_mode: "ansi" has `render()`
    return the board as text.

    An observation is int16 (967,), or (1147,) with a history. An action is the number of a move, 0
    to 3,661, as in `hsevo.Games`: `action_masks()` and info["action_mask"] tell which are legal. An
    illegal one loses the game at once: the reward is -1, and info["illegal"] is True.

    Needs gymnasium, in the clone: pip install -e '.[env]'. Raises ConfigError, AgentError,
    DeckError, CardError.

    >>> env = hsevo.make_env("battle", opponent="eva:2018", decks="mage", seed=1)
    >>> seen, info = env.reset()
    >>> seen, reward, ended, cut, info = env.step(env.action_space.sample(info["action_mask"]))
    >>> seen.shape, reward, ended
    ((967,), 0.0, False)
    """
    _refuse_self_play(opponent)
    _check_render_mode(render_mode)
    games = make_vec(id, 1, opponent=opponent, decks=decks, opponent_decks=opponent_decks,
                     threads=1, **battle)
    from hsevo.learning.single import SingleBattleEnv

    given = {name: value for name, value in games.spec.kwargs.items()
             if name not in ("num_envs", "threads")}
    return SingleBattleEnv(games, {**given, "render_mode": render_mode}, render_mode)


def make_sb3(id: str = "battle", num_envs: int = 64, *, opponent: AgentLike = "random",
             decks: DeckLike | Sequence[DeckLike] = CIG2018,
             opponent_decks: DeckLike | Sequence[DeckLike] | None = None,
             threads: int | None = None, **battle: Unpack[AgainstFields]) -> VecEnv:
    """Return a VecEnv of Stable-Baselines3: num_envs battles against an agent, with a monitor.

    The arguments are those of `make_vec`, and so are the games; observations and actions are those
    of `make_env`, but an illegal action raises a GameError. Learn with MaskablePPO of sb3-contrib,
    which asks for the masks of legal actions. Its argument `seed` replaces the one given here.

    Needs sb3-contrib, in the clone: pip install -e '.[sb3]', after PyTorch. Raises ConfigError,
    AgentError, DeckError, CardError.

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


def make_vec(id: str = "battle", num_envs: int = 1, *, opponent: AgentLike | None = None,
             decks: DeckLike | Sequence[DeckLike] = CIG2018,
             opponent_decks: DeckLike | Sequence[DeckLike] | None = None,
             threads: int | None = None, **battle: Unpack[AgainstFields]) -> BattleVectorEnv:
    """Return a vector environment of Gymnasium: num_envs battles, stepped in compiled code.

    gymnasium.make_vec("hsevo/battle-v0", ...) returns the same; there, the opponent is by default
    "random".

    opponent: an agent that plays the other side, in any form; None: self-play, you move for both
    players. Python players and end-to-end policies decide in Python, so these are slow. decks,
    opponent_decks: names, files, codes, URLs or Deck; every game draws one for each player (None:
    both from `decks`). The learner is player 0 or 1 with equal probability; in
    self-play, `decks` are player 0's. seed: fixes everything random. information: what look-aheads
    of the opponent may know. opponent_deck: "known" shows the opponent's deck list, which a fair
    player does not know. history: observations are of the second version, int16 (num_envs, 1147),
    which goes on with what happened so far (`learning.layout(history=True)`); the games are the
    same. all_places: whether the learner can put a minion at every place on the board; by default
    only where its place matters now, else at the right end. threads: default, one a core; their
    number changes no game.

    An action is (what, at, where): the masks of an observation tell which are legal, `sample(seed)`
    draws some. After `from hsevo import learning`, `learning.actions()` lists them and
    `learning.layout()` explains observations. Games that end begin anew in the same step
    (AutoresetMode.SAME_STEP).

    Needs gymnasium, in the clone: pip install -e '.[env]'. Raises ConfigError, AgentError,
    DeckError, CardError.

    >>> from hsevo import learning
    >>> env = hsevo.make_vec("battle", num_envs=8, opponent="random", seed=1)
    >>> seen, infos = env.reset()
    >>> seen["observation"].shape
    (8, 967)
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
    own, others, all_decks = _decks(decks, opponent_decks)
    asked = _asked("make_vec", battle)
    setting = _setting(all_decks, asked)
    known, past = _is_known(asked["opponent_deck"]), _is_wanted("history", asked["history"])
    number = whole("seed", asked["seed"], 0, MOST_SEED)
    agents = np.zeros(0, AGENT)
    if opponent is not None:
        agents = np.ascontiguousarray(as_agent(opponent).on(all_decks).ravel(), AGENT)
    _need("gymnasium")
    from hsevo.learning.slots import Slots
    from hsevo.learning.vector import BattleVectorEnv

    slots = Slots(games, setting, agents, own, others, known, past, threads)
    settings = {
        "opponent": None if opponent is None else as_agent(opponent).name,
        "decks": [all_decks[k].name for k in own],
        "opponent_decks": [all_decks[k].name for k in others], "ruleset": setting.ruleset,
        "information": setting.information, "max_turns": setting.max_turns,
        "opponent_deck": asked["opponent_deck"], "history": past,
        "all_places": setting.all_places}
    given = {**settings, "opponent": opponent, "decks": decks, "opponent_decks": opponent_decks,
             "seed": number, "threads": threads}
    return BattleVectorEnv(slots, number, settings, given)


def aec_env(deck_0: DeckLike | Sequence[DeckLike] = CIG2018,
            deck_1: DeckLike | Sequence[DeckLike] | None = None, *,
            render_mode: str | None = None, **battle: Unpack[BattleFields]) -> BattleEnv:
    """Return an environment of PettingZoo (AEC): one battle of two agents that move in turn.

    deck_0, deck_1: of player_0 and player_1, as `decks` of `make_vec`. Other arguments,
    observations and actions are those of `make_env`; info["action_mask"] tells which actions are
    legal. An illegal one raises a GameError, and changes nothing.

    Needs pettingzoo, in the clone: pip install -e '.[env]'. Raises ConfigError, DeckError,
    CardError.

    >>> env = hsevo.aec_env("mage", "warrior", seed=1)
    >>> env.reset()
    >>> seen, reward, ended, cut, info = env.last()
    >>> seen.shape, info["action_mask"].shape
    ((967,), (3662,))
    """
    _check_render_mode(render_mode)
    own, others, all_decks = _decks(deck_0, deck_1)
    asked = _asked("aec_env", battle, without="information")
    setting = _setting(all_decks, asked)
    known, past = _is_known(asked["opponent_deck"]), _is_wanted("history", asked["history"])
    number = whole("seed", asked["seed"], 0, MOST_SEED)
    _need("gymnasium", "pettingzoo")
    from hsevo.learning.aec import BattleEnv

    return BattleEnv([[all_decks[k] for k in some] for some in (own, others)], number, setting,
                     known, past, render_mode)


def _refuse_self_play(opponent: Any) -> None:
    if opponent is None:
        raise ConfigError("opponent is None, but this environment has one player; for self-play,"
                          " take hsevo.make_vec or hsevo.aec_env, where you move for both")


def _check_render_mode(mode: Any) -> None:
    if mode not in RENDER_MODES:
        raise ConfigError(f"render_mode is {short(mode)}, but must be one of None, ansi")


def _check_task(id: Any) -> None:
    if id not in TASKS:
        raise ConfigError(f"no environment {quoted(id)}{did_you_mean(str(id), TASKS)}; there is"
                          f" {', '.join(TASKS)}")


def _need(*libraries: str, install: str = "gymnasium pettingzoo") -> None:
    """Raise ConfigError if a library is missing or broken, by names that need no clone."""
    need("this environment", *libraries, install=install)


def _is_known(shown: Any) -> bool:
    if shown not in SHOWN:
        raise ConfigError(f"opponent_deck is {short(shown)}, but must be one of"
                          f" {', '.join(SHOWN)}")
    return bool(shown == "known")


def _is_wanted(name: str, given: Any) -> bool:
    if not isinstance(given, bool | np.bool_):
        raise ConfigError(f"{name} is {short(given)}, but must be True or False")
    return bool(given)


def _asked(function: str, battle: Mapping[str, Any], without: str = "") -> AgainstFields:
    """Return the arguments with the defaults of the others. Raises TypeError for an unknown one."""
    known = {*BATTLE} - {without}
    refuse_unknown(function, battle, known)
    asked: Any = {**BATTLE, **battle}
    found: AgainstFields = asked
    return found


def _setting(decks: tuple[Deck, ...], asked: AgainstFields) -> Setting:
    ruleset, information = find_ruleset(asked["ruleset"]).name, asked["information"]
    parts(information if isinstance(information, str) else short(information))
    turns = whole("max_turns", asked["max_turns"], 1, MOST_TURNS)
    return Setting(ruleset, decks, information, turns,
                   _is_wanted("all_places", asked["all_places"]))


def _decks(first: Any, second: Any) -> tuple[Any, Any, tuple[Deck, ...]]:
    """Return the numbers of both players' decks, int64 (m,), and all decks."""
    known: dict[Deck, int] = {}
    own = _numbers(first, known)
    others = own if second is None else _numbers(second, known)
    return own, others, tuple(known)


def _numbers(given: Any, known: dict[Deck, int]) -> Any:
    listed = each_deck(given) if not isinstance(given, str) else [given]
    if not listed:
        raise ConfigError("decks is empty, but must name at least one deck")
    return np.array([known.setdefault(Deck(one), len(known)) for one in listed], np.int64)
