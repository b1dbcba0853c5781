"""`hsevo.bench`: measure the engine, agents, environments or what a generation costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hsevo.benches import decision, environment
from hsevo.benches import games as benches
from hsevo.benches import generation as generations
from hsevo.config import check_seconds
from hsevo.errors import ConfigError
from hsevo.experiments.playing import (
    Progress,
    print_line,
    warm_up,
)
from hsevo.learning.environments import aec_env, make_vec
from hsevo.strength.agents import specs_of
from hsevo.strength.panel import panels, read_plan
from hsevo.strength.roster import read_agents


def bench(agents: str | Iterable[str] | None = None, *, seconds: float = 10.0,
          generation: bool = False, environment: bool = False, kernel: bool = False,
          progress: Progress = False) -> dict[str, Any]:
    """Measure games per second, compile time, start time and memory.

    Nothing else should run meanwhile. agents: measure these instead, each against itself; the name
    of a panel, such as "panel-2026", means all its agents. generation: measure what a generation of
    the paper's experiment costs besides its games, and calculate what more workers save.
    environment: measure `hsevo.make_vec` and `hsevo.aec_env` instead, by random play.
    kernel: measure the parts of a simulated action instead.
    Returns {"figures", "baseline", "machine", "hsevo"}, ready for JSON; baseline says by how much
    the ratios to the reference kernel differ from those of a stored version, as fractions.
    Raises AgentError, ConfigError.

    >>> sorted(hsevo.bench(["random"], seconds=0.5))
    ['agents', 'hsevo', 'machine']
    """
    def say(line: str) -> None:
        if progress is True:
            print_line(line)

    check_seconds(seconds)
    if (agents is not None) + generation + environment + kernel > 1:
        raise ConfigError("agents, generation, environment and kernel can't be combined")
    if environment:
        return _bench_environments(seconds, progress)
    if generation or kernel:
        warm_up(progress)
        return (decision.measure(seconds) if kernel
                else generations.report() | benches.about(seconds))
    if agents is None:
        warm_up(progress)
        found: dict[str, Any] = benches.measure(seconds, say)
        return found
    named = [spec for part in specs_of(agents) for spec in
             (read_plan(part).agents if part in panels() else [part])]
    read_agents(named)  # before the engine is compiled
    warm_up(progress)
    measured: dict[str, Any] = benches.measure_agents(named, seconds)
    return measured


def _bench_environments(seconds: float, progress: Progress) -> dict[str, Any]:
    """Measure random play: through compiled code alone, Gymnasium (also against EVA), AEC."""
    first = make_vec(num_envs=environment.GAMES)
    against = make_vec(num_envs=environment.GAMES, opponent="eva:2018")
    warm_up(progress)
    found = environment.measure({"vector": first, "against_eva": against}, aec_env(), seconds)
    first.close()
    against.close()
    return {"environment": found} | benches.about(seconds)
