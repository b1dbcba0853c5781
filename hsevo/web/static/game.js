// The page on which a game is played, or an exercise is tried. `act` is the one place where its state changes: what
// happens goes to state.js, the next state is drawn, and what is to be sent goes to the server.

import { Board, at, find } from "./board.js";
import { Dialogs } from "./dialogs.js";
import { make } from "./draw.js";
import { Focus, listen } from "./keys.js";
import { folded, item } from "./log.js";
import * as motion from "./motion.js";
import { Pointer } from "./pointer.js";
import { parts, say } from "./say.js";
import { begin, reduce } from "./state.js";
import { Talk } from "./talk.js";
import { capital, view } from "./view.js";

/** @import { Act, Faces, Frame, Hint, Page, State } from "./types.js" */

/** @type {Page} */
const page = /** @type {any} */ ({ ...document.body.dataset });
/** @type {Faces} */
const faces = await (await fetch(page.cards)).json();
const title = document.title;
const speed = /** @type {HTMLSelectElement} */ (find("speed")), adviser = /** @type {HTMLSelectElement} */ (find("adviser"));
const board = new Board(faces), focus = new Focus(), dialogs = new Dialogs(faces, act);
const pointer = new Pointer(faces, () => state, act);
let state = begin(page);

/** Take what happens: the one place where the state changes.
 * @param {Act} what */
function act(what) {
  const before = state, [next, sent] = reduce(state, what);
  state = next;
  for (const message of sent) talk.send(message);
  if (state === before) return;
  draw(before);
  if (state.queue.length && !before.queue.length) perform();
  if (state.frame !== before.frame || state.paused !== before.paused) goOn();
}

// -- in time --------------------------------------------------------------------------------------

/** Show the frames that wait in motion, one after the other. */
async function perform() {
  while (state.queue.length) {
    const [next] = state.queue;
    if (next.kind === "state" && state.frame && next.at > state.frame.at) {
      await motion.show(next, faces, page.watched ? null : next.view.player);
      if (state.frame.view.to_move !== next.view.player) await motion.wait(260);
    }
    act({ type: "shown" });
  }
}

const LEAST = 100, BREATH = 800; // milliseconds from a move that is watched to the next

/** Ask for the next move of a game that is watched, after a breath. */
function goOn() {
  const { frame } = state;
  if (!page.watched || state.paused || !frame || frame.over) return;
  setTimeout(() => act({ type: "step", at: frame.at }), Math.max(LEAST, BREATH * Number(speed.value)));
}

// -- how it looks ---------------------------------------------------------------------------------

/** Draw what differs from the state before.
 * @param {State} before */
function draw(before) {
  const { frame, choice } = state, seen = view(state);
  if (frame && frame !== before.frame) drawFrame(frame);
  if (frame !== before.frame || choice !== before.choice) board.mark(seen.chosen, seen.targets, seen.places);
  write("turn", seen.turn);
  write("said", seen.said);
  find("said").className = seen.kind;
  document.title = seen.title ? say("game.your_turn", { title }) : title;
  document.body.classList.toggle("mine", seen.mine);
  document.body.classList.toggle("thinking", seen.thinks);
  document.body.classList.toggle("lost", state.lost !== null);
  find("table").classList.toggle("open", seen.open);
  find("play-it").hidden = !seen.open;
  find("end").ariaDisabled = String(seen.end.off); // which keeps the focus, as "disabled" does not
  find("end").classList.toggle("done", seen.end.done);
  /** @type {Element} */ (find("end").lastChild).textContent = seen.end.says;
  disable("hint", !seen.hint);
  disable("concede", seen.over);
  if (page.asks) disable("give-up", Boolean(state.verdict?.answer));
  if (page.watched) {
    find("pause").ariaPressed = String(state.paused);
    write("pause", say(state.paused ? "game.go_on" : "game.pause"));
  }
  if (seen.advice !== (typeof before.hint === "object" ? before.hint : null)) drawAdvice(seen.advice);
  dialogs.show(state, before);
  if (frame !== before.frame && !seen.dialog && focus.restore()) pointer.close();
  Object.assign(document.body.dataset, { busy: state.sent ? "yes" : "no", there: state.there ? "yes" : "no",
    ...(frame ? { at: frame.at, phase: seen.phase } : {}) });
}

