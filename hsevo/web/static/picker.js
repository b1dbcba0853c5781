// The choice of a deck on a page: one of those that are ready, of the human lists, or one that is pasted.

import { deckHead, post, rowOf } from "./decklist.js";
import { make } from "./draw.js";
import { say } from "./say.js";

const WIDE = matchMedia("(min-width: 1000px)"); // where the cards of a deck do not come before the button that begins

/** A deck: ready, searched for, or pasted. faces: all cards. */
export class Picker {
  constructor(id, faces) {
    this.faces = faces;
    this.box = document.getElementById(id);
    this.way = "ready";
    this.human = "";
    this.field = (name) => this.box.querySelector(`[name="${name}"]`);
    for (const button of this.box.querySelectorAll("[data-way]")) {
      button.addEventListener("click", () => this.turn(button.dataset.way));
    }
    this.field("ready").addEventListener("change", () => this.show());
    this.field("pasted").addEventListener("input", () => this.later(() => this.show()));
    this.field("words").addEventListener("input", () => this.later(() => this.search()));
    this.show();
  }

  /** Choose one of the ready decks. */
  take(words) {
    const option = [...this.field("ready").options].find((one) => one.value === words && !one.disabled);
    if (!option) return;
    option.selected = true;
    this.turn("ready");
  }

  /** What is chosen, as `choose` takes it. */
  get chosen() {
    return { way: this.way, deck: this.deck, words: this.field("words").value };
  }

  /** Choose what was chosen before, if it is still offered. */
  choose(chosen) {
    if (!chosen?.deck) return;
    if (chosen.way === "ready") this.take(chosen.deck);
    if (chosen.way === "search") [this.human, this.field("words").value] = [chosen.deck, chosen.words ?? ""];
    if (chosen.way === "paste") this.field("pasted").value = chosen.deck;
    if (["search", "paste"].includes(chosen.way)) this.turn(chosen.way);
  }

  later(act) {
    clearTimeout(this.timer);
    this.timer = setTimeout(act, 250);
  }

  turn(way) {
    this.way = way;
    for (const button of this.box.querySelectorAll("[data-way]")) {
      button.setAttribute("aria-pressed", String(button.dataset.way === way));
    }
    for (const part of this.box.querySelectorAll("[data-part]")) part.hidden = part.dataset.part !== way;
    if (way === "search" && !this.box.querySelector(".found").children.length) this.search();
    this.show();
  }

  /** What names the deck; "" if none is chosen yet. */
  get deck() {
    return { ready: this.field("ready").value, search: this.human, paste: this.field("pasted").value.trim() }[this.way];
  }

  async search() {
    const words = this.field("words").value;
    const found = await (await fetch(`/decks?${new URLSearchParams({ words })}`)).json();
    if (words !== this.field("words").value) return;
    this.box.querySelector(".found").replaceChildren(...found.map((one) => {
      const button = make("button", "", say("decks.list", { hero: one.class, says: one.says }));
      button.type = "button";
      button.setAttribute("aria-pressed", String(one.deck === this.human));
      button.addEventListener("click", () => {
        for (const other of this.box.querySelectorAll(".found button")) other.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-pressed", "true");
        this.human = one.deck;
        this.show();
      });
      return make("li", "", button);
    }), ...(found.length ? [] : [make("li", "", say("decks.none_found"))]));
  }

  async show() {
    const box = this.box.querySelector(".shown"), asked = this.deck;
    if (!asked) {
      box.replaceChildren();
      return;
    }
    const [fine, deck] = await post("/deck", { deck: asked });
    if (asked !== this.deck) return;
    if (!fine) {
      box.replaceChildren(make("p", "", deck.why));
      return;
    }
    const rows = deck.cards.map(({ card, n }) => {
      const row = make("li", "", ...rowOf(this.faces[card], n));
      row.dataset.card = card;
      return row;
    });
    const list = make("details", "", make("summary", "", deckHead(deck.class, deck.cards, this.faces)), make("ul", "deck-cards", ...rows));
    list.open = this.unfolded ?? WIDE.matches;
    list.addEventListener("toggle", () => { this.unfolded = list.open; });
    box.replaceChildren(list);
  }
}
