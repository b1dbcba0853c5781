"""The command that measures figures again: recipes, order, rewriting, and what moved."""

import json
import re
import shlex
import shutil
import time
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from filelock import FileLock

from hsevo import config, strength
from hsevo.config.learning import Plan
from hsevo.strength.panel import FOLDER as PANELS
from studies.measure import __main__ as command
from studies.measure import doing, figures, moved, planning, publishing, recipes, rewriting
from studies.measure.planning import Costs, Measurement
from studies.measure.recipes import AFTER
from studies.measure.recipes.agents import fresh_rows
from studies.measure.recipes.learning import cell, markdown
from studies.measure.recipes.weights import examined
from studies.measure.tutorial import deck
from studies.measure.works import Lab, Work, WorkError, closure
from tests.docs import figures as docs

TEXT = docs.SOURCE.read_text(encoding="utf-8")
ALL = planning.load(docs.read())
MADE = [one for one in ALL if one.recipe]
MATCH = {"rate": {"value": 0.50571, "low": 0.50031, "high": 0.5111}, "games": 20016}


def printing(text: str, *needs: Work, called: str = "") -> Work:
    """Return a work that prints a text."""
    return Work(f"python -c {shlex.quote(f'print({text!r})')}".replace("{", "{{").replace(
        "}", "}}"), needs, called)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    found = Lab(tmp_path / "lab")
    found.prepare()
    return found


# Recipes


@pytest.mark.parametrize("one", MADE, ids=lambda one: one.name)
def test_a_recipe_makes_every_figure_and_is_what_the_command_says(one: Measurement) -> None:
    assert one.recipe
    assert set(one.recipe) == set(one.entry["figures"])
    words = one.entry["command"].replace('make bench ARGS="', "hsevo bench ").split()
    done = {work.verb for work in one.works}
    verb = words[2] if words[1] == "-m" else words[1]
    assert verb in done


def test_what_is_not_measured_says_why() -> None:
    assert [one.name for one in ALL if not one.recipe and "by_hand" not in one.entry] == []


def settings(words: list[str]) -> list[str]:
    """Return what a command changes of its config, without what it takes from other works."""
    return [one for before, one in pairwise(words) if before == "--set" and "{" not in one]


def test_runs_and_agents_are_such_as_hsevo_takes() -> None:
    """It refuses what it does not know, which would else come out after hours."""
    counts = dict.fromkeys(("evolve", "learn", "match"), 0)
    for work in {work for one in MADE for work in one.works if work.verb in counts}:
        words = shlex.split(work.command)
        counts[work.verb] += 1
        if work.verb == "match":
            for spec in (spec for spec in words[2:4] if "{" not in spec):
                strength.read_agent(spec, compiled=False)
        else:
            model = config.Config if work.verb == "evolve" else Plan
            config.load(words[words.index("--config") + 1], settings(words), model)
    assert min(counts.values()) > 20


def test_works_have_names_of_their_own() -> None:
    every = {work for one in MADE for work in one.works}
    assert len({work.name for work in every}) == len(every)


def test_figures_of_a_match_are_written_as_in_the_docs(lab: Lab) -> None:
    it = printing(json.dumps(MATCH))
    lab.do(it)
    assert {name: make(it).write(lab, "") for name, make in recipes.MATCH.items()} == {
        "rate": "50.57 % (50.03 to 51.11)", "games": "20,016", "half": "0.54"}
    assert figures.rate(it, 1).write(lab, "") == "50.6 % (50.0 to 51.1)"


def test_cells_take_the_place_of_estimates_alone(lab: Lab) -> None:
    it = printing(json.dumps(MATCH))
    lab.do(it)
    old = ("| 3 of 16 (1 to 4) | 61 against 40 % | 9.50 % (8.00 to 11.00)"
           " | `n=1` 2.00 % (1.00 to 3.00) |")
    new = "50.57 % (50.03 to 51.11)"
    assert figures.cells(figures.rate(it), figures.rate(it)).write(lab, old) == (
        f"| 3 of 16 (1 to 4) | 61 against 40 % | {new} | `n=1` {new} |")
    with pytest.raises(ValueError, match="the table has 2 numbers, the recipe 1"):
        figures.cells(figures.rate(it)).write(lab, old)


