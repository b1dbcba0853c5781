"""What all agents share: their record, their scratch memory, scores, and worlds to play on in."""
