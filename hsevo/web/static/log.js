// What happened in a game, a line an item.

import { find } from "./board.js";
import { make } from "./draw.js";
import { say } from "./say.js";

/** Return a line as an item of a list; one with which a turn begins says whose it is. capital: begins a line.
 * @param {string} text @param {(text: string) => string} capital */
export function item(text, capital) {
  const turn = text.match(/^turn (\d+): (.*)$/);
  return make("li", turn ? "turn" : "", turn ? say("game.log_turn", { n: turn[1], whose: turn[2] }) : capital(text));
}

/** Have a button unfold the log where there is little room. */
export function folded() {
  find("log-toggle").addEventListener("click", () => {
    find("log-toggle").ariaExpanded = String(document.body.classList.toggle("with-log"));
    find("lines").scrollTop = find("lines").scrollHeight;
  });
}

/** The log of a stored game: what comes later than the step that is shown is hidden. */
export class Log {
  /** steps: the lines of each step. drawn: returns the item of a line, and of its step.
   * @param {string} id @param {string[][]} steps @param {(text: string, step: number) => HTMLElement} drawn */
  constructor(id, steps, drawn) {
    this.list = find(id);
    this.items = steps.flatMap((lines, step) => lines.map((text) => ({ step, line: drawn(text, step) })));
    this.list.replaceChildren(...this.items.map(({ line }) => line));
  }

  /** Show the lines up to a step, those that are new marked and in sight.
   * @param {number} now */
  show(now) {
    for (const { step, line } of this.items) {
      line.hidden = step > now;
      line.classList.toggle("new", step === now);
    }
    const latest = this.items.findLast(({ step }) => step <= now)?.line;
    if (latest) this.list.scrollTop = latest.offsetTop + latest.offsetHeight;
  }
}
