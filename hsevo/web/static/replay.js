// A stored game on the board, a move at a time, as the player of its lower side saw it.

import { Board, find } from "./board.js";
import { make } from "./draw.js";
import { beside, lookAt } from "./look.js";
import * as motion from "./motion.js";
import { say } from "./say.js";

const { frames: address, agent, watched } = document.body.dataset;
const BREATH = 800, LEAST = 100; // milliseconds from one move to the next
const board = new Board({});
let frames = [], at = -1, playing = false, moving = false;

const tell = (words, kind = "") => {
  find("said").textContent = words;
  find("said").className = kind;
};

/** Write the log of the whole game once; what comes later is hidden. */
function writeLog() {
  find("lines").replaceChildren(...frames.flatMap((frame, i) => frame.log.map((text) => {
    const turn = text.match(/^turn (\d+): (.*)$/);
    const said = turn ? say("game.log_turn", { n: turn[1], whose: turn[2] }) : text;
    const item = make("li", turn ? "turn" : "", [agent, watched].some((name) => said.startsWith(name)) ? said
      : said[0].toUpperCase() + said.slice(1));
    item.dataset.step = i;
    return item;
  })));
}

function mark() {
  for (const item of find("lines").children) {
    const step = Number(item.dataset.step);
    item.classList.toggle("later", step > at);
    item.classList.toggle("new", step === at);
  }
  find("lines").scrollTop = find("lines").scrollHeight;
}

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
  mark();
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
  play(false);
  if (frames.length) draw(Math.max(0, Math.min(frames.length - 1, step)));
}

async function play(start) {
  playing = start && at < frames.length - 1;
  find("pause").textContent = say(playing ? "game.pause" : "game.play");
  find("pause").ariaPressed = String(playing);
  while (playing && at < frames.length - 1) {
    await on();
    await new Promise((done) => { setTimeout(done, Math.max(LEAST, BREATH * motion.pace())); });
  }
  if (playing) play(false);
}

const forward = () => {
  playing = false;
  find("pause").textContent = say("game.play");
  on();
};
const KEYS = { ArrowRight: forward, ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(frames.length - 1),
  " ": () => play(!playing) };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  if (event.target.closest?.("select, input") || (event.key === " " && event.target.closest?.("button, a"))) return;
  event.preventDefault();
  KEYS[event.key]();
});
find("first").addEventListener("click", () => go(0));
find("back").addEventListener("click", () => go(at - 1));
find("forward").addEventListener("click", forward);
find("last").addEventListener("click", () => go(frames.length - 1));
find("pause").addEventListener("click", () => play(!playing));
find("slider").addEventListener("input", () => go(Number(find("slider").value)));
find("log-toggle").addEventListener("click", () => {
  find("log-toggle").ariaExpanded = String(document.body.classList.toggle("with-log"));
  find("lines").scrollTop = find("lines").scrollHeight;
});
find("speed").value = localStorage.getItem("speed") ?? "1";
find("speed").addEventListener("change", () => localStorage.setItem("speed", find("speed").value));

tell(say("replay.loading"));
const answer = await fetch(address), told = await answer.json();
if (answer.ok) {
  board.faces = told.faces;
  frames = told.frames;
  find("slider").max = frames.length - 1;
  writeLog();
  lookAt(told.faces, beside);
  draw(Math.min(Number(location.hash.match(/^#move-(\d+)$/)?.[1] ?? 0), frames.length - 1));
  tell(told.note);
  document.body.dataset.ready = "yes";
} else {
  tell(told.why, "refused");
}
