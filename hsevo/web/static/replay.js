// A stored game on the board, a move at a time, as the player of its lower side saw it.

import { Board, find } from "./board.js";
import { Log, folded, item } from "./log.js";
import { beside, lookAt } from "./look.js";
import * as motion from "./motion.js";
import { say } from "./say.js";
import { Playing, addressed, steer } from "./steps.js";

const { frames: address, agent, watched } = document.body.dataset;
const BREATH = 800, LEAST = 100; // milliseconds from one move to the next
const board = new Board({});
let frames = [], log = null, at = -1, moving = false;

const tell = (words, kind = "") => {
  find("said").textContent = words;
  find("said").className = kind;
};

/** Return a text as it begins a line: the name of a player stays as it is. */
const begun = (text) => ([agent, watched].some((name) => text.startsWith(name)) ? text : text[0].toUpperCase() + text.slice(1));

/** Return how the game ended, in words. */
const ended = (over) => say(`replay.ends.${over.replaceAll(" ", "_")}`, { me: watched, opponent: agent });

/** Draw a frame as it is. */
function draw(step) {
  at = step;
  const frame = frames[at], { view } = frame;
  const fresh = board.draw(frame);
  find("turn").textContent = frame.over ? say("replay.over", { how: ended(frame.over) })
    : say(view.turn ? "game.turn" : "game.mulligan", { n: view.turn, whose: view.to_move === view.player ? watched : agent });
  find("slider").value = at;
  find("count").textContent = say("replay.count", { n: at, most: frames.length - 1 });
  document.body.dataset.at = at;
  log.show(at);
  history.replaceState(null, "", `#move-${at}`);
  return fresh;
}

/** Go one move on, as it happened. */
async function on() {
  if (moving || at >= frames.length - 1) return;
  moving = true;
  const from = at;
  await motion.show(frames[at + 1], board.faces, null);
  if (at === from) motion.appear(draw(at + 1));
  moving = false;
}

function go(step) {
  playing.stop();
  if (frames.length) draw(Math.max(0, Math.min(frames.length - 1, step)));
}

const playing = new Playing(on, () => at >= frames.length - 1, () => Math.max(LEAST, BREATH * motion.pace()), (plays) => {
  find("pause").textContent = say(plays ? "game.pause" : "game.play");
  find("pause").ariaPressed = String(plays);
});
const forward = () => {
  playing.stop();
  on();
};
steer({ ArrowRight: forward, ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(frames.length - 1), " ": () => playing.toggle() });
find("pause").addEventListener("click", () => playing.toggle());
find("slider").addEventListener("input", () => go(Number(find("slider").value)));
folded();
motion.keepPace();

tell(say("replay.loading"));
const answer = await fetch(address), told = await answer.json();
if (answer.ok) {
  board.faces = told.faces;
  frames = told.frames;
  find("slider").max = frames.length - 1;
  log = new Log("lines", frames.map((frame) => frame.log), (text) => item(text, begun));
  lookAt(told.faces, beside);
  draw(Math.min(addressed("move") || 0, frames.length - 1));
  tell(told.note);
  document.body.dataset.ready = "yes";
} else {
  tell(told.why, "refused");
}
