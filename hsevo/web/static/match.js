// A best of five: its line-ups are chosen, then a deck before each game.

import { post } from "./decklist.js";

const find = (id) => document.getElementById(id);

/** Ask for what begins, and go there; say why if nothing does. */
async function begin(path, wish, to) {
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  const [fine, answer] = await post(path, wish);
  if (fine) location.assign(`/${to}/${answer.number}`);
  else find("said").textContent = answer.why;
  for (const button of document.querySelectorAll("button")) button.disabled = false;
}

const lineUp = (id) => [...find(id).querySelectorAll("select")].map((one) => one.value);

find("begin")?.addEventListener("submit", (event) => {
  event.preventDefault();
  begin("/matches", { mine: lineUp("mine"), theirs: lineUp("theirs"), agent: find("agent").value, format: find("format").value }, "match");
});
/** Say who the opponent is. */
function describe() {
  find("agent-says").textContent = find("agent").selectedOptions[0].title;
}
find("agent")?.addEventListener("change", describe);
for (const button of document.querySelectorAll("[data-pick]")) {
  button.addEventListener("click", () => begin(`/match/${document.body.dataset.match}/next`, { deck: Number(button.dataset.pick) }, "game"));
}
// A page that the browser kept is an old one: the match may have gone on.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
  if (find("agent")) describe();
});
