"""An evolution of any genome: units, resuming, and a whole run of another agent than EVA."""

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hsevo import config
from hsevo.agents.genomes.genome import Genome, genome
from hsevo.agents.genomes.weights import EVA, read_weights
from hsevo.agents.registry import genome_of
from hsevo.evolution.run import Run
from hsevo.evolution.strategies import limits, strategy
from hsevo.play.workers import open_workers
from hsevo.runs.tables import Generation
from hsevo.strength.roster import read_agent
from tests.support import DATA
from tests.support.command import fails, hsevo

SMALL = {"evolution.mu": 3, "evolution.lambda": 6, "evolution.generations": 4}
ES, CMA = {}, {"evolution.strategy": "cma-es"}


def course(of: Genome, settings: dict[str, Any], past: Any = (), last: int = 4) -> list[Any]:
    """Return the rated fields of an evolution that likes weights near their highest."""
    plan = config.change(config.load("smoke"), SMALL | settings)
    random, fields = Random(7), list(past)
    source = strategy(plan.evolution, of, random, fields)
    for number in range(len(fields), last):
        field = source.ask(number)
        field["fitness"] = of.shares(field["weights"]).sum(axis=1)
        field["survived"] = np.isin(field["id"], source.tell(field))
        fields.append(field)
    return [*fields, random.getstate()]


def scaled(factor: float) -> Genome:
    """Return EVA's genome with all bounds, and the scale, so many times as wide."""
    return genome([(name, 0.0, factor, "") for name in EVA.names], (factor * EVA.default).tolist(),
                  lambda vectors: EVA.build(vectors / factor))


@pytest.mark.parametrize("settings", [ES, CMA])
def test_an_evolution_knows_no_units(settings: dict[str, Any]) -> None:
    """The same course, to the bit, for weights that are 64 times as large."""
    for one, other in zip(course(EVA, settings)[:-1], course(scaled(64.0), settings)[:-1],
                          strict=True):
        assert np.array_equal(64 * one["weights"], other["weights"])
        assert np.array_equal(one["sigmas"], other["sigmas"])
        assert np.array_equal(one["id"], other["id"])


@pytest.mark.parametrize("settings", [ES, CMA])
@pytest.mark.parametrize("name", ["dl", "gsv", "mcts:knowledge"])
def test_weights_stay_within_bounds_of_their_own(name: str, settings: dict[str, Any]) -> None:
    of = genome_of(name)
    fields = course(of, settings | {"evolution.bounds": [0.25, 1.0]})[:-1]
    for field in fields:
        assert (field["weights"] >= of.at(0.25)).all()
        assert (field["weights"] <= of.high).all()
    spread = of.shares(np.concatenate([field["weights"] for field in fields])).std(axis=0)
    assert (spread > 0.01).all()
    low, high = limits(config.load("smoke").evolution, of)
    assert np.array_equal(low * of.scale, of.low)
    assert np.array_equal(high * of.scale, of.high)


@pytest.mark.parametrize("settings", [ES, CMA])
def test_an_evolution_of_another_genome_goes_on_to_the_same_bits(settings: dict[str, Any]) -> None:
    of = genome_of("gsv")
    whole = course(of, settings)
    half = course(of, settings, last=2)
    again = course(of, settings, half[:-1])
    for one, other in zip(whole[:-1], again[:-1], strict=True):
        assert one.tobytes() == other.tobytes()


# -- a run of the dynamic look-ahead, with the real engine ----------------------------------------

AGENT = "dl?depth=1"


def dl_run(path: Path, stop: int | None = None) -> None:
    """Evolve AGENT for three generations; stop: before committing that one, as a kill would."""
    def watch(generation: Generation) -> None:
        if generation.number + 1 == stop:
            raise KeyboardInterrupt

    run = Run.lock(path) if path.exists() else Run.make(
        path, config.change(config.load("smoke"), {
            "agent": AGENT, "evolution.mu": 3, "evolution.lambda": 2, "games": 2}), DECKS)
    try:
        with open_workers(config.Workers(backend="serial")) as executor:
            run._make_steps(executor, watch)
    except KeyboardInterrupt:
        pass
    finally:
        run.close()


def _decks() -> list[Any]:
    from hsevo.cards.decks import read_deck

    return [read_deck(name) for name in ("warrior", "shaman", "mage")]


DECKS = _decks()


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dl") / "mine"
    dl_run(path)
    return path


