"""Keywords of functions, options of commands, and names that Tab completes.

Made by `make pages` of the fields of plans (hsevo/config), the agents and the panels: change these.
Types and descriptions stand here so that neither --help nor Tab loads pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict

# Keys of sections that have shorter names.
KEYS = {"workers": "workers.count", "backend": "workers.backend"}


class PlanOption(NamedTuple):
    """An option of a command that is a key of its plan.

    kind: text, whole (a number), number, pair (two numbers) or flag. choices: its only values.
    least: the lowest whole number. All else the plan checks.
    """

    name: str
    help: str
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    kind: str = "text"
    least: int | None = None


class WorkersFields(TypedDict, total=False):
    """How games run in parallel."""

    workers: int | None
    """Number of workers; null: one per core."""
    backend: Literal["threads", "loky", "dask", "serial"] | None
    """How games run: threads; loky: processes; dask: processes, here or on a cluster; serial."""


class RulesFields(WorkersFields, total=False):
    """How games are played: what every command that plays takes."""

    seed: int
    """The same seed gives the same games."""
    ruleset: str
    """Version of cards and rules: a name, or an overlay, a file of changed cards."""
    information: str
    """closed: the opponent's deck list is guessed; leaky: look-aheads see hidden cards. Other
    guesses: closed:match, closed:bigrams, closed:uniform; from decks of your own:
    closed@FILE.
    """
    max_turns: int
    """A game of more turns is a draw."""


class MatchFields(RulesFields, total=False):
    """A match of two agents, and a test that may end it."""

    sprt: tuple[float, float] | None
    """Test whether A is ELO0 or ELO1 better than B, and stop when decided."""
    alpha: float
    """With sprt: the chance to accept ELO1 when ELO0 is true."""
    beta: float
    """With sprt: the chance to accept ELO0 when ELO1 is true."""


class SeriesFields(RulesFields, total=False):
    """Who plays which decks, in which format, and how often."""

    format: Literal["conquest", "last-hero-standing"]
    """Which deck is out after a game."""
    ban: bool
    """First, each strikes a deck from the other's line-up."""
    choose: Literal["uniform", "best"]
    """How both choose decks. uniform: at random; best: optimally, for win rates that games
    before the series measure (they scout).
    """
    scouting: int
    """With choose best: games that scout, of every deck against every deck."""


class NerfFields(RulesFields, total=False):
    """Decks against decks before and after a change of cards."""

    re_evolve: bool
    """Decks evolve before and after the change, and join the field."""
    evolve_games: int | None
    """Games of each search for a deck; null: 20000."""
    classes: Sequence[str]
    """Of which decks evolve; default: those with a changed card in the field, or all if no deck
    has one.
    """


class BalanceFields(WorkersFields, total=False):
    """A search for changes of cards that make a field of decks even."""

    cards: Sequence[str]
    """Only these cards change; default: all cards of the decks."""
    most: int
    """Steps of a proposal, at most."""
    proposals: int
    """How many are tried."""
    games: int
    """Games of every two decks after each proposal, about."""
    confirm: int
    """New games of every two decks for what is reported."""
    re_evolve: bool
    """Decks evolve against each proposal that is kept, and challenge the field."""
    evolve_games: int | None
    """Games of each search for a deck; null: 2000. Ten times as many against what is reported."""
    seed: int
    """The same seed gives the same result."""
    ruleset: str
    """Which is changed."""
    max_turns: int
    """A game of more turns is a draw."""


class ExploitFields(WorkersFields, total=False):
    """A player that learns to beat an agent, and its measurement."""

    start: str | None
    """The response first learns from games of this agent against itself."""
    pretrained: str | None
    """The response begins with the weights of this learned player, such as rl:2026."""
    decks: Any
    """Decks of all games; null: the config's."""
    search: bool
    """The response searches its turn with its network when it is measured."""
    measure: int
    """Games that measure the response, at least."""
    seed: int
    """The same seed gives the same result."""


class ExamineFields(RulesFields, total=False):
    """What each weight of an agent is worth, and how it plays."""

    games: int
    """Games of each variant (a weight at one of 11 values), at least."""
    profile_games: int
    """How many of these to analyse move by move, for the style."""
    games_best: int
    """To find the best of a RUN: games per pair of decks, for every two agents."""


