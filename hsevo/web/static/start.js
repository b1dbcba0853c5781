// The first page: pick two decks and an opponent, and begin.

import { largeCard, make } from "./draw.js";

const find = (id) => document.getElementById(id);
const faces = await (await fetch("/cards.json")).json();

async function post(path, body) {
  const answer = await fetch(path, { method: "POST", body: JSON.stringify(body) });
  return [answer.ok, await answer.json()];
}

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
    const most = Math.max(...deck.curve);
    const bars = deck.curve.map((n, cost) => {
      const bar = make("i");
      bar.style.height = `${Math.max(2, 100 * n / most)}%`;
      bar.title = `${n} of ${cost}${cost === 7 ? " or more" : ""} mana`;
      return bar;
    });
    const curve = make("span", "curve", ...bars);
    curve.role = "img";
    curve.ariaLabel = `cards by mana, 0 to 7 and more: ${deck.curve.join(", ")}`;
    const rows = deck.cards.map(({ card, n }) => {
      const face = faces[card];
      const row = make("li", "", make("span", "cost", face.cost), make("span", `name ${face.rarity === "legendary" ? "legendary" : ""}`,
        face.name + (face.rarity === "legendary" ? " ★" : "")), make("span", "", n > 1 ? `× ${n}` : ""));
      row.dataset.card = card;
      return row;
    });
    box.replaceChildren(make("div", `deck-head ${deck.class.toLowerCase()}`, make("b", "", `${deck.class} · ${deck.cards.reduce((sum, { n }) => sum + n, 0)} cards`), curve),
      make("ul", "deck-cards", ...rows));
  }
}

const mine = new Picker("mine"), theirs = new Picker("theirs");

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

const look = make("div");
look.id = "look";
look.hidden = true;
document.body.append(look);
document.addEventListener("pointerover", (event) => {
  const row = event.target.closest("[data-card]");
  look.hidden = !row;
  if (!row) return;
  look.replaceChildren(largeCard(row.dataset.card, faces[row.dataset.card]));
  const near = row.getBoundingClientRect(), own = look.getBoundingClientRect();
  look.style.left = `${Math.max(4, Math.min(near.left, innerWidth - own.width - 4))}px`;
  look.style.top = `${near.bottom + own.height + 8 < innerHeight ? near.bottom + 4 : Math.max(4, near.top - own.height - 4)}px`;
});
