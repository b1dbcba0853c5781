"""EVA: the greedy agent whose 21 weights the paper evolves, and its further terms."""