@pytest.mark.parametrize(("seconds", "said"), [
    (24.4, "24 seconds"), (31, "31 seconds"), (62, "a minute"), (92, "a minute and a half"),
    (152, "two and a half minutes"), (181, "three minutes"), (1080, "18 minutes")])
def test_durations_in_words(seconds: float, said: str) -> None:
    assert figures.duration(seconds) == said


def test_the_mean_of_seeds_has_students_interval() -> None:
    found = figures.mean([1.0, 2.0, 3.0])  # t = 4.303 with two degrees of freedom, s = 1
    assert found["value"] == 2
    assert found["high"] - 2 == pytest.approx(4.3027 / 3**0.5, abs=1e-4)


def test_an_examination_is_cut_to_the_first_weights_and_those_without_effect() -> None:
    weights = [f"W{i} 0.5" for i in range(10)]
    text = "\n".join(["x against 9 opponents", "", "", "weight  its value", *weights, "", "words",
                      "", "how it plays  agent", "mana", "attacks", "cards", "more"])
    assert examined(text, {"W8"}).splitlines() == [
        "x against 9 opponents", "", "weight  its value", *weights[:7], "...", "W8 0.5", "...",
        "how it plays  agent", "mana", "attacks", "cards"]


def test_the_panels_figures_come_from_the_tables_that_hsevo_ships(lab: Lab) -> None:
    one = next(one for one in MADE if one.name == "panel-2026b")
    shutil.copytree(PANELS / one.name, lab.folder(one.works[0]))
    assert publishing.derived(one, lab) == one.entry["figures"]


def test_lines_of_fresh_games_are_those_with_a_number() -> None:
    text = ("       agent  wins  rate\n0  individual-1  1707  0.5\n1  greedy  561  NaN\n"
            "     MA   TMA\nsurvivors  0.5  0.4\nmean cosine with the thesis' vector: 0.7\n")
    assert fresh_rows(text) == [{"agent": "individual-1", "wins": "1707", "rate": "0.5"},
                                {"agent": "greedy", "wins": "561", "rate": "NaN"}]


def three(value: float) -> dict[str, float]:
    """Return what hsevo bench says of a figure."""
    return {"value": value, "min": value - 1, "max": value + 1}


@pytest.mark.parametrize(("name", "said", "key", "text"), [
    ("speed-bench", {"figures": {"greedy_games_per_second_per_core": three(1234.4)}},
     "greedy-range", "1,233 to 1,235"),
    ("speed-agents", {"agents": {"gsv": {"games_per_second_per_core": three(282.2),
                                         "simulated_actions_per_second_per_core": three(5e6)}}},
     "table", "| agent | games/s | simulated actions/s |\n|---|---|---|\n"
     "| `gsv` | 282 (281 to 283) | 5,000,000 |\n"),
    ("speed-generation", {"generation": {"calculated": [{"workers": 8, "speedup": 7.96}]}},
     "eight", "8.0"),
    ("speed-kernel", {"kernel": {"score": {"actions": 19232, "ns": 44.2}}}, "table",
     "| part | actions | ns per action |\n|---|---|---|\n| score | 19,232 | 44 |\n"),
    ("speed-environment", {"environment": {"against_eva_steps_per_second": three(468286.3)}},
     "against", "468,286")])
def test_speeds_are_read_from_what_bench_says(lab: Lab, name: str, said: dict[str, object],
                                              key: str, text: str) -> None:
    one = next(one for one in MADE if one.name == name)
    (lab.path / "said" / f"{one.works[-1].name}.out").write_text(json.dumps(said))
    assert one.recipe
    assert one.recipe[key].write(lab, "") == text


