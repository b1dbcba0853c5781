// The page on which decks are built: cards that fit the filters, the deck, saving, codes.

import { BuiltDeck } from "./deck.js";
import { deckHead, post, rowOf } from "./decklist.js";
import { Grid } from "./grid.js";
import { make } from "./draw.js";
import { lookAt } from "./look.js";
import { Saved } from "./saved.js";
import { say } from "./say.js";
import { Swaps } from "./swaps.js";

const find = (id) => document.getElementById(id);
const faces = await (await fetch("/cards.json")).json();
const EXPORTED = /^\s*###\s*\S/m;  // the name in what the game copies
const DRAFT = `deck ${document.body.dataset.ruleset}`;  // kept by the browser until the page is opened again

const deck = new BuiltDeck(faces, draw);
const grid = new Grid(faces, deck, { add, remove });
const swaps = new Swaps(faces, deck);
const saved = new Saved({ open: (words) => begin(words, find("kept")), tell });

function tell(words) {
  find("told").textContent = words;
}

// -- cards in and out ---------------------------------------------------------------------------

function standing(card) {
  return say("build.standing", { name: faces[card].name, copies: deck.of(card), n: deck.n, size: deck.size });
}

function add(card) {
  const why = deck.refusal(card);
  if (why) {
    tell(why);
    find("kept").textContent = why;
    return;
  }
  deck.add(card);
  tell(standing(card));
}

function remove(card) {
  if (!deck.of(card)) return;
  deck.remove(card);
  tell(standing(card));
}

// -- the deck -----------------------------------------------------------------------------------

function draw() {
  const { cards } = deck;
  find("class").value = deck.hero;
  find("head").replaceChildren(deckHead(deck.hero, cards, faces, deck.size));
  find("to-deck").textContent = say("build.to_deck_with", { n: deck.n, size: deck.size });
  drawRows(cards);
  grid.count();
  find("undo").disabled = !deck.past.length;
  find("clear").disabled = !deck.n;
  find("kept").replaceChildren();
  localStorage.setItem(DRAFT, JSON.stringify({ hero: deck.hero, cards, size: deck.size, name: find("name").value }));
  judge();
}

function drawRows(cards) {
  const rows = [...find("rows").querySelectorAll("button")], at = rows.indexOf(document.activeElement);
  find("rows").replaceChildren(...cards.map(({ card, n }) => {
    const row = make("button", "", ...rowOf(faces[card], n));
    row.type = "button";
    row.dataset.card = card;
    row.ariaLabel = say("build.row", { name: faces[card].name, cost: faces[card].cost, n });
    row.addEventListener("click", () => remove(card));
    return make("li", "", row);
  }));
  if (at < 0) return;
  const left = find("rows").querySelectorAll("button");
  (left[Math.min(at, left.length - 1)] ?? find("deck")).focus();
}

/** Ask the server whether the deck is one, where it is legal, and for its code. */
async function judge() {
  const { text } = deck, left = deck.size - deck.n;
  find("save").disabled = find("copy").disabled = true;
  swaps.allow(false);
  find("code").value = "";
  if (left) {
    find("legal").replaceChildren(make("p", "", say("build.left", { n: left })));
    return;
  }
  const [fine, answer] = await post("/deck", { deck: text });
  if (text !== deck.text) return;
  find("legal").replaceChildren(...(fine ? said(answer) : answer.why.split("\n").map(
    (line) => make("p", "bad", line.replace(`${say("decks.the_deck")}: `, "")))));
  find("save").disabled = !fine;
  swaps.allow(fine);
  find("code").value = fine ? answer.code : "";
  find("copy").disabled = !find("code").value;
}

/** Return where a deck is legal, and folded below it what else is said of it. */
function said({ legal, says }) {
  return [make("p", "", legal), make("details", "", make("summary", "", say("build.made_of")),
    ...says.filter((line) => line !== legal).map((line) => make("p", "", line)))];
}

/** Return a name of a deck as a file's. */
const fileName = (name) => name.toLowerCase().replace(/[\s_]+/g, "-").replace(/[^a-z0-9-]/g, "").slice(0, 40);

/** Begin with the deck that words mean; say why if they mean none. */
async function begin(words, box) {
  const [fine, answer] = await post("/deck", { deck: words });
  if (!fine) {
    box.replaceChildren(...answer.why.split("\n").map((line) => make("span", "bad", line)));
    return;
  }
  deck.change(() => deck.set(answer.class.toLowerCase(), answer.cards, answer.cards.reduce((sum, { n }) => sum + n, 0)));
  find("name").value = words.startsWith("saved:") || EXPORTED.test(words) ? fileName(answer.name) : "";
  grid.draw();
  tell(say("build.begun", { hero: answer.class, n: deck.n }));
}

// -- saving -------------------------------------------------------------------------------------

async function save(replace = false) {
  const name = find("name").value.trim();
  const [fine, answer, status] = await post("/saved", { name, deck: deck.text, replace });
  const box = find("kept");
  if (fine) {
    const play = make("a", "", say("build.play"));
    play.href = `/#${new URLSearchParams({ mine: answer.deck })}`;
    box.replaceChildren(`${say("build.saved_as", { name })} `, play);
    saved.remember(answer.deck, name, deck.hero);
  } else if (status === 409) {
    const again = make("button", "", say("build.replace"));
    again.type = "button";
    again.addEventListener("click", () => save(true));
    box.replaceChildren(make("span", "bad", `${answer.why}. `), again);
    again.focus();
  } else {
    box.replaceChildren(make("span", "bad", answer.why));
  }
}

async function copy() {
  const field = find("code");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");  // where the browser has no clipboard for pages without TLS
  }
  tell(say("build.code_copied"));
  find("copy").textContent = say("build.copied");
  setTimeout(() => { find("copy").textContent = say("build.copy"); }, 1500);
}

// -- what is clicked ----------------------------------------------------------------------------

find("class").addEventListener("change", () => {
  const gone = deck.turn(find("class").value);
  grid.draw();
  if (gone) find("kept").textContent = say("build.gone", { n: gone });
});
find("undo").addEventListener("click", () => {
  deck.undo();
  grid.draw();
});
find("clear").addEventListener("click", () => deck.change(() => deck.set(deck.hero, [])));
find("keep").addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
// What is typed becomes a name of a file: small letters, digits and hyphens.
find("name").addEventListener("input", () => {
  find("name").value = fileName(find("name").value);
});
find("copy").addEventListener("click", copy);
find("from").addEventListener("change", () => {
  if (find("from").value) begin(find("from").value, find("kept"));
  find("from").value = "";
});
find("import").addEventListener("submit", (event) => {
  event.preventDefault();
  if (find("pasted").value.trim()) begin(find("pasted").value, find("kept"));
});
lookAt(faces);

const from = new URLSearchParams(location.hash.slice(1)).get("from");
const draft = JSON.parse(localStorage.getItem(DRAFT) ?? "null");
if (draft && draft.cards.every(({ card }) => faces[card]?.most)) {
  find("name").value = draft.name;
  deck.set(draft.hero, draft.cards, draft.size);
}
draw();
grid.draw();
if (from) {
  history.replaceState(null, "", "/build");
  begin(from, find("kept"));
}
