// The best lines at a position: asked of the server, which plays many games on, and shown.

import { find } from "./board.js";
import { make } from "./draw.js";
import { linesOf } from "./lines.js";
import { parts, say } from "./say.js";

const percent = (share) => `${(100 * share).toFixed(1)}\u00a0%`;
const points = (share) => (100 * share).toFixed(1);
const ends = (low, high) => say("lines.ends", { low: points(low), high: points(high) });

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
      this.refuse(say("site.no_answer"));
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
    const says = [make("p", "faint", title), make("p", "", make("b", "", `${say(`lines.lethal.${lethal.answer}`)}${luck}${line}.`))];
    if (lethal.answer !== "yes") {
      says.push(make("p", "", ...parts("lines.chance", { chance: make("b", "", say("lines.win", { chance: percent(chance[0]) })),
        ends: ends(chance[1], chance[2]), agent, games })), make("ol", "", ...lines.map((one, i) => this.row(one, i))),
      make("p", "faint", say("lines.how")));
    }
    find("best").replaceChildren(...says);
  }

  row(one, i) {
    const behind = i ? `, ${say("lines.behind", { points: points(one.behind), ends: ends(one.behind_low, one.behind_high) })}` : "";
    return make("li", "", make("b", "", percent(one.chance)), ` (${ends(one.chance_low, one.chance_high)})${behind}${one.own ? `, ${say("lines.own")}` : ""}`,
      make("p", "", one.line.join("; ")));
  }
}
