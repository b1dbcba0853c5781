"""Checks of learning plans that are for new runs alone."""

from __future__ import annotations

from hsevo import config
from hsevo.agents.learned.nets import NOT_COMPILED
from hsevo.agents.registry import PY
from hsevo.config.learning import (
    END_TO_END,
    MMD,
    PPO,
    SCRATCH,
    TD,
    LearnerSettings,
    NetworkSettings,
    Plan,
)
from hsevo.errors import ConfigError
from hsevo.strength.roster import torch_file

METHODS = {"clip": (PPO,), "stepsize": (MMD,), "entropy": (PPO, MMD), "expert": (TD,),
           "targets": (TD,)}
SECTIONS = {"afterstate": "learner", END_TO_END: "network"}  # what only this policy reads


def refuse_unused(plan: Plan) -> None:
    """Raise ConfigError if a plan changes a key that only the other policy reads, or names what
    only the other plays.

    Not a check of `Plan`: run folders of older versions may have such keys.
    """
    _refuse_policies(plan)
    _refuse_dropout(plan.learner)
    _refuse_methods(plan)
    _refuse_idle(plan.network)
    for policy, section in SECTIONS.items():
        values = getattr(plan, section)
        for key, field in type(values).model_fields.items():
            if policy != plan.policy and getattr(values, key) != field.default:
                raise ConfigError(
                    f"{section}.{key} is {config.short(getattr(values, key))}, but section"
                    f" '{section}' is of policy '{policy}' alone, and this policy is"
                    f" '{plan.policy}'; its section is '{SECTIONS[plan.policy]}'")


def _refuse_dropout(learner: LearnerSettings) -> None:
    """Raise ConfigError for a share of cards to be left out where there is nothing beside."""
    if learner.cards != "both" and learner.card_dropout != LearnerSettings().card_dropout:
        raise ConfigError(f"learner.card_dropout is {config.short(learner.card_dropout)}, but is of"
                          f" learner.cards 'both' alone, and that is '{learner.cards}'")


def _refuse_methods(plan: Plan) -> None:
    """Raise ConfigError for what another method of learning has, or can learn from."""
    given, known = plan.learner, LearnerSettings()
    for key, methods in METHODS.items():
        value = getattr(given, key)
        if given.method not in methods and value != getattr(known, key):
            raise ConfigError(f"learner.{key} is {config.short(value)}, but is of learner.method"
                              f" {' and '.join(map(repr, methods))} alone, and that is"
                              f" '{given.method}'")
    way = f"learner.method '{given.method}'"
    other = f"with learner.method {TD}"
    if given.method == TD:
        way, other = f"learner.targets '{given.targets}'", f"with learner.targets {TD}"
    for key, value, none in (("start", plan.start, SCRATCH), ("against", plan.against, None)):
        if given.needs_options and value != none:
            raise ConfigError(f"{key} is {value}, but {way} learns from games against itself and"
                              f" its pool alone; {other} it can be given")
    if given.needs_options and given.expert != known.expert:
        raise ConfigError(f"learner.expert is {given.expert}, but {way} learns from all that a"
                          f" policy without search could do; {other} it can be given")


def _refuse_idle(network: NetworkSettings) -> None:
    """Raise ConfigError for settings of the network that would change nothing, or no bounds."""
    known = NetworkSettings()
    for key, active, needs in (
            ("epsilon", network.gradient == "ppo", "network.gradient 'ppo'"),
            ("stepsize", network.gradient == "mmd", "network.gradient 'mmd'"),
            ("hero_entropy", network.pick_hero, "network.pick_hero")):
        value = getattr(network, key)
        if not active and value != getattr(known, key):
            raise ConfigError(f"network.{key} is {config.short(value)}, but is of {needs} alone")
    if network.trace_clip and network.trace_clip[1] > network.clip[1]:
        raise ConfigError(f"network.trace_clip is {config.short(list(network.trace_clip))}, but its"
                          f" upper end must not be above that of clip, {network.clip[1]:g}: V-trace"
                          " converges for c up to rho")


def _refuse_policies(plan: Plan) -> None:
    """Raise ConfigError if games are to be played against what can't play in them.

    Games that are all compiled, against a network of PyTorch; games that are learned from, against
    a Python player, whose file is not run.
    """
    named = [("against", plan.against),
             *(("references.against", name) for name in plan.references.against)]
    for key, name in named:
        if name and name.startswith(f"{PY}:"):
            raise ConfigError(f"{key}: '{name}' is a Python player, which hsevo learn does not"
                              " meet; measure the player against it with hsevo match")
        if plan.policy != END_TO_END and torch_file(name):
            raise ConfigError(f"{key}: '{name}' {NOT_COMPILED}; learn with a config end-to-end-*,"
                              " which takes it there")
