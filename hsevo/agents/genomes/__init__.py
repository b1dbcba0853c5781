"""What evolution changes: genomes, the weights in files, and agents that were evolved."""
