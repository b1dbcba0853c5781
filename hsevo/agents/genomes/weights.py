"""Vectors of weights, the files that contain them, and EVA's genome and weights.

    agents.csv | agents.yaml | '#' string  --read_weights()-->  names (n), weights float64 (n, k)

Vectors are in the order of the genome's names, for EVA the paper's (NAMES). Only the competition's
'#' strings are in the order of the authors' program (PROGRAM_ORDER); reading and writing converts
them.
Source: García-Sánchez et al., "Optimizing Hearthstone agents using an evolutionary algorithm",
tables 1 and 2.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hsevo.agents.genomes.genome import Genome, Vectors, genome
from hsevo.agents.shared.agent import eva
from hsevo.config import parse, short, to_yaml
from hsevo.errors import AgentError, did_you_mean, name_problem, quoted
from hsevo.files import read_text, write_whole

GLOSSARY: dict[str, str] = {
    "HHR": "health and armour lost by a hero (enemy losses add to the score, own losses subtract)",
    "HAR": "attack lost by a hero",
    "BMHR": "health lost by a minion, times the minion's value",
    "BMAR": "attack lost by a minion, times the minion's value",
    "BMA": "value of each new minion",
    "BMK": "value of each minion that dies",
    "BSR": "secrets lost minus secrets gained",
    "BMR": "mana spent; this weight always lowers the score of an action",
    "MH": "minion value: health",
    "MA": "minion value: attack",
    "MHC": "minion value: Charge",
    "MHD": "minion value: Deathrattle",
    "MHDS": "minion value: Divine Shield",
    "MHI": "minion value: Inspire",
    "MHLS": "minion value: Lifesteal",
    "MHS": "minion value: Stealth",
    "MHT": "minion value: Taunt",
    "MHW": "minion value: Windfury",
    "MHP": "minion value: Poisonous",
    "MR": "minion value: rarity, from 1 (free or common) to 4 (legendary)",
    "MM": "minion value: mana cost",
}
NAMES: tuple[str, ...] = tuple(GLOSSARY)

# The program's last three differ from the paper's: MHP comes last.
PROGRAM_ORDER: tuple[str, ...] = (*(name for name in NAMES if name != "MHP"), "MHP")


def from_program_order(weights: Vectors) -> Vectors:
    """Reorder vectors (..., 21) from the program's order to the paper's."""
    return weights[..., [PROGRAM_ORDER.index(name) for name in NAMES]]


# The authors' entry in the CIG2018 competition (second of 33), in the order of their program.
_DEPLOYED = (
    0.569460712743, 0.958111820041, 0.0689492467097, 0.0, 0.843573987219, 0.700225423688,
    0.907680353441, 0.0, 0.993682660717, 1.0, 0.640753949511, 0.992872512338, 0.92870036875,
    0.168100484322, 0.870080107454, 0.0, 0.42897762808, 1.0, 0.0, 0.583884736646, 0.0,
)  # fmt: skip
EVA = genome(
    # Section 3.2 of the paper: all weights from 0 to 1.
    [(name, 0.0, 1.0, says) for name, says in GLOSSARY.items()],
    from_program_order(np.array(_DEPLOYED)).tolist(), eva,
    {"battlefield": ("the battlefield", NAMES[:8]), "minion": ("a minion's value", NAMES[8:])},
    PROGRAM_ORDER)
EVA_2018: Vectors = EVA.default  # (21,), the paper's order


class _Row(NamedTuple):
    """One agent of a file: its place, its name, its weights (unchecked)."""

    place: str
    name: str
    weights: Mapping[str, Any]


# Columns that identify a row's agent if there is no column `agent`.
_IDENTITY = ("execution", "run", "generation", "rank", "individual")


def read_weights(source: str | Path, of: Genome = EVA) -> tuple[tuple[str, ...], Vectors]:
    """Read agents from a CSV, YAML or '#' file, or from a '#' string itself.

    CSV: a column for each name of the genome, in any order; `agent` names a row, or else columns
    such as run and rank do ("run-1-rank-0"); other columns are ignored. YAML: `name: {HHR: 0.5,
    ...}`, or only the weights. '#' (.txt), if the genome has an order for it: one agent per line.
    Returns the names, all different, and the weights, float64 (n, k), n >= 1, each within the
    genome's bounds.
    Raises AgentError (ConfigError for invalid YAML) with the place and the mistake.
    """
    if of.order and "#" in str(source) and Path(source).suffix.lower() not in _SUFFIXES:
        rows = _from_hash_lines(str(source), "the '#' string", "agent", of)
    else:
        path = Path(source)
        rows = _READERS[_format(path, of)](_text(path), str(path), path.stem, of)
    if not rows:
        raise AgentError(f"{source} has no agent")
    names = tuple(row.name for row in rows)
    for row in rows:
        if problem := name_problem(row.name):
            raise AgentError(f"{row.place}: its name, {quoted(row.name)}, {problem}")
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise AgentError(f"{source}: {times} agents are called '{name}'; give a column `agent`"
                         " with a name for each")
    return names, np.array([_vector(row, of) for row in rows], np.float64)


def deck_names(source: str | Path, of: Genome = EVA) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the decks that a file has weights for, and those of the other side, if named.

    Its keys are DECK.NAME; or DECK.OTHER.NAME, where the others begin with the decks themselves
    (`Genome.each`). Both are () if they are plain names. Raises AgentError if it can't be read.
    """
    path = Path(source)
    parted = [key.rpartition(".") for key in _keys(path, of)]
    decks = tuple(dict.fromkeys(deck for deck, _, name in parted if deck and name in of.names))
    return _paired(decks) or (decks, ())


