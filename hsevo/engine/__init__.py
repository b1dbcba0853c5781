"""The compiled engine: it knows the tables' types and meanings, and not a single card's name.

Its rooms, each of which imports only from those before it: `record` (a game as one flat record),
`rules` (what stands in the rulebook), `operations` (what the rows of card texts do, and the loop
that resolves them), `forecast` (what an action that nothing answers would do, without making it),
`game` (its beginning, legal moves, making one), `view` (what may be seen of it). Beside them: how
kernels are compiled (`jit`) and kept on disk (`code_cache`).
"""
