"""A player that asks a language model for its moves, by the text of what it sees.

    hsevo match py:examples/llm_player.py#decide random --games 18
    python examples/llm_player.py 18    the same match, and how long the prompts were

Without a model, `stand_in` answers: a few lines that read the prompt, need no network and always
give the same answer. To ask a model, set LLM_URL, LLM_MODEL and LLM_KEY for a chat API in the form
of OpenAI's, which most servers of local models have, too. hsevo waits 60 s for a decision; add
?seconds=300 for slower models, and --workers 4 to ask for four games at a time.
"""

import json
import os
import re
import sys
import urllib.request

import numpy as np

import hsevo

RULES = """You play a game of Hearthstone, a card game for two. You win when the health of the
opponent's hero is 0. Each turn, make one move after another until you end your turn.
"""
ASK = "Think about the moves, then end your answer with the line 'Move: NUMBER'."
AGAIN = "Your last answer named no legal move. End your answer with a line such as 'Move: 1'."
COST = re.compile(r"\d+\. (?P<name>.+) \(cost (?P<cost>\d+), ")


def chat(prompt):
    """Return the answer of a chat API to a prompt."""
    data = {"model": os.environ["LLM_MODEL"], "temperature": 0,
            "messages": [{"role": "user", "content": prompt}]}
    headers = {"Content-Type": "application/json",
               "Authorization": f"Bearer {os.environ.get('LLM_KEY', '')}"}
    request = urllib.request.Request(os.environ["LLM_URL"], json.dumps(data).encode(), headers)
    with urllib.request.urlopen(request, timeout=55) as reply:
        return json.load(reply)["choices"][0]["message"]["content"]


def stand_in(prompt):
    """Answer as a model would: attack the hero, else play the dearest card, else end the turn."""
    board, _, moves = prompt.rpartition("Legal moves:")
    costs = {match["name"]: int(match["cost"]) for match in COST.finditer(board)}

    def worth(move):
        named = [cost for name, cost in costs.items() if move.startswith(f"play {name}")]
        own_goal = " at " in move and (" at the own hero" in move or "(own minion" in move)
        return (move.startswith("attack the enemy hero"), bool(named) and not own_goal,
                max(named, default=0), move.startswith("use ") and not own_goal,
                move.startswith("attack "), move in ("end the turn", "keep the other cards"))

    listed = re.findall(r"^(\d+)\. (.+)$", moves, re.MULTILINE)
    number, move = max(listed, key=lambda item: worth(item[1]))
    return f"I {move}.\nMove: {number}"


complete = chat if "LLM_URL" in os.environ else stand_in


def prompt_of(view):
    """Return what the model is asked at a decision."""
    moves = "\n".join(f"{number}. {move}" for number, move in enumerate(view.moves, start=1))
    return f"{RULES}\n{view.text}\n\nLegal moves:\n{moves}\n\n{ASK}"


def parsed(answer, view):
    """Return the legal move that the last 'Move:' line of an answer names; None for none."""
    said = re.findall(r"move:[\s*]*(.+)", answer, re.IGNORECASE)
    if not said:
        return None
    number = re.match(r"\d+", said[-1])
    if not number:
        return view.find(said[-1].strip(" *'\"`"))
    return view.moves[int(number[0]) - 1] if 0 < int(number[0]) <= len(view.moves) else None


def decide(view, ask=None):
    """Return the move that the model chooses; after two bad answers, the first legal move."""
    ask = ask or complete
    if len(view.moves) == 1:
        return view.moves[0]
    prompt = prompt_of(view)
    return parsed(ask(prompt), view) or parsed(ask(f"{prompt}\n{AGAIN}"), view) or view.moves[0]


def main():
    """Play a match against random play; print its result and the lengths of the prompts."""
    lengths = []

    def ask(prompt):
        lengths.append(len(prompt))
        return complete(prompt)

    def player(view):
        return decide(view, ask)

    games = int(sys.argv[1]) if len(sys.argv) > 1 else 18
    print(hsevo.match(player, "random", games=games, workers=1))
    middle, high = np.percentile(lengths, (50, 95))
    print(f"characters of a prompt: {middle:,.0f} (median), {high:,.0f} (95th percentile),"
          f" {max(lengths):,} (longest)")


if __name__ == "__main__":
    try:
        main()
    except hsevo.HsevoError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
