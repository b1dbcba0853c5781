"""Read agents from their specs: the roster, a file of weights, or a run.

    ROSTER-NAME[?OPTION=N&OPTION=N]       random    eva:2018    hearthsim?w_ds=0.5
    KIND:RUN[#ID]                         eva:runs/mine#individual-7
    KIND:FILE[#NAME][?OPTION=N...]        eva:best.yaml    gsv:best.yaml?depth=1
    rl:RUN[#CHECKPOINT] or rl:FILE        rl:runs/mine      rl:runs/mine#period-0003
    py:FILE.py#NAME[?OPTION=VALUE...]     py:bot.py#decide?depth=2  (play/python_players.py)

From a run folder of hsevo evolve: the best by the last generations' fitness, or the individual
named, with the options of the run; of hsevo learn: the last checkpoint, or the one named. From a
file of weights: the only agent, or the one named. The kinds and the roster are in
agents/registry.py.

AGENT@DECK: an agent that plays one deck alone, while the others play the decks of the plan.

The deck is whatever `--decks` takes: a name, a file, a deck code; play/specs.py splits the spec.
"""

from __future__ import annotations

import functools
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hsevo.agents.genomes.decks import joined
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.genomes.weights import deck_names, read_weights
from hsevo.agents.learned import nets
from hsevo.agents.learned.nets import read_net, read_values
from hsevo.agents.mcts.named import Heuristic, full_name, heuristic_of
from hsevo.agents.registry import (
    EVOLVED,
    KINDS,
    NET,
    PY,
    ROSTER,
    genome_of,
    kind_name,
    named_heuristic,
    net_options,
    read_options,
    refuse_policy,
    searches,
)
from hsevo.cards.decks import Deck, read_deck, reads_as_deck
from hsevo.config import beside
from hsevo.errors import (
    AgentError,
    ConfigError,
    DeckError,
    RunError,
    brief,
    did_you_mean,
    name_problem,
    names_or_count,
    quoted,
)
from hsevo.files import check_path
from hsevo.play.players import family, packed
from hsevo.play.specs import split_deck as split_deck
from hsevo.trust import data, may_run
from hsevo.types import Array

ELSEWHERE = ("names a deck; only match, arena and benchmark accept AGENT@DECK. Remove @ and the"
             " deck, and give decks as a setting (--decks, opponent_decks=,"
             " rating.opponents.decks)")


def contents(deck: Deck) -> tuple[str, tuple[str, ...]]:
    """Return what makes two decks the same, whatever they are called."""
    return deck.hero_class, tuple(sorted(deck.ids))


def merged(common: Sequence[Deck],
           own: Iterable[Deck | None]) -> tuple[tuple[Deck, ...], list[str]]:
    """Return the decks of all, each once, those of all agents first; and each agent's, by name.

    own: the deck that an agent plays alone, None for all of `common`; its name is then "".
    Raises ConfigError if two different decks have one name.
    """
    decks, names = list(common), []
    for deck in own:
        if deck is None:
            names.append("")
            continue
        same = next((known for known in decks if contents(known) == contents(deck)), None)
        if same is None:
            if deck.name in [known.name for known in decks]:
                raise ConfigError(f"two decks are called '{deck.name}'; give each a different name")
            decks.append(same := deck)
        names.append(same.name)
    return tuple(decks), names


def named_decks(agents: Sequence[str], own: Sequence[str]) -> dict[str, str]:
    """Return the own decks by agent, of those that have one."""
    return {agent: deck for agent, deck in zip(agents, own, strict=True) if deck}


