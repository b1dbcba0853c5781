// An invitation: who invited waits until the other has come, and the other chooses a deck and comes.

import { post } from "./decklist.js";
import { lookAt } from "./look.js";
import { Picker } from "./picker.js";
import { say } from "./say.js";

const find = (id) => document.getElementById(id);
const { waits, invited } = document.body.dataset;
const EVERY = 1000; // milliseconds between two looks

/** Look whether the other has come, and go to the game then. */
async function look() {
  try {
    const answer = await fetch(`/invitation/${waits}/state`);
    const { to, why } = await answer.json();
    find("said").textContent = why ?? "";
    if (to) location.assign(to);
    if (to || answer.status === 404) return;
  } catch {
    find("said").textContent = say("invitation.no_answer");
  }
  setTimeout(look, EVERY);
}

if (waits) {
  look();
  find("copy").addEventListener("click", () => {
    find("link").select();
    document.execCommand("copy"); // the clipboard's own interface wants https
    find("copy").textContent = say("invitation.copied");
  });
  find("withdraw").addEventListener("click", async () => {
    const [fine, answer] = await post(`/invitation/${waits}/withdraw`, {});
    if (fine) location.assign("/");
    else find("said").textContent = answer.why;
  });
}

if (invited) {
  const faces = await (await fetch("/cards.json")).json();
  const mine = new Picker("mine", faces);
  lookAt(faces);
  find("join").addEventListener("submit", async (event) => {
    event.preventDefault();
    find("said").textContent = "";
    if (!mine.deck) {
      find("said").textContent = say("decks.choose_yours");
      return;
    }
    find("go").disabled = true;
    const [fine, answer] = await post(`/invitation/${invited}/join`, { deck: mine.deck });
    if (fine) location.assign(`/game/${answer.number}`);
    else find("said").textContent = answer.why;
    find("go").disabled = false;
  });
}
// A page that the browser kept is an old one: the game may have begun.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
