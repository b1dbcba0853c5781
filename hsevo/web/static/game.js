// The page on which a game is played, or an exercise is tried: frames come in one after the other, are
// shown, and clicks, keys and fingers become moves.

import { Board, at, byUid, find, spotOf } from "./board.js";
import { Choice } from "./choose.js";
import * as dialogs from "./dialogs.js";
import { largeCard, make } from "./draw.js";
import { beside } from "./look.js";
import * as motion from "./motion.js";
import { parts, say } from "./say.js";
import { Talk } from "./talk.js";

const { game: number, line: address, agent, watched, asks, study, duel } = document.body.dataset;
const faces = await (await fetch("/cards.json")).json();
const board = new Board(faces);
const waiting = [];
const title = document.title;
let frame = null, busy = false, throwing = null, sure = 0, paused = false, there = true;

const choice = new Choice({
  make: (move) => send(move),
  why: (from, to) => talk.send({ do: "why", from, to }),
  option: (options, spot) => dialogs.option(options, faces, at(spot).ariaLabel.split(",")[0]),
  unask: dialogs.close,
  changed: () => {
    if (!frame) return;
    board.mark(choice.chosen, choice.targets, choice.places);
    find("table").classList.toggle("open", choice.left.some((move) => !move.to));
    if (choice.chosen) {
      tell(advise());
      note("choose", choice.chosen);
    }
  },
});

/** Tell a study what its participant looks at, chooses or is asked. */
function note(what, spot = null) {
  if (study) talk.send({ do: "note", what, at: spot });
}

/** Say what the chosen card or character waits for. */
function advise() {
  const name = at(choice.chosen).ariaLabel.split(",")[0];
  if (choice.asks) return say("advise.option", { name });
  if (choice.targets.length) return say("advise.target", { name });
  if (choice.places.length) return say("advise.place", { name });
  return say("advise.table", { name });
}

function tell(words, kind = "") {
  find("said").textContent = words;
  find("said").className = kind;
}

function send(move) {
  if (busy || waiting.length || !move) return;
  hideAdvice();
  expect(talk.send({ do: "move", move: move.move, at: frame.at }));
}

/** Note whether a move is on its way. */
function expect(on) {
  busy = on;
  document.body.dataset.busy = on ? "yes" : "no";
}

// -- frames -------------------------------------------------------------------------------------

function hear(message) {
  if (message.kind === "state") {
    waiting.push(message);
    if (waiting.length === 1) work();
  } else if (message.kind === "hint") {
    showAdvice(message);
  } else if (message.kind === "there") {
    there = message.there;
    document.body.dataset.there = there ? "yes" : "no";
    if (frame && !waiting.length && !frame.moves.length && !frame.over) tell(waits());
  } else if (message.kind === "verdict") {
    waiting.push(message);
    if (waiting.length === 1) work();
  } else {
    expect(false);
    throwing = null;
    find("hint").disabled = false;
    tell(message.why, message.kind);
  }
}

/** Show the frames that wait, one after the other. */
async function work() {
  while (waiting.length) {
    const next = waiting[0];
    if (next.kind === "verdict") {
      waiting.shift();
      judge(next);
      continue;
    }
    if (frame && next.at > frame.at) {
      await motion.show(next, faces, watched ? null : next.view.player);
      if (frame.view.to_move !== next.view.player) await motion.wait(260);
    }
    waiting.shift(); // first: drawing may send the next move of a mulligan, and none is sent while frames wait
    draw(next);
  }
  goOn();
}

const LEAST = 100, BREATH = 800; // milliseconds from a move that is watched to the next

/** Ask for the next move of a game that is watched, after a breath. */
function goOn() {
  if (!watched || paused || !frame || frame.over) return;
  const { at: seen } = frame;
  setTimeout(() => {
    if (!paused && !waiting.length && frame.at === seen) talk.send({ do: "step", at: seen });
  }, Math.max(LEAST, BREATH * Number(find("speed").value)));
}

function pause() {
  if (!watched || frame?.over) return;
  paused = !paused;
  find("pause").ariaPressed = String(paused);
  find("pause").textContent = say(paused ? "game.go_on" : "game.pause");
  goOn();
}

/** Say how good a move was that was tried in an exercise, or what the answer is. */
function judge(verdict) {
  choice.clear();
  expect(false);
  find("give-up").disabled = verdict.answer !== null;
  tell(verdict.says, verdict.solved ? "" : "refused");
  dialogs.verdict(verdict, { address, goesOn: frame.moves.length > 0, giveUp, stay: ask });
}

function giveUp() {
  talk.send({ do: "answer" });
}

