"""One list of arguments: what functions and commands take by the names of a plan is the plan's."""

import inspect
from collections.abc import Callable
from typing import Any

import click
import pytest

import hsevo
from hsevo.api.environments import BATTLE
from hsevo.cli import main
from hsevo.config import Rules, Workers, check
from hsevo.errors import ConfigError
from tests.support.command import fails

PLAYING: dict[str, Callable[..., Any]] = {
    name: getattr(hsevo, name) for name in ("match", "arena")}


@pytest.mark.parametrize("name", PLAYING)
def test_a_function_has_the_defaults_of_the_plan(name: str) -> None:
    has = inspect.signature(PLAYING[name]).parameters
    plain = {key: field.get_default(call_default_factory=True)
             for key, field in Rules.model_fields.items() if key != "seed"}
    shared = {key: default for key, default in plain.items() if key in has}
    assert {"ruleset", "max_turns", "decks"} <= {*shared}
    for key, default in shared.items():
        given = has[key].default
        assert (list(given) if isinstance(given, tuple) else given) == default


def test_environments_have_the_defaults_of_the_plan() -> None:
    plain = Rules().model_dump()
    for key in ("ruleset", "information", "max_turns"):
        assert BATTLE[key] == plain[key]  # type: ignore[literal-required]
    with pytest.raises(TypeError, match=r"make_vec\(\) got .* 'sed'; did you mean 'seed'"):
        hsevo.make_vec(sed=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", ["match", "arena", "examine"])
def test_a_command_has_an_option_for_each_key(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    options = {one.name for one in command.params if isinstance(one, click.Option)}
    assert {*Rules.model_fields, "workers", "backend"} <= options


def test_the_plan_checks_the_values() -> None:
    assert "max_turns is 0, but" in fails("match", "random", "noaggression", "--max-turns", 0)
    assert "did you mean 'fair'?" in fails("match", "random", "noaggression", "--information",
                                           "fare")
    with pytest.raises(ConfigError, match="count is 0"):
        check(Workers, {"count": 0}, "here")
