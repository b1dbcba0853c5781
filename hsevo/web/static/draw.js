// Cards, minions and signs, drawn as SVG: frames by class and rarity, and a sigil of its own for
// each card, made of its id. No picture of anybody's is used.
import { say } from "./say.js";

/** @import { Face, Minion, Power, Side, Weapon } from "./types.js" */
/** What a card in hand has besides its face; cost: null if it has none.
 * @typedef {{ cost?: number | null, attack?: number, health?: number }} Shown */

// As the browser has it: no address of anything stands in a page that fetches nothing.
const SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg")?.namespaceURI ?? null;

/** Return an element of HTML with a class and children; text is never read as HTML.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} name
 * @param {(Node | string | number | null | undefined)[]} children */
export function make(tag, name = "", ...children) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...children.filter((child) => child !== null && child !== undefined).map((child) =>
    child instanceof Node ? child : String(child)));
  return element;
}

/** Return an element of SVG with attributes and children.
 * @param {string} tag @param {Record<string, string | number>} attributes @param {(Node | null | undefined)[]} children */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Return numbers from 0 to 1 that only a text decides.
 * @param {string} text */
function dice(text) {
  let state = 2166136261;
  for (const sign of text) state = Math.imul(state ^ Number(sign.codePointAt(0)), 16777619);
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}

/** @type {Record<string, number>} */
const HUES = { druid: 28, hunter: 115, mage: 212, paladin: 44, priest: 210, rogue: 200,
  shaman: 230, warlock: 282, warrior: 6, neutral: 36 };
const PALE = new Set(["priest", "rogue"]);

/** Return a star of n points between two radii around (0, 0).
 * @param {number} n @param {number} outer @param {number} inner @param {number} turn @param {Record<string, string | number>} attributes */
function star(n, outer, inner, turn, attributes) {
  const points = Array.from({ length: 2 * n }, (_, i) => {
    const radius = i % 2 ? inner : outer, angle = turn + Math.PI * i / n;
    return `${(radius * Math.sin(angle)).toFixed(1)},${(-radius * Math.cos(angle)).toFixed(1)}`;
  });
  return svg("polygon", { points: points.join(" "), ...attributes });
}

/** Return the sigil of a card in a box of 100 by 100 around (0, 0).
 * @param {string} id @param {Pick<Face, "class">} face */
export function sigil(id, face) {
  const roll = dice(id), group = svg("g", { class: "sigil" });
  const neutral = face.class === "neutral";
  const saturation = neutral ? 34 : PALE.has(face.class) ? 20 : 58;
  const hue = HUES[face.class] + (neutral ? 360 : 50) * (roll() - 0.5);
  const colour = (/** @type {number} */ light, turn = 0) => `hsl(${(hue + turn).toFixed(0)} ${saturation}% ${light}%)`;
  group.append(svg("rect", { x: -60, y: -60, width: 120, height: 120, fill: colour(24) }),
    svg("circle", { r: 50, fill: colour(33, 12) }));
  const folds = 3 + Math.floor(6 * roll()), layers = 2 + Math.floor(3 * roll());
  for (let layer = 0; layer < layers; layer += 1) {
    const outer = 46 - layer * (34 / layers) - 4 * roll();
    const inner = outer * (0.25 + 0.5 * roll()), turn = Math.PI * (roll() < 0.5 ? layer : 0) / folds;
    group.append(star(folds, outer, inner, turn, { fill: colour(42 + 12 * layer, 30 * (roll() - 0.5)),
      stroke: colour(18), "stroke-width": 1.2, "stroke-linejoin": "round" }));
  }
  if (roll() < 0.6) {
    const radius = 20 + 20 * roll();
    for (let i = 0; i < folds; i += 1) {
      const angle = 2 * Math.PI * (i + 0.5) / folds;
      group.append(svg("circle", { cx: radius * Math.sin(angle), cy: -radius * Math.cos(angle),
        r: 2.5 + 3 * roll(), fill: colour(74, -20), stroke: colour(18), "stroke-width": 1 }));
    }
  }
  group.append(svg("circle", { r: 4 + 6 * roll(), fill: colour(82), stroke: colour(18) }));
  return group;
}