function draw(next) {
  const whole = next.past !== undefined;
  frame = next;
  expect(false);
  const fresh = board.draw(frame);
  if (whole) rewrite(next.past);
  else write(next.log.map((text) => ({ text })), true);
  choice.renew(frame.moves);
  if (!whole) motion.appear(fresh);
  showTurn();
  ask();
  focusAgain();
  document.body.dataset.at = frame.at;
  document.body.dataset.phase = frame.over ? "over" : frame.moves.length ? frame.view.phase : "waits";
}

let focused = null; // where on the table the focus was last

document.addEventListener("focusin", (event) => {
  const { uid, spot } = event.target.dataset;
  if (spot || event.target.id === "end") focused = { uid, spot };
});

/** Bring the focus back to where it was, if what had it was drawn anew: to the same character, place, or the next thing. */
function focusAgain() {
  if (!focused || document.activeElement !== document.body || find("dialog").open) return;
  const { uid, spot } = focused;
  const next = uid ? byUid(uid) : spot ? at(spot.split(" ")) ?? find("my-hand").querySelector("li:last-child button") : null;
  (next ?? find("end")).focus({ preventScroll: true });
  hideLook();
}

/** Say for what one of two people waits. */
const waits = () => (there ? say(frame.view.phase === "mulligan" ? "game.waits_hand" : "game.waits_move", { name: agent })
  : say("game.not_here", { name: capital(agent) }));

function showTurn() {
  const { view } = frame, mine = frame.moves.length > 0;
  const thinks = duel ? agent : asks ? say("exercises.ended") : say("game.thinks", { name: agent });
  const whose = mine ? say("game.yours") : watched && view.to_move === view.player ? say("game.thinks", { name: watched }) : thinks;
  find("turn").textContent = frame.over ? say("game.over") : view.turn ? say("game.turn", { n: view.turn, whose }) : say("game.mulligan", { whose });
  if (duel) document.title = mine ? say("game.your_turn", { title }) : title;
  document.body.classList.toggle("mine", mine);
  document.body.classList.toggle("thinking", frame.thinks);
  const more = choice.moves.length;
  find("end").ariaDisabled = String(!mine || view.phase !== "play"); // which keeps the focus, as "disabled" does not
  find("end").classList.toggle("done", mine && !more);
  find("end").lastChild.textContent = !mine ? (frame.over ? say("game.game_over") : duel ? say("game.turn_of", { name: agent }) : thinks)
    : say(more ? "game.moves_left" : "game.nothing_left");
  find("hint").disabled = !mine;
  find("concede").disabled = Boolean(frame.over);
  if (!choice.chosen) tell(duel && !mine && !frame.over ? waits() : mine && view.phase === "play" ? (more ? asked() : say("game.end_it")) : "");
  sure = 0;
}

/** Return what an exercise asks, or one of two people; "" against an agent. */
const asked = () => (asks ? say("exercises.asked", { asks }) : duel ? say("game.is_yours") : "");

/** Open the dialog that the frame needs. */
function ask() {
  if (frame.over && !asks) {
    dialogs.ending(frame, { agent, watched, number, study, match: document.body.dataset.match });
  } else if (frame.moves.length && frame.view.phase === "mulligan") {
    if (throwing) throwNext();
    else dialogs.mulligan(frame, faces, (places) => {
      throwing = places.sort((a, b) => b - a);
      throwNext();
    });
  } else if (frame.moves.length && frame.view.phase === "choice") {
    dialogs.choose(frame, faces, send);
  } else {
    dialogs.close();
  }
}

/** Throw back the next card that was chosen, from the last to the first; then keep the others. */
function throwNext() {
  const place = throwing.shift();
  if (place === undefined) throwing = null;
  send(frame.moves.find((move) => (place === undefined ? move.kind === "keep"
    : move.kind === "throw back" && move.from[2] === place)));
}

// -- the log ------------------------------------------------------------------------------------

function rewrite(past) {
  find("lines").replaceChildren();
  write(past, false);
}

function write(entries, aloud) {
  const lines = find("lines");
  if (aloud) for (const old of lines.querySelectorAll(".new")) old.classList.remove("new");
  const words = entries.map(({ text }) => {
    const turn = text.match(/^turn (\d+): (.*)$/);
    return [turn ? "turn" : "", turn ? say("game.log_turn", { n: turn[1], whose: turn[2] }) : capital(text)];
  });
  lines.append(...words.map(([kind, line]) => make("li", aloud ? `${kind} new` : kind, line)));
  lines.scrollTop = lines.scrollHeight;
  if (aloud && words.length) find("told").textContent = words.map(([, line]) => `${line}.`).join(" ");
}

