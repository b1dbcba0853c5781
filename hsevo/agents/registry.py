"""The registry of all kinds of agents: how each chooses moves, its options and its weights.

    KIND[:VARIANT][?OPTION=N&OPTION=N]       random    eva:2018    hearthsim?w_ds=0.5

KINDS has one entry per kind; to add a kind, add an entry. ROSTER lists the agents with a name.
OPTIONS of searches have names, defaults and ranges.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from hsevo.agents.genomes import champions
from hsevo.agents.genomes import genome as genes
from hsevo.agents.genomes.genome import Agents, Gene, Genome, Vectors, genome, guessing, plain
from hsevo.agents.genomes.weights import EVA, EVA_2018, GROUPS_2018
from hsevo.agents.learned import nets
from hsevo.agents.mcts import named, tree
from hsevo.agents.mcts.named import SHORT, Heuristic, NamedSearch, Scorer, full_name, heuristic_of
from hsevo.agents.network.value import INVERSE
from hsevo.agents.shared import agent as agents
from hsevo.agents.shared import scores
from hsevo.agents.shared import secrets as guesses
from hsevo.agents.shared.agent import searches_by_eva
from hsevo.agents.shared.scratch import ENDS, LEVELS
from hsevo.agents.turn_search import gsv, hearthsim, reply
from hsevo.agents.turn_search.lookahead import HEIMBRODT, MILLER
from hsevo.agents.turn_search.search import DEPTH
from hsevo.config import Config, Evolved
from hsevo.engine.jit import plain as plain_code
from hsevo.errors import AgentError, did_you_mean, quoted

# Default, lowest, highest; integers, or any numbers if the default is a float.
Range: TypeAlias = tuple[int, int, int] | tuple[float, float, float]
Names: TypeAlias = tuple[str, ...]  # the choices, the default first; agents get the index
Option: TypeAlias = Range | Names | Scorer
Options: TypeAlias = Mapping[str, Option]

MOST_NODES = (1, 1_000_000_000)
SECRETS: Options = {"secrets": guesses.NAMES}
NODES: Options = {"nodes": (100_000, *MOST_NODES), **SECRETS}
TURN: Options = {"depth": (3, 1, LEVELS), "nodes": (300, *MOST_NODES), "samples": (0, 0, 1_000),
                 **SECRETS}
REPLY: Options = {"depth": (8, 1, LEVELS), "nodes": (1_000, *MOST_NODES), "samples": (0, 0, 1_000),
                  "hands": (4, 1, 1_000), "ends": (12, 1, ENDS), **SECRETS}
# Of learned players: few worlds choose by luck, so more of these than of ends.
NET_REPLY: Options = {**REPLY, "hands": (8, 1, 1_000), "ends": (6, 1, ENDS)}
# With 100 and 370 iterations, rl:2026 is stronger with a c of 0.25 or 0.5 than with 1, and weaker
# with 2 (400 to 800 games each; tree-c in docs/figures.yml).
NET_TREE: Options = {"iterations": (300, 1, nets.MOST_ITERATIONS), "c": (0.25, 0.0, nets.MOST_C)}
SEARCHES: Mapping[str, Options] = {  # of learned players
    "none": {}, "turn": TURN, "reply": NET_REPLY, "tree": NET_TREE}
NET_SEARCHES: Names = tuple(SEARCHES)
NET_DECKS: Names = ("own", "given")  # of policies that build decks: which decks they play
NET_OPTIONS: Options = {"temperature": (0.0, 0.0, nets.MAX_TEMPERATURE),
                        "search": NET_SEARCHES, "decks": NET_DECKS, **NET_REPLY, **NET_TREE, **TURN}
SHARE = (0, 100)  # k in %
TREE: Options = {
    "iterations": (60, 1, 4000),
    "rollouts": (20, 1, 1000),
    "final": ("max", "robust", "max-robust", "secure", "secure-written"),  # tree.FINALS
    "reuse": ("yes", "no"),
    "answer": ("move", "line"),
    "first": (0, 0, tree.FIELDS["first"][2]),
    "evolving": ("no", "yes"),
    "seconds": (0.0, 0.0, 3600.0),
    "heuristic": Scorer("metastone", Heuristic()),
    "tree": Scorer("same", None),
}


def searches(settings: Mapping[str, Any]) -> bool:
    """Return whether a learned player with these settings, of nets.agent, searches."""
    return "depth" in settings or "iterations" in settings


def refuse_policy(spec: str, learner: str) -> None:
    """Raise AgentError for a search by a policy without values: its outputs are no log-odds.

    learner: how it learned, a learner.method; "": not known.
    """
    if learner not in ("", "td"):
        raise AgentError(f"'{spec}' can't search: it learned with learner.method {learner}, so its"
                         " network is a policy and its file lacks a network of values; write"
                         f" {spec.rpartition('?')[0] or spec}, or use an agent of learner.method"
                         " td")


Variants: TypeAlias = Mapping[str, tuple[str, Sequence[float]]]
Find: TypeAlias = Callable[[str], Heuristic]  # the heuristic of an agent's spec

ACTIONS, LINES, PROBABILITIES = "actions", "lines", "probabilities"
NET = "rl"  # the kind of learned policies
PY = "py"  # and of Python players, in specs


@dataclass(frozen=True)
class AgentKind:
    """A kind of agent.

    make: vectors (n, k) and the options by name -> AGENT (n,). genes: the options that set one
    weight of the genome, with the weight's name; they are not passed to `make`.
    """

    chooser: int  # of agents.agent: selects the function in choose.choose_move
    source: str  # authors or program
    variants: Variants  # end of the spec ("": none) -> its description, and its weights (k,)
    make: Callable[..., Agents]
    genome: Genome | None = None  # with all options at their defaults; None: it has no weights
    options: Options = field(default_factory=dict)
    genes: Mapping[str, str] = field(default_factory=dict)
    # Replays show its scores: of "actions", of the "lines" that they begin, or "probabilities" that
    # a move wins or, if the agent draws its moves, is drawn.
    scored: str = ""


@dataclass(frozen=True)
class KindEntry:
    """An agent of the roster: a variant of a kind."""

    kind: AgentKind
    says: str  # description
    weights: Vectors  # (k,)

    @property
    def options(self) -> Options:
        """The options of its kind."""
        return self.kind.options

    def set(self, settings: Mapping[str, float]) -> tuple[Vectors, Callable[[Vectors], Agents]]:
        """Return its weights (k,) with options set, and a function that builds agents."""
        weights, genome = self.weights.copy(), self.kind.genome
        for option, gene in self.kind.genes.items():
            if option in settings and genome:
                weights[genome.names.index(gene)] = settings[option]
        rest = {key: value for key, value in settings.items() if key not in self.kind.genes}
        return weights, partial(self.kind.make, **_defaults(self.kind) | rest)


@dataclass(frozen=True)
class LearnedKind(KindEntry):
    """A learned player of the roster: its network is a file, which is read when it is needed."""

    name: str  # of agents.learned.nets.shipped

    def set(self, settings: Mapping[str, float]) -> tuple[Vectors, Callable[[Vectors], Agents]]:
        """Return no weights, and a function that builds agents by its network."""
        options, player = net_settings(dict(settings)), nets.shipped()[self.name]
        values = searches(options) and player.has_values
        if searches(options) and not values:
            refuse_policy(f"{NET}:{self.name}", player.learner)
        return self.weights, lambda weights: np.repeat(
            nets.agent(nets.network(self.name, values), key=nets.key(self.name, values),
                       policy=nets.key(self.name) if values else None, **options),
            len(weights))


def tree_search(weights: Vectors, bias: int = tree.GAIN, **options: Any) -> Agents:
    """Return tree searches with weights (n, k): c, or c, bias, own and opponent; see
    named.NamedSearch.
    """
    names = ("c", "bias", "own", "opponent")[:weights.shape[1]]
    rows = [[*row[:2], *map(round, row[2:])] for row in weights.tolist()]  # whole per cent
    rules = {name: options.pop(name) for name in tree.FIELDS if name in options}
    return np.concatenate([named.mcts(NamedSearch(**options | dict(zip(names, row, strict=True))),
                                      form=bias, **rules) for row in rows])


def kind(chooser: int, source: str, variants: Variants, make: Callable[..., Agents],
         genes: Sequence[Gene] = (), options: Options | None = None,
         sets: Mapping[str, str] | None = None, scored: str = "") -> AgentKind:
    """Return a kind with a genome of these genes; its default is the first variant."""
    bare = AgentKind(chooser, source, variants, make, None, options or {}, sets or {}, scored)
    if not genes:
        return bare
    _, default = next(iter(variants.values()))
    return replace(bare, genome=genome(genes, default, partial(make, **_defaults(bare))))


def _defaults(kind: AgentKind) -> dict[str, Any]:
    """Return the default options of a kind, except those that set a gene."""
    return {key: _default(option) for key, option in kind.options.items() if key not in kind.genes}


def _default(option: Option) -> Any:
    if isinstance(option, Scorer):
        return option.heuristic
    return 0 if isinstance(option[0], str) else option[0]


_EVA_GENES: list[Gene] = [
    (name, low, high, EVA.glossary[name])
    for name, low, high in zip(EVA.names, EVA.low.tolist(), EVA.high.tolist(), strict=True)]
_FURTHER_GENES = _EVA_GENES + genes.FURTHER
_FURTHER_2018 = [*EVA_2018.tolist(), *(0.0 for _ in genes.FURTHER)]


def _evolved_here(name: str, genes: Sequence[Gene]) -> Variants:
    """Return the champions of a kind as its variants. Terms that are newer than they count 0."""
    return {variant: (champion.says, [champion.weights.get(gene[0], 0.0) for gene in genes])
            for variant, champion in champions.of_kind(name).items()}


def _with_eva_weights(name: str, chooser: int, says: str,
                      options: Options | None = None) -> AgentKind:
    """Return a kind with EVA's weights, the further ones of EVA_WIDE 0; options: it searches."""
    further = chooser in (agents.EVA_WIDE, agents.EVA_WIDE_TURN)
    genes, default = (_FURTHER_GENES, _FURTHER_2018) if further else (_EVA_GENES, EVA_2018.tolist())
    return kind(chooser, "hsevo", {"": (says, default), **_evolved_here(name, genes)},
                guessing(plain(chooser, 0) if options else plain(chooser)), genes,
                options or SECRETS, scored=LINES if options else ACTIONS)


