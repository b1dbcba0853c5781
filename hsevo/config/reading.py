"""Read and write configs: read and write YAML, set single values.

    configs/cig2018.yaml + --set key=value --load()--> Config --dump()--> RUN/config.yaml
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

from pydantic import BaseModel, ValidationError

from hsevo import files
from hsevo.config import loader
from hsevo.config.mistakes import as_plain, line, path_of, short
from hsevo.config.models import Config, Section
from hsevo.config.named import Beside, find
from hsevo.errors import ConfigError, quoted

SHORT = {"agent": "kind"}  # sections that may be written as one value, and its key
MAX_REPORTED = 20  # mistakes reported for one config
T = TypeVar("T", bound=BaseModel)
S = TypeVar("S", bound=Section)
# The kind of config by a key that its model lacks, and the command that takes it.
OTHERS = {"evolution": "an evolution; run it with: hsevo evolve --config",
          "hall": "a coevolution; run it with: hsevo coevolve --config",
          "search": "a search for decks; run it with: hsevo decks evolve --config",
          "study": "a study; run it with: hsevo study",
          "rungs": "a ladder; run it with: hsevo ladder",
          "periods": "a player that learns; run it with: hsevo learn --config"}


@overload
def load(source: str | Path, settings: Iterable[str] = ...) -> Config: ...
@overload
def load(source: str | Path, settings: Iterable[str] = ..., *, model: type[S]) -> S: ...
@overload
def load(source: str | Path, settings: Iterable[str], model: type[S]) -> S: ...
def load(source: str | Path, settings: Iterable[str] = (), model: type[Any] = Config) -> Any:
    """Read the config that `source` names, apply `settings`, and check the result.

    source: a path, or the name of a config in model.FOLDER, here or shipped. Files of decks, agents
    and rulesets that it names are looked for in its folder first. settings: "dotted.key=value"
    strings; the values are YAML. model: the plan of evolutions, Config, or of another kind of run.
    Raises ConfigError: one line per mistake, with the nearest valid name.
    """
    path = find(str(source), model.FOLDER)
    tree = {"name": re.sub(r"[^\w.+-]", "-", path.stem)} | parse(read_text(path), str(path))
    if advice := next((says for key, says in OTHERS.items()
                       if key in tree and key not in model.model_fields), ""):
        raise ConfigError(f"{path} is {advice} {source}")
    return check_with(model, _with_paths(tree, model.BESIDE, path), str(path), settings)


def check_with(model: type[T], tree: dict[str, Any], where: str, settings: Iterable[str]) -> T:
    """Validate a tree with "dotted.key=value" settings put into it. Raises ConfigError."""
    origins = {}
    for text in settings:
        key, value = _split(text)
        _put(tree, key, value)
        origins[key] = f"--set {short(text)[1:-1]}"
    return check(model, tree, where, origins)


def _with_paths(tree: dict[str, Any], beside: Mapping[str, Beside], config: Path
                ) -> dict[str, Any]:
    """Return a tree whose values name files in the config's folder by their paths.

    beside: what finds the files of the values of a key, at whatever depth.
    """
    def with_path(key: str, value: Any) -> Any:
        if isinstance(value, dict):
            return _with_paths(value, beside, config)
        if isinstance(value, list):
            return [with_path(key, entry) for entry in value]
        return beside[key](config, value) if key in beside else value

    return {key: with_path(key, value) for key, value in tree.items()}


def parse(text: str, where: str) -> dict[str, Any]:
    """Read YAML text that must be a mapping; ConfigError names `where` and the line."""
    try:
        tree = loader.read(text)
    except ValueError as error:
        raise ConfigError(f"{where} is not valid YAML for hsevo: {error}") from None
    if not isinstance(tree, dict) or not all(isinstance(key, str) for key in tree):
        raise ConfigError(f"{where} must hold 'key: value' lines, and is {short(tree)}")
    return tree


def check(model: type[T], tree: Mapping[str, Any], where: str,
          origins: Mapping[str, str] | None = None) -> T:
    """Validate a tree as a model. Raises one ConfigError that lists its mistakes.

    origins: the origin of dotted keys that do not come from `where`.
    """
    try:
        return model.model_validate(as_plain(tree))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        lines = [f"{_origin(path_of(detail), origins or {}) or where}: {line(model, detail)}"
                 for detail in errors[:MAX_REPORTED]]
        more = ([f"{where}: ... and {len(errors) - MAX_REPORTED} more"]
                * (len(errors) > MAX_REPORTED))
        raise ConfigError("\n".join(dict.fromkeys(lines + more))) from None


def _origin(path: Sequence[str], origins: Mapping[str, str]) -> str:
    """Return the origin of the value at `path`, or of a part of it; "" if `origins` lacks it."""
    for key, where in origins.items():
        parts = key.split(".")
        if path and all(step == part for step, part in zip(path, parts, strict=False)):
            return where
    return ""


def dump(config: BaseModel) -> str:
    """Return a config as YAML with every key; `load` reads it back to an equal Config."""
    return loader.to_yaml(config.model_dump(mode="json", by_alias=True))


def schema() -> dict[str, Any]:
    """Return the JSON schema of a config, for editors that complete and check YAML."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema",
            **Config.model_json_schema(by_alias=True)}


def change(config: T, settings: Mapping[str, Any]) -> T:
    """Return the config with dotted keys replaced, and check it; values of None are ignored."""
    changes = {key: value for key, value in settings.items() if value is not None}
    return replaced(config, changes, "the arguments")


def replaced(config: T, settings: Mapping[str, Any], where: str) -> T:
    """Return the config with dotted keys replaced, also by None, and check it.

    where: they were given. Raises ConfigError.
    """
    tree = config.model_dump(mode="json", by_alias=True)
    for key, value in settings.items():
        if not isinstance(key, str):
            raise ConfigError(f"the key {short(key)} of a change must be a text, such as"
                              " 'evolution.mu'")
        _put(tree, key, value)
    return check(type(config), tree, where)


def read_text(path: Path) -> str:
    """Read a text file of the user; ConfigError when it cannot be read or is not text."""
    return files.read_text(path, loader.LARGEST, ConfigError)


def _split(text: str) -> tuple[str, Any]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise ConfigError(f"--set {quoted(text)}: must be key=value, such as evolution.mu=4")
    tree = parse(f"value: {value}", f"--set {quoted(text)}")
    if [*tree] != ["value"]:
        raise ConfigError(f"--set {quoted(text)}: must be one value")
    return key.strip(), tree["value"]


def _put(tree: dict[str, Any], dotted: str, value: Any) -> None:
    """Set a dotted key in nested mappings; `check` reports unknown sections."""
    *sections, last = dotted.split(".", maxsplit=loader.DEEPEST)
    for name in sections:
        inner = tree.get(name)
        if name in SHORT and isinstance(inner, str):
            inner = {SHORT[name]: inner}
        tree[name] = dict(inner) if isinstance(inner, dict) else {}
        tree = tree[name]
    tree[last] = value
