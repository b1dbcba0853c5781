// The page that waits while the engine is compiled: it asks for itself until it gets another page.

import { say } from "./say.js";

const EVERY = 500; // milliseconds
const told = document.getElementById("told");

async function look() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "application/json" } });
    if (answer.status !== 503) {
      location.reload();
      return;
    }
    const { why, share } = await answer.json();
    if (told.textContent !== why) told.textContent = why; // else it would be read aloud again
    const bar = document.getElementById("done");
    if (share === null) bar.removeAttribute("value");
    else bar.value = share;
  } catch {
    told.textContent = say("site.not_running");
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
