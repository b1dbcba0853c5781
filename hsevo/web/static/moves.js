// Which legal moves are left once a card, a character or the hero power is chosen.

/** @import { Choice, Frame, Move, Spot } from "./types.js" */

const STARTS = new Set(["play", "attack", "hero power"]);

/** Return whether two spots are the same.
 * @param {Spot | null} a @param {Spot | null} b */
export const same = (a, b) => a !== null && b !== null && a.join() === b.join();

/** Return the moves that begin with a card or a character.
 * @param {Frame | null} frame */
export const starts = (frame) => (frame?.moves ?? []).filter((move) => STARTS.has(move.kind));

/** Return whether a move begins at a spot.
 * @param {Frame | null} frame @param {Spot} spot */
export const canStart = (frame, spot) => starts(frame).some((move) => same(move.from, spot));

/** Return the moves that a choice leaves.
 * @param {Frame | null} frame @param {Choice | null} choice */
export function left(frame, choice) {
  if (!choice) return [];
  return starts(frame).filter((move) => same(move.from, choice.spot) && (choice.option === null || move.option === choice.option)
    && (choice.place === null || move.place === choice.place));
}

/** Return the options among which the player has to choose; [] if there is nothing to choose.
 * @param {Frame | null} frame @param {Choice | null} choice @returns {string[]} */
export function options(frame, choice) {
  const found = [...new Set(left(frame, choice).map((move) => move.option))];
  return found.length > 1 ? found.map(String) : [];
}

/** Return the spots at which moves can be aimed.
 * @param {Move[]} moves */
export const targets = (moves) => moves.map((move) => move.to).filter((spot) => spot !== null);

/** Return the moves without a target.
 * @param {Move[]} moves */
export const bare = (moves) => moves.filter((move) => !move.to);

/** Return the places among which the player can choose for a minion, from the left.
 * @param {Move[]} moves */
export function places(moves) {
  const found = [...new Set(moves.map((move) => move.place))].filter((place) => place >= 0);
  return found.length > 1 ? found.sort((a, b) => a - b) : [];
}

/** Return the move at the right end; undefined if there is none.
 * @param {Move[]} moves @returns {Move | undefined} */
export const rightmost = (moves) => moves.reduce((a, b) => (b.place >= a.place ? b : a), moves[0]);
