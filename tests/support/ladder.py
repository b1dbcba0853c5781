"""A ladder of three rungs that takes two seconds, for several test files."""

TINY = """\
config: osfp-smoke
rungs:
  one: {decks: [mage], periods: 1, rounds: 1, games: 4, payoff_games: 0, references.against: []}
  two: {games: 8}
  three: {learner.trace: 0.9}
seeds: [1, 2]
games: 8
against: [random]
games_against: 6
published:
  source: nobody
  rates:
    one: [50.0, 40.0, 30.0]
    two: [60.0, 50.0, 45.5]
    three: [70.0, 54.5, 50.0]
"""