KINDS: dict[str, AgentKind] = {
    "random": kind(
        agents.RANDOM, "", {"": ("plays uniformly random legal moves", ())}, plain(agents.RANDOM)),
    "eva": AgentKind(
        agents.EVA, "García-Sánchez et al., 2020",
        {"2018": ("EVA with the weights that came second in CIG2018", EVA_2018.tolist())}
        | {name: (f"EVA with the weights at the centre of {name} of the paper's 100 solutions",
                  centre.tolist())
           for name, centre in GROUPS_2018.items()} | dict(_evolved_here("eva", _EVA_GENES)),
        guessing(EVA.build), EVA, SECRETS, scored=ACTIONS),
    "eva:wide": _with_eva_weights(
        "eva:wide", agents.EVA_WIDE,
        "EVA with eleven additional terms, whose weights are 0 until they evolve"),
    "eva:turn": _with_eva_weights(
        "eva:turn", agents.EVA_TURN, "searches its own turn with the score of eva:2018", TURN),
    "eva:wide-turn": _with_eva_weights(
        "eva:wide-turn", agents.EVA_WIDE_TURN, "eva:turn with the terms of eva:wide", TURN),
    "eva:reply": _with_eva_weights(
        "eva:reply", agents.EVA_TURN,
        "eva:turn that also simulates EVA's reply to its best action sequences", REPLY),
    "eva:wide-reply": _with_eva_weights(
        "eva:wide-reply", agents.EVA_WIDE_TURN, "eva:reply with the terms of eva:wide", REPLY),
    "noaggression": kind(
        agents.NO_AGGRESSION, "MetaStone",
        {"": ("plays random cards or ends the turn, and never attacks (MetaStone)", ())},
        plain(agents.NO_AGGRESSION)),
    "greedy:metastone": kind(
        agents.ONE_STEP, "MetaStone",
        {"": ("greedy one-action search with the score of MetaStone's greedy player",
              scores.METASTONE_WEIGHTS)},
        guessing(plain(agents.ONE_STEP, scores.METASTONE, 4)), genes.METASTONE, SECRETS),
    "greedy:santos": kind(
        agents.ONE_STEP, "Santos, 2017",
        {"": ("greedy one-action search with heuristic 1 of Santos' thesis (2017)",
              scores.SANTOS_WEIGHTS),
         "exchanged": ("greedy:santos with the weights of trade advantage and mana swapped",
                       (*scores.SANTOS_WEIGHTS[:3], *scores.SANTOS_WEIGHTS[:2:-1]))},
        guessing(plain(agents.ONE_STEP, scores.SANTOS, 0)), genes.SANTOS,
        {"end": ("scored", "last"), **SECRETS}),
    "tyche:onestep": kind(
        agents.ONE_STEP, "Bornemann, CIG2018",
        {"": ("greedy one-action search with a score modelled on Tyche's (Bornemann, CIG2018)",
              scores.TYCHE_WEIGHTS)},
        guessing(plain(agents.ONE_STEP, scores.TYCHE)), genes.TYCHE, SECRETS),
    "tyche:mc": kind(
        agents.TYCHE, "Bornemann, CIG2018 and 2019",
        {"": ("samples action sequences to the end of its turn, with a score modelled on Tyche's"
               " (Bornemann, CIG2018 and 2019)",
              scores.TYCHE_WEIGHTS)},
        guessing(plain(agents.TYCHE, scores.TYCHE)), genes.TYCHE,
        {"episodes": (200, 1, 1_000_000), **SECRETS}),
    "dl": kind(
        agents.LOOKAHEAD, "Heimbrodt, 2019; Miller, 2020",
        {"heimbrodt": ("searches sequences of 1 to 3 actions with a linear score; won in 2019"
                       " (Heimbrodt)",
                       HEIMBRODT),
         "miller": ("dl:heimbrodt with other weights; won in 2020 (Miller)", MILLER)},
        guessing(plain(agents.LOOKAHEAD, scores.LINEAR)), genes.LINEAR,
        {"depth": (0, 0, LEVELS), **NODES}, scored=LINES),
    "gsv": kind(
        agents.GSV, "MetaStone",
        {"": ("searches sequences of 3 actions with a threat-based score (MetaStone's game state"
               " value)",
              gsv.WEIGHTS)},
        guessing(plain(agents.GSV, scores.LINEAR)), genes.GSV, {"depth": (3, 1, LEVELS), **NODES},
        scored=LINES),
    "hearthsim": kind(
        agents.HEARTHSIM, "HearthSim, 2014",
        {"": ("searches its whole turn up to random outcomes (HearthSim, 2014)",
              hearthsim.WEIGHTS)},
        plain(agents.HEARTHSIM, scores.LINEAR, LEVELS), genes.HEARTHSIM,
        {"nodes": (1_000, *MOST_NODES), "samples": (4, 1, 1_000), "draws": ("sampled", "expected"),
         "hand": ("cards", "costs"), "exact": (0, 0, 1_000), **SECRETS,
         "w_ds": (hearthsim.WEIGHTS[hearthsim.SHIELD], -10.0, 10.0)}, {"w_ds": "SHIELD"},
        scored=LINES),
    "mcts:vanilla": kind(
        agents.MCTS, "Santos, 2017",
        {"": ("Monte Carlo tree search with random roll-outs", (1.0,))},
        tree_search, genes.MCTS, {**TREE, "own": (0, *SHARE), "opponent": (0, *SHARE)}),
    "mcts:knowledge": kind(
        agents.MCTS, "Santos, 2017",
        {"": ("Monte Carlo tree search guided by a heuristic (Santos 2017)", (1, 1, 75, 50))},
        tree_search, genes.MCTS_KNOWLEDGE,
        {**TREE, "own": (75, *SHARE), "opponent": (50, *SHARE),
         "bias": ("gain", "child", "written")},  # tree.FORMS
        {"own": "OWN", "opponent": "OPPONENT"}),
    "mcts:alvaro": kind(
        agents.MCTS, "Álvaro, 2019",
        {"": ("UCB1 over the legal actions, with roll-outs of EVA against itself (AlvaroAgent,"
              " 2019)", (tree.ALVARO_C,))},
        partial(tree_search, heuristic=Heuristic(tree.BY_EVA, tuple(EVA_2018.tolist())), depth=1,
                reuse=tree.ANEW, rollouts=1, own=tree.EVA_MOVES, opponent=tree.EVA_MOVES),
        genes.MCTS, {"iterations": (200, 1, 4000)}),
    NET: AgentKind(  # its agents come from files alone
        agents.AFTERSTATE, "hsevo", {}, plain(agents.AFTERSTATE),
        options=NET_OPTIONS, scored=PROBABILITIES),
}

