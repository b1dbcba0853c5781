"use strict";
// The page of one game: what `hsevo replay --html` wrote into #game, a step at a time, on the table
// of the game in the browser.

import { Board, at, byUid, find } from "../web/static/board.js";
import { make, svg } from "../web/static/draw.js";
import { Log } from "../web/static/log.js";
import { beside, lookAt } from "../web/static/look.js";
import { say } from "../web/static/say.js";
import { Playing, addressed, steer } from "../web/static/steps.js";

const game = JSON.parse(find("game").textContent);
const last = game.steps.length - 1;
const board = new Board(game.faces);
let now = 0;
// The better line that is stepped through instead, by its place in the list of costly turns, and how far.
let line = null, ahead = 0;

/** Return where something is as the board names it. place: player, zone, number. */
const spotOf = (place) => place && [place[0] === game.below ? "me" : "foe", place[1], place[2]];

/** Return a player's side of the table as the board draws it; what is hidden is only counted. */
function drawn(side) {
  const { health, max_health, armor, attack, words } = side;
  const hidden = side.hand.some((held) => !held.card);
  return {
    class: side.hero,
    hero: { card: side.hero_card, uid: side.hero_uid, health, max_health, armor, attack: Math.max(attack, 0), words },
    power: { ...side.power, used: side.power_used, cost: side.power_cost }, weapon: side.weapon,
    mana: side.mana, crystals: side.crystals, locked: side.locked, owed: side.owed,
    deck: side.deck, fatigue: side.fatigue, jade: side.jade, later: side.later.map((name) => ({ name, card: "" })),
    quest: side.quest && { ...side.quest, progress: side.progress, goal: side.goal }, dormant: side.dormant,
    secrets: side.secrets.map((secret) => (secret.card ? secret : null)),
    hand: hidden ? side.hand.length : side.hand,
    board: side.board.map((minion) => ({ ...minion, texts: minion.texts.map((name) => ({ name })) })),
  };
}

/** Say beside a character how much a number changed since the step before, if it did. */
function change(uid, before, after) {
  if (before === undefined || before === after) return;
  byUid(uid)?.append(make("span", "change", (after > before ? "+" : "−") + Math.abs(after - before)));
}

/** Draw the table, and what changed on it. */
function showTable(step, earlier) {
  const { scene, options } = step, sides = scene.sides.map(drawn);
  const known = new Map(earlier.sides.flatMap((side) => side.board).map((minion) => [minion.uid, minion]));
  board.draw({ view: { me: sides[game.below], opponent: sides[1 - game.below] },
    moves: options.filter((option) => option.by).map((option) => ({ from: spotOf(option.by) })) });
  for (const [player, side] of scene.sides.entries()) {
    for (const minion of side.board) {
      if (known.has(minion.uid)) change(minion.uid, known.get(minion.uid).health, minion.health);
      else byUid(minion.uid).append(make("span", "change", say("stepped.new")));
    }
    const before = earlier.sides[player];
    change(side.hero_uid, before.health + before.armor, side.health + side.armor);
    const whole = find(player === game.below ? "my-hero" : "foe-hero");
    whole.classList.toggle("moves", !scene.outcome && scene.me === player);
    whole.classList.toggle("won", scene.result === player + 1);
  }
}

/** Return the score of an option for sorting; what has none of its own comes last. */
function worth(option) {
  return option.score ?? { wins: 1e300, loses: -1e300 }[option.worth] ?? -1e301;
}

