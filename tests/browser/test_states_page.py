"""The states of a game's page, without a server: acts go in, states and messages come out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("httpx2")

from tests.browser.test_play_page import visit
from tests.support.browser import MISSING, Page, browser
from tests.support.playing import serving

pytestmark = [pytest.mark.browser, pytest.mark.skipif(MISSING is not None, reason=str(MISSING))]
# Frames as the server sends them, and a page that notes what it would send.
BEGIN = """
const { begin, reduce, dialogOf } = await import("/static/state.js");
const hand = (n) => Array.from({ length: n }, (_, i) => ["me", "hand", i]);
const frame = (at, phase, moves) => ({ kind: "state", at, log: [], events: [], over: "",
  thinks: !moves.length, view: { phase, player: 0, to_move: moves.length ? 0 : 1, turn: 1 },
  moves: moves.map((move, i) => ({ place: -1, option: null, to: null, from: null, ...move,
    move: 100 * at + i })) });
const mulligan = (at, n) => frame(at, "mulligan", [
  ...hand(n).map((from) => ({ kind: "throw back", from })), { kind: "keep" }]);
const play = (at, ...moves) => frame(at, "play", [...moves, { kind: "end turn" }]);
let state = begin({ agent: "random" }), sent = [];
const act = (what) => {
  const [next, more] = reduce(state, what);
  state = next;
  sent.push(...more);
};
const hear = (message) => act({ type: "heard", message });
const shown = () => { while (state.queue.length) act({ type: "shown" }); };
"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with serving(tmp_path_factory.mktemp("states") / "play") as (_, opened), browser(
            800, 600) as page:
        visit(page, opened)
        yield page


def run(tab: Page, script: str) -> Any:
    """Return what a script makes of states."""
    return tab.call("execute/async", args=[], script=(
        f"(async () => {{ {BEGIN} {script} }})()"
        ".then(arguments[0], (error) => arguments[0](String(error)));"))


def test_a_mulligan_waits_for_frames_that_come_in_between(tab: Page) -> None:
    """A card is thrown back when all frames are shown, and none is left out."""
    assert run(tab, """
        hear(mulligan(0, 3)); shown();
        for (const place of [0, 2, 1, 1]) act({ type: "mark", place });
        act({ type: "throw" }); act({ type: "throw" });
        hear(mulligan(1, 3)); hear(mulligan(2, 3));
        act({ type: "shown" });
        const between = sent.length;
        shown(); hear(mulligan(3, 3)); shown();
        return [between, sent.map((one) => [one.move % 100, one.at]), dialogOf(state)];
        """) == [1, [[2, 0], [0, 2], [3, 3]], ""]


def test_a_refused_throw_asks_again(tab: Page) -> None:
    assert run(tab, """
        hear(mulligan(0, 3)); shown();
        act({ type: "mark", place: 1 }); act({ type: "throw" });
        hear({ kind: "refused", why: "no" });
        return [dialogOf(state), state.marked, state.notice.words];
        """) == ["mulligan", [], "no"]


def test_a_mulligan_stays_open_while_the_connection_is_lost(tab: Page) -> None:
    assert run(tab, """
        hear(mulligan(0, 3)); shown();
        act({ type: "mark", place: 1 }); act({ type: "line", lost: 1006 }); act({ type: "throw" });
        const lost = [dialogOf(state), state.marked, sent.length];
        act({ type: "line", lost: null }); act({ type: "throw" });
        return [lost, sent.map((one) => one.move), dialogOf(state)];
        """) == [["mulligan", [1], 0], [1], ""]


def test_one_move_at_a_time(tab: Page) -> None:
    """Nothing is sent while a move is on its way, frames wait, or the connection is lost."""
    assert run(tab, """
        const attack = { kind: "attack", from: ["me", "board", 0], to: ["foe", "hero", 0] };
        const strike = () => {
          act({ type: "escape" });
          for (const spot of [attack.from, attack.to]) act({ type: "click", spot });
          return sent.filter((one) => one.do === "move").length;
        };
        hear(play(0, attack)); shown();
        const first = [strike(), strike()];
        hear(play(1, attack));
        const waiting = strike();
        shown(); act({ type: "line", lost: 1006 });
        const lost = strike();
        act({ type: "line", lost: null });
        return [...first, waiting, lost, strike()];
        """) == [1, 1, 1, 1, 2]