ROSTER: dict[str, KindEntry] = {
    name + (variant and f":{variant}"): KindEntry(agent_kind, says, np.array(weights, np.float64))
    for name, agent_kind in KINDS.items()
    for variant, (says, weights) in agent_kind.variants.items()} | {
    f"{NET}:{name}": LearnedKind(KINDS[NET], player.says, np.zeros(0), name)
    for name, player in nets.shipped().items()}
EVOLVED = [name for name, agent_kind in KINDS.items() if agent_kind.genome]  # kinds that can evolve


def named_heuristic(spec: str) -> Heuristic:
    """Return the heuristic of an agent of the roster: "santos", "dl:miller". Raises AgentError."""
    name, _, query = full_name(spec).partition("?")
    if name not in ROSTER:
        raise AgentError(f"no heuristic {quoted(spec)}{did_you_mean(spec, [*SHORT, *ROSTER])}; name"
                         " an agent, for example metastone, santos or gsv")
    entry = ROSTER[name]
    weights, _ = entry.set(read_options(query, entry.kind, name))
    return heuristic_of(spec, kind_name(name), weights)


def genome_of(spec: str, find: Find = named_heuristic) -> Genome:
    """Return the genome of a kind with options: "eva", "gsv?depth=2".

    Its default is the kind's first variant. find: as of `read_options`. Raises AgentError if the
    kind is unknown or has no genome, or an option sets one of its genes.
    """
    name, _, query = spec.partition("?")
    if name not in EVOLVED:
        why = "has no weights that can evolve" if name in KINDS else "is not an agent family"
        kind = kind_name(name)  # 'dl' of 'dl:miller'
        near = f"; write '{kind}'" if kind in EVOLVED else did_you_mean(name, EVOLVED)
        raise AgentError(f"{quoted(name)} {why}{near}; there are"
                         f" {', '.join(EVOLVED)}")
    agent_kind = KINDS[name]
    options = read_options(query, agent_kind, name, find)
    for option in set(options) & set(agent_kind.genes):
        raise AgentError(f"{option} of agent '{name}' is {agent_kind.genes[option]} of its genome,"
                         " which evolves; remove it")
    assert agent_kind.genome
    return replace(agent_kind.genome,
                   build=partial(agent_kind.make, **_defaults(agent_kind) | options))


