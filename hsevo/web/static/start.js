// The first page: pick two decks and an opponent, and begin.

import { deckHead, post, rowOf } from "./decklist.js";
import { make } from "./draw.js";
import { lookAt } from "./look.js";

const find = (id) => document.getElementById(id);
const faces = await (await fetch("/cards.json")).json();

/** One of the two decks: ready, searched for, or pasted. */
class Picker {
  constructor(id) {
    this.box = find(id);
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
      const button = make("button", "", `${one.class}: ${one.says}`);
      button.type = "button";
      button.setAttribute("aria-pressed", String(one.deck === this.human));
      button.addEventListener("click", () => {
        for (const other of this.box.querySelectorAll(".found button")) other.setAttribute("aria-pressed", "false");
        button.setAttribute("aria-pressed", "true");
        this.human = one.deck;
        this.show();
      });
      return make("li", "", button);
    }), ...(found.length ? [] : [make("li", "", "No list fits all words.")]));
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
      const row = make("li", "", ...rowOf(faces[card], n));
      row.dataset.card = card;
      return row;
    });
    box.replaceChildren(deckHead(deck.class, deck.cards, faces), make("ul", "deck-cards", ...rows));
  }
}

const mine = new Picker("mine"), theirs = new Picker("theirs");
const wished = new URLSearchParams(location.hash.slice(1)).get("mine");
if (wished) mine.take(wished);

find("change").addEventListener("click", () => {
  find("change").href = mine.deck ? `/build#${new URLSearchParams({ from: mine.deck })}` : "/build";
});

function describe() {
  find("agent-says").textContent = find("agent").selectedOptions[0].title;
}
find("agent").addEventListener("change", describe);
describe();

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  find("said").textContent = "";
  if (!mine.deck || !theirs.deck) {
    find("said").textContent = "Choose both decks first.";
    return;
  }
  find("go").disabled = true;
  const seed = find("seed").value.trim();
  const [fine, answer] = await post("/games", { deck: mine.deck, against: theirs.deck, agent: find("agent").value,
    first: find("first").value, seed: seed ? Number(seed) : null });
  if (fine) location.assign(`/game/${answer.number}`);
  else find("said").textContent = answer.why;
  find("go").disabled = false;
});

lookAt(faces);
