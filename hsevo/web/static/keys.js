// Keys of the page of a game, and the focus: it goes from card to card, and stays where it was when the table is drawn anew.

import { at, byUid, find } from "./board.js";

/** @import { Act, State } from "./types.js" */

const ROWS = ["foe-hero", "foe-board", "my-board", "my-hero", "my-hand"];

/** Move the focus to a neighbour on the table.
 * @param {number} across @param {number} down */
function walk(across, down) {
  const rows = ROWS.map((id) => /** @type {HTMLElement[]} */ ([...find(id).querySelectorAll("[data-spot], .gap button")])).filter((row) => row.length);
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const here = rows.findIndex((row) => row.includes(focused));
  if (here < 0) {
    rows.at(-1)?.[0].focus();
    return;
  }
  const row = rows[Math.max(0, Math.min(rows.length - 1, here + down))];
  const place = rows[here].indexOf(focused);
  const next = down ? Math.round(place * (row.length - 1) / Math.max(1, rows[here].length - 1)) : place + across;
  row[Math.max(0, Math.min(row.length - 1, next))].focus();
}

/** Have keys act, letters in either case.
 * @param {() => State} get @param {(act: Act) => void} act @param {{ hint(): void, look(): void }} page */
export function listen(get, act, page) {
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => walk(-1, 0), ArrowRight: () => walk(1, 0), ArrowUp: () => walk(0, -1), ArrowDown: () => walk(0, 1),
    " ": () => act({ type: "pause" }), e: () => act({ type: "end", now: performance.now() }),
    p: () => { if (!find("play-it").hidden) act({ type: "table" }); },
    h: page.hint, l: () => find("log-toggle").click(), "?": () => act({ type: "keys" }),
    Escape: () => {
      if (get().aside) act({ type: "aside" });
      else act({ type: "escape" });
      page.look();
    },
    t: () => act({ type: "aside" }),
  };
  const inDialog = new Set(["t", "?"]);
  document.addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, target = /** @type {HTMLElement} */ (event.target);
    const isOpen = /** @type {HTMLDialogElement} */ (find("dialog")).open;
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat && key === "e" || target.closest?.("select, #lines")) return;
    if (!(key in keys) || (isOpen && !inDialog.has(key)) || (key === " " && (!get().page.watched || target.closest?.("button, a")))) return;
    event.preventDefault();
    keys[key]();
  });
}

/** Where on the table the focus was last. */
export class Focus {
  constructor() {
    /** @type {{ uid?: string, spot?: string } | null} */
    this.last = null;
    document.addEventListener("focusin", (event) => {
      const { dataset: { uid, spot }, id } = /** @type {HTMLElement} */ (event.target);
      if (spot || id === "end") this.last = { uid, spot };
    });
  }

  /** Bring the focus back if what had it was drawn anew: to the same character, the same place, or the next thing. Return
   *  whether it moved. */
  restore() {
    if (!this.last || document.activeElement !== document.body) return false;
    const { uid, spot } = this.last;
    const next = uid ? byUid(uid) : spot ? at(spot.split(" ")) ?? find("my-hand").querySelector("li:last-child button") : null;
    /** @type {HTMLElement} */ (next ?? find("end")).focus({ preventScroll: true });
    return true;
  }
}