class EvolveFields(WorkersFields, total=False):
    """A whole experiment: agent, decks, rules, evolution and output folder."""

    name: str | None
    """Begins the name of the run folder; default: the name of the config file."""
    seed: int | None
    """The same seed gives bit-identical results."""
    agent: str | Mapping[str, Any] | None
    """The agent whose weights evolve: a kind such as eva or gsv?depth=2, or a section."""
    ruleset: str | None
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    information: str | None
    """fair: look-aheads know what a player may; closed: no deck list of the other; leaky: all."""
    decks: Sequence[str] | None
    """Names, files (looked for beside the config first), codes or URLs; all pairs of decks play."""
    games: int | None
    """Games of each pair of decks, of every two individuals."""
    max_turns: int | None
    """A game that is not over after this many player turns is a draw."""
    executions: int | None
    """How many independent evolutions the run makes, one after another."""
    evolution: Mapping[str, Any] | None
    """How individuals are bred and selected."""
    rating: Mapping[str, Any] | None
    """How fitness is measured."""
    references: Mapping[str, Any] | None
    """Measure the best individuals against external reference opponents; null: don't."""
    confirm: Mapping[str, Any] | None
    """map-elites, cma-me: new games of all elites at the end."""


class LearnFields(WorkersFields, total=False):
    """A player that learns: decks, periods, learner, opponents, references."""

    name: str | None
    """Beginning of the run folder's name; default: the name of the config file."""
    policy: Literal["afterstate", "end-to-end"] | None
    """afterstate: scores what each action leads to, in compiled code (section learner);
    end-to-end: a network in PyTorch chooses from what it sees (section network).
    """
    seed: int | None
    """The same seed gives the same results."""
    ruleset: str | None
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    decks: Sequence[str] | Mapping[str, Any] | None
    """Names, files, codes or URLs, of which all pairs play; or shares of decks that are drawn
    anew for each game: {human: 0.7, changed: 0.2, drawn: 0.1}.
    """
    max_turns: int | None
    """A game that is not over after this many player turns is a draw."""
    start: str | None
    """scratch, or the agent from whose games against itself the first periods learn: eva:2018.
    Of end-to-end: the teacher of the first periods, whose moves it imitates in its own games,
    while it learns by them (kickstarting).
    """
    start_periods: int | None
    """Periods that learn from these games, or over which a teacher's weight falls to 0; with
    start: scratch, none.
    """
    pretrained: str | None
    """The learned player whose weights the network begins with, such as rl:2026 or rl:RUN, to
    learn on from them with other decks, say; null: random weights.
    """
    periods: int | None
    """Learning periods, counted from 0. Each ends with a checkpoint, and perhaps a new member of
    the pool.
    """
    rounds: int | None
    """Rounds of a period: the same net plays all games of a round, and then learns from them."""
    games: int | None
    """Games of each ordered pair of decks in a round; of decks that are drawn, of a whole round."""
    against: str | None
    """Only opponent, to probe how exploitable it is; null: the learner itself and the pool."""
    learner: Mapping[str, Any] | None
    """How the network of `afterstate` learns."""
    network: Mapping[str, Any] | None
    """The network of `end-to-end`, and how it learns."""
    osfp: Mapping[str, Any] | None
    """Opponents while it learns."""
    references: Mapping[str, Any] | None
    """Opponents that it is measured against."""
    payoff_games: int | None
    """Games of each pair of decks and seat, of every two checkpoints (payoff.csv); 0: none. Of
    decks that are drawn: pairs of games with the same two decks.
    """


class DeckFields(WorkersFields, total=False):
    """A search for decks that beat a field: pool, field, pilots, fitness, strategy."""

    name: str | None
    """Beginning of the run folder's name; default: the name of the config file."""
    seed: int | None
    """The same seed gives the same results."""
    ruleset: str | None
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    max_turns: int | None
    """A game that is not over after this many player turns is a draw."""
    pool: Mapping[str, Any] | None
    """The cards that decks may be built of."""
    field: Sequence[Any] | None
    """The decks to beat: a list of decks, or of {deck: mage, agent: "eva:2018", share: 2}."""
    pilots: Sequence[str] | None
    """The agents that play each deck of the search (hsevo agents); its fitness is their mean."""
    games: int | None
    """Games of a deck with each pilot against each deck of the field, half from either seat."""
    fitness: Literal["rate", "worst", "health"] | None
    """rate: games won, draws counting half; worst: the same of the worst match-up; health: mean
    difference of the heroes' health at the end. Each by the shares of the field.
    """
    search: Mapping[str, Any] | None
    """How decks are found."""
    confirm: Mapping[str, Any] | None
    """New games of the decks that were found."""


