"""Short names of agents: what stays, what goes, and that no two agents ever share one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hsevo.agents.registry import ROSTER
from hsevo.play.specs import MOST, legend, short_names


@pytest.mark.parametrize(("spec", "name"), [
    ("eva:2018", "eva:2018"), ("eva:2018@mage", "eva:2018@mage"),
    ("rl:/home/me/runs/osfp-small-2026-11-22T10-31", "rl:osfp-small-2026-11-22T10-31"),
    ("rl:runs/mine#period-0003?search=turn", "rl:runs/mine#period-0003?search=turn"),
    ("rl:./runs/mine/?search=turn", "rl:runs/mine?search=turn"), ("rl:./mine/", "rl:mine"),
    ("eva:runs/x/best.json", "eva:best.json"),
    ("gsv:a/b.yaml#c/d?depth=2", "gsv:b.yaml#c/d?depth=2"),
    ("eva:wide:runs/mine#individual-7", "eva:wide:runs/mine#individual-7"),
    ("eva:runs/mine@decks/my-deck.txt", "eva:runs/mine@my-deck.txt"),
    ("eva:2018@AAECA/z+9/ab==", "eva:2018@AAECA/z+9/ab=="),
    ("gsv?depth=2", "gsv?depth=2"), ("gsv?depth=3&nodes=50", "gsv?nodes=50"),
    ("gsv?depth=3&nodes=100000", "gsv"), ("gsv?depth=2&depth=3", "gsv?depth=2&depth=3"),
    ("rl:..", "rl:.."), ("rl:/", "rl:/"), ("my/own/agent", "my/own/agent"),
    ("individual 7", "individual 7")])
def test_a_path_has_its_last_name_and_all_else_stays(spec: str, name: str) -> None:
    """What is in `runs` keeps that folder: its name works in a command."""
    assert short_names([spec]) == {spec: name}


@pytest.mark.parametrize(("specs", "names"), [
    (["rl:/a/run", "rl:/b/run", "rl:/c/other"], ["rl:a/run", "rl:b/run", "rl:other"]),
    (["rl:/a/x/run", "rl:/b/x/run", "rl:x/run"], ["rl:a/x/run", "rl:b/x/run", "rl:x/run"]),
    (["rl:run", "rl:runs/run"], ["rl:run", "rl:runs/run"]),
    (["rl:run", "rl:run/", "rl:./run"], ["rl:run", "rl:run/", "rl:./run"]),
    (["eva:a/b#1", "eva:a/b#2"], ["eva:b#1", "eva:b#2"]),
    (["eva:a/b#1", "eva:c/b#2@d"], ["eva:a/b#1", "eva:c/b#2@d"]),  # else b would be one file
    (["rl:a/b", "eva:c/b"], ["rl:b", "eva:b"]),
    (["eva:2018@a/d.txt", "eva:2018@b/d.txt"], ["eva:2018@a/d.txt", "eva:2018@b/d.txt"]),
    (["gsv", "gsv?depth=3"], ["gsv", "gsv?depth=3"]),
    (["x\0", "x\1", "x "], ["x ", "x  (2)", "x  (3)"])])
def test_a_name_is_longer_only_where_two_would_share_it(specs: list[str],
                                                        names: list[str]) -> None:
    assert [*short_names(specs).values()] == names


@pytest.mark.parametrize(("spec", "name"), [
    ("eva:/home/2018", "eva:home/2018"), ("dl:x/miller", "dl:x/miller"),
    ("eva:a/wide:b", "eva:a/wide:b"), ("eva:a/2018?x=1", "eva:a/2018?x=1")])
def test_a_folder_called_like_an_agent_of_the_roster_is_not_taken_for_it(spec: str,
                                                                         name: str) -> None:
    assert short_names([spec]) == {spec: name}


def test_hostile_names_are_printable_and_short() -> None:
    long, other = "rl:" + "x/" * 200 + "y" * 500, "\x1b[2J\n" + "z" * 10**6
    names = short_names([long, other, other + "z"])
    assert all(name.isprintable() for name in names.values())
    assert len(names[long]) == MOST
    assert max(map(len, names.values())) <= MOST + len(" (2)")


PARTS = st.sampled_from(["a", "b", "2018", "wide", "runs", "..", ".", "", "x\0", "y" * 70])
PATHS = st.lists(PARTS, max_size=4).map("/".join)
SPECS = st.one_of(
    st.sampled_from(sorted(ROSTER)), st.text(max_size=8),
    st.builds("{}:{}{}{}".format, st.sampled_from(["rl", "eva", "eva:wide", "dl", "gsv"]), PATHS,
              st.sampled_from(["", "#1", "?depth=3", "?depth=2", "#a/b"]),
              st.one_of(st.just(""), st.builds("@{}".format, PATHS))))


@given(st.lists(SPECS, max_size=12, unique=True))
@example(["x", "x\0", "x (2)", "x\1"])
def test_no_two_agents_share_a_name(specs: list[str]) -> None:
    names = short_names(specs)
    assert [*names] == specs
    assert len({*names.values()}) == len(specs)
    assert all(name.isprintable() for name in names.values())
    assert not any(name in ROSTER and spec.partition("?")[0] != name
                   for spec, name in names.items() if spec.isprintable())


def test_the_legend_has_what_the_name_does_not_tell() -> None:
    specs = ["rl:/home/me/runs/one", "rl:runs/two", "eva:2018", "eva:2018@decks/my.txt",
             "gsv?depth=3", "eva:2018@far/other.txt", "rl:three"]
    assert legend(short_names(specs)) == ["rl:one: rl:/home/me/runs/one",
                                          "eva:2018@other.txt: eva:2018@far/other.txt"]