def evolved_genome(plan: Config, decks: Sequence[str]) -> Genome:
    """Return the genome that a config evolves; its default is the base.

    decks: the names of all its decks. Raises AgentError.
    """
    agent, own = plan.agent, decks[:len(plan.decks)]
    genome = _evolved_part(agent)
    return genome if agent.genome == "one" else genome.each(own, decks, agent.genome == "matchup")


def _evolved_part(agent: Evolved) -> Genome:
    """Return the genome of the weights that evolve, for all decks alike. Raises AgentError."""
    whole = genome_of(agent.kind)
    base = whole.default.copy()
    if named.is_timed(whole.build(base[None])):
        raise AgentError(f"'{agent.kind}' has a time limit, but a run has to be reproducible;"
                         " remove seconds")
    if agent.base is not None:
        base = _base(agent.base, agent.kind, whole)
    unknown = next((name for name in agent.evolve or () if name not in whole.names), None)
    if unknown is not None:
        raise AgentError(f"agent.evolve names {quoted(unknown)}, which is not a weight of"
                         f" '{agent.kind}'{did_you_mean(unknown, whole.names)}; it has"
                         f" {', '.join(whole.names)}")
    if agent.evolve is None or set(agent.evolve) == set(whole.names):
        return replace(whole, default=base)
    return whole.part([name for name in whole.names if name in agent.evolve], base)


