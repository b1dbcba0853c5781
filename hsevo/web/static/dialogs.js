// Dialogs: the mulligan, choices of cards, how the game ended, and how good the move of an exercise was.

import { largeCard, make } from "./draw.js";
import { find } from "./board.js";
import { post } from "./decklist.js";
import { linesOf } from "./lines.js";
import { options } from "./moves.js";
import { say } from "./say.js";
import { dialogName, dialogOf, waits } from "./state.js";
import { capital, nameAt } from "./view.js";

/** @import { Act, Answer, Faces, Frame, State } from "./types.js" */
/** @typedef {(act: Act) => void} Acts */

const dialog = /** @type {HTMLDialogElement} */ (find("dialog")), see = find("see"), back = find("return");

export class Dialogs {
  /** @param {Faces} faces @param {Acts} act */
  constructor(faces, act) {
    this.faces = faces;
    this.act = act;
    this.wanted = false; // whether the state has it open, however the browser closes it
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      act({ type: "dismiss" });
    });
    dialog.addEventListener("close", () => {
      if (this.wanted && !dialog.open) act({ type: "dismiss" });
    });
    for (const button of [see, back]) button.addEventListener("click", () => act({ type: "aside" }));
  }

  /** Show the dialog of a state, or none. before: the state that was shown.
   * @param {State} state @param {State} before */
  show(state, before) {
    const kind = dialogOf(state), focus = kind && dialogName(state) !== dialogName(before) ? DRAWS[kind](state, this.faces, this.act) : null;
    if (kind === "mulligan") mark(state);
    see.hidden = !waits(state);
    back.hidden = !state.aside;
    this.wanted = Boolean(kind) && !state.aside;
    if (this.wanted && !dialog.open) dialog.showModal();
    else if (!this.wanted && dialog.open) dialog.close();
    if (this.wanted) focus?.focus();
    if (state.aside && !before.aside) back.focus();
  }
}

/** Fill the dialog with cards as buttons, and other buttons.
 * @param {string} title @param {string} says @param {Element[]} cards @param {Element[]} buttons */
function fill(title, says, cards, buttons) {
  find("dialog-title").textContent = title;
  find("dialog-says").textContent = says;
  find("dialog-cards").replaceChildren(...cards);
  find("dialog-buttons").replaceChildren(...buttons);
  return /** @type {HTMLElement | null} */ (dialog.querySelector(".offer, #dialog-buttons button"));
}

/** @param {string} words @param {(event: any) => void} act */
function button(words, act, name = "") {
  const element = make("button", name, words);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** Return a card as a button. cost: what it says of its cost; null for an option of a card, which has none.
 * @param {string} id @param {Faces[string]} face @param {(element: Element) => void} act @param {number | null} cost */
function offered(id, face, act, cost = face.cost) {
  const element = make("button", "offer", largeCard(id, face, [], { cost }));
  element.type = "button";
  element.dataset.offer = id;
  element.ariaLabel = [face.name, face.kind === "power" || cost === null ? "" : say("table.costs", { n: cost }), ...face.text].filter(Boolean).join(", ");
  element.addEventListener("click", () => act(element));
  return element;
}

/** Let the player choose among cards that a frame offers.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function choose({ frame }, faces, act) {
  const { moves, view } = /** @type {Frame} */ (frame);
  const cards = moves.map((move) => {
    const { card } = view.choices[/** @type {any} */ (move.from)[2]];
    return offered(card, faces[card], () => act({ type: "take", move }));
  });
  const potions = view.choices.every(({ card }) => faces[card].kind === "spell" && !faces[card].text.length);
  return fill(say("dialog.choose"), potions ? say("dialog.potions") : "", cards, []);
}

