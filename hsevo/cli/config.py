"""hsevo config: what an editor needs to know of configs."""

from __future__ import annotations

import json

import click

from hsevo import config as configs


@click.group()
def config() -> None:
    """Print the JSON schema of configs.

    \b
    hsevo config schema > hsevo.schema.json
    """


@config.command()
def schema() -> None:
    """Print the JSON schema of configs, with a description of every key.

    An editor with a YAML language server (VS Code, Neovim, Emacs ...) completes and checks a config
    whose first line names the schema:

    \b
    hsevo config schema > hsevo.schema.json
    # yaml-language-server: $schema=hsevo.schema.json
    """
    click.echo(json.dumps(configs.schema(), indent=2))