def test_cells_of_printed_tables() -> None:
    text = "so\n| % | a | b |\n|---|---|---|\n| a | 50 | 1 (0 to 2) |\n\n| x |\n|---|\n"
    assert cell(markdown(text, 0), "a", "b") == "1 (0 to 2)"
    assert markdown(text, 1) == "| x |\n|---|\n"


def test_the_tutorials_deck_is_its_pages() -> None:
    assert "class: Hunter" in deck()
    assert len(re.findall("(?m)^2x ", deck())) == 15


# Works


def test_works_are_done_once_and_know_what_they_need(lab: Lab) -> None:
    first = Work("python -c \"import sys; open(sys.argv[1], 'w').write('7')\" {out}",
                 called="first.txt")
    second = Work("python -c \"import sys; print(open(sys.argv[1]).read())\" {0}", (first,))
    assert second.shown.endswith(" runs/first.txt")
    assert [work for work, error in doing.do([second], lab, 2)] == [first, second]
    assert lab.text(second) == "7\n"
    record = lab.record(second)
    assert record
    assert record["cpu"] > 0
    (lab.path / "said" / f"{second.name}.out").write_text("kept\n")
    assert [error for _, error in doing.do([second], lab, 2)] == [None, None]
    assert lab.text(second) == "kept\n"


def test_modules_are_the_repositorys_own(lab: Lab) -> None:
    it = Work("python -m studies.measure.tutorial {out}", called="my-deck.txt")
    lab.do(it)
    assert lab.folder(it).read_text(encoding="utf-8") == deck()


def test_another_command_of_the_same_name_is_done_anew(lab: Lab) -> None:
    one, other = printing("1", called="it"), printing("2", called="it")
    lab.do(one)
    assert lab.record(other) is None
    lab.do(other)
    assert lab.text(other) == "2\n"
    assert lab.record(one) is None


def test_what_needs_a_changed_work_is_done_anew() -> None:
    assert printing("x", printing("1")).digest != printing("x", printing("2")).digest
    learned = Work("hsevo learn --config osfp-smoke")
    assert learned.digest == Work("hsevo learn --config osfp-smoke").digest


def test_a_command_that_fails_is_named_and_the_rest_goes_on(lab: Lab) -> None:
    bad = Work("python -c \"raise SystemExit('no such thing')\"")
    above, good = printing("x", bad), printing("y")
    found = dict(doing.do([above, good], lab, 1))
    assert found[good] is None
    assert isinstance(found[bad], WorkError)
    assert str(found[bad]).endswith("no such thing")
    assert above not in found


