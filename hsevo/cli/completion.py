"""Shell completion: `hsevo completion SHELL`, and what is offered where a thing is named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from hsevo import generated
from hsevo.config import names

SHELLS = ("bash", "zsh", "fish")
# bash parts words at ':' as well, and "eva:2018" is one.
BASH = 'COMP_WORDBREAKS="${COMP_WORDBREAKS//:}"\n'


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print a script that completes commands, options and names with Tab.

    The names are those of configs, studies, ladders, decks, agents, and your runs in runs/.

    \b
    eval "$(hsevo completion bash)"     also add this line to ~/.bashrc
    eval "$(hsevo completion zsh)"      also add this line to ~/.zshrc
    hsevo completion fish | source      or in ~/.config/fish/config.fish
    """
    from hsevo.cli.root import main

    completer = get_completion_class(shell)
    assert completer is not None, shell  # click has all of SHELLS
    script = completer(main, {}, "hsevo", "_HSEVO_COMPLETE").source()
    click.echo((BASH if shell == "bash" else "") + script)


Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def offering(*sources: Callable[[], Iterable[str]], files: bool = True,
             several: bool = False) -> Complete:
    """Return what completes a word by names, and by files where no name fits.

    several: names may be parted by commas; the last one is completed.
    """
    def complete(ctx: click.Context, parameter: click.Parameter,
                 incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
        words = (word for source in sources for word in source())
        completions = [CompletionItem(before + comma + name) for name in dict.fromkeys(words)
                       if name.startswith(last)]
        return completions or ([CompletionItem(incomplete, "file")] if files else [])

    return complete


def configs() -> Iterable[str]:
    """Return the names of configs."""
    return names("configs")


def studies() -> Iterable[str]:
    """Return the names of studies."""
    return names("configs/studies")


def learning() -> Iterable[str]:
    """Return the names of learning configs."""
    return names("configs/learning")


def ladders() -> Iterable[str]:
    """Return the names of ladders."""
    return names("configs/ladders")


def deck_searches() -> Iterable[str]:
    """Return the names of configs of searches for decks."""
    return names("configs/decks")


def coevolutions() -> Iterable[str]:
    """Return the names of configs of coevolutions."""
    return names("configs/coevolve")


def decks() -> Iterable[str]:
    """Return the names of decks."""
    return names("decks")


def kinds() -> Iterable[str]:
    """Return the kinds of agents that have weights."""
    return generated.EVOLVED


def agents() -> Iterator[str]:
    """Yield the agents that have a name, and the best of the runs in runs/."""
    yield from generated.NAMED
    yield from (f"{_kind(Path(run))}:{run}" for run in runs())


def panels() -> Iterable[str]:
    """Return the names of panels."""
    return generated.PANELS


def runs() -> Iterable[str]:
    """Return the run folders in runs/, the newest first."""
    there = Path("runs").glob("*/config.yaml")
    return [str(path.parent) for path in sorted(there, key=_changed, reverse=True)]


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _kind(run: Path) -> str:
    """Return the kind of agent that a run evolves, as its config says; "rl": it learns."""
    try:
        lines = (run / "config.yaml").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "eva"
    if any(line.startswith("periods:") for line in lines):
        return "rl"
    named = next((line for line in lines if line.startswith("agent:")), "agent: eva")
    return named.partition(":")[2].strip(" '\"").partition("?")[0]



RUNS, CONFIGS, STUDIES, KINDS, LEARNING, DECK_SEARCHES, COEVOLUTIONS, LADDERS = map(
    offering, (runs, configs, studies, kinds, learning, deck_searches, coevolutions, ladders))
PANEL = offering(panels, files=False)
DECKS, AGENTS = offering(decks, several=True), offering(agents, several=True)
CONFIG_OR_STUDY = offering(configs, studies)
DECK, AGENT, RUN_OR_AGENT = offering(decks), offering(agents), offering(runs, agents)