let clips = 0;

/** Return a sigil cut to a shape: the attributes and tag of the shape, and where its middle is.
 * @param {string} id @param {Pick<Face, "class">} face @param {number} x @param {number} y @param {number} size @param {string} tag @param {Record<string, string | number>} shape */
function window_(id, face, x, y, size, tag, shape) {
  clips += 1;
  const name = `clip-${clips}`;
  const inside = svg("g", { transform: `translate(${x} ${y}) scale(${size / 100})` },
    sigil(id, face));
  return svg("g", {}, svg("clipPath", { id: name }, svg(tag, shape)),
    svg("g", { "clip-path": `url(#${name})` }, inside),
    svg(tag, { ...shape, class: "rim" }));
}

/** Return a rarity's gem at a point: each has a shape of its own.
 * @param {string} rarity @param {number} x @param {number} y @param {number} size */
export function gem(rarity, x, y, size = 6) {
  /** @type {Record<string, number[]>} */
  const shapes = { common: [8, 1, 0.92], rare: [2, 1.15, 0.75], epic: [3, 1.1, 0.95],
    legendary: [5, 1.35, 0.6] };
  if (!(rarity in shapes)) return null;
  const [n, outer, inner] = shapes[rarity];
  return svg("g", { transform: `translate(${x} ${y})`, class: `gem ${rarity}` },
    star(n, size * outer, size * inner, 0, {}));
}

/** Return a number on a badge. kind: cost, attack, health, durability or armor.
 * @param {string} kind @param {number} number @param {number} x @param {number} y @param {number} size @param {string} mark */
export function badge(kind, number, x, y, size, mark = "") {
  /** @type {Record<string, () => Element>} */
  const shapes = {
    cost: () => star(6, 1, 0.93, 0, {}),
    attack: () => star(4, 1.12, 0.86, Math.PI / 4, {}),
    health: () => svg("path", { d: "M0,-1.2 C.55,-.6 1,-.1 1,.3 A1,.85 0 0 1 -1,.3 C-1,-.1 -.55,-.6 0,-1.2Z" }),
    durability: () => svg("path", { d: "M-.95,-.9 H.95 V.2 Q.8,.85 0,1.15 Q-.8,.85 -.95,.2Z" }),
    armor: () => svg("path", { d: "M-.95,-.9 H.95 V.2 Q.8,.85 0,1.15 Q-.8,.85 -.95,.2Z" }),
  };
  const text = svg("text", { y: size * 0.42, "font-size": size * (String(number).length > 2 ? 0.9 : 1.2),
    "text-anchor": "middle" });
  text.textContent = String(number);
  const line = mark === "hurt" ? svg("line", { x1: -size * 0.55, x2: size * 0.55, y1: size * 0.66,
    y2: size * 0.66, class: "under" }) : mark === "more" ? svg("polygon", { class: "under",
    points: `${-size * 0.3},${-size * 0.62} ${size * 0.3},${-size * 0.62} 0,${-size * 0.98}` }) : null;
  return svg("g", { transform: `translate(${x} ${y})`, class: `badge ${kind} ${mark}` },
    svg("g", { transform: `scale(${size})`, class: "plate" }, shapes[kind]()), text, line);
}

