// The best lines at a position: asked of the server, which plays many games on, and shown.

import { find } from "./board.js";
import { make } from "./draw.js";
import { linesOf } from "./lines.js";

const LETHAL = { yes: "A lethal is there", no: "No lethal", chance: "A lethal with luck", unknown: "Whether there is a lethal is not known" };
const percent = (share) => `${(100 * share).toFixed(1)}\u00a0%`;
const ends = (low, high) => `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}`;

export class Lines {
  constructor() {
    this.busy = false;
  }

  /** Note that the position has changed since. */
  old() {
    find("best").classList.add("old");
  }

  async look(wish) {
    const bar = find("looking");
    this.busy = true;
    bar.hidden = false;
    bar.removeAttribute("value");
    find("best").replaceChildren();
    find("best").classList.remove("old");
    try {
      const answer = await fetch("/position/lines", { method: "POST", body: JSON.stringify(wish) });
      const told = answer.ok ? linesOf(answer) : [await answer.json()];
      for await (const line of told) {
        if (line.of) {
          bar.max = line.of;
          bar.value = line.games;
        } else if (line.why) {
          this.refuse(line.why);
        } else {
          this.show(line);
        }
      }
    } catch {
      this.refuse("The server does not answer; try again.");
    }
    bar.hidden = true;
    this.busy = false;
  }

  refuse(why) {
    find("best").replaceChildren(make("p", "bad", why));
  }

  show({ title, agent, games, chance, lines, lethal }) {
    const luck = lethal.answer === "chance" ? `, ${percent(lethal.least)}` : "";
    const line = lethal.line.length ? `: ${lethal.line.join("; ")}` : "";
    const says = [make("p", "faint", title), make("p", "", make("b", "", `${LETHAL[lethal.answer]}${luck}${line}.`))];
    if (lethal.answer !== "yes") {
      says.push(make("p", "", make("b", "", `Chance to win: ${percent(chance[0])}`), ` (95 % interval ${ends(chance[1], chance[2])}) after the`
        + ` move of ${agent}, by ${games} games that it played on for both.`), make("ol", "", ...lines.map((one, i) => this.row(one, i))),
      make("p", "faint", "A line’s chance is that of its first move. The first is the highest of many estimates."));
    }
    find("best").replaceChildren(...says);
  }

  row(one, i) {
    const behind = i ? `, ${(100 * one.behind).toFixed(1)} points (${ends(one.behind_low, one.behind_high)}) behind` : "";
    return make("li", "", make("b", "", percent(one.chance)), ` (${ends(one.chance_low, one.chance_high)})${behind}${one.own ? ", the analyst’s" : ""}`,
      make("p", "", one.line.join("; ")));
  }
}
