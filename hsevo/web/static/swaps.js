// Better swaps for the deck: asked of the server, which plays games for them, and made by a click.

import { make } from "./draw.js";
import { linesOf } from "./lines.js";
import { say } from "./say.js";

const find = (id) => document.getElementById(id);
const FIELD = ["mage", "shaman", "warrior"];

export class Swaps {
  constructor(faces, deck) {
    this.faces = faces;
    this.deck = deck;
    this.whole = this.busy = false;
    find("improve").addEventListener("submit", (event) => {
      event.preventDefault();
      this.look();
    });
  }

  /** Note whether the deck is one, so that it can be asked about. */
  allow(whole) {
    this.whole = whole;
    find("improve-go").disabled = !whole || this.busy;
    if (this.asked && this.asked !== this.deck.text) find("better").replaceChildren();
  }

  async look() {
    this.busy = true;
    this.asked = this.deck.text;
    this.allow(this.whole);
    find("better").textContent = "";
    const against = find("against").value ? [find("against").value] : FIELD;
    const answer = await fetch("/swaps", { method: "POST", body: JSON.stringify({ deck: this.asked, against,
      swaps: Number(find("swaps").value), standard: find("standard-swaps").checked }) });
    if (answer.ok) await this.follow(answer);
    else find("better").replaceChildren(make("p", "bad", (await answer.json()).why));
    this.busy = false;
    find("improving").hidden = true;
    find("improve-go").disabled = !this.whole;
  }

  async follow(answer) {
    const bar = find("improving");
    bar.hidden = false;
    bar.removeAttribute("value");
    for await (const line of linesOf(answer)) {
      if (line.of) {
        bar.max = line.of;
        bar.value = line.games;
      } else if (line.why) {
        find("better").replaceChildren(make("p", "bad", line.why));
      } else {
        this.show(line);
      }
    }
  }

  /** Show what was found, unless the deck has changed meanwhile. */
  show({ says, swaps }) {
    if (this.asked !== this.deck.text) {
      find("better").replaceChildren(make("p", "", say("swaps.changed")));
      return;
    }
    const rows = swaps.map((swap) => make("li", "", make("span", "out", `− ${this.faces[swap.out].name}`), " ",
      make("span", "in", `+ ${this.faces[swap.in].name}`)));
    find("better").replaceChildren(make("ul", "swaps", ...rows), make("p", "", say("swaps.found", { says: says[0].toUpperCase() + says.slice(1) })));
    if (!swaps.length) return;
    const take = make("button", "", say("swaps.make", { n: swaps.length }));
    take.type = "button";
    take.id = "swap";
    take.addEventListener("click", () => this.deck.exchange(swaps));
    find("better").append(take);
  }
}