// Signs of what a character can do, 16 by 16 around (0, 0).
/** @type {Record<string, string>} */
const SIGNS = {
  "deathrattle": "M-5,-2a5,5 0 1 1 10,0q0,3 -2,4v3h-6v-3q-2,-1 -2,-4M-2.6,-2.4h.1M2.6,-2.4h.1M-1,5v-2M1,5v-2",
  "trigger": "M1.5,-7L-4,1h3.5L-1.5,7L4,-1.5H.5Z",
  "windfury": "M-6,-2q6,-6 9,-2q1,3 -3,2M-6,2h9q4,0 2,3q-2,2 -4,0",
  "mega windfury": "M-6,-3q6,-6 9,-2q1,3 -3,2M-6,1h9q4,0 2,3q-2,2 -4,0M-6,5h4",
  "windfury turn": "M-6,-2q6,-6 9,-2q1,3 -3,2M-6,2h9q4,0 2,3q-2,2 -4,0",
  "poisonous": "M0,-7Q5,0 5,2.5A5,4.5 0 0 1 -5,2.5Q-5,0 0,-7M-2,3a2,2 0 0 0 2,2",
  "lifesteal": "M0,6L-5.5,0A3.2,3.2 0 0 1 0,-4A3.2,3.2 0 0 1 5.5,0ZM0,-2v5M-2.5,.5h5",
  "freezes": "M0,-6V6M-5.2,-3L5.2,3M-5.2,3L5.2,-3",
  "inspire": "M0,-6L1.8,-2L6,-1.6L2.8,1.2L3.8,5.6L0,3.2L-3.8,5.6L-2.8,1.2L-6,-1.6L-1.8,-2Z",
  "elusive": "M-6,0Q0,-6 6,0Q0,6 -6,0M-5,5L5,-5",
  "silenced": "M-6,-4h12v7h-6l-3,3v-3h-3ZM-5,5L5,-6",
  "cleave": "M-6,4Q-4,-5 0,-6Q4,-5 6,4M0,-6V5",
  "cant attack": "M-5,-5L5,5M-5,5L5,-5",
  "cant attack heroes": "M-5,-5L5,5M-5,5L5,-5",
  "immune": "M0,-6a6,6 0 1 0 .1,0M-3,0l2,3l4,-6",
  "immune this turn": "M0,-6a6,6 0 1 0 .1,0M-3,0l2,3l4,-6",
  "borrowed": "M-5,-3h8l-3,-3M5,3h-8l3,3",
};

/** Return the signs of a character's words in a row around a point.
 * @param {string[]} words @param {number} x @param {number} y */
function signs(words, x, y) {
  const found = words.filter((word) => word in SIGNS);
  return svg("g", { class: "signs" }, ...found.slice(0, 4).map((word, i) =>
    svg("g", { transform: `translate(${x + 17 * (i - (Math.min(found.length, 4) - 1) / 2)} ${y - (found.length > 2 ? 16 : 0)})` },
      svg("circle", { r: 8.5 }), svg("path", { d: SIGNS[word] }))));
}

const SHIELD = "M8,8 H92 V62 Q92,98 50,113 Q8,98 8,62Z";
const BODY = { cx: 50, cy: 52, rx: 37, ry: 44 };

/** Return a minion in play as a picture of 100 by 118.
 * @param {Minion} minion @param {Face} face */
export function minionPicture(minion, face) {
  const words = new Set(minion.words);
  const has = (/** @type {string[]} */ ...some) => some.some((word) => words.has(word));
  const shown = [...minion.words, ...(face.triggers && !has("silenced") ? ["trigger"] : [])];
  const { attack = 0, health = 0 } = face;
  const mark = minion.health < minion.max_health ? "hurt" : minion.max_health > health ? "more" : "";
  return svg("svg", { viewBox: "0 0 100 118", class: `picture ${face.class}`, "aria-hidden": "true" },
    has("taunt") ? svg("path", { d: SHIELD, class: "taunt" }) : null,
    window_(minion.card, face, 50, 52, 96, "ellipse", BODY),
    face.rarity === "legendary" ? svg("path", { class: "crown",
      d: "M30,14L32,1L41,8L50,-2L59,8L68,1L70,14Q50,4 30,14Z" }) : null,
    has("stealth", "stealth turn") ? svg("g", { class: "veil" }, svg("ellipse", BODY),
      ...[30, 46, 62].map((y) => svg("path", { d: `M20,${y}q15,-10 30,0t30,0` }))) : null,
    has("frozen") ? svg("g", { class: "ice" }, svg("ellipse", BODY),
      svg("path", { d: "M50,22V82M24,37L76,67M24,67L76,37M50,32l-7,-7M50,32l7,-7M50,72l-7,7M50,72l7,7" })) : null,
    has("divine shield") ? svg("ellipse", { ...BODY, rx: 43, ry: 50, class: "divine" }) : null,
    signs(shown, 50, 92),
    badge("attack", minion.attack, 15, 97, 14, minion.attack > attack ? "more" : ""),
    badge("health", minion.health, 85, 97, 14, mark),
    has("asleep") ? sleeping() : null);
}

