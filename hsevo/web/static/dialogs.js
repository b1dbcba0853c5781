// Dialogs: the mulligan, choices of cards, how the game ended, and how good the move of an exercise was.

import { largeCard, make } from "./draw.js";
import { find } from "./board.js";
import { post } from "./decklist.js";
import { linesOf } from "./lines.js";
import { say } from "./say.js";

const dialog = find("dialog"), see = find("see"), back = find("return");
let escape = null, waits = false;

dialog.addEventListener("cancel", (event) => {
  if (!escape) return;
  event.preventDefault();
  escape();
});
// A dialog that waits for a choice leaves a button that brings it back, however it was closed.
dialog.addEventListener("close", () => {
  if (!waits || dialog.open) return;
  back.hidden = false;
  back.focus();
});

/** Put the dialog aside, so that the table can be seen, or bring it back. */
function turn() {
  if (dialog.open) {
    dialog.close();
  } else {
    back.hidden = true;
    dialog.showModal();
  }
}
see.addEventListener("click", turn);
back.addEventListener("click", turn);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !waits || event.target.closest?.("select")) return;
  if (event.key !== "t" && (event.key !== "Escape" || dialog.open)) return;
  event.preventDefault();  // else Escape closes what it has just opened
  turn();
});

/** Open the dialog with cards as buttons, and other buttons. escape: what Escape does; by default the dialog waits for
 *  a choice, and can be put aside. */
function open(title, says, cards, buttons, onEscape = null, choice = !onEscape) {
  escape = onEscape;
  waits = choice;
  see.hidden = !choice;
  back.hidden = true;
  find("dialog-title").textContent = title;
  find("dialog-says").textContent = says;
  find("dialog-cards").replaceChildren(...cards);
  find("dialog-buttons").replaceChildren(...buttons);
  if (!dialog.open) dialog.showModal();
  else if (!dialog.contains(document.activeElement)) dialog.querySelector(".offer, #dialog-buttons button")?.focus();
}

export function close() {
  escape = null;
  waits = false;
  back.hidden = true;
  if (dialog.open) dialog.close();
}

