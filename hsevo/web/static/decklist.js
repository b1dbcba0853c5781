// A deck as both pages show it: its head with the mana curve, and a row for each card.

import { make } from "./draw.js";
import { say } from "./say.js";

/** @import { Face, Faces } from "./types.js" */
/** @typedef {{ card: string, n: number }[]} Cards */

const LATE = 7;

/** Post JSON; return whether it went well, the answer, which has "why" if not, and the status, 0 for none.
 * @param {string} path @param {unknown} body @returns {Promise<[boolean, any, number]>} */
export async function post(path, body) {
  let answer = null;
  try {
    answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  } catch {
    return [false, { why: say("site.not_running") }, 0];
  }
  const said = await answer.text();
  try {
    return [answer.ok, JSON.parse(said), answer.status];
  } catch {
    return [false, { why: said.trim() }, answer.status];  // of the guard: too large, too many
  }
}

/** Return how many cards cost 0 to 6 mana, and 7 or more.
 * @param {Cards} cards @param {Faces} faces */
function curveOf(cards, faces) {
  const curve = Array(LATE + 1).fill(0);
  for (const { card, n } of cards) curve[Math.min(faces[card].cost, LATE)] += n;
  return curve;
}

/** Return the head of a deck: its class, how many cards, and its curve. size: how many it will have.
 * @param {string} hero @param {Cards} cards @param {Faces} faces @param {number | null} size */
export function deckHead(hero, cards, faces, size = null) {
  const curve = curveOf(cards, faces), most = Math.max(1, ...curve);
  const bars = make("span", "curve", ...curve.map((n, cost) => {
    const bar = make("i");
    bar.style.height = `${Math.max(2, 100 * n / most)}%`;
    bar.title = say(cost === LATE ? "decks.cost_or_more" : "decks.cost", { n, cost });
    return bar;
  }));
  bars.role = "img";
  bars.ariaLabel = say("decks.curve", { counts: curve.join(", ") });
  const n = cards.reduce((sum, one) => sum + one.n, 0);
  const title = hero[0].toUpperCase() + hero.slice(1).toLowerCase();
  return make("div", `deck-head ${hero.toLowerCase()}`, make("b", "", size === null ? say("decks.head", { hero: title, n }) : say("decks.head_of", { hero: title, n, size })), bars);
}

/** Return what a row of a card has: cost, name, copies.
 * @param {Face} face @param {number} n */
export function rowOf(face, n) {
  const legendary = face.rarity === "legendary";
  return [make("span", "cost", face.cost), make("span", `name ${legendary ? "legendary" : ""}`, face.name + (legendary ? " ★" : "")),
    make("span", "", n > 1 ? `× ${n}` : "")];
}