function sleeping() {
  const text = svg("text", { x: 76, y: 20, class: "asleep" });
  text.textContent = "zZ";
  return text;
}

/** Return a hero as a picture of 100 by 100. side: as the view has it.
 * @param {Side} side @param {Face | undefined} face */
export function heroPicture(side, face) {
  const hero = side.hero, words = new Set(hero.words);
  const attack = hero.attack + (side.weapon ? side.weapon.attack : 0);
  return svg("svg", { viewBox: "0 0 100 104", class: `picture ${side.class.toLowerCase()}`, "aria-hidden": "true" },
    window_(hero.card, { class: side.class.toLowerCase(), ...face }, 50, 48, 104, "path",
      { d: "M50,3 L90,18 V62 Q88,86 50,99 Q12,86 10,62 V18Z" }),
    words.has("frozen") ? svg("g", { class: "ice" },
      svg("path", { d: "M50,3 L90,18 V62 Q88,86 50,99 Q12,86 10,62 V18Z", class: "plate" }),
      svg("path", { d: "M50,22V82M24,37L76,67M24,67L76,37" })) : null,
    words.has("immune") || words.has("immune this turn") ? signs(["immune"], 50, 14) : null,
    attack > 0 ? badge("attack", attack, 15, 84, 13) : null,
    side.hero.armor ? badge("armor", hero.armor, 84, 56, 11) : null,
    badge("health", hero.health, 84, 84, 13, hero.health < hero.max_health ? "hurt" : ""));
}

/** @type {Record<string, [string, Record<string, string | number>]>} */
const WINDOWS = {
  minion: ["ellipse", { cx: 50, cy: 50, rx: 33, ry: 36 }],
  spell: ["path", { d: "M14,84 V40 Q16,14 50,12 Q84,14 86,40 V84Z" }],
  weapon: ["circle", { cx: 50, cy: 49, r: 35 }],
  power: ["circle", { cx: 50, cy: 49, r: 35 }],
  hero: ["path", { d: "M50,10 L86,24 V60 Q84,78 50,88 Q16,78 14,60 V24Z" }],
};

/** Return the frame of a card as a picture of 100 by 140, without its name. card: id.
 * @param {string} card @param {Face} face @param {Shown} held */
export function cardPicture(card, face, held = {}) {
  const [tag, shape] = WINDOWS[face.kind] || WINDOWS.spell;
  const cost = held.cost === undefined ? face.cost : held.cost; // null: it has none
  const mark = cost === null || cost === face.cost ? "" : cost < face.cost ? "more" : "hurt";
  const body = face.attack !== undefined, { attack = 0, health = 0 } = face, { attack: stronger = 0, health: healthier = 0 } = held;
  return svg("svg", { viewBox: "0 0 100 140", class: `picture ${face.class}`, "aria-hidden": "true" },
    svg("rect", { x: 3, y: 3, width: 94, height: 134, rx: 9, class: "frame" }),
    svg("rect", { x: 8, y: 8, width: 84, height: 124, rx: 6, class: "page" }),
    window_(card, face, 50, 49, face.kind === "spell" ? 92 : 84, tag, shape),
    svg("path", { class: "ribbon", d: "M4,84 Q50,78 96,84 V108 Q50,102 4,108Z" }),
    gem(face.rarity, 50, 114),
    face.kind === "power" || cost === null || (face.kind === "hero" && !face.cost) ? null : badge("cost", cost, 14, 15, 14, mark),
    body ? badge("attack", attack + stronger, 15, 124, 13, stronger > 0 ? "more" : "") : null,
    body ? badge(face.kind === "weapon" ? "durability" : "health", health + healthier, 85,
      124, 13, healthier > 0 ? "more" : "") : null);
}

