"use strict";
// The page of all cards: hides what does not fit the filters, and keeps them in the address.

const find = (id) => document.getElementById(id);
const FILTERS = ["class", "type", "set", "rarity", "cost"];
const FIELDS = ["words", ...FILTERS, "order", "tokens"];
const main = find("cards");
const cards = [...main.children].map((element, place) => ({
  element, place, data: element.dataset, said: plain(element.textContent),
  name: element.querySelector("h2").childNodes[1].textContent.trim(),
}));

/** Return words as they are compared: lower case, without accents and curly apostrophes. */
function plain(words) {
  return words.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase();
}

/** Return whether a card has a filter's word. */
function has(data, name, word) {
  if (!word) return true;
  if (name === "cost") return word === "10" ? Number(data.cost) >= 10 : data.cost === word;
  if (name === "class") return data.class.split(" ").includes(word.toLowerCase());
  return name === "type" ? data.type === word || data.type.split(" ").includes(word)
    : data[name] === word;
}

/** Show the cards that fit, and say how many do. */
function filter() {
  const words = plain(find("words").value).split(/\s+/).filter(Boolean);
  const tokens = find("tokens").checked;
  const wished = FILTERS.map((name) => [name, find(name).value]);
  let shown = 0;
  for (const { element, data, said } of cards) {
    const fits = "token" in data === tokens && words.every((word) => said.includes(word))
      && wished.every(([name, word]) => has(data, name, word));
    element.hidden = !fits;
    shown += fits;
  }
  find("count").textContent = `${shown.toLocaleString("en")} ${shown === 1 ? "card" : "cards"}`;
  find("none").hidden = shown > 0;
}

/** Put the cards into the chosen order. */
function sort() {
  const by = {
    cost: (a, b) => a.data.cost - b.data.cost || a.name.localeCompare(b.name),
    name: (a, b) => a.name.localeCompare(b.name),
    set: (a, b) => rank(a) - rank(b) || a.place - b.place,
  }[find("order").value] || ((a, b) => a.place - b.place);
  main.append(...[...cards].sort(by).map(({ element }) => element));
}

const sets = [...find("set").options].map(({ value }) => value);
const rank = ({ data }) => sets.indexOf(data.set);

/** Write the filters into the address, so that a link shows the same cards. */
function remember() {
  const said = new URLSearchParams();
  for (const name of FIELDS) {
    const field = find(name);
    const value = field.type === "checkbox" ? (field.checked ? "1" : "") : field.value;
    if (value) said.set(name, value);
  }
  history.replaceState(null, "", `#${said}`);
}

/** Take the filters from the address; a card's id shows that card, whatever it is. */
function recall() {
  const address = decodeURIComponent(location.hash.slice(1));
  const card = cards.find(({ element }) => element.id === address);
  const said = new URLSearchParams(card ? "" : location.hash.slice(1));
  for (const name of FIELDS) {
    const field = find(name);
    if (field.type === "checkbox") field.checked = said.has(name);
    else field.value = said.get(name) || "";
    if (field.selectedIndex < 0) field.selectedIndex = 0;
  }
  if (card) find("tokens").checked = "token" in card.data;
  sort();
  filter();
  if (card) card.element.scrollIntoView();
}

find("filters").addEventListener("input", (event) => {
  if (event.target.id === "order") sort();
  filter();
  remember();
});
find("filters").addEventListener("submit", (event) => event.preventDefault());
find("filters").addEventListener("reset", () => setTimeout(() => {
  sort();
  filter();
  remember();
}));
addEventListener("hashchange", recall);
recall();
