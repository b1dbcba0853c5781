// The pages that lead a participant of a study: to agree, and on to the next game.

import { post } from "./decklist.js";

const find = (id) => document.getElementById(id);

/** Ask for what comes next, and go there; say why if nothing does. */
function leads(id, path, body, to) {
  find(id)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = find(id).querySelector("button");
    button.disabled = true;
    const [fine, answer] = await post(path, body());
    button.disabled = false;
    if (fine) location.assign(to);
    else find("said").textContent = answer.why;
  });
}

leads("agree", "/agree", () => ({ agree: find("yes").checked }), "/");
leads("begin", "/begin", () => ({}), "/game");
// A page that the browser kept is an old one: the study may have gone on.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