def _base(name: str, kind: str, whole: Genome) -> Vectors:
    """Return the weights (k,) of an agent of the roster; those it lacks are the kind's default."""
    if name not in ROSTER:
        raise AgentError(f"agent.base is {quoted(name)}, which is not in the roster"
                         f"{did_you_mean(name, ROSTER)}; hsevo agents lists it")
    entry, base = ROSTER[name], whole.default.copy()
    names = entry.kind.genome.names if entry.kind.genome else ()
    for weight, value in zip(names, entry.weights.tolist(), strict=True):
        if weight in whole.names:
            base[whole.names.index(weight)] = value
    inside = (whole.low <= base) & (base <= whole.high)
    if not set(names) & set(whole.names) or not inside.all():
        raise AgentError(f"agent.base is '{name}', whose weights do not fit '{kind}'; use one of"
                         f" {', '.join(listed for listed in ROSTER if listed.startswith(kind))}")
    return base


def check_agents(records: Agents) -> None:
    """Raise AgentError for records, AGENT (n,), that are not valid agents.

    Compiled code does not check them: a budget beyond the limits of a search would write past its
    scratch memory.
    """
    for record in records:
        if record["kind"] == agents.AFTERSTATE or record["kind"] in nets.HOSTED:
            nets.check(record)
            continue
        low, high = _limits().get(int(record["kind"]), (None, None))
        if record["kind"] == agents.MCTS:
            low, high = named.LEAST, named.MOST if named.fits(record) else named.LEAST - 1
        if low is None:
            raise AgentError(f"an agent has kind {record['kind']}, which is unknown")
        if ((record["budget"] < low) | (record["budget"] > high)).any():
            raise AgentError(f"an agent of kind {record['kind']} has the budget"
                             f" {record['budget'].tolist()}, which is not valid for this agent"
                             " family")
        if not np.isfinite(record["w"]).all():
            raise AgentError(f"an agent of kind {record['kind']} has a weight that is not finite")


