// The first page: pick two decks and an opponent, and begin.

import { post } from "./decklist.js";
import { lookAt } from "./look.js";
import { Picker } from "./picker.js";
import { say } from "./say.js";

const find = (id) => document.getElementById(id);
const faces = await (await fetch("/cards.json")).json();

const mine = new Picker("mine", faces), theirs = new Picker("theirs", faces);
const LAST = "last choices";  // kept by the browser

/** Choose again what was chosen last, as far as it is still offered. */
function remember() {
  let last = {};
  try {
    last = JSON.parse(localStorage.getItem(LAST)) ?? {};
  } catch { /* what is stored is no choice */ }
  mine.choose(last.mine);
  theirs.choose(last.theirs);
  for (const id of ["agent", "first"]) {
    const option = [...find(id).options].find((one) => one.value === last[id]);
    if (option) option.selected = true;
  }
}

/** Keep what is chosen. */
function keep() {
  localStorage.setItem(LAST, JSON.stringify({ mine: mine.chosen, theirs: theirs.chosen, agent: find("agent").value,
    first: find("first").value }));
}

if (!document.body.dataset.watch) remember();
const wished = new URLSearchParams(location.hash.slice(1)).get("mine");
if (wished) mine.take(wished);

find("change").addEventListener("click", () => {
  find("change").href = mine.deck ? `/build#${new URLSearchParams({ from: mine.deck })}` : "/build";
});

const human = () => "human" in find("agent").selectedOptions[0].dataset;

/** Say who the opponent is; another human chooses a deck of its own. */
function describe() {
  find("agent-says").textContent = find("agent").selectedOptions[0].title;
  find("theirs").hidden = human();
  document.querySelector(".agents").hidden = human();
  const other = find("first").lastElementChild;
  other.dataset.agent ??= other.textContent;
  other.textContent = human() ? other.dataset.human : other.dataset.agent;
  find("go").textContent = human() ? say("start.invite") : find("go").dataset.plays;
}
find("go").dataset.plays = find("go").textContent;
find("agent").addEventListener("change", describe);
describe();

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  find("said").textContent = "";
  if (!mine.deck || !(theirs.deck || human())) {
    find("said").textContent = say(human() ? "decks.choose_yours" : "decks.choose_both");
    return;
  }
  if (!document.body.dataset.watch) keep();
  find("go").disabled = true;
  if (human()) {
    const [fine, answer] = await post("/invitations", { deck: mine.deck, first: find("first").value });
    if (fine) location.assign(`/invitation/${answer.code}`);
    else find("said").textContent = answer.why;
    find("go").disabled = false;
    return;
  }
  const seed = find("seed").value.trim();
  const [fine, answer] = await post("/games", { deck: mine.deck, against: theirs.deck, agent: find("agent").value,
    first: find("first").value, seed: seed ? Number(seed) : null });
  if (fine) location.assign(`/game/${answer.number}`);
  else find("said").textContent = answer.why;
  find("go").disabled = false;
});

/** Open an invitation by its code, or by its whole address. */
function come() {
  const code = find("code").value.toUpperCase().replace(/^.*\//, "").replace(/[^A-Z0-9]/g, "");
  if (code) location.assign(`/invitation/${code}`);
}
find("come")?.addEventListener("click", come);
find("code")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  come();
});
// A page that the browser kept has an old choice in its fields, and old games.
addEventListener("pageshow", describe);

lookAt(faces);
