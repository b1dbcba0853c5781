"use strict";
// A report: what a part of a figure says, at the mouse or under a finger; tables that scroll; commands to
// copy.

const say = document.createElement("div");
say.id = "say";
say.hidden = true;
document.body.append(say);

/** Show what a part of a figure says beside a point of the window. */
function show(words, x, y) {
  say.textContent = words;
  say.hidden = false;
  const { width, height } = say.getBoundingClientRect();
  say.style.left = `${Math.max(4, Math.min(x + 12, innerWidth - width - 4))}px`;
  say.style.top = `${y - height - 12 < 4 ? y + 16 : y - height - 12}px`;
}

/** Follow the pointer over a part of a figure; its <title> stays for who has no script. */
function follow(event) {
  const part = event.target.closest("svg rect[data-words]");
  if (part) show(part.dataset.words, event.clientX, event.clientY);
  else say.hidden = true;
}

for (const title of document.querySelectorAll("svg rect > title")) {
  title.parentNode.dataset.words = title.textContent;
  title.remove(); // or the browser would say it once more
}
for (const name of ["pointermove", "pointerdown"]) document.addEventListener(name, follow);

// Where the server shows the report, a cell of a matrix opens its games; under a finger with the second tap.
const games = document.querySelector("[data-games-at]")?.dataset.gamesAt;
let tapped = null;
document.addEventListener("click", (event) => {
  const cell = games && event.target.closest("svg rect[data-games]");
  if (cell && (event.pointerType !== "touch" || cell === tapped)) location.assign(`${games}?${cell.dataset.games}`);
  tapped = cell;
});
for (const name of ["scroll", "blur"]) {
  addEventListener(name, () => { say.hidden = true; }, { passive: true });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") say.hidden = true;
});

/** Say of what is wider than the page that it can be scrolled, to hands and keys. */
function measure() {
  for (const box of document.querySelectorAll(".wide")) {
    const scrolls = box.scrollWidth > box.clientWidth + 1;
    box.classList.toggle("scrolls", scrolls);
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

addEventListener("resize", measure);
document.addEventListener("toggle", measure, true); // a section that was folded has no width
measure();

/** Unfold the section in which the address' figure stands. */
function unfold() {
  const found = location.hash && document.getElementById(location.hash.slice(1));
  const folded = found && found.closest("details");
  if (folded && !folded.open) {
    folded.open = true;
    found.scrollIntoView();
  }
}

addEventListener("hashchange", unfold);
unfold();

/** Copy a command; where the clipboard is closed, select it for the reader's own keys. */
async function copy(code, button) {
  const words = code.textContent.trim().replace(/\s+/g, " ");
  try {
    await navigator.clipboard.writeText(words);
    button.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = document.execCommand("copy") ? "copied" : "selected";
  }
  setTimeout(() => { button.textContent = "copy"; }, 1500);
}

for (const code of document.querySelectorAll(".command code")) {
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.textContent = "copy";
  button.addEventListener("click", () => copy(code, button));
  code.after(button);
}
