// A card large, beside whatever stands for it in a list: where the pointer is, or the focus.

import { largeCard, make } from "./draw.js";

/** Put a box beside an element of the table, above one of the hand, within the window. */
export function beside(box, element) {
  const near = element.getBoundingClientRect(), own = box.getBoundingClientRect();
  const held = element.closest(".hand"), right = near.right + own.width + 12 < innerWidth;
  const left = held ? near.left + near.width / 2 - own.width / 2 : right ? near.right + 8 : near.left - own.width - 8;
  const top = held || left < 0 ? near.top - own.height - 16 : near.top + near.height / 2 - own.height / 2;
  box.style.left = `${Math.max(4, Math.min(left, innerWidth - own.width - 4))}px`;
  box.style.top = `${Math.max(4, Math.min(top, innerHeight - own.height - 4))}px`;
}

/** Show the card of each element with data-card. faces: cards by id. */
export function lookAt(faces) {
  const look = make("div");
  look.id = "look";
  look.hidden = true;
  document.body.append(look);
  const show = (event) => {
    const row = event.target.closest("[data-card]");
    look.hidden = !row;
    if (!row) return;
    look.replaceChildren(largeCard(row.dataset.card, faces[row.dataset.card]));
    const near = row.getBoundingClientRect(), own = look.getBoundingClientRect();
    look.style.left = `${Math.max(4, Math.min(near.left, innerWidth - own.width - 4))}px`;
    look.style.top = `${near.bottom + own.height + 8 < innerHeight ? near.bottom + 4 : Math.max(4, near.top - own.height - 4)}px`;
  };
  document.addEventListener("pointerover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("scroll", () => { look.hidden = true; }, { passive: true });
}
