// Runs and results: key figures come one after the other; the curves of a run again while it goes on.

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

await fillAll();
const { result } = document.querySelector("main").dataset;
if (result) await follow(result);
