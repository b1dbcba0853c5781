// Going through a stored game: what its board and the page of a replay share around the table.

import { find } from "./board.js";

/** The buttons that stand for keys.
 * @type {Record<string, string>} */
const BUTTONS = { first: "Home", back: "ArrowLeft", forward: "ArrowRight", last: "End" };

/** Have keys act, and the buttons that stand for some of them.
 * @param {Record<string, () => void>} keys */
export function steer(keys) {
  for (const [id, key] of Object.entries(BUTTONS)) find(id).addEventListener("click", () => keys[key]());
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    if (target.closest?.("select") || (event.key === " " && target.closest?.("button, a"))) return;
    event.preventDefault();
    keys[event.key]();
  });
}

/** Return the number that the address names, as 7 of #step-7; NaN if it names none.
 * @param {string} name */
export const addressed = (name) => Number(location.hash.match(`^#${name}-(\\d+)$`)?.[1] ?? NaN);

/** A game that goes on by itself, a step after the other. */
export class Playing {
  /** on: goes one step on. ended: whether there is none. breath: milliseconds before a step. told: hears whether it plays.
   * @param {() => Promise<void> | void} on @param {() => boolean} ended @param {() => number} breath
   * @param {(plays: boolean) => void} told */
  constructor(on, ended, breath, told) {
    this.on = on;
    this.ended = ended;
    this.breath = breath;
    this.told = told;
    this.plays = false;
    this.begun = 0; // how often it was started or stopped: who waits notices
  }

  toggle() {
    if (this.plays) this.stop();
    else this.start();
  }

  stop() {
    this.plays = false;
    this.begun += 1;
    this.told(false);
  }

  async start() {
    this.plays = true;
    this.begun += 1;
    this.told(true);
    for (const mine = this.begun; !this.ended();) {
      await new Promise((done) => { setTimeout(done, this.breath()); });
      if (mine !== this.begun) return;
      await this.on();
      if (mine !== this.begun) return;
    }
    this.stop();
  }
}