@functools.cache
def _limits() -> dict[int, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    """Return the lower and upper limits of budgets (8,), by chooser."""
    budgets: dict[int, list[np.ndarray[Any, Any]]] = {}
    for entry in ROSTER.values():
        if isinstance(entry, LearnedKind):
            continue  # nets.check knows its limits
        sets: list[dict[str, float]] = [{}]
        for key, option in entry.options.items():
            if isinstance(option, Scorer):
                continue
            ends = (0, len(option) - 1) if isinstance(option[0], str) else option[1:]
            sets += [{key: end} for end in ends]
        for options in sets:
            weights, make = entry.set(options)
            points = [weights]
            if entry.kind.genome:
                points += [entry.kind.genome.low, entry.kind.genome.high]
            budgets.setdefault(entry.kind.chooser, []).extend(make(np.array(points))["budget"])
    return {chooser: (np.min(rows, axis=0), np.max(rows, axis=0))
            for chooser, rows in budgets.items()}


def kind_name(spec: str) -> str | None:
    """Return the kind of a spec: "eva" for "eva:2018" and "eva:runs/mine"; None if unknown."""
    known = [name for name in (*KINDS, PY) if re.match(rf"{re.escape(name)}($|[:?])", spec)]
    return max(known, key=len, default=None)


def weighs_replies(agent: np.void) -> bool:
    """Return whether an agent, a record AGENT, lets the opponent reply to its turn."""
    searches: Callable[[np.void], bool] = plain_code(searches_by_eva)
    record = agent.view((np.record, agent.dtype))  # kernels read its fields as attributes
    learned = agent["kind"] == agents.AFTERSTATE and agent["budget"][DEPTH] > 0
    return bool((learned or searches(record)) and agent["budget"][reply.KEPT] > 0)


def draws(agent: np.void) -> bool:
    """Return whether a learned agent, a record AGENT, draws its moves; else it takes the best."""
    return bool(agent["kind"] < 0 or agent["budget"][INVERSE] > 0)


def read_options(query: str, kind: AgentKind, name: str,
                 find: Find = named_heuristic) -> dict[str, Any]:
    """Parse options "OPTION=N&OPTION=N", in the kind's order. Raises AgentError.

    find: returns the heuristic that an option names.
    """
    options = dict(_option(part, kind.options, name, find) for part in query.split("&") if part)
    return {key: options[key] for key in kind.options if key in options}


def net_options(query: str) -> dict[str, Any]:
    """Parse the options of a learned policy, as nets.agent takes them. Raises AgentError."""
    return net_settings(read_options(query, KINDS[NET], NET))


def net_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return options of a learned policy as nets.agent takes them. Raises AgentError."""
    search = list(SEARCHES)[settings.pop("search", 0)]
    if "decks" in settings:
        raise AgentError(f"decks of agent '{NET}' is only for end-to-end policies that build their"
                         " own decks; remove it, because this policy plays given decks")
    for key in settings:
        of = [name for name, options in SEARCHES.items() if key in options]
        if of and search not in of:
            raise AgentError(f"{key} of agent '{NET}' belongs to its search; write"
                             f" search={of[0]}&{key}=N")
    if search in ("reply", "tree") and settings.get("temperature"):
        raise AgentError(f"temperature of agent '{NET}' needs the probability of each action, which"
                         f" search={search} does not give; remove temperature")
    return {key: _default(option) for key, option in SEARCHES[search].items()} | settings


def choices(option: Option) -> str:
    """Describe the values of an option, the default first: "60 (from 1 to 4,000)", "max|robust".

    Ranges of floats have decimal points: "1.0 (from -10.0 to 10.0)".
    """
    if isinstance(option, Scorer):
        return f"{option.default} (or another agent with a score)"
    if isinstance(option[0], str):
        return "|".join(map(str, option))
    default, low, high = option
    return f"{default} (from {low:,} to {high:,})"


def _option(part: str, options: Options, name: str, find: Find) -> tuple[str, Any]:
    """Return an option and its number, or its heuristic. Raises AgentError."""
    key, _, text = part.partition("=")
    if key not in options:
        known = ", ".join(options) or "none"
        raise AgentError(f"agent '{name}' has no option '{key}'{did_you_mean(key, options)};"
                         f" it has {known}")
    range_ = options[key]
    if isinstance(range_, Scorer):
        return key, range_.heuristic if text == range_.default else _chosen(text, key, name, find)
    if isinstance(range_[0], str):
        if text not in range_:
            raise AgentError(f"{key} of agent '{name}' is {quoted(text)}, but must be one of"
                             f" {', '.join(range_)}")
        return key, range_.index(text)
    default, low, high = range_
    whole = isinstance(default, int)
    number = _number(text, whole)
    if number is None or not low <= number <= high:
        raise AgentError(f"{key} of agent '{name}' is {quoted(text)}, but must be a"
                         f" {'whole ' if whole else ''}number from {low} to {high}")
    return key, number


def _chosen(text: str, key: str, name: str, find: Find) -> Heuristic:
    try:
        return find(text)
    except AgentError as error:
        raise AgentError(f"{key} of agent '{name}': {error}") from None


def _number(text: str, whole: bool) -> float | None:
    """Return a number in digits, with a sign and decimals if it need not be whole; or None."""
    if whole:
        return int(text) if text.isdecimal() and len(text) < 20 else None  # int() has a limit
    return float(text) if re.fullmatch(r"[+-]?\d+(\.\d+)?", text, re.ASCII) else None