@dataclass(frozen=True)
class Named:
    """The agent that a spec names, and its weights if its kind has a genome.

    It may have other weights for each deck: `hsevo.Agent` has a name and a deck of its own besides.

    decks: those that it has weights for, if it has others for each (agents/genomes/decks.py).
    """

    agent: Array  # AGENT (1,), or (1, d, d) with d decks
    genome: Genome | None = None
    weights: Array | None = None  # (k,)
    decks: tuple[Deck, ...] = ()
    name: str = "the agent"

    def on(self, decks: Sequence[Deck] | None) -> Array:
        """Return it for games with these decks, AGENT (1,) or (1, d, d).

        Raises AgentError if it has no weights for one of them, or if `decks` is None: they are not
        known.
        """
        if self.agent.ndim == 1:
            return self.agent
        known = {contents(deck): i for i, deck in enumerate(self.decks)}
        names = names_or_count(deck.name for deck in self.decks)
        if decks is None:
            raise AgentError(f"'{self.name}' has different weights for each deck ({names}), so it"
                             " needs a command with decks")
        missing = [deck.name for deck in decks if contents(deck) not in known]
        if missing:
            raise AgentError(f"'{self.name}' has weights for the decks {names}, but not for"
                             f" {missing[0]}; choose from its decks")
        at = [known[contents(deck)] for deck in decks]
        return np.ascontiguousarray(self.agent[:, at][:, :, at])


def read_agents(specs: Sequence[str], decks: Sequence[Deck] | None = None,
                compiled: bool = True) -> tuple[tuple[str, ...], Array]:
    """Return the specs (n,) as names, all different, and the agents, AGENT (n,) or (n, d, d).

    decks: those that they will play. compiled: as of `read_agent`. Raises AgentError if there is no
    spec, or one is unknown or given twice.
    """
    if not specs:
        raise AgentError("name at least one agent; hsevo agents lists them")
    refuse_twice(specs)
    agents = [read_agent(spec, decks, compiled) for spec in specs]
    return tuple(specs), joined(agents, len(decks or ()))


def all_of(source: str) -> list[str]:
    """Return the specs of all agents of a source.

    source: RUN, a folder of hsevo evolve, for its last population; FILE or KIND:FILE[?OPTION=N...],
    for all weights of a file, of EVA if no kind is named. Raises AgentError, RunError.
    """
    kind = kind_name(source)
    if kind not in EVOLVED or not source.startswith(f"{kind}:"):
        kind, source = "eva", f"eva:{source}"
    whole, query = _parted(source, kind)
    path = _path(whole, source)
    if path.is_dir():
        from hsevo.runs.folder import RunFolder  # few agents are individuals of a run
        from hsevo.strength.champions import last_population, spec_of

        run = RunFolder(path)
        return [spec_of(run, name) for name in last_population(run)[0]]
    options = f"?{query}" if query else ""
    return [f"{kind}:{whole}#{name}{options}"
            for name in _of_file(path, genome_of(f"{kind}{options}", find_heuristic)).names]


def refuse_twice(specs: Sequence[str]) -> None:
    """Raise AgentError if a spec is given twice."""
    spec, times = Counter(specs).most_common(1)[0]
    if times > 1:
        raise AgentError(f"agent '{spec}' is given twice")


def read_agent(spec: str, decks: Sequence[Deck] | None = None, compiled: bool = True) -> Array:
    """Return the agent that a spec names, AGENT (1,) or (1, d, d). Raises AgentError.

    decks: those that it will play. compiled: refuse a hosted player, which compiled code can't play
    (play/players.py).
    """
    if compiled and names_hosted(spec):
        raise AgentError(f"'{spec}' {nets.NOT_HERE}")
    return read_spec(spec).on(decks)


def find_players(specs: Iterable[str], agents: Array, trust: bool) -> None:
    """Find the Python players of a folder again, those that may run (trust.py). Raises AgentError.

    specs: of all its agents, AGENT (...).
    """
    with data(trust):
        for spec in specs:
            file = spec.removeprefix(f"{PY}:").rpartition("#")[0]
            if spec.startswith(f"{PY}:") and may_run(Path(file)):
                read_agent(split_deck(spec)[0], compiled=False)
    packed(agents)


