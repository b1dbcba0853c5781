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
    """Number of workers. If null, one per core."""
    backend: Literal["threads", "loky", "dask", "serial"] | None
    """Run games in threads, in processes (loky), on a cluster (dask) or one by one (serial)."""


class RulesFields(WorkersFields, total=False):
    """The rules of games, which you can set in every command that plays."""

    seed: int
    """The same seed gives the same games."""
    ruleset: str
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    information: str
    """Information of agents in their look-ahead. fair gives them the opponent's deck list, but
    no hidden cards. With closed, they guess this list. closed:match, closed:bigrams and
    closed:uniform are other ways to guess, and closed@FILE uses your own decks. leaky gives
    agents all cards (perfect information).
    """
    max_turns: int
    """A game with more player turns is a draw."""


class MatchFields(RulesFields, total=False):
    """A match of two agents, and a test that may end it."""

    sprt: tuple[float, float] | None
    """Test whether A is ELO0 or ELO1 Elo stronger than B, and stop when the test has decided."""
    alpha: float
    """With sprt, the probability of accepting ELO1 when ELO0 is true."""
    beta: float
    """With sprt, the probability of accepting ELO0 when ELO1 is true."""


class DatasetFields(RulesFields, total=False):
    """Games of two agents, stored decision by decision."""

    history: bool
    """Observations include the history of the game."""
    shard_games: int
    """Number of games in each Parquet file, an even number. If you stop the command, unfinished
    files are lost.
    """


class SeriesFields(RulesFields, total=False):
    """Agents, decks, format and number of series."""

    format: Literal["conquest", "last-hero-standing"]
    """Rule that removes decks. conquest removes the winning deck of each game, and
    last-hero-standing removes the losing deck.
    """
    ban: bool
    """Before the series, each player bans a deck of the other player."""
    choose: Literal["uniform", "best"]
    """Choice of decks. uniform chooses at random. best chooses optimally for the win rates of
    scouting games, which are played before the series.
    """
    scouting: int
    """With choose best, number of scouting games of every two decks."""


class NerfFields(RulesFields, total=False):
    """Decks against decks before and after a change of cards."""

    re_evolve: bool
    """Evolve decks before and after the change, and add them to the metagame."""
    evolve_games: int | None
    """Games of each search for a deck. If null, 20000."""
    classes: Sequence[str]
    """Classes of the decks that evolve. Default: classes whose decks have a changed card, or all
    classes if no deck has a changed card.
    """


class BalanceFields(WorkersFields, total=False):
    """A search for card changes that balance the given decks."""

    cards: Sequence[str]
    """Change only these cards. Default: all cards of the decks."""
    most: int
    """Maximum number of steps in a proposal."""
    proposals: int
    """Number of proposals to try."""
    games: int
    """Approximate number of games of every two decks for each proposal."""
    confirm: int
    """New games of every two decks for the reported proposals."""
    re_evolve: bool
    """Evolve new decks under the best proposals, to challenge the given decks."""
    evolve_games: int | None
    """Games of each search for a deck. Reported proposals get ten times this number. If null,
    2000.
    """
    seed: int
    """The same seed gives the same result."""
    ruleset: str
    """The ruleset to change."""
    max_turns: int
    """A game with more player turns is a draw."""


class ExploitFields(WorkersFields, total=False):
    """A player that learns to beat an agent, and its measurement."""

    start: str | None
    """The response first learns from games that this agent plays against itself."""
    pretrained: str | None
    """The response starts with the weights of this learned player, for example rl:2026."""
    decks: Any
    """Decks of all games. If null, the decks of the config."""
    search: bool
    """The response searches its turn with its network in the measured games."""
    measure: int
    """Minimum number of games that measure the response."""
    seed: int
    """The same seed gives the same result."""


