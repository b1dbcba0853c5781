// The table as one frame has it: both heroes, boards and hands, and what moves can be made with.

import { backPicture, card, heroPicture, longest, make, minionPicture, powerPicture, weaponPicture } from "./draw.js";
import { parts, say } from "./say.js";

/** Return the element of an id, which is there.
 * @param {string} id */
export const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const FULL = 7;

/** @import { Face, Faces, Frame, Held, Me, Minion, Opponent, Side, Spot } from "./types.js" */

/** Return the name of a spot, [side, zone, number], as elements have it in data-spot.
 * @param {readonly (string | number)[]} spot */
export const spotName = (spot) => spot.join(" ");

/** @param {string} side @param {string} zone @param {number} number @returns {Spot} */
const where = (side, zone, number = 0) => [side, zone, number];

/** Return the spot of an element, or null.
 * @param {Element | null | undefined} element @returns {Spot | null} */
export function spotOf(element) {
  const words = /** @type {HTMLElement | undefined} */ (element)?.dataset.spot?.split(" ");
  return words ? [words[0], words[1], Number(words[2])] : null;
}

/** Return the element at a spot, or null.
 * @param {readonly (string | number)[]} spot @returns {HTMLElement | null} */
export const at = (spot) => document.querySelector(`[data-spot="${spotName(spot)}"]`);

/** Return the element of a character by its uid, or null.
 * @param {number | string} uid @returns {HTMLElement | null} */
export const byUid = (uid) => document.querySelector(`[data-uid="${uid}"]`);

const INNER = new Set(["to be destroyed", "calmed", "immune attacking", "can attack turn"]); // notes of the engine

/** Return keywords as they are said.
 * @param {string[]} words */
const called = (words) => words.filter((word) => !INNER.has(word)).map((word) => say(`keywords.${word.replaceAll(" ", "_")}`));

/** Return a button for something at a spot.
 * @param {Spot} place @param {string} name @param {string} label @param {(Node | string)[]} children */
function spot(place, name, label, ...children) {
  const button = make("button", name, ...children);
  button.type = "button";
  button.dataset.spot = spotName(place);
  button.ariaLabel = label;
  return button;
}

/** Return the texts of a minion: those that it was given, and its card's, unless it is silenced.
 * @param {Minion} minion @param {Face} face */
const textsOf = (minion, face) => [...(minion.words.includes("silenced") ? [] : face.text),
  ...minion.texts.map((text) => say("table.text_of", { name: text.name }))];

export class Board {
  /** @param {Faces} faces */
  constructor(faces) {
    this.faces = faces;
    this.uids = new Set();
    /** @type {Record<"me" | "foe", string[]>} */
    this.hands = { me: [], foe: [] };
  }

  /** Draw a frame; return the elements that were not there before.
   *
   * Of the opponent, a view has how many cards and secrets there are; where all is open, the cards.
   * @param {Pick<Frame, "view" | "moves">} frame
   */
  draw(frame) {
    const { view } = frame, { me, opponent } = view;
    const can = new Set(frame.moves.flatMap((move) => (move.from ? [spotName(move.from)] : [])));
    /** @type {Element[]} */
    const fresh = [];
    this.minions("foe", opponent.board, can, fresh);
    this.minions("me", me.board, can, fresh);
    this.hero("foe", opponent, can, document.body.dataset.agent ?? "");
    this.hero("me", me, can, document.body.dataset.watched ?? say("game.you"));
    find("foe-hand").className = Array.isArray(opponent.hand) ? "hand open" : "backs";
    if (Array.isArray(opponent.hand)) this.cards("foe", opponent.hand, can, fresh);
    else this.backs(opponent.hand);
    this.cards("me", me.hand, can, fresh);
    this.uids = new Set([...me.board, ...opponent.board].map((minion) => minion.uid));
    return fresh;
  }

  /** @param {string} side @param {Minion[]} minions @param {Set<string>} can @param {Element[]} fresh */
  minions(side, minions, can, fresh) {
    const list = find(side === "me" ? "my-board" : "foe-board");
    list.replaceChildren(...minions.map((minion, i) => {
      const face = this.faces[minion.card], place = where(side, "board", i);
      const ready = can.has(spotName(place));
      const name = make("span", "minion-name", minion.name);
      name.style.setProperty("--letters", String(longest(minion.name)));
      const label = [minion.name, say("table.attack", { n: minion.attack }), say("table.health", { n: minion.health, most: minion.max_health }),
        ...called(minion.words), ready ? say("table.can_attack") : "", ...textsOf(minion, face)].filter(Boolean).join(", ");
      const button = spot(place, `minion ${ready ? "ready" : ""}`, label,
        minionPicture(minion, face), name);
      button.dataset.uid = String(minion.uid);
      button.dataset.card = minion.card;
      const said = [...called(minion.words), ...minion.texts.map((text) => say("table.text_of", { name: text.name }))];
      if (said.length) button.dataset.more = said.join("\n");
      if (!this.uids.has(minion.uid)) fresh.push(button);
      return make("li", "", button);
    }));
  }

