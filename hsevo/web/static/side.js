// One side of a position as a form: its numbers, and what lies in its zones.

import { post } from "./decklist.js";
import { make } from "./draw.js";
import { say } from "./say.js";

const COUNTED = /^(\d{1,2})\s*x\s+(.*)$/i;  // "2x Fireball"
const ZONES = ["board", "hand", "secrets", "weapon"];
// The key, the name of what it is called, the least and the most, and what it is where nothing is said: a number or a text.
const NUMBERS = [["health", "health", 1, 999, 30], ["armor", "armor", 0, 999, 0], ["crystals", "crystals", 0, 10, "by_turn"],
  ["mana", "mana", 0, 10, "all"], ["attack", "attack_now", 0, 999, 0]];
const MORE = [["cards_left", "cards_left", 0, 60, "all"], ["unknown_in_hand", "unknown_in_hand", 0, 10, 0],
  ["max_health", "healed_to", 1, 999, 30], ["locked", "locked", 0, 10, 0], ["owed", "owed", 0, 100, 0],
  ["fatigue", "fatigue", 0, 999, 0], ["attacks", "attacks", 0, 10, 0], ["power_used", "power_used", 0, 9, 0]];
const FIELDS = { board: [["attack", "attack", -999, 999, "printed"], ["health", "health", 1, 999, "full"], ["max_health", "max_health", 1, 999, "printed"],
  ["attacks", "attacks", 0, 10, 0]], weapon: [["attack", "attack", 0, 999, "printed"], ["durability", "durability", 1, 999, "printed"]],
hand: [["discount", "discount", -99, 99, 0]], secrets: [] };
const WORDS = ["taunt", "divine shield", "windfury", "stealth", "charge", "poisonous", "lifesteal", "elusive", "frozen", "asleep", "silenced"];

/** Return a side with each "2x Wisp" of its lists twice. */
export function expanded(side) {
  const found = { ...side };
  for (const zone of ["board", "hand", "secrets"]) {
    if (typeof found[zone] === "string") found[zone] = [found[zone]];
    if (Array.isArray(found[zone])) found[zone] = found[zone].flatMap(copies);
  }
  return found;
}

function copies(entry) {
  const [, n, name] = COUNTED.exec(entry?.card ?? entry) ?? [];
  return n ? Array.from({ length: Number(n) }, () => (entry.card ? { ...entry, card: name } : name)) : [entry];
}

/** Return a field for a number of an object, and keep it there. */
function field([key, name, min, max, usual], object, changed) {
  const input = make("input");
  Object.assign(input, { type: "number", min, max, placeholder: typeof usual === "number" ? usual : say(`side.usual.${usual}`), value: object[key] ?? "", inputMode: "numeric" });
  input.addEventListener("input", () => {
    if (input.value === "") delete object[key];
    else object[key] = Math.trunc(Number(input.value));
    changed();
  });
  return make("label", "", say(`side.numbers.${name}`), input);
}

export class Side {
  /** id: "me" or "opponent". act: {changed(), aim(id, zone), tell(words)}. */
  constructor(id, faces, act) {
    Object.assign(this, { id, faces, act });
    this.box = document.getElementById(id);
    this.part = (selector) => this.box.querySelector(selector);
    this.ids = new Map(Object.entries(faces).sort(([, a], [, b]) => Boolean(a.most) - Boolean(b.most)).map(([card, face]) => [
      face.name.toLowerCase(), card]));
    this.hero = this.part("[data-key=class]");
    this.hero.addEventListener("change", () => {
      this.data.class = this.hero.value;
      this.forget();  // a list is of one class
      this.take(this.data);
      act.changed();
    });
    this.part(".deck-list").addEventListener("change", (event) => this.list(event.target));
  }

  /** Take the data of a side, and show it. */
  take(data) {
    this.data = data;
    this.hero.value = String(data.class ?? "").toLowerCase();
    this.part(".numbers").replaceChildren(this.hero.parentElement, ...NUMBERS.map((one) => field(one, data, this.act.changed)));
    this.part(".more").replaceChildren(...MORE.map((one) => field(one, data, this.act.changed)));
    this.sayList();
    this.draw();
  }

  /** The entries of a zone, as a list. */
  entries(zone) {
    const found = this.data[zone] ?? [];
    return zone === "weapon" ? [this.data.weapon].filter(Boolean) : Array.isArray(found) ? found : [];
  }

  /** Keep other entries in a zone. */
  put(zone, entries) {
    if (zone === "weapon" ? !entries.length : !entries.length && zone in this.data) delete this.data[zone];
    else this.data[zone] = zone === "weapon" ? entries.at(-1) : entries;
    this.draw();
    this.act.changed();
  }

  add(zone, card) {
    const name = this.faces[card].name;
    this.put(zone, [...this.entries(zone), this.ids.get(name.toLowerCase()) === card ? name : card]);
  }

  /** Return the id of the card that an entry names, if there is one. */
  card(entry) {
    const word = String(entry?.card ?? entry);
    return word in this.faces ? word : this.ids.get(word.toLowerCase());
  }