def _paired(keys: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the decks and those of the other side whose pairs DECK.OTHER are the keys, in order.

    The first pair is that of the first deck with itself; so names may have dots, too.
    """
    first = len(keys[0]) // 2 if keys else 0
    for n in range(1, len(keys) + 1):
        own, others = (tuple(key[:-first - 1] for key in keys[::n]),
                       tuple(key[first + 1:] for key in keys[:n]))
        if others[:len(own)] == own and keys == tuple(
                f"{deck}.{opponent}" for deck in own for opponent in others):
            return own, others
    return None


def _keys(path: Path, of: Genome) -> list[str]:
    """Return what a file of agents calls its weights, and more; [] if it does not name them."""
    kind, text = _format(path, of), _text(path)
    if kind == "csv":
        return [key.strip() for key in _csv_lines(text, str(path))[0]]
    if kind == HASH:
        return []
    tree = parse(text, str(path))
    first = next((agent for agent in tree.values() if isinstance(agent, dict)), tree)
    return [str(key) for key in first]


def write_weights(path: str | Path, names: Sequence[str], weights: Vectors,
                  of: Genome = EVA) -> None:
    """Write agents with full precision, in the format of the suffix: .csv, .yaml, .txt ('#').

    names: n. weights: (n, k) in the genome's order. A '#' file has no names.
    Raises AgentError for another suffix, RunError if the file cannot be written.
    """
    path = Path(path)
    write_whole(path, format_weights(_format(path, of), names, weights, of).encode())


def format_weights(kind: str, names: Sequence[str], weights: Vectors, of: Genome = EVA) -> str:
    """Return agents as the text of one of FORMATS: csv, yaml, sabberstone ('#' lines)."""
    if weights.shape != (len(names), of.size):
        raise ValueError(f"weights of shape {weights.shape} for {len(names)} names")
    check_format(kind, of)
    for name in names:
        if problem := name_problem(str(name)):
            raise AgentError(f"the name of an agent, {quoted(name)}, {problem}")
    return FORMATS[kind](names, weights, of)


def check_format(kind: str, of: Genome) -> None:
    """Raise AgentError unless agents of a genome can be written in a format."""
    if kind not in formats(of):
        what = "unknown format" if kind not in FORMATS else "these agents have no format"
        raise AgentError(f"{what} '{kind}'{did_you_mean(kind, formats(of))}; known are"
                         f" {', '.join(formats(of))}")


def formats(of: Genome) -> list[str]:
    """List the formats that agents of a genome can be written in."""
    return [kind for kind in FORMATS if of.order or kind != HASH]


def _to_csv(names: Sequence[str], weights: Vectors, of: Genome) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("agent", *of.names))
    writer.writerows((name, *row) for name, row in zip(names, weights.tolist(), strict=True))
    return out.getvalue()


def _to_yaml(names: Sequence[str], weights: Vectors, of: Genome) -> str:
    tree = {
        str(name): dict(zip(of.names, row, strict=True))
        for name, row in zip(names, weights.tolist(), strict=True)
    }
    return to_yaml(tree)


def _to_hash_lines(names: Sequence[str], weights: Vectors, of: Genome) -> str:
    ordered = weights[:, [of.names.index(name) for name in of.order]]
    return "".join("#".join(map(repr, row)) + "\n" for row in ordered.tolist())


HASH = "sabberstone"  # the simulator of the competition that uses '#' strings
FORMATS: dict[str, Callable[[Sequence[str], Vectors, Genome], str]] = {
    "csv": _to_csv,
    "yaml": _to_yaml,
    HASH: _to_hash_lines,
}
_SUFFIXES = {".csv": "csv", ".yaml": "yaml", ".yml": "yaml", ".txt": HASH}


def _from_csv(text: str, where: str, stem: str, of: Genome) -> list[_Row]:
    header, *lines = _csv_lines(text, where)
    header = [name.strip() for name in header]
    _check_names(header, of.names, where, "column", extra=True)
    rows = []
    for number, fields in enumerate(lines, start=1):
        place = f"{where}, agent {number}"
        if len(fields) != len(header):
            raise AgentError(f"{place} has {len(fields)} fields, but the header has {len(header)}")
        values = dict(zip(header, fields, strict=True))
        rows.append(_Row(place, _row_name(values) or f"{stem}-{number}", values))
    return rows


def _csv_lines(text: str, where: str) -> list[list[str]]:
    """Return the fields of all lines that are not empty, at least one. Raises AgentError."""
    try:
        return [*filter(None, csv.reader(io.StringIO(text), strict=True))] or [[]]
    except csv.Error as error:
        raise AgentError(f"{where} is not a CSV file: {error}") from None


def _row_name(values: Mapping[str, str]) -> str:
    """Return a row's name from its column `agent`, or from the columns of _IDENTITY, or ""."""
    return values.get("agent", "").strip() or "-".join(
        f"{key}-{values[key].strip()}" for key in _IDENTITY if key in values
    )


def _from_yaml(text: str, where: str, stem: str, of: Genome) -> list[_Row]:
    tree = parse(text, where)
    if not any(isinstance(value, dict) for value in tree.values()):
        tree = {stem: tree}
    for name, weights in tree.items():
        if not isinstance(weights, dict):
            raise AgentError(f"{where}: {quoted(name)} must have the {of.size} weights, but is"
                             f" {short(weights)}")
        _check_names([*map(str, weights)], of.names, f"{where}, agent {quoted(name)}", "weight",
                     extra=False)
    return [_Row(f"{where}, agent {quoted(name)}", name, weights) for name, weights in tree.items()]


def _from_hash_lines(text: str, where: str, stem: str, of: Genome) -> list[_Row]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    rows = []
    for number, line in enumerate(lines, start=1):
        fields = line.split("#")
        place = f"{where}, line {number}" if len(lines) > 1 else where
        if len(fields) != of.size:
            raise AgentError(f"{place} has {len(fields)} numbers between '#', not {of.size}")
        name = f"{stem}-{number}" if len(lines) > 1 else stem
        rows.append(_Row(place, name, dict(zip(of.order, fields, strict=True))))
    return rows


_READERS = {"csv": _from_csv, "yaml": _from_yaml, HASH: _from_hash_lines}


def _format(path: Path, of: Genome) -> str:
    """Return the format of a file by its suffix. Raises AgentError if it has another."""
    known = {suffix: kind for suffix, kind in _SUFFIXES.items() if kind in formats(of)}
    if path.suffix.lower() not in known:
        strings = " ('#' strings)" if of.order else ""
        raise AgentError(f"{path}: the name of an agent file must end in"
                         f" {', '.join(known)}{strings}")
    return known[path.suffix.lower()]


def _text(path: Path) -> str:
    return read_text(path, error=AgentError, encoding="utf-8-sig")  # spreadsheets write a BOM


def _check_names(names: Sequence[str], wanted: Sequence[str], where: str, noun: str, *,
                 extra: bool) -> None:
    """Raise AgentError unless `names` has each wanted one once and, without `extra`, no others."""
    others = [name for name in names if name not in wanted]
    missing = [name for name in wanted if name not in names]
    twice = [name for name in wanted if names.count(name) > 1]
    if twice:
        raise AgentError(f"{where}: {noun} '{twice[0]}' is given twice")
    if others and not extra:
        raise AgentError(f"{where}: unknown {noun} {quoted(others[0])}"
                         f"{did_you_mean(others[0], wanted)}")
    if missing:
        raise AgentError(f"{where}: {_list(noun, missing)} missing"
                         f"{did_you_mean(missing[0], others)}")


def _list(noun: str, missing: Sequence[str]) -> str:
    if len(missing) == 1:
        return f"{noun} '{missing[0]}' is"
    return f"{noun}s {', '.join(missing)} are"


def _vector(row: _Row, of: Genome) -> list[float]:
    return [_weight(row.place, name, row.weights[name], low, high)
            for name, low, high in zip(of.names, of.low, of.high, strict=True)]


def _weight(place: str, name: str, value: Any, low: float, high: float) -> float:
    """Return one weight as a number within its bounds. Raises AgentError."""
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not low <= number <= high:  # also true of NaN
        raise AgentError(f"{place}: {name} is {short(value)}, but must be a number from"
                         f" {low:g} to {high:g}")
    return number


# The centres (means) of the four groups into which section 5.4 of the paper divides the 100
# solutions of its ten runs, by Ward's method. The paper gives neither their members nor their
# sizes: we clustered the published vectors again (test_weights.py), which gives 10, 34, 22 and 34,
# in the order of the tree's leaves. This agrees with the paper on its groups #1 to #4: #1 is the
# best with shaman against shaman and the worst with warrior, #3 weak with warrior against warrior.
_names, _centres = read_weights(Path(__file__).with_name("groups_2018.csv"))
_centres.setflags(write=False)
GROUPS_2018: dict[str, Vectors] = dict(zip(_names, _centres, strict=True))  # name -> (21,)
