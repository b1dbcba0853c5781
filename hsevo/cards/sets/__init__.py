"""The cards as data, a file a set; nothing here but calls of the vocabulary."""