/** Show options from the best to the worst, with bars on one scale: of 100 %, or through zero. */
function showOptions(step) {
  const whole = step.options.some((option) => option.worth.endsWith(" %"));
  const most = Math.max(1e-9, ...step.options.map((option) => Math.abs(option.score ?? 0)));
  const ends = { wins: most, loses: -most };
  const values = step.options.map((option) => option.score ?? ends[option.worth] ?? 0);
  const low = Math.min(0, ...values), span = Math.max(whole ? 1 : 0, ...values) - low || 1;
  find("options").classList.toggle("plain", !step.options.some((option) => option.worth));
  const order = [...step.options.keys()].sort((i, j) =>
    (j === step.taken) - (i === step.taken) || worth(step.options[j]) - worth(step.options[i]));
  find("options").replaceChildren(...order.map((i) => {
    const option = step.options[i], value = values[i];
    const bar = make("span", value < 0 ? "share below" : "share");
    bar.style.left = `${100 * (Math.min(0, value) - low) / span}%`;
    bar.style.width = `${100 * Math.abs(value) / span}%`;
    const zero = make("span", "zero");
    zero.style.left = `${100 * -low / span}%`;
    const taken = i === step.taken;
    const sign = make("span", "", taken ? "▶" : "");
    if (taken) Object.assign(sign, { role: "img", ariaLabel: say("stepped.taken") });
    return make("li", taken ? "taken" : "", sign,
      make("span", "worth", option.worth),
      make("span", "track", bar, zero), make("span", "", option.text));
  }));
}

/** Mark what a move is made with, and at. */
function mark(option) {
  if (option.by) at(spotOf(option.by))?.classList.add("hinted");
  if (option.at) at(spotOf(option.at))?.classList.add("aimed");
}

/** Show a step of a better line. */
function showLine(i, k) {
  const steps = game.lines[i];
  playing.stop();
  [line, ahead] = [i, Math.max(0, Math.min(steps.length - 1, k))];
  const step = steps[ahead], next = step.options[step.taken];
  find("turn").textContent = say("stepped.line_turn", { n: step.scene.turn, name: game.names[step.scene.me] });
  find("said").textContent = next ? say("stepped.line_next", { what: next.text }) : say("stepped.line_end");
  find("banner").hidden = !step.scene.outcome;
  find("banner").textContent = step.scene.outcome;
  showTable(step, steps[Math.max(ahead - 1, 0)].scene);
  if (next) mark(next);
  find("other").hidden = false;
  find("other").firstElementChild.textContent = say("stepped.line_place", { n: ahead, most: steps.length - 1 });
  find("choice").hidden = true;
  find("first").disabled = find("back").disabled = ahead === 0;
  find("last").disabled = find("forward").disabled = ahead === steps.length - 1;
}

/** Show a step, counted from 0, and put it into the address. */
function show(k) {
  line = null;
  find("other").hidden = true;
  now = Math.max(0, Math.min(last, k));
  const step = game.steps[now], scene = step.scene;
  const earlier = game.steps[Math.max(now - 1, 0)];
  find("turn").textContent = scene.outcome ? say("stepped.the_end") :
    say(scene.turn ? "stepped.turn" : "stepped.mulligan", { n: scene.turn, name: game.names[scene.me] });
  const made = earlier.options[earlier.taken];
  find("said").textContent = now === 0 ? say("stepped.begins")
    : made ? say("stepped.before_of", { name: game.names[earlier.scene.me], what: made.text })
      : say("stepped.before", { what: step.events[0] ?? say("stepped.hidden_move") });
  find("banner").hidden = !scene.outcome;
  find("banner").textContent = scene.outcome;
  showTable(step, earlier.scene);
  find("choice").hidden = Boolean(scene.outcome) || !step.options.length;
  find("weighed").textContent = find("choice").hidden ? ""
    : say(step.options.some((option) => option.worth) ? "stepped.weighed" : "stepped.count", { n: step.options.length });
  showOptions(step);
  if (step.options.length) mark(step.options[step.taken]);
  log.show(now);
  showChance();
  find("slider").value = now + 1;
  find("slider").ariaValueText = say("stepped.place", { n: now + 1, most: last + 1, turn: find("turn").textContent });
  find("link").textContent = `${now + 1} / ${last + 1}`;
  find("link").href = `#step-${now + 1}`;
  find("first").disabled = find("back").disabled = now === 0;
  find("last").disabled = find("forward").disabled = now === last;
  showCosts();
  if (find("try")) {
    find("try").hidden = !game.tries.includes(now);
    find("try").href = `${find("try").dataset.to}${now}`;
  }
  history.replaceState(null, "", `#step-${now + 1}`);
}

