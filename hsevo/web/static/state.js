// The states of a page of a game: `reduce` takes one and what happens, and returns the next one and what to send.
// Nothing here touches the document; view.js says how a state looks.

import { bare, canStart, left, options, places, rightmost, same, starts, targets } from "./moves.js";

/** @import { Act, Frame, Message, Move, Page, Sent, Spot, State, Verdict } from "./types.js" */
/** @typedef {[State, Sent[]]} Next */

const QUICK = 500; // milliseconds within which a second press of End turn counts as the same press

/** Return the state of a page that has heard nothing yet.
 * @param {Page} page @returns {State} */
export const begin = (page) => ({ page, frame: null, queue: [], sent: false, choice: null, marked: [], throwing: null, armed: null,
  notice: null, hint: null, verdict: null, opened: null, aside: false, read: false, paused: false, there: true, lost: null });

/** Return the state after an act, and the messages to send.
 * @param {State} state @param {Act} act @returns {Next} */
export function reduce(state, act) {
  const [next, sent] = ACTS[act.type](state, /** @type {any} */ (act));
  return [dialogName(next) === dialogName(state) ? next : { ...next, aside: false }, sent];
}

/** Return whether the player is to move.
 * @param {State} state */
export const isMine = ({ frame }) => frame !== null && frame.moves.length > 0;

/** Return the dialog that a state needs, "" for none; other names are other dialogs.
 * @param {State} state @returns {"" | "verdict" | "concede" | "keys" | "ending" | "mulligan" | "choice" | "option"} */
export function dialogOf(state) {
  const { frame, page } = state;
  if (state.opened) return state.opened;
  if (state.verdict) return "verdict";
  if (!frame) return "";
  if (frame.over && !page.asks) return state.read ? "" : "ending";
  if (!isMine(state) || state.sent) return "";
  if (frame.view.phase === "mulligan") return state.throwing ? "" : "mulligan";
  if (frame.view.phase === "choice") return "choice";
  return options(frame, state.choice).length ? "option" : "";
}

/** Return the name of a dialog with what it is about: if it changes, the dialog is drawn.
 * @param {State} state */
export function dialogName(state) {
  const kind = dialogOf(state);
  return kind && `${kind} ${state.frame?.at} ${state.choice?.spot} ${state.verdict?.answer ? "answer" : ""}`;
}

/** Return whether a dialog waits for a choice, so that it can be put aside but not left.
 * @param {State} state */
export const waits = (state) => ["mulligan", "choice", "option"].includes(dialogOf(state));

// -- what a player does with cards -----------------------------------------------------------------

/** @param {State} state @param {Sent[]} sent @returns {Next} */
const stay = (state, ...sent) => [state, sent];

/** Note an act for a study.
 * @param {State} state @param {string} what @param {Spot | null} spot */
const noted = ({ page }, what, spot = null) => (page.study ? [{ do: "note", what, at: spot }] : []);

/** Let go of what is chosen, and of all that was said.
 * @param {State} state @returns {State} */
const free = (state) => ({ ...state, choice: null, armed: null, notice: null });

/** Send a move, unless another one is on its way or frames wait.
 * @param {State} state @param {Move | undefined} move @returns {Next} */
function make(state, move) {
  if (!move || !state.frame || state.sent || state.queue.length || state.lost !== null) return stay(state);
  return stay({ ...free(state), hint: null, sent: true }, { do: "move", move: move.move, at: state.frame.at });
}

/** @param {State} state */
const isAsked = (state) => options(state.frame, state.choice).length > 0;

/** Choose a card, a character or the hero power. atOnce: a hero power without a target is used.
 * @param {State} state @param {Spot} spot @param {boolean} atOnce @returns {Next} */
function choose(state, spot, atOnce) {
  const next = { ...free(state), choice: { spot, option: null, place: null } };
  const moves = left(next.frame, next.choice);
  if (!moves.length) return stay(free(state));
  if (atOnce && spot[1] === "power" && !isAsked(next) && !targets(moves).length) return make(next, rightmost(moves));
  return stay(next, ...noted(state, "choose", spot));
}

