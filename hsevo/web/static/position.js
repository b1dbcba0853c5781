// The page on which positions are built: forms of both sides, cards, the table as the server sees it, and what it finds.

import { Board, find } from "./board.js";
import { post } from "./decklist.js";
import { make } from "./draw.js";
import { Grid } from "./grid.js";
import { Lines } from "./bestlines.js";
import { lookAt } from "./look.js";
import { say } from "./say.js";
import { Side, expanded } from "./side.js";

const faces = await (await fetch("/cards.json")).json();
const DRAFT = `position ${document.body.dataset.ruleset}`;  // kept by the browser until the page is opened again
const FITS = { board: (face) => face.kind === "minion", weapon: (face) => face.kind === "weapon", secrets: (face) => face.secret,
  hand: (face) => ["minion", "spell", "weapon"].includes(face.kind) };
const MOST = { board: 7, hand: 10, secrets: 5, weapon: 1 };

const asked = new URLSearchParams(location.search);  // a move of a game whose position is opened, and not kept
const ofGame = asked.has("game");

let data = null;
const board = new Board(faces);
const lines = new Lines();
const sides = Object.fromEntries(["me", "opponent"].map((id) => [id, new Side(id, faces, { changed, aim, tell })]));

function tell(words) {
  find("told").textContent = words;
}

// -- the position -------------------------------------------------------------------------------

/** Return a position to begin with. */
function fresh() {
  const has = (name) => [...document.querySelectorAll("#me .deck-list option")].some((one) => one.value === name);
  const side = (hero) => ({ class: hero, ...(has(hero) ? { deck_list: hero, cards_left: 15 } : {}) });
  return { format: "hsevo position", me: { ...side("mage"), crystals: 5 },
    opponent: { ...side("warrior"), ...(has("warrior") ? { unknown_in_hand: 4 } : {}) } };
}

/** Take another position. */
function take(found) {
  data = found;
  for (const [id, side] of Object.entries(sides)) {
    data[id] = expanded(data[id]);
    side.take(data[id]);
  }
  changed();
}

/** Return the position of a JSON text; throw what is wrong with it. */
function parsed(text) {
  const found = JSON.parse(text);
  const isObject = (one) => one !== null && typeof one === "object" && !Array.isArray(one);
  if (!isObject(found) || !isObject(found.me) || !isObject(found.opponent)) throw new SyntaxError(say("position.no_sides"));
  return found;
}

function read(text) {
  try {
    take(parsed(text));
    tell(say("position.taken"));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    refuse(say("position.none", { why: error.message }));
  }
}

const written = () => `${JSON.stringify(data, null, 1)}\n`;

// -- how it looks -------------------------------------------------------------------------------

let timer = 0;

function changed() {
  if (!ofGame) localStorage.setItem(DRAFT, JSON.stringify(data));
  clearTimeout(timer);
  timer = setTimeout(draw, 120);
  lines.old();
}

function refuse(why) {
  find("problem").textContent = why;
}

/** Ask the server for the table, or for what is wrong. */
async function draw() {
  const asked = JSON.stringify(data);
  const [fine, answer] = await post("/position/draw", { position: data });
  if (asked !== JSON.stringify(data)) return;
  refuse(fine ? "" : answer.why.replaceAll(`${say("position.the_position")}: `, ""));
  for (const id of ["analyse", "play"]) find(id).disabled = !fine || lines.busy;
  document.body.dataset.fine = fine ? "yes" : "no";
  find("json").value = written();
  if (fine) board.draw(answer);
}

// -- cards --------------------------------------------------------------------------------------

const aimed = () => find("zone").value.split(" ");
const grid = new Grid(faces, { allows: (id) => FITS[aimed()[1]](faces[id]) && (faces[id].most || find("tokens").checked), of: () => 0, says: () => "" }, { add, remove: () => {} });

/** Have cards go somewhere from now on. */
function aim(id, zone) {
  find("zone").value = `${id} ${zone}`;
  grid.draw();
  find("cards").scrollIntoView({ block: "start" });
  find("words").focus({ preventScroll: true });
}

function add(card) {
  const [id, zone] = aimed();
  const side = data[id], full = zone !== "weapon" && (side[zone] ?? []).length >= MOST[zone];
  if (full) {
    tell(say("position.full", { n: MOST[zone] }));
    refuse(say("position.full", { n: MOST[zone] }));
    return;
  }
  sides[id].add(zone, card);
  tell(say("position.put", { name: faces[card].name, where: say(`position.zones.${id}.${zone}`) }));
}

// -- what is clicked ----------------------------------------------------------------------------

for (const id of ["zone", "tokens"]) find(id).addEventListener("change", () => grid.draw());
find("preview").addEventListener("click", (event) => {
  const [side, zone, place] = event.target.closest("[data-spot]")?.dataset.spot.split(" ") ?? [];
  if (side) sides[side === "foe" ? "opponent" : "me"].show(zone, Number(place));
});
find("new").addEventListener("click", () => take(fresh()));
find("paste").addEventListener("submit", (event) => {
  event.preventDefault();
  read(find("json").value);
});
find("load").addEventListener("change", async () => {
  const [file] = find("load").files;
  if (file) read(await file.text());
  find("load").value = "";
});
find("download").addEventListener("click", () => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([written()], { type: "application/json" }));
  link.download = "position.json";
  link.click();
  URL.revokeObjectURL(link.href);
});
find("analyse").addEventListener("click", async () => {
  find("analyse").disabled = true;
  await lines.look({ position: data, games: Number(find("games").value) });
  find("analyse").disabled = document.body.dataset.fine !== "yes";
});
find("play").addEventListener("click", async () => {
  const [fine, answer] = await post("/position/play", { position: data, agent: find("agent").value });
  if (fine) location.assign(`/game/${answer.number}`);
  else refuse(answer.why);
});
lookAt(faces);

/** Take the position before a move of a game, and its agent as the opponent. */
async function takeMove() {
  try {
    const answer = await fetch(`/game/${Number(asked.get("game"))}/position/${Number(asked.get("step"))}`);
    const { position, agent, why } = await answer.json();
    if (why) throw new Error(why);
    take(position);
    if ([...find("agent").options].some((one) => one.value === agent)) find("agent").value = agent;
  } catch (error) {
    take(fresh());
    refuse(error.message);
  }
}

let draft = null;
try {
  draft = parsed(localStorage.getItem(DRAFT) ?? "");
} catch {
  draft = null;  // there is none, or it is no position
}
if (ofGame) await takeMove();
else take(draft ?? fresh());
grid.draw();