const capital = (text) => ((!duel && text.startsWith(agent)) || (watched && text.startsWith(watched)) ? text
  : text[0].toUpperCase() + text.slice(1));

// -- hints --------------------------------------------------------------------------------------

function hint() {
  if (asks || !find("adviser").value || find("hint").disabled) return;
  find("hint").disabled = true;
  tell(say("game.hint_thinks", { name: find("adviser").value }));
  talk.send({ do: "hint", agent: find("adviser").value });
}

function showAdvice(message) {
  find("hint").disabled = false;
  if (!frame || message.at !== frame.at) return;
  tell("");
  const move = frame.moves.find((one) => one.move === message.move);
  const rows = message.options.slice(0, 7).map((one, i) => make("li", i ? "" : "best", make("span", "worth", one.worth), one.text));
  const close = make("button", "", say("advice.close")), make_ = make("button", "main", say("advice.do"));
  close.addEventListener("click", hideAdvice);
  make_.addEventListener("click", () => {
    hideAdvice();
    if (frame.view.phase !== "play") dialogs.close();
    send(move);
  });
  find("advice").replaceChildren(make("p", "", ...parts("advice.would", { name: make("b", "", message.agent), move: message.text })),
    rows.length ? make("p", "faint", say("advice.scores")) : "",
    make("ol", "", ...rows), make("div", "buttons", make_, close));
  find("advice").hidden = false;
  if (move?.from) at(move.from)?.classList.add("hinted");
  if (move?.to) at(move.to)?.classList.add("aimed");
}

function hideAdvice() {
  find("advice").hidden = true;
  for (const element of document.querySelectorAll(".hinted, .aimed")) element.classList.remove("hinted", "aimed");
}

// -- clicks, fingers, keys ----------------------------------------------------------------------

function endTurn() {
  const move = frame?.moves.find((one) => one.kind === "end turn");
  if (!move || busy) return;
  if (choice.moves.length && Date.now() - sure > 4000) {
    sure = Date.now();
    choice.clear();
    tell(say("game.sure"), "refused");
    return;
  }
  choice.clear();
  send(move);
}

let dragged = false;

document.addEventListener("click", (event) => {
  if (dragged) {
    dragged = false;
    return;
  }
  const spot = event.target.closest("[data-spot]"), gap = event.target.closest("[data-place]");
  if (event.target.closest("dialog")) return;
  if (gap) choice.place(Number(gap.dataset.place));
  else if (spot) choice.touch(spotOf(spot));
  else if (event.target.closest("#felt")) choice.table();
});

const line = find("aim").firstElementChild;
let drag = null;

document.addEventListener("pointerdown", (event) => {
  dragged = false;
  const element = event.target.closest("[data-spot]");
  if (!element || event.button !== 0 || !element.dataset.spot.startsWith("me")) return;
  drag = { element, x: event.clientX, y: event.clientY, on: false };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.on && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 12) {
    const spot = spotOf(drag.element);
    if (!choice.moves.some((move) => move.from && move.from.join() === spot.join())) {
      drag = null;
      return;
    }
    drag.on = dragged = true;
    if (!choice.chosen || choice.chosen.join() !== spot.join()) choice.begin(spot);
    const box = drag.element.getBoundingClientRect();
    line.setAttribute("x1", box.left + box.width / 2);
    line.setAttribute("y1", box.top + box.height / 2);
    hideLook();
  }
  if (drag?.on) {
    line.setAttribute("x2", event.clientX);
    line.setAttribute("y2", event.clientY);
    find("aim").classList.add("on");
  }
});

/** Return 1 if a point lies in the right half of an element, else 0: a minion dropped there goes to that side of it. */
const beyond = (element, x) => {
  const { left, width } = element.getBoundingClientRect();
  return Number(x >= left + width / 2);
};

document.addEventListener("pointerup", (event) => {
  const was = drag;
  drag = null;
  find("aim").classList.remove("on");
  if (!was?.on) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const over = under?.closest("[data-spot]"), spot = spotOf(over), gap = under?.closest("[data-place]");
  if (!choice.chosen || choice.asks) return;
  if (gap) choice.place(Number(gap.dataset.place));
  else if (choice.isMinion && spot?.[0] === "me" && spot[1] === "board") choice.drop(spot[2] + beyond(over, event.clientX));
  else if (spot && choice.targets.some((target) => target.join() === spot.join())) choice.touch(spot);
  else if (spot && spot[0] === "foe") choice.touch(spot);
  else if (under?.closest("#felt")) choice.table(true);
  else if (!was.element.contains(under)) choice.clear();
});