/** Let the player choose how a card is played.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function option(state, faces, act) {
  const { frame, choice } = state;
  const cards = options(frame, choice).map((one) => (one in faces ? offered(one, faces[one], () => act({ type: "option", option: one }), null)
    : button(say("dialog.both"), () => act({ type: "option", option: one }), "both")));
  return fill(choice ? nameAt(state, choice.spot) : "", say("dialog.choose_one"), cards,
    [button(say("dialog.back"), () => act({ type: "dismiss" }))]);
}

/** Let the player mark cards of the first hand, and throw them back.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function mulligan({ frame }, faces, act) {
  const cards = /** @type {Frame} */ (frame).view.me.hand.map((held, place) => {
    const element = offered(held.card, faces[held.card], () => act({ type: "mark", place }));
    element.dataset.place = String(place);
    element.append(make("span", "stamp", say("dialog.throw_back")));
    return element;
  });
  const keep = button("", () => act({ type: "throw" }), "main");
  fill(say("dialog.first_hand"), say("dialog.mulligan"), cards, [keep]);
  return keep;
}

/** Show which cards of the first hand are marked.
 * @param {State} state */
function mark({ marked, frame }) {
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (dialog.querySelectorAll(".offer"))) {
    element.ariaPressed = String(marked.includes(Number(element.dataset.place)));
  }
  const n = marked.length, rest = /** @type {Frame} */ (frame).view.me.hand.length - n;
  find("dialog-buttons").children[0].textContent = n ? say("dialog.throw", { n, rest }) : say("dialog.keep_all");
}

/** Say how the game ended.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function ending(state, faces, act) {
  const frame = /** @type {Frame} */ (state.frame), { agent, watched, game: number, match, study } = state.page;
  const { me, opponent } = frame.view;
  const life = (/** @type {import("./types.js").Side} */ side) => Math.max(0, side.hero.health + side.hero.armor);
  const gave = frame.over === "opponent conceded" ? `${say("ending.gave_up", { name: capital(state, agent) })} ` : "";
  const lives = say("ending.lives", { me: watched ?? say("game.you"), mine: life(me), opponent: agent, theirs: life(opponent) });
  const further = match || study; // what comes next is the first to choose
  const again = make("a", further ? "as-button" : "as-button main", say("ending.again"));
  again.href = study ? "/game/again" : `/game/${number}/again`;
  const home = make("a", further ? "as-button main" : "as-button", say(match ? "ending.match" : study ? "study.go_on" : "ending.home"));
  home.href = match ? `/match/${match}` : "/";
  const winner = frame.over === "won" ? watched : frame.over === "lost" ? agent : "";
  const mistakes = watched || study ? [] : [button(say("ending.mistakes"), (event) => analyse(event.target, number), "mistakes")];
  const swap = button(say("ending.rematch"), () => playAgain(swap, number));
  swap.title = say("ending.rematch_says");
  const rematch = watched || further || state.page.duel ? [] : [swap];
  fill(watched && winner ? say("ending.wins", { name: winner }) : say(`ending.ends.${frame.over.replaceAll(" ", "_")}`),
    `${frame.view.turn ? say("ending.turn", { n: Math.min(frame.view.turn, frame.view.max_turns) }) : say("ending.before")} ${gave}${lives}`, [],
    [home, ...(study === "hides" ? [] : [again]), ...rematch, ...mistakes, button(say("dialog.see"), () => act({ type: "dismiss" }))]);
  return further ? home : again;
}

/** Begin a game again, with its seats swapped.
 * @param {HTMLButtonElement} pressed @param {string | undefined} number */
async function playAgain(pressed, number) {
  pressed.disabled = true;
  const [fine, answer] = await post(`/game/${number}/rematch`, {});
  if (fine) location.assign(`/game/${answer.number}`);
  else find("dialog-says").textContent = answer.why;
  pressed.disabled = false;
}

/** Have the server find the mistakes in a game, and open their page.
 * @param {HTMLButtonElement} pressed @param {string | undefined} number */
async function analyse(pressed, number) {
  pressed.disabled = true;
  try {
    const answer = await fetch(`/game/${number}/analyse`, { method: "POST", body: "{}" });
    const lines = answer.ok ? linesOf(answer) : [await answer.json()];
    for await (const line of lines) {
      if (line.to) location.assign(line.to);
      else if (line.of) pressed.textContent = say("ending.looking", { percent: Math.floor(100 * line.games / line.of) });
      else if (line.why) find("dialog-says").textContent = line.why;
    }
  } catch {
    find("dialog-says").textContent = say("site.no_answer");
  }
  pressed.textContent = say("ending.mistakes");
  pressed.disabled = false;
}