/** Mark the costly turn that is shown, and say to which the button leads. */
function showCosts() {
  if (!game.costly.length) return;
  const here = game.costly.indexOf(now), next = (here + 1) % game.costly.length;
  find("dearest").textContent = say(here < 0 || game.costly.length === 1 ? "stepped.dearest" : "stepped.next_dearest", { n: next + 1, most: game.costly.length });
  for (const [i, link] of document.querySelectorAll("#costs li a").entries()) {
    if (i === here) link.ariaCurrent = "step";
    else link.removeAttribute("aria-current");
  }
}

/** Go to the turn that cost most, and from there to the next one. */
function dearest() {
  if (game.costly.length) go(game.costly[(game.costly.indexOf(now) + 1) % game.costly.length]);
}

/** All events of the game, each a link to the step after it. */
const log = new Log("events", game.steps.map((step) => step.events), (words, k) => {
  const link = make("a", "", words);
  link.href = `#step-${k + 1}`;
  return make("li", words.startsWith("turn ") ? "turn" : "", link);
});

/** Draw the chances to win over the slider, and name the moves that turned them. */
function drawChances() {
  const { points, turning, players, games, sampled } = game.chances;
  const signs = sampled ? game.costly : turning.map(({ step }) => step);
  const path = (name) => points.map((point) => `${point.step},${100 - 100 * point[name]}`);
  const drawing = find("drawing");
  drawing.setAttribute("viewBox", `0 0 ${last} 100`);
  drawing.ariaLabel = say("stepped.curve", { name: game.names[game.below] });
  drawing.append(svg("line", { class: "even", x1: 0, x2: last, y1: 50, y2: 50 }),
    svg("polygon", { class: "band", points: [...path("high"), ...path("low").reverse()].join(" ") }),
    svg("polyline", { class: "chance", points: path("chance").join(" ") }),
    svg("line", { class: "now", id: "now", x1: 0, x2: 0, y1: 0, y2: 100 }));
  find("curve").append(...signs.map((step, i) => {
    const sign = make("span", "sign", i + 1);
    const at = points.find((point) => point.step === step + 1);
    sign.style.left = `${100 * (step + 1) / last}%`;
    sign.style.top = `${100 - 100 * at.chance}%`;
    return sign;
  }));
  find("turning").replaceChildren(...turning.map(({ step, text }, i) => {
    const button = make("button", "", make("span", "sign", i + 1), ` ${text}`);
    button.addEventListener("click", () => go(step + 1));
    return make("li", "", button);
  }));
  const same = game.names.every((name, i) => name === players[i]);
  find("source").textContent = [say(`stepped.source.${sampled ? "sampled" : same ? "both" : "one"}`, { n: games, name: players[0] }),
    turning.length || sampled ? "" : say("stepped.no_turning")].join(" ");
  find("chance").hidden = false;
  find("chances").hidden = false;
}

/** Return a player's name as it begins a line. */
const nameOf = (player) => (game.names[player] === say("game.you") ? say("game.you_title") : game.names[player]);

/** Say the chance at this step: that of the last point before it. */
function showChance() {
  if (!game.chances) return;
  const point = game.chances.points.findLast((one) => one.step <= now);
  const [chance, low, high] = [point.chance, point.low, point.high].map((p) =>
    (100 * p).toFixed(0));
  const ended = game.steps[now].scene.outcome, n = now - point.step;
  find("chance").textContent = say(ended ? "stepped.chance" : n ? "stepped.chance_ago" : "stepped.chance_in",
    { name: nameOf(game.below), chance, low, high, n });
  for (const end of ["x1", "x2"]) find("now").setAttribute(end, now);
  game.chances.turning.forEach(({ step }, i) =>
    find("turning").children[i].firstChild.classList.toggle("here", step + 1 === now));
}

