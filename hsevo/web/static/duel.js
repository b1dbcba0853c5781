// The page on which somebody is invited, or an invitation is taken: pick a deck, and go to the seat.

import { post } from "./decklist.js";
import { lookAt } from "./look.js";
import { Picker, faces } from "./picker.js";

const find = (id) => document.getElementById(id);
const mine = new Picker("mine"), { code } = find("form").dataset;

find("change").addEventListener("click", () => {
  find("change").href = mine.deck ? `/build#${new URLSearchParams({ from: mine.deck })}` : "/build";
});

find("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  find("said").textContent = mine.deck ? "" : "Choose your deck first.";
  if (!mine.deck) return;
  find("go").disabled = true;
  const [fine, answer] = code ? await post(`/join/${code}`, { deck: mine.deck })
    : await post("/duel", { deck: mine.deck, first: find("first").value });
  if (fine) location.assign(`/seat/${answer.seat}`);
  else find("said").textContent = answer.why;
  find("go").disabled = false;
});

find("take")?.addEventListener("click", async () => {
  const wanted = find("code").value.trim().toUpperCase().replace(/[^A-Z0-9]/g, "");
  const answer = wanted && await fetch(`/join/${wanted}`);
  if (answer?.ok) location.assign(`/join/${wanted}`);
  else find("said").textContent = answer ? "There is no such invitation, or somebody has taken it." : "Give the code of an invitation.";
});

lookAt(faces);
