"""Cards as data: vocabulary, card files, rulesets, tables, decks."""