/** Go to the step under the pointer while it is pressed on the curve. */
function follow(event) {
  if (event.type === "pointermove" && !(event.buttons & 1)) return;
  const box = find("curve").getBoundingClientRect();
  go(Math.round(last * (event.clientX - box.left) / box.width));
}

function go(k) {
  playing.stop();
  show(k);
}

/** Go where a key leads: in the better line that is shown, if it leads there. */
function press(key) {
  if (line !== null && key in inLine) showLine(line, inLine[key]());
  else go(keys[key]());
}

// Who asked for less motion begins at half speed, and starts it all the same.
const speed = find("speed");
if (matchMedia("(prefers-reduced-motion: reduce)").matches) speed.value = "0.5";
const playing = new Playing(() => show(now + 1), () => now === last, () => 1500 / Number(speed.value), (plays) => {
  find("play").textContent = plays ? "‖" : "▷";
  find("play").title = say(plays ? "stepped.pause_key" : "stepped.play_key");
  find("play").ariaLabel = say(plays ? "stepped.pause" : "stepped.play");
});

function play() {
  if (now === last && !playing.plays) show(0);
  playing.toggle();
}

/** Choose the next speed, or the one before. */
function hurry(by) {
  speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
}

const leave = () => go(now);
const acts = { p: play, P: play, m: dearest, M: dearest, Escape: leave, "+": () => hurry(1), "-": () => hurry(-1) };

/** The steps with which turns begin. */
const turns = [...game.steps.keys()].filter((k) =>
  k === 0 || game.steps[k].scene.turn !== game.steps[k - 1].scene.turn);

const keys = {
  ArrowLeft: () => now - 1, ArrowRight: () => now + 1, " ": () => now + 1,
  Home: () => 0, End: () => last,
  PageUp: () => turns.findLast((k) => k < now) ?? 0,
  PageDown: () => turns.find((k) => k > now) ?? last,
};
const inLine = {
  ArrowLeft: () => ahead - 1, ArrowRight: () => ahead + 1, " ": () => ahead + 1,
  Home: () => 0, End: () => game.lines[line].length - 1,
};
steer({ ...acts, ...Object.fromEntries(Object.keys(keys).map((key) => [key, () => press(key)])) });

let touch = null;
document.addEventListener("touchstart", (event) => {
  touch = event.touches.length === 1 && !event.target.closest("#slider, #curve, #turning") ? event.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", (event) => {
  if (!touch) return;
  const x = event.changedTouches[0].clientX - touch.clientX;
  const y = event.changedTouches[0].clientY - touch.clientY;
  if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) {
    press(x < 0 ? "ArrowRight" : "ArrowLeft");
  }
  touch = null;
}, { passive: true });

/** Return the step that the address names, counted from 0; else that of the costliest turn, or the first. */
const begin = () => (addressed("step") || (game.costly[0] ?? 0) + 1) - 1;

find("slider").max = last + 1;
find("slider").addEventListener("input", (event) => {
  go(Number(event.target.value) - 1);
});
find("play").addEventListener("click", play);
find("dearest")?.addEventListener("click", dearest);
find("leave").addEventListener("click", leave);
for (const button of document.querySelectorAll("#costs [data-line]")) {
  button.addEventListener("click", () => {
    go(game.costly[button.dataset.line]);
    showLine(Number(button.dataset.line), 0);
    find("seen").scrollIntoView({ block: "nearest" });
  });
}
lookAt(game.faces, beside);
window.addEventListener("hashchange", () => go(begin()));
if (game.chances) drawChances();
find("curve").addEventListener("pointerdown", (event) => {
  find("curve").setPointerCapture(event.pointerId);
  follow(event);
});
find("curve").addEventListener("pointermove", follow);
show(begin());
