"""The study of ways to learn: which setting it chooses."""

import pandas as pd

from studies.ways_study import chosen


def test_the_setting_that_ends_least_exploitable_is_chosen():
    table = pd.DataFrame({"game": ["one"] * 4, "way": ["PPO", "PPO", "OSFP", "OSFP"],
                          "rate": [0.1, 0.3, 0.1, 0.3], "exploitability": [0.2, 0.1, 0.3, 0.4]})
    assert chosen(table)[["way", "rate"]].to_numpy().tolist() == [["PPO", 0.3], ["OSFP", 0.1]]
