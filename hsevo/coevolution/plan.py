"""What a plan of a coevolution means."""

from __future__ import annotations

from hsevo import config
from hsevo.agents.genomes.genome import Genome
from hsevo.agents.registry import evolved_genome
from hsevo.config.coevolution import Plan


def genome_of(plan: Plan) -> Genome:
    """Return the genome of the pilots, as of hsevo evolve. Raises AgentError."""
    return evolved_genome(config.Config(agent=plan.agent, decks=("mage",)), ["mage"])
