"""The cards as data, one file per set, written in the vocabulary."""
