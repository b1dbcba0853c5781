"""What cards do, in English: sentences made of the same rows that the engine runs."""