function button(words, act, name = "") {
  const element = make("button", name, words);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** Return a card as a button. cost: what it says of its cost; null for an option of a card, which has none. */
function offered(id, face, act, cost = face.cost) {
  const element = make("button", "offer", largeCard(id, face, [], { cost }));
  element.type = "button";
  element.dataset.offer = id;
  element.ariaLabel = [face.name, face.kind === "power" || cost === null ? "" : say("table.costs", { n: cost }), ...face.text].filter(Boolean).join(", ");
  element.addEventListener("click", () => act(element));
  return element;
}

/** Let the player choose among cards that a frame offers. act(move). */
export function choose(frame, faces, act) {
  const cards = frame.moves.map((move) => {
    const { card } = frame.view.choices[move.from[2]];
    return offered(card, faces[card], () => act(move));
  });
  const potions = frame.view.choices.every(({ card }) => faces[card].kind === "spell" && !faces[card].text.length);
  open(say("dialog.choose"), potions ? say("dialog.potions") : "", cards, []);
}

/** Let the player choose how a card is played; return a promise of the option, null for none. */
export function option(options, faces, name) {
  return new Promise((done) => {
    const end = (found) => {
      close();
      done(found);
    };
    const cards = options.map((one) => (one in faces ? offered(one, faces[one], () => end(one), null)
      : button(say("dialog.both"), () => end(one), "both")));
    open(name, say("dialog.choose_one"), cards, [button(say("dialog.back"), () => end(null))], () => end(null), true);
  });
}

/** Let the player throw cards back. act(places): those to throw back. */
export function mulligan(frame, faces, act) {
  const { hand } = frame.view.me;
  const cards = hand.map((held, i) => {
    const element = offered(held.card, faces[held.card], (one) => {
      const back = one.getAttribute("aria-pressed") !== "true";
      one.setAttribute("aria-pressed", String(back));
      tell();
    });
    element.setAttribute("aria-pressed", "false");
    element.dataset.place = i;
    element.append(make("span", "stamp", say("dialog.throw_back")));
    return element;
  });
  const keep = button("", () => act(places()), "main");
  const places = () => cards.filter((one) => one.getAttribute("aria-pressed") === "true").map((one) => Number(one.dataset.place));
  const tell = () => {
    const n = places().length;
    keep.textContent = n ? say("dialog.throw", { n, rest: hand.length - n }) : say("dialog.keep_all");
  };
  tell();
  open(say("dialog.first_hand"), say("dialog.mulligan"), cards, [keep]);
  keep.focus();
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Say how the game ended. watched: who plays instead of you; match: the number of its match, if any;
 *  study: whether a study "shows" or "hides" the game afterwards, if it is of one. */
export function ending(frame, { agent, watched, number, match, study }) {
  const { me, opponent } = frame.view;
  const life = (side) => Math.max(0, side.hero.health + side.hero.armor);
  const gave = frame.over === "opponent conceded" ? `${say("ending.gave_up", { name: capital(agent) })} ` : "";
  const lives = say("ending.lives", { me: watched ?? say("game.you"), mine: life(me), opponent: agent, theirs: life(opponent) });
  const further = match || study; // what comes next is the first to choose
  const again = make("a", further ? "as-button" : "as-button main", say("ending.again"));
  again.href = study ? "/game/again" : `/game/${number}/again`;
  const home = make("a", further ? "as-button main" : "as-button", say(match ? "ending.match" : study ? "study.go_on" : "ending.home"));
  home.href = match ? `/match/${match}` : "/";
  const winner = { won: watched, lost: agent }[frame.over];
  const mistakes = watched || study ? [] : [button(say("ending.mistakes"), (event) => analyse(event.target, number), "mistakes")];
  const rematch = watched || further || "duel" in document.body.dataset ? [] : [button(say("ending.rematch"), (event) => playAgain(event.target, number))];
  if (rematch.length) rematch[0].title = say("ending.rematch_says");
  open(watched && winner ? say("ending.wins", { name: winner }) : say(`ending.ends.${frame.over.replaceAll(" ", "_")}`),
    `${frame.view.turn ? say("ending.turn", { n: Math.min(frame.view.turn, frame.view.max_turns) }) : say("ending.before")} ${gave}${lives}`, [],
    [home, ...(study === "hides" ? [] : [again]), ...rematch, ...mistakes, button(say("dialog.see"), close)], close);
  (further ? home : again).focus();
}

/** Begin a game again, with its seats swapped. */
async function playAgain(pressed, number) {
  pressed.disabled = true;
  const [fine, answer] = await post(`/game/${number}/rematch`, {});
  if (fine) location.assign(`/game/${answer.number}`);
  else find("dialog-says").textContent = answer.why;
  pressed.disabled = false;
}

/** Have the server find the mistakes in a game, and open their page. */
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

const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
const ends = (low, high) => say("lines.ends", { low: Math.round(100 * low), high: Math.round(100 * high) });

/** Return the moves that were compared as a table. mine: the one that was just tried. */
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

/** Return what the answer of an exercise is. mine: the move that was just tried. */
function answered(answer, mine) {
  const line = (words, moves) => make("p", "", make("b", "", words), ` ${moves.join("; ")}`);
  return [make("div", "lines", line(say("verdict.made"), answer.made), line(say(answer.moves.length ? "verdict.better" : "verdict.wins"), answer.line)),
    ...(answer.moves.length ? [compared(answer, mine), make("p", "how", say("verdict.how", { games: answer.games, agent: answer.agent }))] : [])];
}

/** Say how good a move of an exercise was. goesOn: whether another one can be tried on the same table. stay: called when
 *  the dialog is closed. */
export function verdict({ solved, says, move, cost, answer }, { address, goesOn, giveUp, stay }) {
  const shut = () => {
    close();
    stay();
  };
  const next = make("a", `as-button${answer ? " main" : ""}`, say("verdict.next"));
  next.href = `${address}/next`;
  const again = button(say("verdict.again"), () => (goesOn ? shut() : location.reload()), "main");
  const lost = cost && solved === false ? ` ${say("verdict.costs", { points: Math.round(100 * cost.loss), ends: ends(cost.loss_low, cost.loss_high) })}` : "";
  open(say(solved === null ? "verdict.answer" : solved ? "verdict.solved" : "verdict.not_solved"), solved === null ? "" : `${says}${lost}`,
    answer ? answered(answer, move) : [],
    answer ? [next, button(say("dialog.see"), shut)] : [again, button(say("exercises.show"), giveUp), next], shut);
  (answer ? next : again).focus();
}

/** Ask whether the player means it. stay: called if not. */
export function ask(words, yes, act, stay) {
  const end = (then) => () => {
    close();
    then();
  };
  open(words, "", [], [button(say("dialog.play_on"), end(stay), "main"), button(yes, end(act), "grave")], end(stay));
}
