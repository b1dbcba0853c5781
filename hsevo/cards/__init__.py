"""Cards as data: the vocabulary, the sets, rulesets, tables for the kernel, decks, wording."""