class ExamineFields(RulesFields, total=False):
    """The value of each weight of an agent, and its playing style."""

    games: int
    """Minimum number of games of each variant (an agent with one weight at one of 11 values)."""
    profile_games: int
    """Number of games to analyse move by move for the playing style."""
    games_best: int
    """For a RUN, games of every two agents for each pair of decks, to find the best agent."""


class EvolveFields(WorkersFields, total=False):
    """A whole experiment: agent, decks, rules, evolution and output folder."""

    name: str | None
    """Prefix of the run folder's name. Default: the name of the config file."""
    seed: int | None
    """The same seed gives bit-identical results."""
    agent: str | Mapping[str, Any] | None
    """Agent whose weights evolve: an agent family such as eva or gsv?depth=2, or a section."""
    ruleset: str | None
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    information: str | None
    """In their look-ahead, agents see the opponent's deck list (fair), guess this list (closed)
    or see all cards (leaky).
    """
    decks: Sequence[str] | None
    """Decks, as names, files, codes or URLs. hsevo looks for a file in the folder of the config
    first. All pairs of decks play.
    """
    games: int | None
    """Games of every two individuals, for each pair of decks."""
    max_turns: int | None
    """A game that is not over after this number of player turns is a draw."""
    executions: int | None
    """Number of independent evolutions in the run. They run one after another."""
    evolution: Mapping[str, Any] | None
    """Variation and selection of individuals."""
    rating: Mapping[str, Any] | None
    """Measurement of fitness."""
    references: Mapping[str, Any] | None
    """Measurements of the best individuals against external reference opponents. If null, none."""
    confirm: Mapping[str, Any] | None
    """With map-elites and cma-me, new games of all elites at the end."""


class LearnFields(WorkersFields, total=False):
    """A player that learns. You set its decks, learner, opponents and reference opponents."""

    name: str | None
    """Prefix of the run folder's name. Default: the name of the config file."""
    policy: Literal["afterstate", "end-to-end"] | None
    """afterstate scores the position after each action, in compiled code (section learner).
    end-to-end is a PyTorch network that chooses from its observation (section network).
    """
    seed: int | None
    """The same seed gives the same results."""
    ruleset: str | None
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    decks: Sequence[str] | Mapping[str, Any] | None
    """Either a list of decks (names, files, codes or URLs), of which all pairs play, or shares,
    by which each game draws its decks, for example {human: 0.7, changed: 0.2, drawn: 0.1}.
    """
    max_turns: int | None
    """A game that is not over after this number of player turns is a draw."""
    start: str | None
    """scratch, or an agent (for example eva:2018) whose games against itself are the first
    training data. With policy: end-to-end, or learner.method: ppo or mmd, the agent is a
    teacher, whose moves the learner imitates while the learner plays (kickstarting).
    """
    start_periods: int | None
    """Number of periods that learn from the games of start, or imitate it. With policy:
    end-to-end, the teacher's weight falls to 0 over these periods. Not used with start:
    scratch.
    """
    pretrained: Sequence[str] | None
    """Learned player whose weights initialise the network, for example rl:2026 or rl:RUN. You
    can then continue its training with other decks. The player must have the same
    learner.cards (number or text). If you name several players, for example [rl:RUN,
    rl:OTHER], the network starts with the mean of their weights. If null, random weights.
    """
    periods: int | None
    """Number of periods (checkpoint intervals), counted from 0. Each period ends with a
    checkpoint, which may join the opponent pool.
    """
    rounds: int | None
    """Number of training iterations (rounds) per period. In a training iteration, the same
    network plays all games, and then learns from these games.
    """
    games: int | None
    """Games of each ordered pair of decks in a training iteration. If decks are drawn, number of
    all games in a training iteration.
    """
    against: str | None
    """The only opponent in training, to measure its exploitability. If null, the learner itself
    and the opponent pool.
    """
    learner: Mapping[str, Any] | None
    """Training of the network of `afterstate`."""
    network: Mapping[str, Any] | None
    """The network of `end-to-end`, and its training."""
    osfp: Mapping[str, Any] | None
    """Opponents during training."""
    references: Mapping[str, Any] | None
    """Measurements of the learner against reference opponents."""
    payoff_games: int | None
    """Games of every two checkpoints at the end, for each pair of decks in each seat
    (payoff.csv). If decks are drawn, number of pairs of games with swapped seats. 0 turns
    these games off.
    """