  /** @param {string} side @param {Me | Opponent} player @param {Set<string>} can @param {string} name */
  hero(side, player, can, name) {
    const box = find(side === "me" ? "my-hero" : "foe-hero");
    const face = this.faces[player.hero.card], place = where(side, "hero");
    const ready = can.has(spotName(place)), attack = player.hero.attack + (player.weapon?.attack ?? 0);
    const label = [name === say("game.you") ? say("table.your_hero") : say("table.hero_of", { name }), attack ? say("table.attack", { n: attack }) : "", say("table.health", { n: player.hero.health, most: player.hero.max_health }),
      player.hero.armor ? say("table.armor", { n: player.hero.armor }) : "", ...called(player.hero.words), ready ? say("table.can_attack") : ""]
      .filter(Boolean).join(", ");
    const hero = spot(place, `hero ${ready ? "ready" : ""}`, label, heroPicture(player, face ?? {}));
    hero.dataset.uid = String(player.hero.uid);
    const weapon = player.weapon ? this.look(make("span", "weapon", weaponPicture(player.weapon, this.faces[player.weapon.card])),
      player.weapon.card, say("table.weapon", { name: player.weapon.name, attack: player.weapon.attack, durability: player.weapon.durability }))
      : make("span", "weapon empty");
    /** @type {HTMLElement} */
    let power = make("span", "power empty");
    if (player.power) {
      const place = where(side, "power"), usable = can.has(spotName(place)), of = this.faces[player.power.card];
      const says = [say("table.power", { name: player.power.name }), say("table.costs", { n: player.power.cost }), ...of.text,
        player.power.used ? say("table.used") : usable ? say("table.playable") : ""];
      power = spot(place, `power ${usable ? "ready" : ""}`, says.filter(Boolean).join(", "), powerPicture(player.power, of));
      power.dataset.card = player.power.card;
    }
    box.className = `hero-side ${player.class.toLowerCase()}`;
    box.replaceChildren(make("p", "who", make("b", "", name === say("game.you") ? say("game.you_title") : name), ` ${player.class}`),
      make("div", "trio", weapon, hero, power), this.secrets(player), this.mana(player), this.piles(player));
  }

  /** @param {Me | Opponent} player */
  secrets(player) {
    const secrets = Array.isArray(player.secrets) ? player.secrets : Array(player.secrets).fill(null);
    return make("ul", "secrets", ...secrets.map((secret) => {
      const item = make("li", "", "?");
      if (secret) return this.look(item, secret.card, say("table.secret", { name: secret.name }));
      item.ariaLabel = say("table.a_secret");
      item.title = say("table.face_down");
      return item;
    }), ...(player.quest ? [this.quest(player.quest)] : []),
    ...player.dormant.map((card) => this.look(make("li", "later", "💤"), card.card, say("table.dormant", { name: card.name }))),
    ...player.later.map((later) => this.look(make("li", "later", "⏳"), later.card, say("table.later", { name: later.name }))));
  }

  /** @param {NonNullable<Side["quest"]>} quest */
  quest({ card, name, progress, goal }) {
    const item = make("li", "quest", `${progress}/${goal}`);
    item.dataset.more = say("table.quest_progress", { n: progress, goal });
    return this.look(item, card, say("table.quest", { name, n: progress, goal }));
  }

  /** @param {Side} player */
  mana(player) {
    const empty = Math.max(player.crystals - player.mana - player.locked, 0);
    const crystals = Object.entries({ full: player.mana, empty, locked: player.locked }).flatMap(([kind, n]) =>
      Array.from({ length: n }, () => make("i", kind)));
    const more = [player.locked ? say("table.locked", { n: player.locked }) : "", player.owed ? say("table.overload", { n: player.owed }) : ""]
      .filter(Boolean).join(", ");
    const line = make("p", "mana", make("span", "crystals", ...crystals), make("b", "", `${player.mana}/${player.crystals}`),
      more ? make("small", "", more) : null);
    line.ariaLabel = [say("table.mana", { n: player.mana, most: player.crystals }), more].filter(Boolean).join(", ");
    return line;
  }