/** @param {State} state @param {{ spot: Spot, finger?: boolean }} act @returns {Next} */
function click(state, { spot, finger = false }) {
  const { choice, frame } = state;
  if (isAsked(state)) return stay(state);
  const aimed = left(frame, choice).filter((move) => same(move.to, spot));
  if (aimed.length) return make(state, rightmost(aimed));
  if (choice && same(choice.spot, spot)) return stay(free(state));
  if (canStart(frame, spot)) return choose(state, spot, !finger);
  return stay(free(state), choice ? { do: "why", from: choice.spot, to: spot } : { do: "why", from: spot, to: null });
}

/** Play what is chosen, if it needs no target; a minion goes to the right end. dropped: a card that needs one waits for it.
 * @param {State} state @returns {Next} */
function table(state, dropped = false) {
  if (!state.choice || isAsked(state)) return stay(state);
  const moves = left(state.frame, state.choice), free_ = bare(moves), found = places(moves);
  if (free_.length) return make(state, rightmost(free_));
  if (found.length) return stay({ ...state, choice: { ...state.choice, place: Math.max(...found) } });
  return stay(dropped ? state : free(state));
}

/** Put a minion at a place of the board.
 * @param {State} state @param {{ place: number }} act @returns {Next} */
function place(state, act) {
  if (!state.choice || isAsked(state)) return stay(state);
  const choice = { ...state.choice, place: act.place }, moves = left(state.frame, choice);
  if (!moves.length) return stay(state);
  return targets(moves).length ? stay({ ...state, choice }) : make(state, rightmost(moves));
}

/** Drop what was dragged. over: the spot below; place: where on the own board; felt: whether the table is below.
 * @param {State} state @param {{ over: Spot | null, place: number, felt: boolean }} act @returns {Next} */
function drop(state, { over, place: number, felt }) {
  const { choice } = state, moves = left(state.frame, choice);
  if (!choice || isAsked(state)) return stay(state);
  const found = places(moves), isMinion = moves.some((move) => move.place >= 0) && choice.place === null;
  const onBoard = over?.[0] === "me" && over[1] === "board";
  if (isMinion && (onBoard || (felt && !over))) return found.includes(number) ? place(state, { place: number }) : table(state, true);
  if (over && (over[0] === "foe" || targets(moves).some((spot) => same(spot, over)))) return click(state, { spot: over });
  if (felt) return table(state, true);
  return same(over, choice.spot) ? stay(state) : stay(free(state));
}

/** @param {State} state @param {{ option: string }} act @returns {Next} */
function option(state, act) {
  if (!state.choice) return stay(state);
  const choice = { ...state.choice, option: act.option }, moves = left(state.frame, choice);
  if (!moves.length) return stay(state);
  return targets(moves).length || places(moves).length ? stay({ ...state, choice }) : make({ ...state, choice }, rightmost(moves));
}

/** End the turn; where moves are left, ask for a second press, and not for a quick one.
 * @param {State} state @param {{ now: number }} act @returns {Next} */
function end(state, { now }) {
  const move = state.frame?.moves.find((one) => one.kind === "end turn");
  if (!move || state.sent) return stay(state);
  if (!starts(state.frame).length || (state.armed !== null && now - state.armed >= QUICK)) return make(state, move);
  return stay({ ...free(state), armed: state.armed ?? now });
}

// -- the first hand --------------------------------------------------------------------------------

/** Throw back the next of the marked cards, from the last to the first; then keep the others.
 * @param {State} state @returns {Next} */
function throwNext(state) {
  const [number, ...rest] = state.throwing ?? [];
  const [next, sent] = make(state, state.frame?.moves.find((move) => (number === undefined ? move.kind === "keep"
    : move.kind === "throw back" && move.from?.[2] === number)));
  return [sent.length ? { ...next, throwing: rest } : next, sent];
}