def read_spec(spec: str) -> Named:
    """Return the agent that a spec names, with its weights. Raises AgentError."""
    if problem := name_problem(spec):
        raise AgentError(f"unknown agent {quoted(spec)}: a name {problem}")
    name, _, query = spec.partition("?")
    if name in ROSTER:
        return _of_roster(name, query)
    if split_deck(spec)[1]:
        raise AgentError(f"'{spec}' {ELSEWHERE}")
    if spec.endswith("@") and not os.path.exists(spec.partition(":")[2]):
        raise AgentError(f"{quoted(spec)} has no deck after its @")
    if spec.startswith(f"{PY}:"):
        return Named(family(nets.PYTHON).read(spec.removeprefix(f"{PY}:")), name=spec)
    kind = kind_name(spec)
    if kind == NET and spec.startswith(f"{kind}:") and spec != f"{kind}:":
        return _of_net(spec)
    if kind in EVOLVED and spec.startswith(f"{kind}:") and spec != f"{kind}:":
        try:
            return _of_source(spec, kind)
        except OSError as error:  # such as a name that is too long
            raise AgentError(f"cannot read agent {quoted(spec)}: {error.strerror}") from None
    raise AgentError(_what_to_write(name.removesuffix(":")))


def _what_to_write(name: str) -> str:
    """Say what to write instead of a name that is no agent's."""
    named = [f"'{agent}'" for agent, entry in ROSTER.items()
             if agent.startswith(f"{name}:") and (name not in KINDS or entry.kind is KINDS[name])]
    if name == NET:
        return (f"'{NET}' is an agent family: write {', '.join(named)}, '{NET}:RUN' for the last"
                f" checkpoint of a run of hsevo learn, '{NET}:RUN#CHECKPOINT', or '{NET}:FILE'")
    if name in EVOLVED:
        own = named[0] if named else f"'{name}'"
        more = f" ({', '.join(named[1:])})" if named[1:] else ""
        return (f"'{name}' is an agent family: write {own}{more}, '{name}:RUN' for the best of a"
                f" run, or '{name}:FILE#NAME'")
    if named:
        return f"'{name}' is an incomplete name: write {' or '.join(named)}"
    if reads_as_deck(name):
        return _a_deck(name)
    if os.path.exists(name):
        return f"{quoted(name)} lacks an agent family: write 'eva:{brief(name)}'"
    return (f"unknown agent '{name}'{did_you_mean(name, ROSTER)}; `hsevo agents` lists the named"
            f" agents. You can also use eva:RUN, eva:FILE#NAME, {NET}:RUN and {PY}:FILE.py#NAME")


def _a_deck(name: str) -> str:
    return (f"{quoted(name)} is a deck, but an agent is expected, such as eva:2018; match, arena"
            f" and benchmark also accept AGENT@DECK, such as 'eva:2018@{brief(name)}'")


def _of_roster(name: str, query: str) -> Named:
    entry = ROSTER[name]
    weights, make = entry.set(read_options(query, entry.kind, name, find_heuristic))
    genome = entry.kind.genome and replace(entry.kind.genome, build=make)
    return Named(make(weights[None]), genome, weights if genome else None)


def find_heuristic(spec: str) -> Heuristic:
    """Return the heuristic of an agent by its spec: "santos", "gsv:best.yaml". Raises AgentError.
    """
    whole = full_name(spec)
    if whole.partition("?")[0] in ROSTER or ":" not in whole:
        return named_heuristic(spec)
    named = read_spec(whole)
    if named.decks:
        raise AgentError(f"{quoted(spec)} has different weights for each deck, but a heuristic"
                         " needs one set of weights")
    return heuristic_of(spec, kind_name(whole), named.weights)