/** Write words into an element, unless they stand there: what is read aloud is read once.
 * @param {string} id @param {string} words */
function write(id, words) {
  if (find(id).textContent !== words) find(id).textContent = words;
}

/** @param {string} id @param {boolean} off */
function disable(id, off) {
  /** @type {HTMLButtonElement} */ (find(id)).disabled = off;
}

/** Draw the table of a frame, and write its log; a page that has just opened gets the whole log.
 * @param {Frame} frame */
function drawFrame(frame) {
  const fresh = board.draw(frame);
  if (frame.past) find("lines").replaceChildren();
  writeLog(frame.past ? frame.past.map(({ text }) => text) : frame.log, !frame.past);
  if (!frame.past) motion.appear(fresh);
}

/** Write lines into the log. aloud: whether they are news.
 * @param {string[]} texts @param {boolean} aloud */
function writeLog(texts, aloud) {
  const lines = find("lines");
  if (aloud) for (const old of lines.querySelectorAll(".new")) old.classList.remove("new");
  const items = texts.map((text) => item(text, (said) => capital(state, said)));
  if (aloud) for (const one of items) one.classList.add("new");
  lines.append(...items);
  lines.scrollTop = lines.scrollHeight;
  if (aloud && items.length) find("told").textContent = items.map((one) => `${one.textContent}.`).join(" ");
}

/** Show what an agent would do, or nothing.
 * @param {Hint | null} hint */
function drawAdvice(hint) {
  find("advice").hidden = !hint;
  for (const element of document.querySelectorAll(".hinted, .aimed")) element.classList.remove("hinted", "aimed");
  if (!hint) return;
  const move = state.frame?.moves.find((one) => one.move === hint.move);
  const rows = hint.options.slice(0, 7).map((one, i) => make("li", i ? "" : "best", make("span", "worth", one.worth), one.text));
  const close = make("button", "", say("advice.close")), follow = make("button", "main", say("advice.do"));
  close.addEventListener("click", () => act({ type: "unhint" }));
  if (move) follow.addEventListener("click", () => act({ type: "take", move }));
  find("advice").replaceChildren(make("p", "", ...parts("advice.would", { name: make("b", "", hint.agent), move: hint.text })),
    rows.length ? make("p", "faint", say("advice.scores")) : "",
    make("ol", "", ...rows), make("div", "buttons", follow, close));
  if (move?.from) at(move.from)?.classList.add("hinted");
  if (move?.to) at(move.to)?.classList.add("aimed");
}

// -- buttons and keys -----------------------------------------------------------------------------

const hint = () => {
  if (adviser.value) act({ type: "hint", agent: adviser.value });
};
listen(() => state, act, { hint, look: () => pointer.close() });
find("end").addEventListener("click", () => act({ type: "end", now: performance.now() }));
find("play-it").addEventListener("click", () => act({ type: "table" }));
find("keys").addEventListener("click", () => act({ type: "keys" }));
find("hint").addEventListener("click", hint);
find("concede").addEventListener("click", () => act({ type: "concede" }));
if (page.asks) find("give-up").addEventListener("click", () => act({ type: "answer" }));
if (page.watched) find("pause").addEventListener("click", () => act({ type: "pause" }));
folded();
motion.keepPace();
const kept = localStorage.getItem("adviser");
if ([...adviser.options].some((one) => one.value === kept)) adviser.value = String(kept);
adviser.addEventListener("change", () => localStorage.setItem("adviser", adviser.value));

const talk = new Talk(`${page.line}/play`, (message) => act({ type: "heard", message }), (lost) => act({ type: "line", lost }));
