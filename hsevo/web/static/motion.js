// What happened, shown before the next frame is drawn: attacks, damage, healing, deaths. Nothing
// moves for those who asked their system for less motion, or chose instant speed.

import { card, make } from "./draw.js";
import { byUid, find } from "./board.js";
import { say } from "./say.js";

/** @import { Event, Faces, Frame } from "./types.js" */

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** How long things take: 1 is usual, 0 is nothing at all. */
export function pace() {
  return calm.matches ? 0 : Number(/** @type {HTMLSelectElement} */ (find("speed")).value);
}

/** Have the speed be that which was chosen last. */
export function keepPace() {
  const speed = /** @type {HTMLSelectElement} */ (find("speed"));
  speed.value = localStorage.getItem("speed") ?? "1";
  speed.addEventListener("change", () => localStorage.setItem("speed", speed.value));
}

/** @param {number} milliseconds @returns {Promise<void>} */
export const wait = (milliseconds) => (pace() === 0 ? Promise.resolve()
  : new Promise((done) => { setTimeout(done, milliseconds * pace()); }));

/** Animate an element, and wait until it is over.
 * @param {Element | null} element @param {Keyframe[]} frames @param {number} milliseconds @param {KeyframeAnimationOptions} options @returns {Promise<unknown>} */
function animate(element, frames, milliseconds, options = {}) {
  if (!element || pace() === 0) return Promise.resolve();
  return element.animate(frames, { duration: milliseconds * pace(), easing: "ease-in-out", ...options }).finished
    .catch(() => {});
}

/** @param {Element} element */
function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
}

/** @param {Event} event */
async function lunge(event) {
  const attacker = byUid(event.uid), target = byUid(event.target);
  if (!attacker || !target || pace() === 0) return;
  const [x, y] = middle(attacker), [to, down] = middle(target);
  attacker.classList.add("lunging");
  await animate(attacker, [{ transform: "none" }, { transform: "scale(1.12)", offset: 0.3 },
    { transform: `translate(${0.82 * (to - x)}px, ${0.82 * (down - y)}px) scale(1.05)`, offset: 0.62 },
    { transform: "none" }], 520);
  attacker.classList.remove("lunging");
}

/** Let a word rise from a character.
 * @param {number} uid @param {string | number} words @param {string} kind */
function float(uid, words, kind) {
  const element = byUid(uid);
  if (!element || pace() === 0) return;
  const [x, y] = middle(element), word = make("span", `float ${kind}`, words);
  word.style.left = `${x}px`;
  word.style.top = `${y}px`;
  document.body.append(word);
  animate(word, [{ transform: "translate(-50%, -50%) scale(.5)", opacity: 0 },
    { transform: "translate(-50%, -60%) scale(1.25)", opacity: 1, offset: 0.2 },
    { transform: "translate(-50%, -110%) scale(1)", opacity: 1, offset: 0.75 },
    { transform: "translate(-50%, -140%)", opacity: 0 }], 1100).then(() => word.remove());
  if (kind === "damage") {
    animate(element, [{ translate: "0" }, { translate: "-4px" }, { translate: "4px" }, { translate: "0" }], 220);
  }
}

/** @type {Record<string, (event: Event) => Promise<unknown>>} */
const SHOWS = {
  "attacked": lunge,
  "damaged": async (event) => float(event.uid, event.amount ? `−${event.amount}` : say("table.shield"), "damage"),
  "healed": async (event) => float(event.uid, `+${event.amount}`, "healing"),
  "armor gained": async (event) => float(event.uid, `+${event.amount}`, "armor"),
  "text triggered": async (event) => animate(byUid(event.uid), [{ filter: "none" }, { filter: "brightness(1.6)" },
    { filter: "none" }], 300),
  "died": async (event) => {
    await wait(120);
    const element = byUid(event.uid);
    if (element && pace()) element.animate([{ opacity: 1, transform: "none" },
      { opacity: 0, transform: "scale(.6) rotate(6deg)" }], { duration: 380 * pace(), fill: "forwards" });
  },
};

/** Show a card that the other player plays, or a secret that is revealed, for a moment.
 * @param {Event} event @param {Faces} faces */
async function present(event, faces) {
  if (!(event.card in faces) || pace() === 0) return;
  const box = find("played");
  box.replaceChildren(card(event.card, faces[event.card]));
  await animate(box, [{ opacity: 0, transform: "translateY(-1.5rem) scale(.8)" },
    { opacity: 1, transform: "none", offset: 0.15 }, { opacity: 1, transform: "none", offset: 0.85 },
    { opacity: 0, transform: "scale(.95)" }], 1150);
  box.replaceChildren();
}

/** Show what led to a frame. me: which player the page is of.
 * @param {Frame} frame @param {Faces} faces @param {number | null} me */
export async function show(frame, faces, me) {
  const shown = new Set(["card played", "secret revealed"]);
  let happened = false;
  for (const event of frame.events) {
    if (shown.has(event.what) && (event.player !== me || event.what === "secret revealed")) {
      await present(event, faces);
    }
    if (event.what in SHOWS) {
      await SHOWS[event.what](event);
      happened = true;
    }
  }
  if (happened) await wait(380);
}

/** Let new things appear.
 * @param {Element[]} elements */
export function appear(elements) {
  for (const element of elements) {
    const held = element.classList.contains("held");
    animate(element, held ? [{ transform: "translate(3rem, -2rem) scale(.7)", opacity: 0 }, { transform: "none", opacity: 1 }]
      : [{ transform: "scale(.5)", opacity: 0 }, { transform: "scale(1.08)", opacity: 1, offset: 0.7 }, { transform: "none" }], 320);
  }
}
