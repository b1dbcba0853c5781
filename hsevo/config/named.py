"""Find configs, decks and studies: by path, by name, next to the config that names them.

Light, for shell completion: it imports no library.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeAlias

from hsevo.errors import ConfigError, DeckError, HsevoError, did_you_mean, quoted

CIG2018 = ("warrior", "shaman", "mage")  # the decks of the competition
Kind = Literal["configs", "decks", "configs/studies", "configs/learning", "configs/decks",
               "configs/coevolve", "configs/ladders"]
Beside: TypeAlias = Callable[[Path, Any], Any]  # of a config and a value: the value, or a path
SUFFIXES: dict[Kind, tuple[str, ...]] = {
    "configs": (".yaml", ".yml"), "decks": (".txt",),
    "configs/studies": (".yaml", ".yml"), "configs/learning": (".yaml", ".yml"),
    "configs/decks": (".yaml", ".yml"), "configs/coevolve": (".yaml", ".yml"),
    "configs/ladders": (".yaml", ".yml")}
MISSING: dict[str, tuple[str, type[HsevoError], str]] = {  # its noun, and the command that lists it
    "configs": ("config", ConfigError, "hsevo config list"),
    "decks": ("deck", DeckError, "hsevo decks list"),
    "configs/studies": ("study", ConfigError, "hsevo config list"),
    "configs/learning": ("learning config", ConfigError, "hsevo config list"),
    "configs/decks": ("config of a search for decks", ConfigError, "hsevo config list"),
    "configs/coevolve": ("config of a coevolution", ConfigError, "hsevo config list"),
    "configs/ladders": ("ladder", ConfigError, "hsevo config list")}


def find(name: str, kind: Kind) -> Path:
    """Find a config or deck: as a path, then in ./configs (./decks), then among the shipped ones.

    The suffix may be omitted. Raises ConfigError (DeckError) with the nearest existing name.
    """
    for folder in (Path(), Path(kind), shipped(kind)):
        if path := _inside(folder, name, kind):
            return path
    noun, error, lists = MISSING[kind]
    near = _of_other_kind(name, kind) or did_you_mean(name, names(kind))
    where = "" if near else f": not a file, not in ./{kind}, not a shipped one"
    raise error(f"no {noun} {quoted(name)}{near or where}; `{lists}` lists all")


def find_any(name: str) -> Path:
    """Find a config of whatever kind, of the first in the order of `kinds`. Raises ConfigError."""
    kind = next(iter(kinds(name)), None)
    try:
        return find(name, kind or "configs")
    except ConfigError as error:
        near = did_you_mean(name, [known for kind in SUFFIXES if kind != "decks"
                                   for known in names(kind)])
        if kind or not near:
            raise
        noun, _, lists = MISSING["configs"]
        raise ConfigError(f"no {noun} {quoted(name)}{near}; `{lists}` lists all") from error


def beside(config: Path, deck: Any) -> Any:
    """Return a deck of a config as a path, if it is a file in the config's folder; else as it is.

    So a folder with a config and its decks can be used from anywhere.
    """
    there = isinstance(deck, str) and _inside(config.parent, deck, "decks")
    return str(config.parent / deck) if there else deck


def yaml_beside(config: Path, named: Any) -> Any:
    """Return what a config names, NAME.yaml, as a path, if it is a file in the config's folder."""
    there = isinstance(named, str) and named.endswith(SUFFIXES["configs"]) and _is_file(
        config.parent / named)
    return str(config.parent / named) if there else named


def agent_beside(config: Path, spec: Any) -> Any:
    """Return an agent's spec, KIND:FILE or KIND:RUN, with the path of a file next to the config."""
    for colon in re.finditer(":", spec) if isinstance(spec, str) else ():
        kind, source = spec[:colon.end()], spec[colon.end():]
        path = re.split("[#?]", source)[0]
        if path and exists(config.parent / path):
            return kind + str(config.parent / source)
    return spec


def pair_beside(config: Path, spec: Any) -> Any:
    """Return AGENT@DECK with the paths of files next to the config."""
    if not isinstance(spec, str) or "@" not in spec:
        return spec
    splits = [(spec[:sign.start()], spec[sign.end():]) for sign in re.finditer("@", spec)]
    agent, deck = next((split for split in splits if beside(config, split[1]) != split[1]),
                       splits[-1])
    return f"{agent_beside(config, agent)}@{beside(config, deck)}"


def file_beside(config: Path, named: Any) -> Any:
    """Return the name of a file as a path, if it is in the config's folder; else as it is."""
    there = isinstance(named, str) and _is_file(config.parent / named)
    return str(config.parent / named) if there else named


def _inside(folder: Path, name: str, kind: Kind) -> Path | None:
    """Return the file of a name, with or without suffix, in a folder; None if there is none."""
    paths = (folder / f"{name}{ending}" for ending in ("", *SUFFIXES[kind]))
    return next(filter(_is_file, paths), None) if name else None


def kinds(name: str) -> list[Kind]:
    """Return of what kinds there is a config with this name; a name may be of several."""
    return [kind for kind in SUFFIXES if kind != "decks" and name in names(kind)]


def of_same_name(name: str) -> list[str]:
    """Return a line for each config of this name but the one that `config show` prints."""
    return [f"{name} is also a {MISSING[kind][0]}: hsevo config show"
            f" {kind.removeprefix('configs/')}/{name}" for kind in kinds(name)[1:]]


def _of_other_kind(name: str, kind: Kind) -> str:
    """Return "; it is ..." if the name is of a config of another kind than the one expected."""
    others: dict[Kind, str] = {"configs": "an evolution: hsevo evolve --config",
                               "configs/studies": "a study: hsevo study",
                               "configs/learning": "a player that learns: hsevo learn --config",
                               "configs/decks": "a search for decks: hsevo decks evolve --config",
                               "configs/coevolve": "a coevolution: hsevo coevolve --config",
                               "configs/ladders": "a ladder: hsevo ladder"}
    return next((f"; it is {what} {name}" for other, what in others.items()
                 if kind in others and other != kind and name in names(other)), "")


def _is_file(path: Path) -> bool:
    return exists(path) and path.is_file()


def exists(path: Path) -> bool:
    """Return whether there is such a file or folder; False for a name that none can have."""
    try:
        return path.exists()
    except (OSError, ValueError):  # a name that is too long or has a NUL; no access to a folder
        return False


def shipped(kind: Kind) -> Path:
    """Return the folder of shipped files: in the package, or next to it in a source checkout."""
    package = Path(__file__).parent.parent
    inside = package / kind
    return inside if inside.is_dir() else package.parent / kind


def names(kind: Kind) -> list[str]:
    """Return the names of all configs or decks, sorted, without suffix."""
    folders = (Path(kind), shipped(kind))
    files = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
    return sorted({path.stem for path in files if path.suffix in SUFFIXES[kind]})