def test_end_turn_takes_no_double_press(tab: Page) -> None:
    assert run(tab, """
        hear(play(0, { kind: "hero power", from: ["me", "power", 0] })); shown();
        const count = () => sent.length;
        act({ type: "end", now: 1000 }); act({ type: "end", now: 1200 });
        const quick = count();
        act({ type: "click", spot: ["me", "power", 0], finger: true });
        act({ type: "end", now: 9000 });
        const anew = count();
        act({ type: "end", now: 9500 });
        return [quick, anew, count()];
        """) == [0, 0, 1]


def test_any_acts_in_any_order_leave_a_state(tab: Page) -> None:
    """Whatever happens, at most one move is sent for a frame, and it is one of its legal moves."""
    assert run(tab, """
        let seed = 7, at = 0;
        const chance = (n) => {
          seed = (seed * 1103515245 + 12345) % 2147483648;
          return Math.floor(seed / 65536) % n;
        };
        const spots = [...hand(3), ["me", "board", 0], ["me", "power", 0], ["foe", "board", 0]];
        const spot = () => spots[chance(spots.length)];
        const card = (i, more) => ({ kind: "play", from: ["me", "hand", i], ...more });
        const frames = [() => mulligan(at, 3), () => frame(at, "play", []), () => play(at,
          card(0, { place: 0 }), card(0, { place: 1 }), card(1, { option: "A" }),
          card(1, { option: "B" }), card(2, { to: ["foe", "board", 0] }),
          { kind: "hero power", from: ["me", "power", 0] })];
        const makes = [() => ({ type: "click", spot: spot(), finger: chance(2) === 0 }),
          () => ({ type: "drag", spot: spot() }), () => ({ type: "end", now: 100 * at }),
          () => ({ type: "drop", over: chance(2) ? spot() : null, place: chance(3),
            felt: chance(2) === 0 }),
          () => ({ type: "place", place: chance(3) }), () => ({ type: "mark", place: chance(3) }),
          () => ({ type: "option", option: "AB"[chance(2)] }),
          () => ({ type: "hint", agent: "x" }),
          () => ({ type: "line", lost: chance(3) ? null : 1006 }),
          () => ({ type: "heard", message: { kind: "refused", why: "no" } }),
          () => ({ type: "heard", message: { kind: "there", there: chance(2) === 0 } }),
          ...["table", "throw", "unhint", "concede", "keys", "aside", "dismiss", "escape", "pause"]
            .map((type) => () => ({ type }))];
        const wrong = [], moved = { n: 0 };
        for (let i = 0; i < 20000; i += 1) {
          const before = state;
          if (!chance(9) && state.queue.length < 3) { at += 1; hear(frames[chance(3)]()); }
          else if (chance(3) && state.queue.length) act({ type: "shown" });
          else act(makes[chance(makes.length)]());
          for (const one of sent.filter(({ do: what }) => what === "move")) {
            moved.n += 1;
            const legal = state.frame.moves.some(({ move }) => move === one.move);
            if (!legal || before.lost !== null || !state.sent) wrong.push(one);
          }
          if (sent.filter(({ do: what }) => what === "move").length > 1) wrong.push("two");
          if (state.aside && !["mulligan", "choice", "option"].includes(dialogOf(state))) {
            wrong.push("aside");
          }
          sent = [];
        }
        if (moved.n < 100) wrong.push(`only ${moved.n} moves`);
        return wrong;
        """) == []


def test_the_line_is_encrypted_where_the_page_is(tab: Page) -> None:
    found = run(tab, """
        const { address } = await import("/static/talk.js");
        return ["http:", "https:"].map((protocol) => (
          address({ protocol, host: "a:1" }, "/game/1/play")));
        """)
    assert found == ["ws://a:1/game/1/play", "wss://a:1/game/1/play"]
    policy = tab.call("execute/async", args=[], script="fetch('/').then((answer) =>"
                      " arguments[0](answer.headers.get('content-security-policy')))")
    assert "ws://127.0.0.1" in policy
    assert "wss://127.0.0.1" in policy