/** Return a weapon in play as a picture of 100 by 100.
 * @param {Weapon} weapon @param {Face} face */
export function weaponPicture(weapon, face) {
  return svg("svg", { viewBox: "0 0 100 100", class: `picture ${face.class}`, "aria-hidden": "true" },
    window_(weapon.card, face, 50, 48, 90, "circle", { cx: 50, cy: 47, r: 40 }),
    svg("path", { class: "blade", d: "M28,72L66,30L74,24L69,33L32,76ZM30,62l14,14M26,80l-6,6" }),
    badge("attack", weapon.attack, 17, 83, 15), badge("durability", weapon.durability, 83, 83, 15));
}

/** Return a hero power as a picture of 100 by 100.
 * @param {Power} power @param {Face} face */
export function powerPicture(power, face) {
  const { cost } = power;
  return svg("svg", { viewBox: "0 0 100 100", class: `picture ${face.class}`, "aria-hidden": "true" },
    window_(power.card, face, 50, 50, 92, "circle", { cx: 50, cy: 52, r: 40 }),
    power.used ? svg("path", { class: "used", d: "M22,24L78,80M78,24L22,80" }) : null,
    badge("cost", cost, 50, 14, 13, cost < face.cost ? "more" : cost > face.cost ? "hurt" : ""));
}

/** Return the back of a card as a picture of 100 by 140. */
export function backPicture() {
  return svg("svg", { viewBox: "0 0 100 140", class: "picture back", "aria-hidden": "true" },
    svg("rect", { x: 3, y: 3, width: 94, height: 134, rx: 9, class: "frame" }),
    svg("rect", { x: 11, y: 11, width: 78, height: 118, rx: 5, class: "page" }),
    svg("g", { transform: "translate(50 70)" }, star(6, 34, 20, 0, { class: "rim" }),
      star(6, 24, 12, Math.PI / 6, { class: "rim" }), star(6, 11, 6, 0, { class: "rim" })));
}

/** Return how many letters the longest word of a name has.
 * @param {string} name */
export const longest = (name) => Math.max(...name.split(/[ -]/).map((word) => word.length));

/** Return the font size of a name in a box, in per cent of its width: its longest word fits.
 * @param {string} name @param {number} most @param {number} room */
export function nameSize(name, most, room = 135) {
  return Math.min(most, room / longest(name), most * (name.length > 30 ? 0.7 : name.length > 20 ? 0.86 : 1));
}

/** Return what kind of card it is, in words.
 * @param {Face} face */
export const kindOf = (face) => say(face.secret ? "kinds.secret" : `kinds.${face.kind}`);

/** Return a card with its name. held: as the view has it, if it is in hand.
 * @param {string} id @param {Face} face @param {Shown} held */
export function card(id, face, held = {}) {
  const [short, of] = face.name.split(/(?= \()/); // what a potion was made of is said where its text is
  const name = make("span", "card-name", short, of ? make("span", "of", of) : null);
  name.style.fontSize = `${nameSize(short, short.length > 11 ? 9.8 : 11.5)}cqi`;
  const kind = face.race || (["spell", "weapon"].includes(face.kind) ? kindOf(face) : "");
  return make("span", `card ${face.class} ${face.rarity}`, cardPicture(id, face, held), name,
    make("span", "card-kind", kind));
}

/** Return a card large, with its text, as it is shown when one looks at it. held: as of `card`.
 * @param {string} id @param {Face} face @param {string[]} more @param {Shown} held */
export function largeCard(id, face, more = [], held = {}) {
  const facts = [face.rarity ? say(`rarities.${face.rarity}`) : "", kindOf(face), face.race, face.whose].filter(Boolean).join(" · ");
  return make("div", "large", card(id, face, held), make("div", "words", make("h3", "", face.name),
    make("p", "facts", facts), ...face.text.map((line) => make("p", "", line)),
    ...more.map((line) => make("p", "more", line))));
}
