// A card large, beside whatever stands for it in a list: where the pointer is, or the focus.

import { largeCard, make } from "./draw.js";

/** Put a box beside an element of the table, above or below one of a hand, within the window. Where nothing is free
 *  beside it, below: there it does not cover what an own minion can attack.
 * @param {HTMLElement} box @param {Element} element */
export function beside(box, element) {
  const near = element.getBoundingClientRect(), own = box.getBoundingClientRect();
  const held = element.closest(".hand"), right = near.right + own.width + 12 < innerWidth;
  const left = held ? near.left + near.width / 2 - own.width / 2 : right ? near.right + 8 : near.left - own.width - 8;
  const above = near.top - own.height - 16, fits = near.bottom + own.height + 12 < innerHeight;
  const top = held || left < 0 ? (above < 4 || (fits && !held) ? near.bottom + 8 : above) : near.top + near.height / 2 - own.height / 2;
  box.style.left = `${Math.max(4, Math.min(left, innerWidth - own.width - 4))}px`;
  box.style.top = `${Math.max(4, Math.min(top, innerHeight - own.height - 4))}px`;
}

/** Put a box below a row of a list, or above it, within the window.
 * @param {HTMLElement} box @param {Element} row */
function below(box, row) {
  const near = row.getBoundingClientRect(), own = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(near.left, innerWidth - own.width - 4))}px`;
  box.style.top = `${near.bottom + own.height + 8 < innerHeight ? near.bottom + 4 : Math.max(4, near.top - own.height - 4)}px`;
}

/** Show the card of each element with data-card. faces: cards by id. place: puts the box of it.
 * @param {import("./types.js").Faces} faces @param {(box: HTMLElement, element: HTMLElement) => void} place */
export function lookAt(faces, place = below) {
  const look = make("div");
  look.id = "look";
  look.hidden = true;
  document.body.append(look);
  const show = (/** @type {Event} */ event) => {
    const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest?.("[data-card]"));
    const card = element?.dataset.card ?? "";
    look.hidden = !(card in faces);
    if (!element || look.hidden) return;
    look.replaceChildren(largeCard(card, faces[card], element.dataset.more?.split("\n") ?? []));
    place(look, element);
  };
  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") look.hidden = true; });
  document.addEventListener("scroll", () => { look.hidden = true; }, { passive: true });
}