def test_a_run_of_another_agent_has_its_columns(run: Path) -> None:
    of = genome_of(AGENT)
    table = Run(run).population
    assert list(table.columns[-18:]) == [*of.names, *(f"sigma_{name}" for name in of.names)]
    vectors = table[list(of.names)].to_numpy()
    assert ((of.low <= vectors) & (vectors <= of.high)).all()
    assert np.ptp(vectors, axis=0).max() > 1


def test_a_run_of_another_agent_goes_on_after_a_kill(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "mine"
    dl_run(other, stop=2)
    assert not (other / "done").exists()
    dl_run(other)
    for name in ("population.csv", "statistics.csv"):
        assert (run / name).read_bytes() == (other / name).read_bytes()


def test_a_genome_that_changed_cannot_go_on(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "mine"
    dl_run(path, stop=2)
    monkeypatch.setattr(Genome, "digest", lambda self: "another")
    message = fails("evolve", "--resume", path)
    assert "was begun with genome" in message
    assert len(message.splitlines()) == 1


def test_every_command_reads_a_run_of_another_agent(run: Path, here: Path) -> None:
    assert "add up" in hsevo("verify", run).stdout
    assert "ENEMY_ATTACK" in hsevo("watch", "--once", run).stdout
    shown = hsevo("replay", run, "--game", 1, "--html", "game.html", "--output", "game.txt")
    assert "reproduced: all 2 games" in shown.stderr
    assert Path("game.html").exists()
    assert "+" in "".join(line[:16] for line in Path("game.txt").read_text().splitlines()
                          if line.startswith("->"))  # the scores of its lines
    named = hsevo("export-best", run, "--games-per-pair", 2, "--output", "best.yaml")
    assert "individual-" in named.stderr
    exported = read_weights("best.yaml", genome_of("dl"))
    best = read_agent("dl:best.yaml?depth=1")
    assert best.tobytes() == read_agent(f"dl:{run}#{exported[0][0]}").tobytes()
    assert best.tobytes() == genome_of(AGENT).build(exported[1]).tobytes()
    assert best["budget"][0, 1] == 1
    assert read_agent("dl:best.yaml")["budget"][0, 1] == 0


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_run_of_another_agent_is_examined_and_reported(run: Path, here: Path) -> None:
    found = hsevo("examine", f"dl:{run}", "--against", "random", "--games", 2, "--style-games", 2,
                  "--out", "examined")
    assert found.exit_code == 0, found.output
    table = pd.read_csv("examined/landscape.csv")
    assert table["weight"].unique().tolist() == ["as it is", *genome_of("dl").names]
    assert table["value"].min() == -128
    drawn = hsevo("report", run, "--examined", "examined", "--out", "drawn")
    assert drawn.exit_code == 0, drawn.output
    names = {path.name for path in Path("drawn/figures").iterdir()}
    assert {"champions.svg", "landscape.svg", "worth.svg", "weights-position.svg"} <= names
    assert "from 0 to 1" not in Path("drawn/report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("words", "said"), [
    (("match", "eva:RUN#individual-1", "random"), "evolved dl?depth=1; write dl:RUN#individual-1"),
    (("match", "dl:RUN?depth=2", "random"), "the options of a run come from its config"),
    (("export-best", "RUN", "--format", "sabberstone"), "these agents have no format"),
    (("report", "RUN", "OLD"), "which has different weights; make two reports"),
    (("evolve", "--config", "smoke", "--set", "agent=evva"), "did you mean 'eva'?"),
    (("evolve", "--config", "smoke", "--set", "agent=random"), "has no weights that can evolve"),
    (("evolve", "--config", "smoke", "--set", "agent=3"), "agent is 3, but must be text, or a"),
    (("evolve", "--config", "smoke", "--set", "agent=mcts:vanilla", "--set", "evolution.lambda=5",
      "--set", "evolution.strategy=cma-es", "--out", "new"), "has one weight, and cma-es needs"),
])
def test_what_does_not_fit_is_said(run: Path, words: tuple[str, ...], said: str,
                                   here: Path) -> None:
    old = DATA / "run-0.1.0"
    message = fails(*(word.replace("RUN", str(run)).replace("OLD", str(old)) for word in words))
    assert said.replace("RUN", str(run)) in message
    assert len(message.splitlines()) == 1
    assert not any(here.iterdir())
