"""hsevo config: the configs with names, and what an editor needs to know of them."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

import hsevo
from hsevo import config as configs
from hsevo.cli.completion import CONFIG_OR_STUDY
from hsevo.cli.lines import first_sentence
from hsevo.cli.shared import json_option, print_json
from hsevo.cli.tables import say, show_table
from hsevo.errors import HsevoError, printable


@click.group()
def config() -> None:
    """List or show configs, or print their JSON schema.

    \b
    hsevo config list
    hsevo config show cig2018
    hsevo config show smoke > mine.yaml     a copy that you can edit
    hsevo config schema > hsevo.schema.json
    """


@config.command("list")
@json_option
def list_configs(as_json: bool) -> None:
    """List the named configs, studies and ladders.

    The list includes the files of hsevo and your own files in ./configs.

    \b
    hsevo config list
    """
    heads = ["name", "for", "what it is"]
    rows = [*_rows("configs", "hsevo evolve"), *_rows("configs/learning", "hsevo learn"),
            *_rows("configs/decks", "hsevo decks evolve"),
            *_rows("configs/coevolve", "hsevo coevolve"), *_rows("configs/studies", "hsevo study"),
            *_rows("configs/ladders", "hsevo ladder")]
    if as_json:
        print_json({"configs": [dict(zip(heads, row, strict=True)) for row in rows]})
        return
    show_table(heads, rows, spare=["what it is"])
    say("more: hsevo config show NAME; run one with hsevo evolve --config NAME, hsevo learn"
        " --config NAME, hsevo decks evolve --config NAME, hsevo coevolve --config NAME, hsevo"
        " study NAME or hsevo ladder NAME")


@config.command()
@click.argument("source", metavar="NAME_OR_PATH", shell_complete=CONFIG_OR_STUDY)
def show(source: str) -> None:
    """Print a config, study or ladder, with its comments.

    \b
    hsevo config show cig2018
    hsevo config show smoke > mine.yaml
    """
    click.echo("\n".join(map(printable, hsevo.config_text(source).splitlines())))
    for line in configs.of_same_name(source):
        say(line, err=True)


@config.command()
def schema() -> None:
    """Print the JSON schema of configs, with a description of every key.

    If your editor has a YAML language server (VS Code, Neovim, Emacs), it completes and checks a
    config whose first line names the schema.

    \b
    hsevo config schema > hsevo.schema.json
    # yaml-language-server: $schema=hsevo.schema.json
    """
    click.echo(json.dumps(configs.schema(), indent=2))


def _rows(kind: configs.Kind, command: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, command and first sentence of the configs or studies that have names."""
    for name in map(printable, configs.names(kind)):
        try:
            yield name, command, first_sentence(configs.read_text(configs.find(name, kind)))
        except HsevoError as error:
            yield name, command, f"not readable: {error}"
