"""The rulebook: what is legal, costs, affects, dies, listens and continues, for any card."""