  /** @param {Me | Opponent} player */
  piles(player) {
    const pile = (/** @type {string} */ kind, /** @type {number} */ n, name = "") => make("span", `pile ${name}`, ...parts(`table.piles.${kind}`, { n: make("b", "", n) }));
    const deck = pile("deck", player.deck, "deck");
    deck.title = say("table.deck_says");
    const piles = Array.isArray(player.hand) ? [deck] : [pile("hand", player.hand), deck];
    if (player.fatigue || player.deck === 0) {
      const fatigue = pile("fatigue", player.fatigue + 1, "fatigue");
      fatigue.title = say("table.fatigue_says");
      piles.push(fatigue);
    }
    if (player.jade) {
      const jade = pile("jade", player.jade);
      jade.title = say("table.jade_says");
      piles.push(jade);
    }
    return make("p", "piles", ...piles);
  }

  /** @param {number} count */
  backs(count) {
    const list = find("foe-hand");
    list.replaceChildren(...Array.from({ length: count }, () => make("li", "", backPicture())));
    list.ariaLabel = say("table.backs", { name: document.body.dataset.agent ?? "", n: count });
  }

  /** @param {"me" | "foe"} side @param {Held[]} hand @param {Set<string>} can @param {Element[]} fresh */
  cards(side, hand, can, fresh) {
    const before = this.hands[side];
    this.hands[side] = hand.map((held) => held.card);
    find(side === "me" ? "my-hand" : "foe-hand").replaceChildren(...hand.map((held, i) => {
      const face = this.faces[held.card], place = where(side, "hand", i);
      const ready = can.has(spotName(place));
      const body = face.attack === undefined ? "" : `${face.attack + held.attack}/${(face.health ?? 0) + held.health}`;
      const also = this.also(held);
      const label = [held.name, say("table.costs", { n: held.cost }), body, say(`kinds.${face.kind}`), ...face.text, ...also, say(ready ? "table.playable" : "table.not_playable")]
        .filter(Boolean).join(", ");
      const button = spot(place, `held ${ready ? "ready" : ""}`, label, card(held.card, face, held));
      button.dataset.card = held.card;
      const more = [...also, held.attack || held.health ? say("table.given", { attack: held.attack, health: held.health }) : ""].filter(Boolean);
      if (more.length) button.dataset.more = more.join("\n");
      const known = before.indexOf(held.card);
      if (known < 0) fresh.push(button);
      else before.splice(known, 1);
      return make("li", "", button);
    }));
  }

  /** Return the texts that a card in hand has of other cards: a Zombeast of its second Beast, a Drustvar Horror of its spells.
   * @param {Held} held */
  also(held) {
    return [...(held.joined ? [held.joined] : []), ...(held.taught ?? [])].map(({ card, name }) => {
      const text = this.faces[card]?.text.join(" ");
      return text ? say("table.also", { name, text }) : say("table.also_nothing", { name });
    });
  }

  /** Have an element show a card when one looks at it.
   * @param {HTMLElement} element @param {string} id @param {string} label */
  look(element, id, label) {
    element.dataset.card = id;
    element.ariaLabel = label;
    element.tabIndex = 0;
    element.role = "img";
    return element;
  }

  /** Mark what is chosen, and where it can go.
   * @param {Spot | null} chosen @param {Spot[]} targets @param {number[]} places */
  mark(chosen, targets, places) {
    for (const element of document.querySelectorAll(".chosen, .legal, .hinted, .aimed")) {
      element.classList.remove("chosen", "legal", "hinted", "aimed");
    }
    for (const gap of document.querySelectorAll(".gap")) gap.remove();
    if (chosen) at(chosen)?.classList.add("chosen");
    for (const target of targets) at(target)?.classList.add("legal");
    const list = find("my-board"), items = [...list.children];
    for (const place of [...places].sort((a, b) => b - a)) {
      const gap = make("button", "", "▾");
      gap.type = "button";
      gap.dataset.place = String(place);
      gap.ariaLabel = place >= Math.min(items.length, FULL) ? say("table.to_the_end") : say("table.left_of", { name: items[place].querySelector(".minion-name")?.textContent ?? "" });
      list.insertBefore(make("li", "gap", gap), items[place] ?? null);
    }
  }
}
