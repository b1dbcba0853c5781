// The cards that fit the filters, as tiles with their texts: one tab stop, arrows go from tile to tile.

import { kindOf, largeCard, make } from "./draw.js";
import { say } from "./say.js";

const find = (id) => document.getElementById(id);
const AT_ONCE = 60;  // tiles; more on demand
const LATE = 7;

export class Grid {
  /** faces: cards by id. deck: {allows(card), of(card), says(card)}: which cards there are, how many it has, and that
   * in words. act: {add(card), remove(card)}. */
  constructor(faces, deck, act) {
    this.faces = faces;
    this.deck = deck;
    this.act = act;
    this.box = find("grid");
    this.most = AT_ONCE;
    this.listen();
  }

  listen() {
    const again = () => {
      this.most = AT_ONCE;
      this.draw();
    };
    for (const id of ["whose", "kind", "rarity", "set", "standard"]) find(id).addEventListener("change", again);
    find("words").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(again, 150);
    });
    find("filters").addEventListener("submit", (event) => event.preventDefault());
    for (const button of find("filters").querySelectorAll("[data-cost]")) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
        again();
      });
    }
    find("more").addEventListener("click", () => {
      const first = this.most;
      this.most += AT_ONCE;
      this.draw();
      this.focus(this.tiles[first]);
    });
    this.box.addEventListener("keydown", (event) => this.key(event));
    this.box.addEventListener("click", (event) => {
      const tile = event.target.closest(".tile");
      if (!tile) return;
      this.stop(tile);
      this.act.add(tile.dataset.tile);
    });
  }

  get tiles() {
    return [...this.box.querySelectorAll(".tile")];
  }

  /** The ids of the cards that fit, by cost and name. */
  get fitting() {
    const costs = new Set([...find("filters").querySelectorAll("[data-cost][aria-pressed=true]")].map((one) => Number(one.dataset.cost)));
    const words = find("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [whose, kind, rarity, set, standard] = [...["whose", "kind", "rarity", "set"].map((id) => find(id).value), find("standard").checked];
    const fits = (id, face) => this.deck.allows(id)
      && (!whose || (whose === "class") !== owners(face).includes(whose === "class" ? "neutral" : whose))
      && (!kind || (kind === "secret" ? face.secret : face.kind === kind))
      && (!rarity || face.rarity === rarity) && (!set || face.set === set) && (!standard || face.standard)
      && (!costs.size || costs.has(Math.min(face.cost, LATE)))
      && words.every((word) => said(face).includes(word));
    return Object.entries(this.faces).filter(([id, face]) => fits(id, face))
      .sort(([, a], [, b]) => a.cost - b.cost || a.name.localeCompare(b.name)).map(([id]) => id);
  }

  draw() {
    const found = this.fitting;
    this.box.replaceChildren(...found.slice(0, this.most).map((id) => make("li", "", this.tile(id))));
    find("found").textContent = found.length ? say("filters.found", { n: found.length }) : say("filters.none");
    find("more").hidden = found.length <= this.most;
    this.stop(this.tiles[0]);
    this.count();
  }

  tile(id) {
    const face = this.faces[id];
    const tile = make("button", "tile", largeCard(id, face), make("span", "has"));
    tile.type = "button";
    tile.tabIndex = -1;
    tile.dataset.tile = id;
    return tile;
  }

  /** Write on all tiles how many copies the deck has. */
  count() {
    for (const tile of this.tiles) {
      const id = tile.dataset.tile, face = this.faces[id], n = this.deck.of(id), says = this.deck.says(id);
      tile.querySelector(".has").textContent = says;
      tile.classList.toggle("in", n > 0);
      tile.classList.toggle("full", n >= face.most);
      tile.ariaLabel = [face.name, say("filters.costs", { n: face.cost }), face.attack === undefined ? ""
        : say(face.kind === "weapon" ? "filters.weapon" : "filters.body", { attack: face.attack, health: face.health }), kindOf(face), face.race,
      face.rarity ? say(`rarities.${face.rarity}`) : "", face.whose, ...face.text, says ? say("filters.in_deck", { copies: says }) : ""].filter(Boolean).join(", ");
    }
  }

  /** Make a tile the one that Tab stops at. */
  stop(tile) {
    for (const one of this.tiles) one.tabIndex = one === tile ? 0 : -1;
  }

  focus(tile) {
    if (!tile) return;
    this.stop(tile);
    tile.focus();
  }

  key(event) {
    const { tiles } = this, at = tiles.indexOf(document.activeElement);
    if (at < 0) return;
    const wide = Math.max(1, tiles.findIndex((one) => one.offsetTop > tiles[0].offsetTop));
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide, Home: -at, End: tiles.length - 1 - at };
    if (event.key in steps) this.focus(tiles[at + steps[event.key]]);
    else if (event.key === "Backspace" || event.key === "Delete") this.act.remove(tiles[at].dataset.tile);
    else return;
    event.preventDefault();
  }
}

/** Return whose a card is: classes, or neutral. */
const owners = (face) => face.for ?? [face.class];

/** Return all words of a card, as a search finds them. */
function said(face) {
  return [face.name, face.race ?? "", ...face.text].join(" ").toLowerCase().replaceAll("’", "'");
}