document.addEventListener("pointercancel", () => {
  drag = null;
  find("aim").classList.remove("on");
});

const DWELL = 300; // milliseconds after which a card counts as looked at
let looking = 0;

/** Show the card of an element large, beside it. */
function showLook(element) {
  const { card, more } = element.dataset, box = find("look");
  if (!faces[card] || drag?.on) return;
  box.replaceChildren(largeCard(card, faces[card], more ? more.split("\n") : []));
  box.hidden = false;
  clearTimeout(looking);
  looking = setTimeout(() => note("look", spotOf(element)), DWELL);
  beside(box, element);
}

function hideLook() {
  clearTimeout(looking);
  find("look").hidden = true;
}

for (const [type, act] of [["pointerover", (e) => e.pointerType !== "touch"], ["focusin", (e) => e.target.matches(":focus-visible")]]) {
  document.addEventListener(type, (event) => {
    const element = event.target.closest?.("[data-card]");
    if (element && act(event) && !event.target.closest("dialog")) showLook(element);
    else if (!element) hideLook();
  });
}
let tapped = null; // the card that is shown because it was tapped: it gets the focus a moment later
document.addEventListener("pointerdown", (event) => {
  tapped = event.pointerType === "touch" ? event.target.closest("[data-card]") : null;
  if (tapped) showLook(tapped);
  else hideLook();
});
document.addEventListener("focusout", (event) => {
  if (!tapped || event.relatedTarget?.closest("[data-card]") !== tapped) hideLook();
});
document.addEventListener("contextmenu", (event) => {
  if (!event.target.closest("#table")) return;
  event.preventDefault();
  choice.clear();
});

const ROWS = ["foe-hero", "foe-board", "my-board", "my-hero", "my-hand"];

/** Move the focus to a neighbour on the table. */
function walk(across, down) {
  const rows = ROWS.map((id) => [...find(id).querySelectorAll("[data-spot], .gap button")]).filter((row) => row.length);
  const here = rows.findIndex((row) => row.includes(document.activeElement));
  if (here < 0) {
    rows.at(-1)[0].focus();
    return;
  }
  const row = rows[Math.max(0, Math.min(rows.length - 1, here + down))];
  const place = rows[here].indexOf(document.activeElement);
  const next = down ? Math.round(place * (row.length - 1) / Math.max(1, rows[here].length - 1)) : place + across;
  row[Math.max(0, Math.min(row.length - 1, next))].focus();
}

const KEYS = {
  ArrowLeft: () => walk(-1, 0), ArrowRight: () => walk(1, 0), ArrowUp: () => walk(0, -1), ArrowDown: () => walk(0, 1),
  " ": pause, e: endTurn, h: hint, l: () => find("log-toggle").click(),
  Escape: () => {
    choice.clear();
    hideLook();
    hideAdvice();
    tell(asked());
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || find("dialog").open || event.target.closest?.("select, #lines")) return;
  if (!(event.key in KEYS) || (event.key === " " && (!watched || event.target.closest?.("button, a")))) return;
  event.preventDefault();
  KEYS[event.key]();
});

find("end").addEventListener("click", endTurn);
find("pause")?.addEventListener("click", pause);
find("give-up")?.addEventListener("click", giveUp);
find("hint").addEventListener("click", hint);
find("concede").addEventListener("click", () => {
  note("dialog");
  choice.clear();
  dialogs.ask(say("dialog.give_up"), say("game.give_up"), () => {
    talk.send({ do: "concede" });
    if (frame.thinks) tell(say("game.gives_up", { name: agent })); // compiled code can't be stopped
  }, ask);
});
find("log-toggle").addEventListener("click", () => {
  const open = document.body.classList.toggle("with-log");
  find("log-toggle").ariaExpanded = String(open);
  find("lines").scrollTop = find("lines").scrollHeight;
});
find("speed").value = localStorage.getItem("speed") ?? "1";
find("speed").addEventListener("change", () => localStorage.setItem("speed", find("speed").value));
const kept = localStorage.getItem("adviser");
if ([...find("adviser").options].some((one) => one.value === kept)) find("adviser").value = kept;
find("adviser").addEventListener("change", () => localStorage.setItem("adviser", find("adviser").value));

const talk = new Talk(`${address}/play`, hear, (lost, code) => {
  document.body.classList.toggle("lost", lost);
  if (!lost) return;
  expect(false);
  tell(say(code === 4404 ? "game.none" : code === 4403 ? "game.two_others" : "game.lost"), "refused");
});