  draw() {
    this.part(".zones").replaceChildren(...ZONES.map((zone) => {
      const more = make("button", "add", say("side.add"));
      more.type = "button";
      more.ariaLabel = say("side.add_to", { where: say(`position.zones.${this.id}.${zone}`) });
      more.addEventListener("click", () => this.act.aim(this.id, zone));
      const rows = this.entries(zone).map((entry, i) => this.row(zone, entry, i));
      return make("div", "zone", make("h3", "", say(`side.zones.${zone}`)), more, make("ul", "", ...rows));
    }));
  }

  row(zone, entry, i) {
    const face = this.faces[this.card(entry)];
    const row = make("li", "", make("details", "", make("summary", "", face?.name ?? String(entry?.card ?? entry)), this.form(zone, entry, i, face)));
    row.dataset.zone = `${zone} ${i}`;
    return row;
  }

  /** Return what can be changed of an entry. */
  form(zone, entry, i, face) {
    // A name becomes an object as soon as something is said of it.
    const object = typeof entry === "string" ? { card: entry } : entry;
    const changed = () => {
      if (zone === "weapon") this.data.weapon = object;
      else this.data[zone][i] = object;
      this.act.changed();
    };
    const fields = FIELDS[zone].map((one) => field(one, object, changed));
    return make("div", "entry", make("div", "numbers", ...fields), zone === "board" ? this.words(object, face, changed) : null, this.moves(zone, i));
  }

  /** Return a box for each keyword that a minion can be given, or lose. */
  words(object, face, changed) {
    const list = (key) => (Array.isArray(object[key]) ? object[key] : []);
    const printed = (word) => !list("gained").includes("silenced") && (face?.words ?? []).includes(word);
    const has = (word) => list("gained").includes(word) || (printed(word) && !list("lost").includes(word));
    const boxes = WORDS.map((word) => {
      const box = make("input");
      Object.assign(box, { type: "checkbox", checked: has(word) });
      box.addEventListener("change", () => {
        const rest = { gained: list("gained").filter((one) => one !== word), lost: list("lost").filter((one) => one !== word) };
        if (box.checked !== printed(word)) rest[box.checked ? "gained" : "lost"].push(word);
        for (const key of ["gained", "lost"]) {
          if (rest[key].length) object[key] = rest[key];
          else delete object[key];
        }
        for (const [k, other] of boxes.entries()) other.querySelector("input").checked = has(WORDS[k]);
        changed();
      });
      return make("label", "tick", box, say(`side.words.${word.replaceAll(" ", "_")}`));
    });
    return make("div", "words-of", ...boxes);
  }

  /** Return buttons that move an entry, or take it out. */
  moves(zone, i) {
    const entries = this.entries(zone);
    const button = (words, label, enabled, act) => {
      const found = make("button", "", words);
      Object.assign(found, { type: "button", ariaLabel: label, disabled: !enabled });
      found.addEventListener("click", act);
      return found;
    };
    const swap = (k) => () => {
      const other = [...entries];
      [other[i], other[k]] = [other[k], other[i]];
      this.put(zone, other);
      this.show(zone, k);
    };
    const out = () => {
      this.put(zone, entries.filter((_, k) => k !== i));
      this.act.tell(say("side.taken_out"));
      (this.box.querySelector(`[data-zone="${zone} ${Math.max(0, i - 1)}"] summary`) ?? this.part(".add")).focus();
    };
    return make("div", "buttons", ...(zone === "weapon" ? [] : [button("◂", say("side.left"), i > 0, swap(i - 1)),
      button("▸", say("side.right"), i + 1 < entries.length, swap(i + 1))]), button(say("side.remove"), say("side.remove_it"), true, out));
  }

  /** Open what stands at a place of the table. */
  show(zone, place) {
    const row = this.box.querySelector(`[data-zone="${zone} ${place}"] details`);
    if (row) row.open = true;
    (row?.querySelector("summary") ?? this.part(".numbers input")).focus();
  }

  // -- the deck ---------------------------------------------------------------------------------

  sayList() {
    const { deck_list: list, deck_name: name } = this.data;
    this.part(".deck-said").textContent = list === undefined ? say("side.no_list")
      : say("side.list", { name: name ?? (typeof list === "string" ? list : say("side.own_list")) });
  }

  /** Have no deck list, nor what is dealt from it. */
  forget() {
    for (const key of ["deck_list", "deck_name", "cards_left", "unknown_in_hand"]) delete this.data[key];
  }

  /** Take the list that was chosen: its cards, so that a file of the position needs no other one. */
  async list(select) {
    const words = select.value;
    select.value = "";
    if (words === "none") {
      this.forget();
    } else if (words) {
      const [fine, deck] = await post("/deck", { deck: words });
      if (!fine) {
        this.part(".deck-said").textContent = deck.why;
        return;
      }
      Object.assign(this.data, { class: deck.class.toLowerCase(), deck_name: deck.name,
        deck_list: deck.cards.map(({ card, n }) => `${n}x ${this.faces[card].name}`) });
    }
    this.take(this.data);
    this.act.changed();
  }
}