// -- what the server says --------------------------------------------------------------------------

/** @param {State} state @param {{ message: Message }} act @returns {Next} */
function heard(state, { message }) {
  switch (message.kind) {
    case "state":
    case "verdict":
      return stay({ ...state, queue: [...state.queue, message] });
    case "hint":
      return stay({ ...state, notice: null, hint: message.at === state.frame?.at ? message : null });
    case "there":
      return stay({ ...state, there: message.there });
    default:
      return stay({ ...state, sent: false, throwing: null, marked: [], armed: null, hint: null,
        notice: { words: message.why, kind: message.kind } });
  }
}

/** The first of the queue was shown: it is what is on the table now.
 * @param {State} state @returns {Next} */
function shown(state) {
  const [first, ...queue] = state.queue;
  if (first.kind === "verdict") {
    const notice = { words: first.says, kind: first.solved ? "" : "refused" };
    return stay({ ...free(state), queue, sent: false, verdict: first, notice });
  }
  const throws = state.throwing && first.view.phase === "mulligan" && first.moves.length > 0;
  const next = { ...free(state), queue, frame: first, sent: false, hint: null, marked: [], throwing: throws ? state.throwing : null };
  return throws ? throwNext(next) : stay(next);
}

/** Close or leave the dialog that is open.
 * @param {State} state @returns {Next} */
function dismiss(state) {
  if (state.opened) return stay({ ...state, opened: null });
  if (state.verdict) return stay({ ...state, verdict: null });
  const kind = dialogOf(state);
  if (kind === "ending") return stay({ ...state, read: true });
  if (kind === "option") return stay(free(state));
  return stay({ ...state, aside: waits(state) });
}

/** @type {Record<Act["type"], (state: State, act: any) => Next>} */
const ACTS = {
  heard, shown, click, drop, place, option, end, dismiss,
  line: (state, { lost }) => stay({ ...state, lost, sent: lost === null && state.sent, throwing: null }),
  drag: (state, { spot }) => (same(state.choice?.spot ?? null, spot) && !isAsked(state) ? stay(state) : choose(state, spot, false)),
  table: (state) => table(state),
  mark: (state, act) => stay({ ...state, marked: state.marked.includes(act.place) ? state.marked.filter((one) => one !== act.place)
    : [...state.marked, act.place] }),
  throw: (state) => (dialogOf(state) !== "mulligan" || state.lost !== null ? stay(state) : throwNext({ ...state, throwing: [...state.marked].sort((a, b) => b - a) })),
  take: (state, { move }) => make(state, move),
  hint: (state, { agent }) => (isMine(state) && state.hint !== "asked" && !state.page.asks ? stay({ ...free(state), hint: "asked",
    notice: { text: "game.hint_thinks", words: agent, kind: "" } }, { do: "hint", agent }) : stay(state)),
  unhint: (state) => stay({ ...state, hint: null }),
  concede: (state) => stay({ ...free(state), opened: "concede" }, ...noted(state, "dialog")),
  conceded: (state) => stay({ ...state, opened: null, notice: state.frame?.thinks ? { text: "game.gives_up", kind: "" } : null }, { do: "concede" }),
  keys: (state) => stay({ ...state, opened: state.opened === "keys" ? null : "keys" }),
  answer: (state) => stay(state, { do: "answer" }),
  aside: (state) => stay({ ...state, aside: waits(state) && !state.aside }),
  escape: (state) => stay({ ...free(state), hint: state.hint === "asked" ? state.hint : null }),
  pause: (state) => stay(state.page.watched && !state.frame?.over ? { ...state, paused: !state.paused } : state),
  step: (state, { at }) => (state.paused || state.queue.length || state.frame?.at !== at || state.lost !== null ? stay(state)
    : stay(state, { do: "step", at })),
  look: (state, { spot }) => stay(state, ...noted(state, "look", spot)),
};