/** @param {number} share */
const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
/** @param {number} low @param {number} high */
const ends = (low, high) => say("lines.ends", { low: Math.round(100 * low), high: Math.round(100 * high) });

/** Return the moves that were compared as a table. mine: the one that was just tried.
 * @param {Answer} answer @param {number | null} mine */
function compared({ moves }, mine) {
  const head = make("tr", "", ...["move", "chance", "lost"].map((name) => make("th", "", say(`verdict.columns.${name}`))));
  const rows = moves.map((one, i) => {
    const marks = [i ? "" : say("lines.own"), one.move === mine ? say("verdict.tried") : "", one.yours ? say("verdict.in_game") : ""].filter(Boolean);
    return make("tr", i ? "" : "best", make("td", "", one.text, ...marks.map((words) => make("small", "", words))),
      make("td", "", percent(one.chance), " ", make("span", "", `(${ends(one.chance_low, one.chance_high)})`)),
      make("td", "", Math.round(100 * one.loss), ...(i ? [" ", make("span", "", `(${ends(one.loss_low, one.loss_high)})`)] : [])));
  });
  return make("div", "compared", make("table", "", make("thead", "", head), make("tbody", "", ...rows)));
}

/** Return what the answer of an exercise is. mine: the move that was just tried.
 * @param {Answer} answer @param {number | null} mine */
function answered(answer, mine) {
  const line = (/** @type {string} */ words, /** @type {string[]} */ moves) => make("p", "", make("b", "", words), ` ${moves.join("; ")}`);
  return [make("div", "lines", line(say("verdict.made"), answer.made), line(say(answer.moves.length ? "verdict.better" : "verdict.wins"), answer.line)),
    ...(answer.moves.length ? [compared(answer, mine), make("p", "how", say("verdict.how", { games: answer.games, agent: answer.agent }))] : [])];
}

/** Say how good a move of an exercise was.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function verdict(state, faces, act) {
  const { solved, says, move, cost, answer } = /** @type {import("./types.js").Verdict} */ (state.verdict);
  const shut = () => act({ type: "dismiss" });
  const next = make("a", `as-button${answer ? " main" : ""}`, say("verdict.next"));
  next.href = `${state.page.line}/next`;
  // Another move can be tried on the same table, unless the turn has ended.
  const again = button(say("verdict.again"), () => (state.frame?.moves.length ? shut() : location.reload()), "main");
  const lost = cost && solved === false ? ` ${say("verdict.costs", { points: Math.round(100 * cost.loss), ends: ends(cost.loss_low, cost.loss_high) })}` : "";
  fill(say(solved === null ? "verdict.answer" : solved ? "verdict.solved" : "verdict.not_solved"), solved === null ? "" : `${says}${lost}`,
    answer ? answered(answer, move) : [],
    answer ? [next, button(say("dialog.see"), shut)] : [again, button(say("exercises.show"), () => act({ type: "answer" })), next]);
  return answer ? next : again;
}

/** Ask whether the player means to give up.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function concede(state, faces, act) {
  const stay = button(say("dialog.play_on"), () => act({ type: "dismiss" }), "main");
  fill(say("dialog.give_up"), "", [], [stay, button(say("game.give_up"), () => act({ type: "conceded" }), "grave")]);
  return stay;
}

/** List the keys.
 * @param {State} state @param {Faces} faces @param {Acts} act */
function keys({ page }, faces, act) {
  const names = ["arrows", "enter", "p", "escape", "e", "h", "l", "t", ...(page.watched ? ["space"] : []), "question"];
  const rows = names.flatMap((name) => [make("dt", "", make("kbd", "", say(`keys.names.${name}`))), make("dd", "", say(`keys.do.${name}`))]);
  const shut = button(say("advice.close"), () => act({ type: "dismiss" }), "main");
  fill(say("keys.title"), "", [make("dl", "keys", ...rows)], [shut]);
  return shut;
}

const DRAWS = { verdict, concede, keys, ending, mulligan, choice: choose, option };
