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

METHODS = {"clip": (PPO,), "stepsize": (MMD,), "entropy": (PPO, MMD), "asked": (PPO, MMD),
           "expert": (TD,), "targets": (TD,)}
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
                    f" '{section}' is only for policy '{policy}', and this policy is"
                    f" '{plan.policy}'; use section '{SECTIONS[plan.policy]}'")


def _refuse_dropout(learner: LearnerSettings) -> None:
    """Raise ConfigError for a share of cards to be left out where nothing else would be left."""
    if learner.cards != "both" and learner.card_dropout != LearnerSettings().card_dropout:
        raise ConfigError(f"learner.card_dropout is {config.short(learner.card_dropout)}, but needs"
                          f" learner.cards 'both'; the config has '{learner.cards}'")


def _refuse_methods(plan: Plan) -> None:
    """Raise ConfigError for what another method of learning has, or can learn from."""
    settings, known = plan.learner, LearnerSettings()
    for key, methods in METHODS.items():
        value = getattr(settings, key)
        if settings.method not in methods and value != getattr(known, key):
            raise ConfigError(f"learner.{key} is {config.short(value)}, but needs learner.method"
                              f" {' or '.join(map(repr, methods))}; the config has"
                              f" '{settings.method}'")
    if settings.asked != known.asked and plan.start == SCRATCH:
        raise ConfigError(f"learner.asked is {config.short(settings.asked)}, but needs a teacher;"
                          " set start")
    way = f"learner.method '{settings.method}'"
    remedy = f"with learner.method {TD}"
    if settings.method == TD:
        way, remedy = f"learner.targets '{settings.targets}'", f"with learner.targets {TD}"
    taught = settings.method != TD
    for key, value, none in (("start", SCRATCH if taught else plan.start, SCRATCH),
                             ("against", plan.against, None)):
        if settings.needs_options and value != none:
            raise ConfigError(f"{key} is {value}, but {way} learns only from games against itself"
                              f" and its opponent pool; {remedy} it can be given")
    if settings.needs_options and settings.expert != known.expert:
        raise ConfigError(f"learner.expert is {settings.expert}, but {way} learns from actions of a"
                          f" policy without search; {remedy} it can be given")


def _refuse_idle(network: NetworkSettings) -> None:
    """Raise ConfigError for settings of the network that would change nothing, or no bounds."""
    known = NetworkSettings()
    for key, active, needs in (
            ("epsilon", network.gradient == "ppo", "network.gradient 'ppo'"),
            ("stepsize", network.gradient == "mmd", "network.gradient 'mmd'"),
            ("hero_entropy", network.pick_hero, "network.pick_hero")):
        value = getattr(network, key)
        if not active and value != getattr(known, key):
            raise ConfigError(f"network.{key} is {config.short(value)}, but needs {needs}")
    if network.trace_clip and network.trace_clip[1] > network.clip[1]:
        raise ConfigError(f"network.trace_clip is {config.short(list(network.trace_clip))}, but its"
                          f" upper end must be at most the upper end of clip, {network.clip[1]:g},"
                          " because V-trace converges for c up to rho")


def _refuse_policies(plan: Plan) -> None:
    """Raise ConfigError if games are to be played against what can't play in them.

    Games that are all compiled, against a network of PyTorch; games that are learned from, against
    a Python player, whose file is not run.
    """
    named = [("against", plan.against),
             *(("references.against", name) for name in plan.references.against)]
    for key, name in named:
        if name and name.startswith(f"{PY}:"):
            raise ConfigError(f"{key}: '{name}' is a Python player, which hsevo learn cannot use;"
                              " measure the learned player against it with hsevo match")
        if plan.policy != END_TO_END and torch_file(name):
            raise ConfigError(f"{key}: '{name}' {NOT_COMPILED}; use an end-to-end-* config, which"
                              " accepts it")