class CoevolveFields(WorkersFields, total=False):
    """Decks and weights that evolve together: who is made, whom they meet, what is measured."""

    name: str | None
    """Beginning of the run folder's name; default: the name of the config file."""
    seed: int | None
    """The same seed gives the same results."""
    ruleset: str | None
    """The version of the cards and rules: a name, or an overlay, a file of changed cards."""
    max_turns: int | None
    """A game that is not over after this many player turns is a draw."""
    generations: int | None
    """Generations, with the first."""
    games: int | None
    """Games of a deck, or of weights, with each partner against each opponent of the hall."""
    pool: Mapping[str, Any] | None
    """The cards that decks may be built of."""
    agent: Mapping[str, Any] | None
    """The agent whose weights evolve: a kind such as eva or eva:wide, or a section."""
    decks: Mapping[str, Any] | None
    """The population of decks."""
    weights: Mapping[str, Any] | None
    """The population of weights."""
    hall: Mapping[str, Any] | None
    """The hall of fame."""
    reference: Mapping[str, Any] | None
    """The external reference."""
    confirm: Mapping[str, Any] | None
    """New games at the end."""


OPTIONS: dict[str, tuple[PlanOption, ...]] = {
    "rules": (
        PlanOption("decks",
                   "Names, files, codes or URLs of decks; default: warrior,shaman,mage.",
                   metavar="A,B,..."),
        PlanOption("seed",
                   "The same seed gives the same games; default: 1.",
                   metavar="N", kind="whole"),
        PlanOption("ruleset",
                   "Version of cards and rules: a name, or an overlay, a file of changed "
                   "cards; default: cig2018.",
                   metavar="NAME|FILE"),
        PlanOption("information",
                   "closed: the opponent's deck list is guessed; leaky: look-aheads see hidden "
                   "cards. Other guesses: closed:match, closed:bigrams, closed:uniform; from "
                   "decks of your own: closed@FILE; default: fair.",
                   metavar="fair|closed|leaky"),
        PlanOption("max_turns",
                   "A game of more turns is a draw; default: 89.",
                   metavar="N", kind="whole"),
    ),
    "workers": (
        PlanOption("workers",
                   "Number of workers; default: one per core.",
                   metavar="N", kind="whole", least=1),
        PlanOption("backend",
                   "How games run: threads; loky: processes; dask: processes, here or on a "
                   "cluster; serial.",
                   choices=("threads", "loky", "dask", "serial")),
    ),
    "match": (
        PlanOption("games",
                   "Games at least; rounded up to all pairs of decks from both sides; default: "
                   "2000.",
                   metavar="N", kind="whole"),
        PlanOption("sprt",
                   "Test whether A is ELO0 or ELO1 better than B, and stop when decided.",
                   metavar="ELO0 ELO1", kind="pair"),
        PlanOption("alpha",
                   "With --sprt: the chance to accept ELO1 when ELO0 is true; default: 0.05.",
                   metavar="P", kind="number"),
        PlanOption("beta",
                   "With --sprt: the chance to accept ELO0 when ELO1 is true; default: 0.05.",
                   metavar="P", kind="number"),
    ),
    "arena": (
        PlanOption("games",
                   "Games of every two at least; rounded up to all pairs of decks from both "
                   "sides; default: 360.",
                   metavar="N", kind="whole"),
    ),
    "series": (
        PlanOption("format",
                   "Which deck is out after a game; default: conquest.",
                   metavar="conquest|last-hero-standing"),
        PlanOption("ban",
                   "First, each strikes a deck from the other's line-up.",
                   kind="flag"),
        PlanOption("choose",
                   "How both choose decks. uniform: at random; best: optimally, for win rates "
                   "that games before the series measure (they scout); default: uniform.",
                   metavar="uniform|best"),
        PlanOption("scouting",
                   "With --choose best: games that scout, of every deck against every deck; "
                   "default: 200.",
                   metavar="N", kind="whole"),
        PlanOption("series",
                   "How many series to play; default: 1000.",
                   metavar="N", kind="whole"),
    ),
    "meta matrix": (
        PlanOption("pilots",
                   "The agent that plays the decks; of several, each deck gets the one that "
                   "does best with it, in games of their own; default: eva:2018.",
                   metavar="A,B,..."),
        PlanOption("games",
                   "Games of every two decks, at least; default: 360.",
                   metavar="N", kind="whole"),
    ),
    "meta nerf": (
        PlanOption("pilots",
                   "As of hsevo meta matrix; they are chosen before the change; default: "
                   "eva:2018.",
                   metavar="A,B,..."),
        PlanOption("games",
                   "Games of every two decks, at least, before and again after; default: 360.",
                   metavar="N", kind="whole"),
        PlanOption("re_evolve",
                   "Decks evolve before and after the change, and join the field.",
                   kind="flag"),
        PlanOption("evolve_games",
                   "Games of each search for a deck; default: 20000.",
                   metavar="N", kind="whole"),
        PlanOption("classes",
                   "Of which decks evolve; default: those with a changed card in the field, or "
                   "all if no deck has one.",
                   metavar="A,B,...|all"),
    ),
    "meta balance": (
        PlanOption("pilot",
                   "The agent that plays all decks; default: eva:2018.",
                   metavar="AGENT"),
        PlanOption("most",
                   "Steps of a proposal, at most; default: 3.",
                   metavar="N", kind="whole"),
        PlanOption("proposals",
                   "How many are tried; default: 300.",
                   metavar="N", kind="whole"),
        PlanOption("games",
                   "Games of every two decks after each proposal, about; default: 20.",
                   metavar="N", kind="whole"),
        PlanOption("confirm",
                   "New games of every two decks for what is reported; default: 400.",
                   metavar="N", kind="whole"),
        PlanOption("re_evolve",
                   "Decks evolve against each proposal that is kept, and challenge the field.",
                   kind="flag"),
        PlanOption("evolve_games",
                   "Games of each search for a deck; default: 2000. Ten times as many against "
                   "what is reported.",
                   metavar="N", kind="whole"),
        PlanOption("seed",
                   "The same seed gives the same result; default: 1.",
                   metavar="N", kind="whole"),
        PlanOption("ruleset",
                   "Which is changed; default: cig2018.",
                   metavar="NAME"),
        PlanOption("max_turns",
                   "A game of more turns is a draw; default: 89.",
                   metavar="N", kind="whole"),
    ),
    "exploit": (
        PlanOption("games",
                   "Games that the response (see above) learns from, at least; default: "
                   "144000.",
                   metavar="N", kind="whole"),
        PlanOption("start",
                   "The response first learns from games of this agent against itself.",
                   metavar="AGENT"),
        PlanOption("pretrained",
                   "The response begins with the weights of this learned player, such as "
                   "rl:2026.",
                   metavar="AGENT"),
        PlanOption("decks",
                   "Decks of all games; default: the config's.",
                   metavar="A,B,..."),
        PlanOption("search",
                   "The response searches its turn with its network when it is measured.",
                   kind="flag"),
        PlanOption("measure",
                   "Games that measure the response, at least; default: 2000.",
                   metavar="N", kind="whole"),
        PlanOption("seed",
                   "The same seed gives the same result; default: 1.",
                   metavar="N", kind="whole"),
    ),
    "examine": (
        PlanOption("games",
                   "Games of each variant (a weight at one of 11 values), at least; default: "
                   "1800.",
                   metavar="N", kind="whole"),
    ),
    "evolve": (
        PlanOption("seed",
                   "The same seed gives bit-identical results.",
                   metavar="N", kind="whole"),
        PlanOption("executions",
                   "How many independent evolutions the run makes, one after another.",
                   metavar="N", kind="whole"),
    ),
    "learn": (
        PlanOption("seed",
                   "The same seed gives the same results.",
                   metavar="N", kind="whole"),
        PlanOption("start",
                   "scratch, or the agent from whose games against itself the first periods "
                   "learn: eva:2018. Of end-to-end: the teacher of the first periods, whose "
                   "moves it imitates in its own games, while it learns by them "
                   "(kickstarting).",
                   metavar="scratch|AGENT"),
        PlanOption("against",
                   "Only opponent, to probe how exploitable it is; default: the learner itself "
                   "and the pool.",
                   metavar="AGENT"),
    ),
    "decks evolve": (
        PlanOption("seed",
                   "The same seed gives the same results.",
                   metavar="N", kind="whole"),
    ),
    "coevolve": (
        PlanOption("seed",
                   "The same seed gives the same results.",
                   metavar="N", kind="whole"),
    ),
}
NAMED = (
    "random", "eva:2018", "eva:group-1", "eva:group-2", "eva:group-3", "eva:group-4", "eva:wide",
    "eva:wide:2026", "eva:wide:nine-2026", "eva:turn", "eva:wide-turn", "eva:reply",
    "eva:wide-reply", "eva:wide-reply:2026", "noaggression", "greedy:metastone", "greedy:santos",
    "greedy:santos:exchanged", "tyche:onestep", "tyche:mc", "dl:heimbrodt", "dl:miller", "gsv",
    "hearthsim", "mcts:vanilla", "mcts:knowledge", "mcts:alvaro", "rl:2026", "rl:ppo-2026",
    "rl:text-2026",
)
EVOLVED = (
    "eva", "eva:wide", "eva:turn", "eva:wide-turn", "eva:reply", "eva:wide-reply",
    "greedy:metastone", "greedy:santos", "tyche:onestep", "tyche:mc", "dl", "gsv", "hearthsim",
    "mcts:vanilla", "mcts:knowledge", "mcts:alvaro",
)
PANELS = (
    "panel-2026", "panel-2026b", "panel-2026c",
)
