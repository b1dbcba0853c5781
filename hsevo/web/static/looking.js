// The page on which one waits for the mistakes in a game.

import { post } from "./decklist.js";
import { linesOf } from "./lines.js";
import { say } from "./say.js";

const find = (id) => document.getElementById(id);
const path = `/game/${document.body.dataset.game}`;

function waits(on) {
  find("waits").hidden = !on;
  find("begins").hidden = on;
}

/** Begin, or join what goes on, and follow it to the page of what was found. */
async function look() {
  waits(true);
  find("said").textContent = "";
  find("told").textContent = say("mistakes.waits", { percent: 0 });
  try {
    const answer = await fetch(`${path}/analyse`, { method: "POST", body: "{}" });
    for await (const line of answer.ok ? linesOf(answer) : [await answer.json()]) {
      if (line.to) location.replace(line.to);
      else if (line.why) find("said").textContent = line.why;
      else {
        find("looking").max = line.of;
        find("looking").value = line.games;
        find("told").textContent = say("mistakes.waits", { percent: Math.floor(100 * line.games / line.of) });
      }
    }
  } catch {
    find("said").textContent = say("site.no_answer");
  }
  waits(false);
}

find("find").addEventListener("click", look);
find("stop").addEventListener("click", async () => {
  const [fine, answer] = await post(`${path}/analyse/stop`, {});
  if (!fine) find("said").textContent = answer.why;
});
if (document.body.dataset.goesOn === "yes") look();
