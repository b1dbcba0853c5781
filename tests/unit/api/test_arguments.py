"""One list of arguments: what functions and commands take by the names of a plan is the plan's."""

import inspect
from typing import Any

import click
import pytest

import hsevo
from hsevo import generated
from hsevo.cli import main
from hsevo.config import Rules, Section, Workers, check, contests
from hsevo.errors import ConfigError
from hsevo.learning.environments import BATTLE
from hsevo.metagame.series import SeriesPlan
from tests.support.command import fails

# Of each function that plays, its plan, and what it takes by keyword alone.
PLAYING: dict[str, tuple[type[Section], Any]] = {
    "match": (contests.MatchSettings, generated.MatchFields),
    "dataset": (contests.DatasetSettings, generated.DatasetFields),
    "arena": (contests.ContestSettings, generated.RulesFields),
    "series": (SeriesPlan, generated.SeriesFields),
    "meta": (contests.MetaSettings, generated.RulesFields),
    "nerf": (contests.NerfSettings, generated.NerfFields),
    "balance": (contests.BalanceSettings, generated.BalanceFields),
    "exploit": (contests.ExploitSettings, generated.ExploitFields),
    "examine": (contests.ExamineSettings, generated.ExamineFields)}


@pytest.mark.parametrize("name", PLAYING)
def test_a_function_has_the_keys_and_the_defaults_of_its_plan(name: str) -> None:
    plan, keywords = PLAYING[name]
    has = inspect.signature(getattr(hsevo, name)).parameters
    for key, field in plan.model_fields.items():
        default = field.get_default(call_default_factory=True)
        if key in has:
            given = has[key].default
            if not field.is_required() and given not in (None, inspect.Parameter.empty):
                assert (list(given) if isinstance(given, tuple) else given) == default
        elif (name, key) != ("series", "decks"):  # it has mine and theirs
            assert key in keywords.__annotations__, key


@pytest.mark.parametrize(("name", "given"), [(name, {"sed": 1}) for name in PLAYING] + [
    ("match", {"against": "random"}), ("meta", {"own": {}}), ("benchmark", {"workes": 1})])
def test_a_keyword_that_there_is_not_is_named(name: str, given: dict[str, Any]) -> None:
    (wrong,) = given
    near = {"sed": "seed", "workes": "workers"}.get(wrong)
    said = rf"{name}\(\) got an unexpected keyword argument '{wrong}'" + (
        f"; did you mean '{near}'" if near else "")
    count = {"examine": 1, "dataset": 3}.get(name, 2)
    with pytest.raises(TypeError, match=said):
        getattr(hsevo, name)(*["random", "eva:2018", "out"][:count], **given)


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
