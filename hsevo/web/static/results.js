// Runs and results: key figures come one after the other; the curves of a run again while it goes on.

import { say } from "./say.js";

const AGAIN = 5000; // milliseconds from one look at a run to the next

/** Fill in a key figure, or why there is none. */
async function fill(place) {
  const answer = await fetch(`/results/${place.dataset.id}/figure`);
  if (!answer.ok) return;
  const { figure, why } = await answer.json();
  place.textContent = why ?? figure;
  place.classList.toggle("why", Boolean(why));
}

async function fillAll() {
  for (const place of document.querySelectorAll("[data-id]")) await fill(place);
}

/** Draw how a run stands, and again as long as it goes on and somebody looks. */
async function follow(id) {
  for (let now = document.getElementById("now"); now?.dataset.goesOn === "yes"; now = document.getElementById("now")) {
    if (document.visibilityState === "visible") {
      const answer = await fetch(`/results/${id}/now`);
      if (!answer.ok) return;
      const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("now");
      if (found.outerHTML !== now.outerHTML) {
        now.replaceWith(document.adoptNode(found));
        await fillAll();
      }
    }
    await new Promise((done) => { setTimeout(done, AGAIN); });
  }
}

/** Show the results that fit the filters. */
function filter() {
  const words = find("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows()) {
    const [name, kind, state, figure] = [...row.cells].map((cell) => cell.textContent);
    row.hidden = !(words.every((word) => `${name} ${figure}`.toLowerCase().includes(word))
      && [["kind", kind], ["state", state]].every(([id, value]) => !find(id).value || find(id).value === value));
    shown += !row.hidden;
  }
  find("count").textContent = say("results.count", { n: shown });
}

/** Sort the results by a column; by the same once more: the other way round. */
function sort(head) {
  const heads = [...head.parentNode.cells], column = heads.indexOf(head);
  const down = head.ariaSort === "ascending" || (column === heads.length - 1 && head.ariaSort !== "descending");
  for (const one of heads) one.removeAttribute("aria-sort");
  head.ariaSort = down ? "descending" : "ascending";
  const value = (row) => row.cells[column].querySelector("time")?.dateTime ?? row.cells[column].textContent;
  const sorted = rows().sort((a, b) => (down ? -1 : 1) * value(a).localeCompare(value(b), "en", { numeric: true }));
  find("list").tBodies[0].append(...sorted);
}

const find = (id) => document.getElementById(id);
const rows = () => [...find("list").tBodies[0].rows];
if (find("list")) {
  find("asks").addEventListener("input", filter);
  find("asks").addEventListener("submit", (event) => event.preventDefault());
  for (const head of find("list").tHead.rows[0].cells) head.firstElementChild.addEventListener("click", () => sort(head));
  filter();
}
await fillAll();
if (find("list")) filter();
const { result } = document.querySelector("main").dataset;
if (result) await follow(result);
