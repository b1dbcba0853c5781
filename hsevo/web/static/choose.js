// From clicks to moves: what is chosen narrows the legal moves until one is left.

import { spotName } from "./board.js";

const STARTS = new Set(["play", "attack", "hero power"]);
const same = (a, b) => a !== null && b !== null && spotName(a) === spotName(b);
const different = (moves, name) => [...new Set(moves.map((move) => move[name]))];

export class Choice {
  /** act: {make(move), why(from, to), option(moves) -> a promise of an option, unask(), changed()}. */
  constructor(act) {
    this.act = act;
    this.moves = [];
    this.clear();
  }

  /** Take the moves of a new frame. */
  renew(moves) {
    this.moves = moves.filter((move) => STARTS.has(move.kind));
    this.clear();
  }

  clear() {
    if (this.asks) this.act.unask();
    this.chosen = null;
    this.asks = false; // whether a dialog asks which option it is
    this.left = [];
    this.placed = false;
    this.act.changed();
  }

  /** The spots that what is chosen can be aimed at. */
  get targets() {
    return this.left.map((move) => move.to).filter(Boolean);
  }

  /** The places on the own board where a minion can go, if they differ. */
  get places() {
    const places = different(this.left, "place").filter((place) => place >= 0);
    return this.placed || places.length < 2 ? [] : places;
  }

  /** Whether what is chosen is a minion in hand that has no place yet. */
  get isMinion() {
    return !this.placed && this.left.some((move) => move.place >= 0);
  }

  /** A spot was clicked. */
  async touch(spot) {
    if (this.asks) return;
    if (this.chosen && this.targets.some((target) => same(target, spot))) {
      this.finish(this.left.filter((move) => same(move.to, spot)));
    } else if (this.chosen && same(this.chosen, spot)) {
      const bare = this.left.filter((move) => !move.to);
      if (bare.length) this.finish(bare);
      else this.clear();
    } else if (this.moves.some((move) => same(move.from, spot))) {
      await this.begin(spot);
    } else if (this.chosen) {
      const from = this.chosen;
      this.clear();
      this.act.why(from, spot);
    } else {
      this.act.why(spot, null);
    }
  }

  async begin(spot) {
    if (this.asks) this.clear(); // another card was dragged meanwhile
    this.chosen = spot;
    this.placed = false;
    this.left = this.moves.filter((move) => same(move.from, spot));
    if (different(this.left, "option").length > 1) {
      this.asks = true;
      this.act.changed();
      const option = await this.act.option(different(this.left, "option"), spot);
      if (this.chosen !== spot) return; // it was let go meanwhile
      this.asks = false;
      if (option === null) {
        this.clear();
        return;
      }
      this.left = this.left.filter((move) => move.option === option);
      if (this.left.every((move) => !move.to) && !this.places.length) {
        this.finish(this.left);
        return;
      }
    }
    if (spot[1] === "power" && this.left.every((move) => !move.to)) this.finish(this.left);
    else this.act.changed();
  }

  /** A place on the own board was clicked. */
  place(number) {
    if (this.asks) return;
    this.left = this.left.filter((move) => move.place === number);
    this.placed = true;
    if (this.left.every((move) => !move.to)) this.finish(this.left);
    else this.act.changed();
  }

  /** A minion was dropped beside another one of the own board, never at it: at this place, where places differ. */
  drop(number) {
    if (this.places.includes(number)) this.place(number);
    else this.table(true);
  }

  /** The table itself was clicked: play what needs no target, or place it, else let go. dropped: what was dragged there
   *  waits for its target. */
  table(dropped = false) {
    if (!this.chosen || this.asks) return;
    const bare = this.left.filter((move) => !move.to);
    if (bare.length) this.finish(bare);
    else if (this.places.length) this.place(Math.max(...this.places));
    else if (!dropped) this.clear();
  }

  /** Make the move that is left; of several places, the one to the right end. */
  finish(moves) {
    const last = moves.reduce((a, b) => (b.place >= a.place ? b : a));
    this.clear();
    this.act.make(last);
  }
}
