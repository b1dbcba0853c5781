// Mouse and fingers on the table: clicks, what is dragged, and the card that is looked at.

import { find, spotOf } from "./board.js";
import { largeCard } from "./draw.js";
import { beside } from "./look.js";
import { canStart } from "./moves.js";

/** @import { Act, Faces, State } from "./types.js" */
/** @typedef {{ kind: "none" } | { kind: "pressed", element: HTMLElement, x: number, y: number } | { kind: "dragged", element: HTMLElement }} Gesture */

const FAR = 12; // pixels after which a press is a drag
const DWELL = 300; // milliseconds after which a card counts as looked at
// What a tap still does while the text of a card is shown: everything else closes the text alone.
const MARKED = "[data-card], .legal, [data-place], button:not([data-spot]), a, select";

/** Return the element that an event is about, or an element around it.
 * @param {Event} event @param {string} query @returns {HTMLElement | null} */
const around = (event, query) => /** @type {Element | null} */ (event.target)?.closest?.(query) ?? null;

/** Return where on the own board something dropped goes: after the minions whose middle is to the left.
 * @param {number} x */
function placeAt(x) {
  return [...find("my-board").querySelectorAll(".minion")].filter((one) => {
    const { left, width } = one.getBoundingClientRect();
    return x >= left + width / 2;
  }).length;
}

export class Pointer {
  /** @param {Faces} faces @param {() => State} get @param {(act: Act) => void} act */
  constructor(faces, get, act) {
    this.faces = faces;
    this.get = get;
    this.act = act;
    /** @type {Gesture} */
    this.gesture = { kind: "none" };
    this.swallows = false; // whether the click in which a gesture ends does nothing
    /** @type {HTMLElement | null} */
    this.tapped = null; // the card whose text is shown because a finger is on it
    this.looking = 0;
    this.listen();
  }

  listen() {
    const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ heard) => document.addEventListener(type, heard);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.release(event));
    on("pointercancel", () => this.end());
    on("click", (event) => this.click(event));
    on("pointerover", (event) => {
      if (event.pointerType !== "touch") this.over(event, true);
    });
    on("focusin", (event) => this.over(event, event.target.matches(":focus-visible")));
    on("focusout", (event) => {
      if (!this.tapped || event.relatedTarget?.closest("[data-card]") !== this.tapped) this.close();
    });
    on("contextmenu", (event) => {
      if (!around(event, "#table")) return;
      event.preventDefault();
      if (this.gesture.kind !== "pressed") this.act({ type: "escape" }); // a long press of a finger shows the text
    });
  }

  /** @param {PointerEvent} event */
  press(event) {
    const touch = event.pointerType === "touch", card = touch ? around(event, "[data-card]") : null;
    this.swallows = touch && this.tapped !== null && !find("look").hidden && !around(event, MARKED);
    this.tapped = card;
    if (card) this.look(card);
    else this.close();
    const element = around(event, "[data-spot]");
    this.gesture = element && event.button === 0 && element.dataset.spot?.startsWith("me")
      ? { kind: "pressed", element, x: event.clientX, y: event.clientY } : { kind: "none" };
  }

  /** @param {PointerEvent} event */
  move({ clientX: x, clientY: y }) {
    const { gesture } = this, line = /** @type {Element} */ (find("aim").firstElementChild);
    if (gesture.kind === "pressed" && Math.hypot(x - gesture.x, y - gesture.y) > FAR) {
      const spot = spotOf(gesture.element);
      if (!spot || !canStart(this.get().frame, spot)) {
        this.end();
        return;
      }
      this.gesture = { kind: "dragged", element: gesture.element };
      this.swallows = true;
      this.act({ type: "drag", spot });
      const box = gesture.element.getBoundingClientRect();
      line.setAttribute("x1", String(box.left + box.width / 2));
      line.setAttribute("y1", String(box.top + box.height / 2));
      find("aim").classList.add("on");
      this.close();
    }
    if (this.gesture.kind !== "dragged") return;
    line.setAttribute("x2", String(x));
    line.setAttribute("y2", String(y));
  }

  /** @param {PointerEvent} event */
  release({ clientX: x, clientY: y }) {
    const { gesture } = this, under = document.elementFromPoint(x, y);
    this.end();
    if (gesture.kind !== "dragged") return;
    const gap = /** @type {HTMLElement | null | undefined} */ (under?.closest("[data-place]"));
    if (gap && !gap.closest("dialog")) this.act({ type: "place", place: Number(gap.dataset.place) });
    else this.act({ type: "drop", over: spotOf(under?.closest("[data-spot]")), place: placeAt(x), felt: Boolean(under?.closest("#felt")) });
  }

  end() {
    this.gesture = { kind: "none" };
    find("aim").classList.remove("on");
  }

  /** @param {MouseEvent} event */
  click(event) {
    const spot = spotOf(around(event, "[data-spot]")), gap = around(event, "[data-place]");
    const swallowed = this.swallows;
    this.swallows = false;
    if (swallowed || around(event, "dialog")) return;
    if (gap) this.act({ type: "place", place: Number(gap.dataset.place) });
    else if (spot) this.act({ type: "click", spot, finger: this.tapped !== null });
    else if (around(event, "#felt")) this.act({ type: "table" });
  }

  // -- the card that is looked at ---------------------------------------------------------------

  /** @param {Event} event @param {boolean} shows */
  over(event, shows) {
    const element = around(event, "[data-card]");
    if (element && shows && !around(event, "dialog")) this.look(element);
    else if (!element) this.close();
  }

  /** Show the card of an element large, beside it.
   * @param {HTMLElement} element */
  look(element) {
    const { card = "", more } = element.dataset, box = find("look"), spot = spotOf(element);
    if (!this.faces[card] || this.gesture.kind === "dragged") return;
    box.replaceChildren(largeCard(card, this.faces[card], more ? more.split("\n") : []));
    box.hidden = false;
    clearTimeout(this.looking);
    this.looking = setTimeout(() => this.act({ type: "look", spot }), DWELL);
    beside(box, element);
  }

  close() {
    clearTimeout(this.looking);
    find("look").hidden = true;
  }
}