class DeckFields(WorkersFields, total=False):
    """A search for decks that beat given opponents."""

    name: str | None
    """Prefix of the run folder's name. Default: the name of the config file."""
    seed: int | None
    """The same seed gives the same results."""
    ruleset: str | None
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    max_turns: int | None
    """A game that is not over after this number of player turns is a draw."""
    pool: Mapping[str, Any] | None
    """The card pool for decks."""
    field: Sequence[Any] | None
    """The opponents: a list of decks, or of {deck: mage, agent: "eva:2018", share: 2}."""
    pilots: Sequence[str] | None
    """Agents that play each deck of the search (hsevo agents). The fitness of a deck is the mean
    over these agents.
    """
    games: int | None
    """Games of each deck with each agent against each opponent, half of them in each seat."""
    fitness: Literal["rate", "worst", "health"] | None
    """rate is the win rate, with a draw as half a win. worst is the lowest win rate against an
    opponent. health is the mean difference of the heroes' health at the end of a game. The
    means are weighted by the opponents' shares.
    """
    search: Mapping[str, Any] | None
    """The search strategy."""
    confirm: Mapping[str, Any] | None
    """New games of the decks that the search found."""


class CoevolveFields(WorkersFields, total=False):
    """Decks and weights that evolve together."""

    name: str | None
    """Prefix of the run folder's name. Default: the name of the config file."""
    seed: int | None
    """The same seed gives the same results."""
    ruleset: str | None
    """Version of cards and rules: a name, or an overlay (a file of changed cards)."""
    max_turns: int | None
    """A game that is not over after this number of player turns is a draw."""
    generations: int | None
    """Number of generations, including the first."""
    games: int | None
    """Games of a deck or a weight vector with each partner, against each opponent of the hall."""
    pool: Mapping[str, Any] | None
    """The card pool for decks."""
    agent: Mapping[str, Any] | None
    """The agent whose weights evolve: an agent family (for example eva or eva:wide), or a
    section.
    """
    decks: Mapping[str, Any] | None
    """The population of decks."""
    weights: Mapping[str, Any] | None
    """The population of weights."""
    hall: Mapping[str, Any] | None
    """The hall of fame."""
    reference: Mapping[str, Any] | None
    """The external reference decks."""
    confirm: Mapping[str, Any] | None
    """New games at the end of the run."""