def _of_net(spec: str) -> Named:
    """Return the learned policy of a run folder or of a file of a net. Raises AgentError."""
    if path := torch_file(spec, options=True):
        source = f"{path}?{net_parts(spec)[2]}"
        return Named(family(nets.END_TO_END).read(source), name=spec)
    options, path = net_options(net_parts(spec)[2]), _net_path(spec)
    net, key = _net_of(path, _stamp(path), False)
    if searches(options):
        values, values_key = _net_of(path, _stamp(path), True)
        if values is not None:
            return Named(nets.agent(values, key=values_key, policy=key, **options), name=spec)
        _refuse_policy(spec, path)
    return Named(nets.agent(net, key=key, **options), name=spec)


def _stamp(path: Path) -> tuple[int, ...]:
    """Return a stamp that changes with a file; () if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


@functools.lru_cache(maxsize=8)
def _net_of(path: Path, stamp: tuple[int, ...], values: bool) -> tuple[Any, nets.Key | None]:
    """Return the network of a file and its key, read once as long as the stamp is the same.

    values: the network of a policy's values; None if the file has none.
    """
    net = read_values(path) if values else read_net(path)
    return net, None if net is None else nets.store(net)


def _refuse_policy(spec: str, path: Path) -> None:
    """Raise AgentError for the network of a policy, whose outputs are no log-odds of winning."""
    from hsevo.runs.checkpoints import method_of

    try:
        method = method_of(path)
    except (ConfigError, RunError) as error:
        raise AgentError(f"'{spec}': {error}") from None
    refuse_policy(spec, method)


def net_file(spec: str) -> Path | None:
    """Return the file of the learned policy that a spec names; None for anything else.

    Raises AgentError if there is no such file.
    """
    if not spec.startswith(f"{NET}:"):
        return None
    name = spec.partition("?")[0]
    if name in ROSTER:
        return nets.FOLDER / f"{name.removeprefix(f'{NET}:')}.npz"
    return _net_path(spec)


def _net_path(spec: str) -> Path:
    from hsevo.runs.checkpoints import checkpoint  # as folders of runs, for learned agents alone

    source, which, _ = net_parts(spec)
    try:
        return checkpoint(_path(source, spec), which)
    except (OSError, RunError) as error:
        raise AgentError(f"'{spec}': {error}") from None


def net_parts(spec: str) -> tuple[str, str, str]:
    """Return the file or run of a spec, the checkpoint, and the options."""
    whole, query = _parted(spec, NET)
    source, _, which = whole.partition("#")
    return source, which, query


def torch_file(spec: Any, options: bool = False) -> Path | None:
    """Return the file of the end-to-end policy that a spec names; None for anything else.

    options: whether it may have some. Raises AgentError if it has, and may not.
    """
    if not isinstance(spec, str) or not spec.startswith(f"{NET}:") or name_problem(spec):
        return None
    if spec.partition("?")[0] in ROSTER:
        return None
    from hsevo.runs.checkpoints import TORCH, checkpoint

    source, which, query = net_parts(spec)
    try:
        path = checkpoint(Path(source), which)
    except (OSError, RunError):
        return None
    if path.suffix != TORCH:
        return None
    if query and not options:
        raise AgentError(f"'{spec}': an end-to-end policy has no options here; remove '?{query}'")
    return path


def names_hosted(spec: Any) -> bool:
    """Return whether a spec names a hosted player, without reading it."""
    python = isinstance(spec, str) and spec.startswith(f"{PY}:")
    return python or torch_file(spec, options=True) is not None


class FileAgents(NamedTuple):
    """The agents of a file or run folder."""

    genome: Genome
    names: tuple[str, ...]
    weights: Array  # (n, k)
    best: str  # the name of the one that a spec without '#NAME' means; "" if there is none
    decks: tuple[Deck, ...]  # that they have weights for, if they have other weights for each


def _of_source(spec: str, kind: str) -> Named:
    """Return an agent of a run folder or a file of weights."""
    whole, query = _parted(spec, kind)
    source, _, which = whole.partition("#")
    path, genome = _path(source, spec), genome_of(f"{kind}?{query}", find_heuristic)
    if path.is_dir() and query:
        raise AgentError(f"'{spec}': the options of a run come from its config; remove '?{query}'")
    if path.is_dir():
        held = _of_run(path, spec, kind)
    elif path.exists():
        held = _of_file(path, genome)
    else:
        own = f"{kind}:{next(iter(KINDS[kind].variants))}".removesuffix(":")
        raise AgentError(f"'{spec}': there is no file or run folder {source}; {kind.upper()}'s own"
                         f" weights are '{own}'")
    known = (which or held.best, f"individual-{which}")
    chosen = next((name for name in known if name in held.names), None)
    if chosen is None:
        listed = ", ".join(held.names[:4]) + (" ..." if len(held.names) > 4 else "")
        raise AgentError(f"'{spec}' must name an agent of {source} with '#NAME'"
                         f"{did_you_mean(which, held.names)}; it has {listed}")
    vector = held.weights[held.names.index(chosen)]
    return Named(held.genome.build(vector[None]), held.genome, vector, held.decks, spec)


def _path(source: str, spec: str) -> Path:
    """Return where a source may be. Raises AgentError if nothing can be looked for there."""
    try:
        check_path(Path(source))
    except RunError as error:
        raise AgentError(f"{quoted(spec)}: {error}") from None
    return Path(source)


def _parted(spec: str, kind: str) -> tuple[str, str]:
    """Return the source of a spec without its kind, and its options; files may have a '?', too."""
    whole = spec.removeprefix(f"{kind}:")
    source, _, query = whole.rpartition("?")
    known = query.partition("=")[0] in KINDS[kind].options
    is_file = os.path.exists(whole) or os.path.exists(whole.partition("#")[0])
    if source and (known or ("=" in query and not is_file)):
        return source, query
    return whole, ""


def _of_file(path: Path, genome: Genome) -> FileAgents:
    """Return the agents of a file. Raises AgentError, in other words if it holds a deck."""
    try:
        return _weights_file(path, genome)
    except AgentError:
        if reads_as_deck(str(path)):
            raise AgentError(_a_deck(str(path))) from None
        raise


def _weights_file(path: Path, genome: Genome) -> FileAgents:
    """Return the agents of a file; its keys tell whether they have weights for each deck."""
    own, others = deck_names(path, genome)
    if own:
        genome = genome.each(own, others or own, pairs=bool(others))
    names, weights = read_weights(path, genome)
    best = names[0] if len(names) == 1 else ""
    return FileAgents(genome, names, weights, best, _decks_of(own, path))


def _decks_of(names: Sequence[str], path: Path) -> tuple[Deck, ...]:
    """Return the decks that a file has weights for, looked for in its folder first.

    Raises AgentError if there is no such deck.
    """
    try:
        return tuple(read_deck(beside(path, name)) for name in names)
    except DeckError as error:
        raise AgentError(f"{path} has weights for a deck that can't be read: {error}") from None


def _of_run(path: Path, spec: str, kind: str) -> FileAgents:
    """Return all individuals of a run, its last population first.

    Only opponents may play further decks of the run; individuals have no weights for these.
    """
    from hsevo.runs.folder import RunFolder  # few agents are individuals of a run
    from hsevo.strength.champions import all_individuals, fittest, last_population

    run = RunFolder(path)
    if run.kind != kind:
        raise AgentError(f"'{spec}': {path} evolved {run.config.agent.kind}; write"
                         f" {run.kind}{spec.removeprefix(kind)}")
    names, rows = last_population(run)
    everyone, weights = all_individuals(run)
    vectors = run.genome.complete(np.concatenate([rows["weights"], weights]))
    best = names[fittest(names, rows)]
    decks = run.own_decks if run.config.agent.genome != "one" else ()
    return FileAgents(run.genome.whole or run.genome, (*names, *everyone), vectors, best, decks)
