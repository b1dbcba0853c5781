"""Ladders: read, checked, and resolved into the learning configs of their rungs.

    configs/ladders/NAME.yaml --load_ladder()--> Ladder --plans_of()--> a Plan for each rung
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hsevo import config
from hsevo.config.ladder import RUNS_OWN, Ladder
from hsevo.config.learning import Plan
from hsevo.config.named import agent_beside, yaml_beside
from hsevo.errors import ConfigError, RunError
from hsevo.learning.folder import LearningRun
from hsevo.learning.plan import refuse_unused
from hsevo.store.kinds import About

MATCHES = ("games", "games_against", "match_seed", "temperature")  # keys that matches depend on
ABOUT = About("ladder.yaml", "hsevo ladder")


def load_ladder(source: str | Path, changes: Mapping[str, Any] | None = None) -> Ladder:
    """Read the ladder that `source` names: a path, or a name in configs/ladders, here or shipped.

    The ladder.yaml of a ladder's folder works as well. changes: keys with other values. Raises
    ConfigError.
    """
    path, tree = _read(source)
    if "rungs" not in tree:
        raise ConfigError(f"{path} is not a ladder: it has no rungs")
    where = str(path)
    ladder = config.check(Ladder, _beside(path, tree), where)
    return config.change(ladder, changes or {})


def ladder_path(source: str | Path) -> Path:
    """Return the default folder of a ladder: runs/NAME; of a ladder.yaml its own. Raises
    ConfigError.
    """
    path, _ = _read(source)
    if path.name == ABOUT.name and (path.parent / "players").is_dir():
        return path.parent
    return Path("runs") / re.sub(r"[^\w.+-]", "-", path.stem)


def plans_of(ladder: Ladder) -> dict[str, Plan]:
    """Return the plan of each rung, in order. Raises ConfigError, also for a rung that changes
    nothing.
    """
    plan = config.load(ladder.config, model=Plan)
    found: dict[str, Plan] = {}
    for rung, settings in ladder.rungs.items():
        where = f"rungs.{rung}"
        before, plan = plan, config.replaced(plan, settings, where)
        try:
            refuse_unused(plan)
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from None
        if plan == before and found:
            raise ConfigError(f"{where} changes nothing: it is the same as the rung before it")
        found[rung] = plan
    return found


def rules_of(ladder: Ladder, first: Plan) -> dict[str, Any]:
    """Return by which rules matches are played; first: the plan of the first rung.

    Raises ConfigError if nobody says with which decks.
    """
    decks = ladder.decks or [*first.deck_names]
    if not decks:
        raise ConfigError(f"the config {ladder.config} draws its decks, so the ladder must name"
                          " those of its matches, such as decks: [mage, shaman, warrior]")
    return {"decks": decks, "ruleset": first.ruleset, "max_turns": first.max_turns,
            **{key: getattr(ladder, key) for key in MATCHES}}


def refuse_other(path: Path, plan: Plan) -> None:
    """Raise ConfigError unless a run learns, or learned, by this plan; RunError if it is none.

    Where it is, and how its games run in parallel, may differ.
    """
    there = LearningRun(path).plan
    own = {*RUNS_OWN} - {"seed"}
    ours, theirs = (dict(_flat(one.model_dump(mode="json", by_alias=True, exclude=own)))
                    for one in (plan, there))
    for key in {**ours, **theirs}:
        if ours.get(key) != theirs.get(key):
            raise ConfigError(f"{path} has {key} {config.short(theirs.get(key))}, but the ladder"
                              f" says {config.short(ours.get(key))}; choose another folder")


def refuse_other_rules(folder: Path, rules: Mapping[str, Any], engine: str) -> None:
    """Raise ConfigError if matches in a folder were played by other rules; RunError: by another
    engine.
    """
    if not (folder / "pairs.csv").exists():
        return
    about = ABOUT.read(folder)
    if about.get("engine") != engine:
        raise RunError(f"{folder} has matches of another engine, and this one's games may differ;"
                       " choose another folder, or install the version that played them")
    known = about.get("rules")
    if not isinstance(known, dict):
        raise RunError(f"{folder / ABOUT.name} is damaged: it does not say by which rules its"
                       " matches were played")
    for key, value in rules.items():
        if known.get(key) != value:
            raise ConfigError(f"{folder} has matches with {key} {config.short(known.get(key))}, but"
                              f" the ladder says {config.short(value)}; choose another folder")


def _read(source: str | Path) -> tuple[Path, dict[str, Any]]:
    path = config.find(str(source), "configs/ladders")
    tree = config.parse(config.read_text(path), str(path))
    played = tree.get("kind") == ABOUT.kind and isinstance(tree.get("ladder"), dict)
    return path, tree["ladder"] if played else tree


def _beside(path: Path, tree: dict[str, Any]) -> dict[str, Any]:
    """Return a ladder whose config, decks and agents are found beside it, at `path`, too."""
    found = dict(tree)
    if "config" in tree:
        found["config"] = yaml_beside(path, tree["config"])
    for key, beside in (("decks", config.beside), ("against", agent_beside)):
        if isinstance(tree.get(key), list):
            found[key] = [beside(path, one) for one in tree[key]]
    return found


def _flat(tree: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all values of a tree by their dotted keys."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
