// The page of an invitation: what to hand on, until somebody came.

const find = (id) => document.getElementById(id);
const OFTEN = 1000; // milliseconds

find("link").textContent = find("link").href;
find("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(find("link").href);
    find("said").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(find("link"));
    find("said").textContent = "Copy what is selected.";
  }
});

setInterval(async () => {
  try {
    const answer = await fetch(`${location.pathname}/ready`);
    if (answer.ok && (await answer.json()).ready) location.reload();
  } catch {
    find("said").textContent = "The server does not answer.";
  }
}, OFTEN);