OPTIONS: dict[str, tuple[PlanOption, ...]] = {
    "rules": (
        PlanOption("decks",
                   "Names, files, codes or URLs of decks. Default: warrior,shaman,mage.",
                   metavar="A,B,..."),
        PlanOption("seed",
                   "The same seed gives the same games. Default: 1.",
                   metavar="N", kind="whole"),
        PlanOption("ruleset",
                   "Version of cards and rules: a name, or an overlay (a file of changed "
                   "cards). Default: cig2018.",
                   metavar="NAME|FILE"),
        PlanOption("information",
                   "Information of agents in their look-ahead. fair gives them the opponent's "
                   "deck list, but no hidden cards. With closed, they guess this list. "
                   "closed:match, closed:bigrams and closed:uniform are other ways to guess, "
                   "and closed@FILE uses your own decks. leaky gives agents all cards (perfect "
                   "information). Default: fair.",
                   metavar="fair|closed|leaky"),
        PlanOption("max_turns",
                   "A game with more player turns is a draw. Default: 89.",
                   metavar="N", kind="whole"),
    ),
    "workers": (
        PlanOption("workers",
                   "Number of workers. Default: one per core.",
                   metavar="N", kind="whole", least=1),
        PlanOption("backend",
                   "Run games in threads, in processes (loky), on a cluster (dask) or one by "
                   "one (serial).",
                   choices=("threads", "loky", "dask", "serial")),
    ),
    "match": (
        PlanOption("games",
                   "Minimum number of games. hsevo rounds it up, so that all pairs of decks "
                   "play equally often, with swapped seats. Default: 2000.",
                   metavar="N", kind="whole"),
        PlanOption("sprt",
                   "Test whether A is ELO0 or ELO1 Elo stronger than B, and stop when the test "
                   "has decided.",
                   metavar="ELO0 ELO1", kind="pair"),
        PlanOption("alpha",
                   "With --sprt, the probability of accepting ELO1 when ELO0 is true. Default: "
                   "0.05.",
                   metavar="P", kind="number"),
        PlanOption("beta",
                   "With --sprt, the probability of accepting ELO0 when ELO1 is true. Default: "
                   "0.05.",
                   metavar="P", kind="number"),
    ),
    "dataset": (
        PlanOption("games",
                   "Minimum number of games. hsevo rounds it up, so that all pairs of decks "
                   "play equally often, with swapped seats. Default: 2000.",
                   metavar="N", kind="whole"),
        PlanOption("history",
                   "Observations include the history of the game.",
                   kind="flag"),
        PlanOption("shard_games",
                   "Number of games in each Parquet file, an even number. If you stop the "
                   "command, unfinished files are lost. Default: 400.",
                   metavar="N", kind="whole"),
    ),
    "arena": (
        PlanOption("games",
                   "Minimum number of games of every two agents. hsevo rounds it up, so that "
                   "all pairs of decks play equally often, with swapped seats. Default: 360.",
                   metavar="N", kind="whole"),
    ),
    "series": (
        PlanOption("format",
                   "Rule that removes decks. conquest removes the winning deck of each game, "
                   "and last-hero-standing removes the losing deck. Default: conquest.",
                   metavar="conquest|last-hero-standing"),
        PlanOption("ban",
                   "Before the series, each player bans a deck of the other player.",
                   kind="flag"),
        PlanOption("choose",
                   "Choice of decks. uniform chooses at random. best chooses optimally for the "
                   "win rates of scouting games, which are played before the series. Default: "
                   "uniform.",
                   metavar="uniform|best"),
        PlanOption("scouting",
                   "With --choose best, number of scouting games of every two decks. Default: "
                   "200.",
                   metavar="N", kind="whole"),
        PlanOption("series",
                   "Number of series to play. Default: 1000.",
                   metavar="N", kind="whole"),
    ),
    "meta matrix": (
        PlanOption("pilots",
                   "The agent that plays the decks. If you name several agents, each deck gets "
                   "the agent that wins most with it in separate games. Default: eva:2018.",
                   metavar="A,B,..."),
        PlanOption("games",
                   "Minimum number of games of every two decks. Default: 360.",
                   metavar="N", kind="whole"),
    ),
    "meta nerf": (
        PlanOption("pilots",
                   "The agent that plays the decks, as in hsevo meta matrix. If you name "
                   "several agents, each deck gets the agent that wins most with it before the "
                   "change. Default: eva:2018.",
                   metavar="A,B,..."),
        PlanOption("games",
                   "Minimum number of games of every two decks, both before and after the "
                   "change. Default: 360.",
                   metavar="N", kind="whole"),
        PlanOption("re_evolve",
                   "Evolve decks before and after the change, and add them to the metagame.",
                   kind="flag"),
        PlanOption("evolve_games",
                   "Games of each search for a deck. Default: 20000.",
                   metavar="N", kind="whole"),
        PlanOption("classes",
                   "Classes of the decks that evolve. Default: classes whose decks have a "
                   "changed card, or all classes if no deck has a changed card.",
                   metavar="A,B,...|all"),
    ),
    "meta balance": (
        PlanOption("pilot",
                   "The agent that plays all decks. Default: eva:2018.",
                   metavar="AGENT"),
        PlanOption("most",
                   "Maximum number of steps in a proposal. Default: 3.",
                   metavar="N", kind="whole"),
        PlanOption("proposals",
                   "Number of proposals to try. Default: 300.",
                   metavar="N", kind="whole"),
        PlanOption("games",
                   "Approximate number of games of every two decks for each proposal. Default: "
                   "20.",
                   metavar="N", kind="whole"),
        PlanOption("confirm",
                   "New games of every two decks for the reported proposals. Default: 400.",
                   metavar="N", kind="whole"),
        PlanOption("re_evolve",
                   "Evolve new decks under the best proposals, to challenge the given decks.",
                   kind="flag"),
        PlanOption("evolve_games",
                   "Games of each search for a deck. Reported proposals get ten times this "
                   "number. Default: 2000.",
                   metavar="N", kind="whole"),
        PlanOption("seed",
                   "The same seed gives the same result. Default: 1.",
                   metavar="N", kind="whole"),
        PlanOption("ruleset",
                   "The ruleset to change. Default: cig2018.",
                   metavar="NAME"),
        PlanOption("max_turns",
                   "A game with more player turns is a draw. Default: 89.",
                   metavar="N", kind="whole"),
    ),
    "exploit": (
        PlanOption("games",
                   "Minimum number of games that the response learns from. Default: 144000.",
                   metavar="N", kind="whole"),
        PlanOption("start",
                   "The response first learns from games that this agent plays against itself.",
                   metavar="AGENT"),
        PlanOption("pretrained",
                   "The response starts with the weights of this learned player, for example "
                   "rl:2026.",
                   metavar="AGENT"),
        PlanOption("decks",
                   "Decks of all games. Default: the decks of the config.",
                   metavar="A,B,..."),
        PlanOption("search",
                   "The response searches its turn with its network in the measured games.",
                   kind="flag"),
        PlanOption("measure",
                   "Minimum number of games that measure the response. Default: 2000.",
                   metavar="N", kind="whole"),
        PlanOption("seed",
                   "The same seed gives the same result. Default: 1.",
                   metavar="N", kind="whole"),
    ),
    "examine": (
        PlanOption("games",
                   "Minimum number of games of each variant (an agent with one weight at one "
                   "of 11 values). Default: 1800.",
                   metavar="N", kind="whole"),
    ),
    "evolve": (
        PlanOption("seed",
                   "The same seed gives bit-identical results.",
                   metavar="N", kind="whole"),
        PlanOption("executions",
                   "Number of independent evolutions in the run. They run one after another.",
                   metavar="N", kind="whole"),
    ),
    "learn": (
        PlanOption("seed",
                   "The same seed gives the same results.",
                   metavar="N", kind="whole"),
        PlanOption("start",
                   "scratch, or an agent (for example eva:2018) whose games against itself are "
                   "the first training data. With policy: end-to-end, or learner.method: ppo "
                   "or mmd, the agent is a teacher, whose moves the learner imitates while the "
                   "learner plays (kickstarting).",
                   metavar="scratch|AGENT"),
        PlanOption("against",
                   "The only opponent in training, to measure its exploitability. Default: the "
                   "learner itself and the opponent pool.",
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
    "hearthsim", "mcts:vanilla", "mcts:knowledge", "mcts:alvaro", "rl:2026", "rl:2027",
    "rl:ppo-2026", "rl:text-2026",
)
EVOLVED = (
    "eva", "eva:wide", "eva:turn", "eva:wide-turn", "eva:reply", "eva:wide-reply",
    "greedy:metastone", "greedy:santos", "tyche:onestep", "tyche:mc", "dl", "gsv", "hearthsim",
    "mcts:vanilla", "mcts:knowledge", "mcts:alvaro",
)
PANELS = (
    "panel-2026", "panel-2026b", "panel-2026c", "protocol-1",
)
