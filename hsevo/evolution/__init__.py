"""Evolution: strategies, fitness, and the loop that evolves agents."""
