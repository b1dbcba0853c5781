// A deck that is being built: which cards, how many more may come, and what it was before.

import { say } from "./say.js";

export class BuiltDeck {
  /** faces: cards by id. changed: called after every change. */
  constructor(faces, changed) {
    this.faces = faces;
    this.changed = changed;
    this.past = [];
    this.set("mage", []);
  }

  /** Take another class and other cards, [{card, n}]. size: how many cards it is to have. */
  set(hero, cards, size = 30) {
    this.hero = hero;
    this.size = size;
    this.counts = new Map(cards.map(({ card, n }) => [card, n]));
  }

  get n() {
    return [...this.counts.values()].reduce((sum, n) => sum + n, 0);
  }

  get whole() {
    return this.n === this.size;
  }

  /** Its cards, [{card, n}], by cost and name. */
  get cards() {
    const order = ([a], [b]) => this.faces[a].cost - this.faces[b].cost || this.faces[a].name.localeCompare(this.faces[b].name);
    return [...this.counts].sort(order).map(([card, n]) => ({ card, n }));
  }

  /** Itself as a deck file. */
  get text() {
    const size = this.size === 30 ? [] : [`size: ${this.size}`];
    return [`class: ${this.hero}`, ...size, ...this.cards.map(({ card, n }) => `${n}x ${this.faces[card].name}`)].join("\n");
  }

  of(card) {
    return this.counts.get(card) ?? 0;
  }

  /** Return how many copies it has, of how many, in words. */
  says(card) {
    return say("build.copies", { n: this.of(card), most: this.faces[card].most });
  }

  /** Whether a card may be in a deck of its class. */
  allows(card) {
    const owners = this.faces[card]?.for ?? [];
    return owners.includes(this.hero) || owners.includes("neutral");
  }

  /** Return why no more copy of a card may come; "" if one may. */
  refusal(card) {
    const { name, most } = this.faces[card];
    if (this.of(card) >= most) return say("build.has_all", { name, n: most });
    if (this.n >= this.size) return say("build.full", { n: this.size });
    return "";
  }

  add(card) {
    this.change(() => this.counts.set(card, this.of(card) + 1));
  }

  remove(card) {
    this.change(() => (this.of(card) > 1 ? this.counts.set(card, this.of(card) - 1) : this.counts.delete(card)));
  }

  /** Put cards in the places of others. swaps: [{out, in}]. */
  exchange(swaps) {
    this.change(() => {
      for (const swap of swaps) {
        this.counts.set(swap.out, this.of(swap.out) - 1);
        if (!this.of(swap.out)) this.counts.delete(swap.out);
        this.counts.set(swap.in, this.of(swap.in) + 1);
      }
    });
  }

  /** Become a deck of another class: cards that it may not have go. Return how many went. */
  turn(hero) {
    const before = this.n;
    this.change(() => {
      this.hero = hero;
      for (const card of [...this.counts.keys()]) if (!this.allows(card)) this.counts.delete(card);
    });
    return before - this.n;
  }

  change(act) {
    this.past.push([this.hero, this.cards, this.size]);
    act();
    this.changed();
  }

  undo() {
    this.set(...this.past.pop());
    this.changed();
  }
}
