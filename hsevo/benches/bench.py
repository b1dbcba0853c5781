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

    Run nothing else on the machine meanwhile.

    Parameters
    ----------
    agents : str or iterable of str, optional
        Measure these agents instead, each against itself. The name of a panel, such as
        "panel-2026", stands for all its agents.
    seconds : float, default 10.0
        Approximate time of each measurement, in seconds.
    generation : bool, default False
        Measure the costs of a generation of the paper's experiment except its games, and calculate
        the time that more workers save.
    environment : bool, default False
        Measure `hsevo.make_vec` and `hsevo.aec_env` instead, with random play.
    kernel : bool, default False
        Measure the parts of a simulated action instead.
    progress : bool or callable, default False
        Show a progress bar, or call a function with the games played and in total.

    Returns
    -------
    dict
        Keys figures, baseline, machine and hsevo, ready for JSON. baseline has the relative
        differences from the stored measurements of a version, as fractions.

    Raises
    ------
    AgentError
        If an agent is unknown, damaged or unable to play here.
    ConfigError
        If an argument has a wrong type or is out of range.

    Examples
    --------
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
        figures: dict[str, Any] = benches.measure(seconds, say)
        return figures
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
    speeds = environment.measure({"vector": first, "against_eva": against}, aec_env(), seconds)
    first.close()
    against.close()
    return {"environment": speeds} | benches.about(seconds)
