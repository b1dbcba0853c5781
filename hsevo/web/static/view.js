// How a state of a page of a game looks, as plain data: game.js writes it into the document.

import { bare, left, options, places, starts, targets } from "./moves.js";
import { say } from "./say.js";
import { dialogOf, isMine } from "./state.js";

/** @import { Spot, State } from "./types.js" */

/** Return a text with a capital, but the name of an agent as it is.
 * @param {State} state @param {string} text */
export const capital = ({ page: { agent, duel, watched } }, text) => ((!duel && text.startsWith(agent)) || (watched && text.startsWith(watched))
  ? text : text[0].toUpperCase() + text.slice(1));

/** Return what a page shows of a state, besides the table, the log and the dialogs.
 * @param {State} state */
export function view(state) {
  const { frame, choice, page } = state, mine = isMine(state), moves = left(frame, choice);
  const asked = options(frame, choice).length > 0, over = Boolean(frame?.over);
  const plays = mine && frame?.view.phase === "play", rest = starts(frame).length;
  return {
    turn: frame ? turn(state) : "", title: page.duel && mine ? "game.your_turn" : "", mine, thinks: Boolean(frame?.thinks), over,
    ...said(state),
    chosen: choice?.spot ?? null, targets: targets(moves), places: asked || choice?.place !== null ? [] : places(moves),
    open: !asked && bare(moves).length > 0,
    end: { off: !plays, done: mine && !rest, says: ending(state, rest) },
    hint: mine && state.hint !== "asked", advice: typeof state.hint === "object" ? state.hint : null,
    dialog: dialogOf(state), aside: state.aside,
    phase: over ? "over" : mine ? frame?.view.phase ?? "" : frame ? "waits" : "",
  };
}

/** @param {State} state */
function whose({ page, frame }) {
  if (frame?.moves.length) return say("game.yours");
  if (page.watched && frame?.view.to_move === frame?.view.player) return say("game.thinks", { name: page.watched });
  return thinks(page);
}

/** @param {State["page"]} page */
const thinks = ({ agent, asks, duel }) => (duel ? agent : asks ? say("exercises.ended") : say("game.thinks", { name: agent }));

/** @param {State} state */
function turn(state) {
  const { over = "", view: seen = null } = state.frame ?? {};
  if (over) return say("game.over");
  return seen?.turn ? say("game.turn", { n: seen.turn, whose: whose(state) }) : say("game.mulligan", { whose: whose(state) });
}

/** Return what stands on the button that ends the turn. rest: how many moves are left.
 * @param {State} state @param {number} rest */
function ending(state, rest) {
  const { page, frame } = state;
  if (isMine(state)) return say(rest ? "game.moves_left" : "game.nothing_left");
  return frame?.over ? say("game.game_over") : page.duel ? say("game.turn_of", { name: page.agent }) : thinks(page);
}

/** Return what is said beside the turn, and of what kind it is.
 * @param {State} state @returns {{ said: string, kind: string }} */
function said(state) {
  const { lost, notice, armed, choice, page } = state;
  if (lost !== null) return { said: say(lost === 4404 ? "game.none" : lost === 4403 ? "game.two_others" : "game.lost"), kind: "refused" };
  if (notice?.text === "game.hint_thinks") return { said: say("game.hint_thinks", { name: notice.words ?? "" }), kind: "" };
  if (notice?.text === "game.gives_up") return { said: say("game.gives_up", { name: page.agent }), kind: "" };
  if (notice) return { said: notice.words ?? "", kind: notice.kind };
  if (armed !== null) return { said: say("game.sure"), kind: "refused" };
  if (choice) return { said: advise(state, nameAt(state, choice.spot)), kind: "" };
  return { said: standing(state), kind: "" };
}

/** Return what is said where nothing has just happened.
 * @param {State} state */
function standing(state) {
  const { frame, page, there } = state, name = page.agent;
  if (!frame || frame.over) return "";
  if (!isMine(state)) {
    if (!page.duel) return "";
    if (!there) return say("game.not_here", { name: capital(state, name) });
    return say(frame.view.phase === "mulligan" ? "game.waits_hand" : "game.waits_move", { name });
  }
  if (frame.view.phase !== "play") return "";
  if (!starts(frame).length) return say("game.end_it");
  return page.asks ? say("exercises.asked", { asks: page.asks }) : page.duel ? say("game.is_yours") : "";
}

/** Return what an own card, character or hero power is called.
 * @param {State} state @param {Spot} spot */
export function nameAt({ frame }, [, zone, number]) {
  const me = frame?.view.me;
  const named = zone === "hand" ? me?.hand[number] : zone === "board" ? me?.board[number] : zone === "power" ? me?.power : null;
  return named?.name ?? say("table.your_hero");
}

/** Return what a chosen card or character waits for.
 * @param {State} state @param {string} name */
function advise({ frame, choice, aside }, name) {
  const moves = left(frame, choice);
  if (options(frame, choice).length) return aside ? say("advise.option", { name }) : "";
  if (targets(moves).length) return say("advise.target", { name });
  if (choice?.place === null && places(moves).length) return say("advise.place", { name });
  return say("advise.table", { name });
}