def test_needs_come_first_and_the_first_named_sooner(lab: Lab,
                                                     monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[Work] = []
    monkeypatch.setattr(lab, "do", done.append)
    a, b = printing("a"), printing("b")
    ab, ba = printing("ab", a, b), printing("ba", b)
    assert len([*doing.do([ba, ab], lab, 1)]) == 4
    assert done == [b, ba, a, ab]


def test_what_was_begun_goes_on(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Work("hsevo evolve --config smoke --out {out} --json", called="smoke")
    said: list[list[str]] = []

    class Usage:
        ru_utime = ru_stime = 1.0

    def begin(work: Work, words: list[str]) -> tuple[int, Usage, float]:
        said.append(words[4:])
        lab.folder(work).mkdir(exist_ok=True)
        if len(said) == 1:
            raise KeyboardInterrupt
        return 0, Usage(), 2.0

    monkeypatch.setattr(lab, "_run", begin)
    with pytest.raises(KeyboardInterrupt):
        lab.do(run)
    lab.do(run)
    assert said == [["evolve", "--config", "smoke", "--out", "runs/smoke", "--json", "--workers",
                     "1"], ["evolve", "--resume", "runs/smoke", "--json", "--workers", "1"]]
    record = lab.record(run)
    assert record
    assert record["resumed"]


# Which


def measurements(*costs: float) -> list[Measurement]:
    """Return measurements of such costs, all of which need the first's work."""
    base = printing("base")
    found = []
    for i, cost in enumerate(costs):
        own = (printing(str(i), base), base) if i else (base,)
        entry = {"name": f"m{i}", "cpu": f"~{cost:g}", "engine": "", "figures": {"x": "1"}}
        found.append(Measurement(entry, {"x": figures.constant("1", *own)}))
    return found


def test_costs_are_the_firsts_that_needs_a_work(lab: Lab) -> None:
    three = measurements(100, 10, 5)
    costs = Costs(three)
    assert [costs.of(one.works) for one in three] == [100, 110, 105]
    assert [planning.kind(cost) for cost in (59, 61, 3601)] == ["seconds", "minutes", "hours"]
    lab.do(next(iter(three[0].works)))
    assert [costs.left(one.works, lab) for one in three] == [0, 10, 5]


@pytest.mark.parametrize(("most", "names"), [
    (99, []), (100, ["m0"]), (105, ["m0", "m2"]), (115, ["m0", "m2", "m1"])])
def test_the_cheapest_come_first_and_pay_a_need_once(lab: Lab, most: float,
                                                     names: list[str]) -> None:
    three = measurements(100, 10, 5)
    assert [one.name for one in planning.cheapest(three, Costs(three), lab, most)] == names


def test_stale_is_what_another_engine_or_recipe_measured(lab: Lab) -> None:
    [one] = measurements(1)
    today = replace(one, entry=one.entry | {"engine": publishing.fingerprint()})
    assert command.stale(one, lab, False)
    assert not command.stale(today, lab, False)
    assert command.stale(today, lab, True)  # its work, as the recipe has it now, is not done
    lab.do(today.works[0])
    assert not command.stale(today, lab, True)


def test_all_works_of_the_list_have_a_cost() -> None:
    costs = Costs(ALL)
    assert all(costs.of(one.works) > 0 for one in MADE)
    assert {work for works in costs.owners.values() for work in works} == {
        work for one in MADE for work in closure(one.works)}


# Rewriting


def test_a_list_rewritten_with_its_own_values_is_the_same_to_the_byte() -> None:
    own = {one["name"]: {key: one[key] for key in ("version", "engine", "date", "cpu")
                         if key in one} | {"figures": one["figures"]}
           for one in docs.read() if "command" in one}
    assert rewriting.changed(TEXT, own) == TEXT


SAMPLE = '''# head
- name: a
  what: It's # not a comment
  command: hsevo match a b
  version: 0.4.0
  engine: 4635437819869d3e
  date: 2026-11-22
  figures: {rate: 50.57 % (50.03 to 51.11), games: "20,016", verdict: H1}  # kept

- name: b
  # kept, too
  version: 0.4.0
  engine: ab
  date: 2026-11-22
  cpu: ~30
  figures:
    table: |
      | a |
      | 1 |

# tail
'''


def test_only_what_was_measured_changes() -> None:
    new = {"version": "0.5.0", "engine": "1234567890123456", "date": date(2026, 12, 1), "cpu": 12,
           "figures": {"rate": "1.00 % (0.00 to 2.00)", "games": "2,016", "verdict": "None"}}
    found = rewriting.changed(SAMPLE, {"a": new, "b": {"cpu": 5, "figures": {
        "table": "| b |\n\n| 2 |\n"}}})
    assert found == (SAMPLE.replace("0.4.0", "0.5.0", 1).replace(
        "4635437819869d3e", '"1234567890123456"').replace(
        "2026-11-22", "2026-12-01\n  cpu: 12", 1).replace(
        "50.57 % (50.03 to 51.11)", "1.00 % (0.00 to 2.00)").replace(
        "20,016", "2,016").replace("H1", "None").replace("~30", "5").replace(
        "      | a |\n      | 1 |", "      | b |\n\n      | 2 |"))


@pytest.mark.parametrize("value", ["1,234", "+5, -1 to +10", "3: 4", "a # b", "- x", "0.97", "yes",
                                   "x: y}", 'say "x"'])
def test_any_text_is_written_so_that_it_reads_as_itself(value: str) -> None:
    changes = {"a": {"figures": {"rate": value, "games": value}}}
    rewriting.changed(SAMPLE, changes)  # raises ValueError if it reads otherwise


def test_what_is_not_in_the_list_is_refused() -> None:
    for changes in ({"c": {}}, {"a": {"figures": {"new": "1"}}}, {"a": {"machine": "x"}}):
        with pytest.raises(KeyError):
            rewriting.changed(SAMPLE, changes)


def test_readme_changes_whole_figures_alone() -> None:
    text = "won 66.77 % (64.80 to 68.61) of 2,016 games, 12,016 games and 2,016,000"
    pairs = {"66.77 % (64.80 to 68.61)": "60.00 % (58.00 to 62.00)", "2,016": "1,000",
             "9.9 %": "1.0 %"}
    found, said = rewriting.readme(text, pairs)
    assert found == "won 60.00 % (58.00 to 62.00) of 1,000 games, 12,016 games and 2,016,000"
    assert said == ["66.77 % (64.80 to 68.61) -> 60.00 % (58.00 to 62.00)", "2,016 -> 1,000"]


def test_readme_quotes_what_is_a_measurements_own() -> None:
    entries = [{"name": "a", "figures": {"games": "20,016", "rate": "1.0 % (0.5 to 2.0)"}},
               {"name": "b", "figures": {"games": "20,016", "rate": "1.0 % (0.5 to 2.0)",
                                         "table": "| x | 1.0 % (0.5 to 2.0) |\n"}}]
    new = {"games": "10,000", "rate": "3.0 % (2.0 to 4.0)"}
    assert publishing.quotable("a", entries[0]["figures"], new, entries) == {
        "1.0 % (0.5 to 2.0)": "3.0 % (2.0 to 4.0)"}
    table = {"table": "| x | 3.0 % (2.0 to 4.0) |\n"}
    found = publishing.quotable("b", {"table": entries[1]["figures"]["table"]}, table, entries)
    assert "1.0 % (0.5 to 2.0)" not in found


# What moved


@pytest.mark.parametrize(("after", "intervals", "difference"), [
    ("50.00 % (49.00 to 51.00)", "same", "none"),
    ("51.00 % (50.00 to 52.00)", "overlap", "within noise"),  # noise: 1.41
    ("51.50 % (50.50 to 52.50)", "overlap", "BEYOND NOISE"),
    ("53.00 % (52.00 to 54.00)", "apart", "BEYOND NOISE")])
def test_differences_are_measured_by_the_noise_of_both(after: str, intervals: str,
                                                       difference: str) -> None:
    [line] = moved.compare("a", {"rate": "50.00 % (49.00 to 51.00)"}, {"rate": after})
    assert (line.figure, line.intervals, line.difference) == ("a.rate", intervals, difference)
    assert line.moved == (intervals != "same")


def test_cells_of_tables_are_named_by_row_and_column() -> None:
    old = ("| won | seed 1 | seed 2 |\n|---|---|---|\n"
           "| `x` | 5.0 % (4.0 to 6.0) | 7.0 % (6.0 to 8.0) |\n")
    new = old.replace("7.0 % (6.0", "9.0 % (8.0").replace("to 8.0)", "to 10.0)")
    lines = moved.compare("a", {"table": old}, {"table": new})
    assert [(line.figure, line.moved) for line in lines] == [
        ("a.table `x`, seed 1", False), ("a.table `x`, seed 2", True)]
    assert moved.brief(lines) == "1 of 2 figures moved, 1 of them beyond noise"
    assert moved.brief(lines[:1]) == "none of 1 figures moved"


def test_other_words_and_numbers_without_intervals_have_moved() -> None:
    lines = moved.compare("a", {"best": "first, 5.0 % (4.0 to 6.0)", "games": "10",
                                "same": "x\ny\n", "output": "x\ny\n"},
                          {"best": "second, 5.0 % (4.0 to 6.0)", "games": "12", "same": "x\ny\n",
                           "output": "x\nz\n"})
    assert [(line.figure, line.moved, line.difference) for line in lines] == [
        ("a.best (its text)", True, "changed"), ("a.best", False, "none"),
        ("a.games", True, "changed"), ("a.same", False, "none"),
        ("a.output line 2", True, "changed")]
    text = moved.table(lines)
    assert "| a.games | 10 | 12 |  | changed |" in text
    assert "a.same" not in text


# The command


def measure(*words: str) -> Result:
    return CliRunner().invoke(command.main, words)


@pytest.mark.parametrize(("words", "says"), [
    (("--only", "nobody"), "there is no measurement 'nobody'; --list names all"),
    (("--only", "speed-bench"), "speeds are measured with --speed"),
    (("--only", "better-tried"), "better-tried is not measured: experiments with"),
    (("--release", "--cost", "seconds"), "--release takes no other choice of measurements"),
    (("--at-most", "10"), "'10' is no time; write 90s, 10m or 2h")])
def test_what_cannot_be_measured_gets_one_line(words: tuple[str, ...], says: str) -> None:
    result = measure(*words)
    assert result.exit_code == 2
    assert says in result.stderr


def test_the_list_has_all_measurements(tmp_path: Path) -> None:
    result = measure("--list", "--folder", str(tmp_path))
    assert result.exit_code == 0
    assert all(f"\n{one.name} " in result.output for one in ALL)
    assert not [*tmp_path.iterdir()]


def test_a_dry_run_says_what_would_be_done_and_does_nothing(tmp_path: Path) -> None:
    result = measure("--only", "run-eva", "--dry-run", "--folder", str(tmp_path), "--jobs", "2")
    assert result.output.splitlines()[1:4] == [
        "    hsevo evolve --config cig2018 --seed 2018 --out runs/cig2018-seed-2018 --json",
        "    hsevo export-best runs/cig2018-seed-2018 --games-per-pair 200 --output"
        " runs/cig2018-seed-2018-best-200.yaml --json",
        "    hsevo match 'eva:runs/cig2018-seed-2018-best-200.yaml' 'eva:2018' --games 20000"
        " --json"]
    assert not [*tmp_path.iterdir()]


def test_a_release_is_what_is_marked_whatever_its_engine(tmp_path: Path) -> None:
    result = measure("--release", "--dry-run", "--folder", str(tmp_path), "--jobs", "2")
    shown = {line.partition(":")[0] for line in result.output.splitlines() if line[0] != " "}
    marked = [one for one in ALL if one.of_release and not one.why_not]
    assert {one.name for one in marked} <= shown
    assert not shown & {one.name for one in ALL if not one.of_release}
    assert result.output.splitlines()[-1].startswith(f"{len(marked)} measurements, ")


def test_a_release_says_how_long_it_takes_and_measures_speeds_last(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[tuple[list[bool], int]] = []

    def measured(chosen: list[Measurement], costs: Costs, lab: Lab, jobs: int) -> int:
        parts.append(([one.is_speed for one in chosen], jobs))
        return 0

    monkeypatch.setattr(command, "measure", measured)
    result = measure("--release", "--folder", str(tmp_path), "--jobs", "3")
    assert re.search(r"for a release: \d+ measurements, .* of CPU time, .* with 3 at a time",
                     result.output)
    (_, *none), first = parts[0][0], parts[0][1]
    assert not any(none)
    assert first == parts[1][1] == 3
    assert not any(parts[1][0])
    assert all(parts[2][0])
    assert parts[2][1] == 1


def test_speeds_take_their_time_one_by_one(lab: Lab) -> None:
    two = measurements(80, 10)
    speed = replace(two[1], entry=two[1].entry | {"name": "speed-x"})
    assert command.duration([two[0], speed], Costs([two[0], speed]), lab, 2) == (
        "2 measurements, 90 s of CPU time, 50 s with 2 at a time")


def test_a_measurement_is_written_where_it_is_quoted(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = next(one for one in MADE if one.name == "random-eva")
    found = {"rate": "9.25 % (8.09 to 10.78)", "games": "2,016"}
    source, readme = tmp_path / "figures.yml", tmp_path / "README.md"
    (tmp_path / "pages").mkdir()
    page = tmp_path / "pages" / "a.md"
    source.write_text(TEXT, encoding="utf-8")
    old = one.entry["figures"]["rate"]
    page.write_text(f"x <!-- random-eva.rate -->{old}<!-- / --> y")
    readme.write_text(f"it won {old}")
    monkeypatch.setattr(docs, "SOURCE", source)
    monkeypatch.setattr(publishing, "README", readme)
    docs.read.cache_clear()
    lab = Lab(tmp_path / "lab")
    new = publishing.change(one, found, [], lab)
    assert publishing.publish(one, new) == [f"{old} -> {found['rate']}"]
    assert page.read_text() == f"x <!-- random-eva.rate -->{found['rate']}<!-- / --> y"
    assert readme.read_text() == f"it won {found['rate']}"
    entry = next(entry for entry in docs.read() if entry["name"] == "random-eva")
    assert entry["figures"] == found
    assert entry["engine"] == publishing.fingerprint()
    docs.read.cache_clear()


def test_what_else_was_made_goes_into_the_repository(
        lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Work("python -c pass", called="run")
    lab.folder(run).mkdir()
    (lab.folder(run) / "drawn.svg").write_text("new")
    (tmp_path / "docs.svg").write_text("old")
    monkeypatch.setattr(publishing, "ROOT", tmp_path)
    monkeypatch.setitem(AFTER, "one", (Work("cp {0}/drawn.svg docs.svg", (run,)),))
    assert publishing.after("one", lab) == ["cp runs/run/drawn.svg docs.svg"]
    assert (tmp_path / "docs.svg").read_text() == "new"
    assert publishing.after("another", lab) == []


def test_two_measurings_do_not_share_a_folder(tmp_path: Path) -> None:
    lab = Lab(tmp_path / publishing.fingerprint())
    lab.prepare()
    with FileLock(lab.path / "lock"):
        result = measure("--only", "pool", "--folder", str(tmp_path))
    assert result.exit_code == 2
    assert "another measuring runs in" in result.stderr


def test_a_recipe_that_fails_is_said_and_writes_nothing(
        lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    [one] = measurements(1)
    broken = replace(one, recipe={"x": figures.read(lambda lab: str(1 // 0), *one.works)})
    monkeypatch.setattr(publishing, "publish", lambda *_: pytest.fail("it was written"))
    assert command.measure([broken], Costs([broken]), lab, 1) == 1
    assert "m0: its figures can't be read or written: ZeroDivisionError" in capsys.readouterr().out


def test_what_moved_is_told_since_the_engine_before(
        lab: Lab, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Also when it was measured in several goes: what counts is what stood there at first."""
    lab.before("random-eva", {"rate": "9.00 % (8.00 to 10.00)", "games": "2,016"})
    lab.before("random-eva", {"rate": "1.00 % (0.00 to 2.00)", "games": "1"})
    command.report(lab)
    said = capsys.readouterr().out
    assert "| random-eva.rate | 9.00 % (8.00 to 10.00) | " in said
    assert "1 of 2 figures moved, 1 of them beyond noise" in said
    assert "Read again, for they quote what changed: results/agents.md." in said
    assert "| random-eva.rate |" in (lab.path / "moved.md").read_text()


def test_ctrl_c_ends_the_commands_that_run(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    long = Work("python -c \"import time; time.sleep(60)\"")

    def interrupted(*_: object, **__: object) -> None:
        while not lab._processes:
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr(doing, "wait", interrupted)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        [*doing.do([long], lab, 1)]
    assert time.monotonic() - begin < 30
    assert lab.record(long) is None
