// The first page: pick two decks and an opponent, and begin.

import { post } from "./decklist.js";
import { lookAt } from "./look.js";
import { Picker, faces } from "./picker.js";

const find = (id) => document.getElementById(id);
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
