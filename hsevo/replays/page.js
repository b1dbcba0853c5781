"use strict";
// The page of one game: what `hsevo replay --html` wrote into #game, a step at a time.

const game = JSON.parse(document.getElementById("game").textContent);
const last = game.steps.length - 1;
const find = (id) => document.getElementById(id);
let now = 0;

/** Return an element with a class and children; text is never read as HTML. */
function make(tag, name, ...children) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children.filter((child) => child !== null).map((child) =>
    child instanceof Node ? child : String(child)));
  return element;
}

/** Return an element that says a card's text under the mouse or a finger. */
function carded(element, id) {
  if (game.texts[id]) element.dataset.card = id;
  return element;
}

/** Return an element that a move can be made with or at. */
function placed(element, player, zone, index = 0) {
  element.dataset.place = [player, zone, index].join(" ");
  return element;
}

/** Say how much a number changed since the step before, if it did. */
function change(before, after) {
  if (before === undefined || before === after) return null;
  return make("span", "change", (after > before ? "+" : "−") + Math.abs(after - before));
}

function minion(m, earlier) {
  const marks = m.words.map((word) => word.replaceAll(" ", "-"));
  const health = make("span", m.health < m.max_health ? "health hurt" : "health", m.health);
  health.dataset.most = m.max_health;
  const attack = make("span", "attack", m.attack);
  const before = earlier.get(m.uid);
  const name = make("span", "name", m.name);
  name.style.setProperty("--letters", Math.max(...m.name.split(/[ -]/).map((word) => word.length)));
  const element = make("li", ["minion", ...marks].join(" "),
    make("span", "printed", game.costs[m.card] ?? ""),
    name,
    make("span", "words", m.words.join(", ")), attack,
    before ? change(before.health, m.health) : make("span", "change", "new"), health);
  carded(element, m.card).ariaLabel = [m.name, `attack ${m.attack}`,
    `health ${m.health} of ${m.max_health}`, ...m.words].join(", ");
  return element;
}

/** Return mana as crystals, full, empty and locked by overload, and in words. */
function crystals(side) {
  const empty = Math.max(side.crystals - side.mana - side.locked, 0);
  const drawn = [["full", side.mana], ["empty", empty], ["locked", side.locked]].flatMap(
    ([kind, n]) => Array.from({ length: n }, () => make("span", `crystal ${kind}`)));
  return make("li", "crystals", ...drawn, ` ${side.mana}/${side.crystals} mana`);
}

function hero(side, player, before) {
  const life = side.health + side.armor;
  const line = [
    carded(make("li", "name", `${game.names[player]} (${side.hero})`), side.hero_card),
    make("li", "health", `♥ ${side.health}/${side.max_health}`),
    side.armor ? make("li", "", `armor ${side.armor}`) : null,
    change(before && before.health + before.armor, life),
    side.attack > 0 ? make("li", "attack", `attack ${side.attack}`) : null,
    side.weapon ? carded(make("li", "attack weapon",
      `⚔ ${side.weapon.name} ${side.weapon.attack}/${side.weapon.durability}`),
    side.weapon.card) : null,
    side.words.length ? make("li", "", side.words.join(", ")) : null,
    crystals(side),
    side.locked ? make("li", "", `${side.locked} locked by overload`) : null,
    side.owed ? make("li", "", `${side.owed} overloaded, for the next turn`) : null,
    placed(carded(make("li", "power", side.power.name + (side.power_used ? " (used)" : "")),
      side.power.card), player, "power"),
    make("li", "label", `deck ${side.deck}`),
    side.fatigue ? make("li", "label", `fatigue ${side.fatigue}`) : null,
    ...side.later.map((name) => make("li", "label", `next turn: ${name}`)),
  ];
  const list = make("ul", "hero", ...line);
  if (side.words.includes("frozen")) list.classList.add("frozen");
  return placed(list, player, "hero");
}

function hand(side, player) {
  const cards = side.hand.map((card, i) => {
    const more = card.attack || card.health ? ` +${card.attack}/+${card.health}` : "";
    return placed(carded(make("li", "", make("span", "cost", card.card ? card.cost : ""),
      ` ${card.name}${more}`),
      card.card), player, "hand", i);
  });
  const secrets = side.secrets.map((secret) =>
    carded(make("li", "secret", `secret: ${secret.name}`), secret.card));
  return make("ul", "cards", ...secrets, make("li", "label", `hand ${side.hand.length}`),
    ...cards);
}

function showSide(player, scene, earlier) {
  const side = scene.sides[player];
  const box = find(`player-${player}`);
  const known = new Map(earlier.sides.flatMap((s) => s.board).map((m) => [m.uid, m]));
  const minions = side.board.map((m, i) => placed(minion(m, known), player, "board", i));
  box.replaceChildren(make("ul", "minions", ...minions),
    hero(side, player, earlier.sides[player]), hand(side, player));
  box.ariaLabel = game.players[player];
  box.className = `side ${side.hero.toLowerCase()}`;
  box.classList.toggle("moves", !scene.outcome && scene.me === player);
  box.classList.toggle("won", scene.result === player + 1);
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
    const bar = make("span", value < 0 ? "bar below" : "bar");
    bar.style.left = `${100 * (Math.min(0, value) - low) / span}%`;
    bar.style.width = `${100 * Math.abs(value) / span}%`;
    const zero = make("span", "zero");
    zero.style.left = `${100 * -low / span}%`;
    const taken = i === step.taken;
    const sign = make("span", "", taken ? "▶" : "");
    if (taken) Object.assign(sign, { role: "img", ariaLabel: "taken" });
    return make("li", taken ? "taken" : "", sign,
      make("span", "worth", option.worth === "same as below" ? "as its double" : option.worth),
      make("span", "track", bar, zero), make("span", "", option.text));
  }));
}

function mark(option) {
  for (const [name, place] of [["by", option.by], ["at", option.at]]) {
    const element = place && document.querySelector(`[data-place="${place.join(" ")}"]`);
    if (element) element.classList.add(name);
  }
}

/** Show a step, counted from 0, and put it into the address. */
function show(k) {
  now = Math.max(0, Math.min(last, k));
  const step = game.steps[now], scene = step.scene;
  const earlier = game.steps[Math.max(now - 1, 0)];
  find("turn").textContent = scene.outcome ? "the end" :
    `turn ${scene.turn}: ${game.names[scene.me]} (${scene.sides[scene.me].hero}) to move`;
  const made = earlier.options[earlier.taken];
  find("before").textContent = now === 0 ? "the game begins" : "before: " + (made ?
    `${game.names[earlier.scene.me]}: ${made.text}` : step.events[0] ?? "a hidden move");
  find("banner").hidden = !scene.outcome;
  find("banner").textContent = scene.outcome;
  for (const player of [0, 1]) showSide(player, scene, earlier.scene);
  find("choice").hidden = Boolean(scene.outcome) || !step.options.length;
  find("weighed").textContent = find("choice").hidden ? "" :
    `${step.options.length} option${step.options.length === 1 ? "" : "s"}` +
      (step.options.some((option) => option.worth) ? " and the agent's scores" : "");
  showOptions(step);
  if (step.options.length) mark(step.options[step.taken]);
  showEvents();
  showChance();
  hideText();
  find("slider").value = now + 1;
  find("slider").ariaValueText = `step ${now + 1} of ${last + 1}, ${find("turn").textContent}`;
  find("link").textContent = `${now + 1} / ${last + 1}`;
  find("link").href = `#step-${now + 1}`;
  find("first").disabled = find("back").disabled = now === 0;
  find("end").disabled = find("forward").disabled = now === last;
  history.replaceState(null, "", `#step-${now + 1}`);
}

/** All events of the game, each an item that goes to the step after it. */
const items = game.steps.flatMap((step, k) => step.events.map((words) => {
  const link = make("a", "", words);
  link.href = `#step-${k + 1}`;
  const item = make("li", words.startsWith("turn ") ? "turn" : "", link);
  item.step = k;
  return item;
}));
find("events").replaceChildren(...items);

/** Show the events up to this step, those that are new marked and in sight. */
function showEvents() {
  let latest = null;
  for (const item of items) {
    item.hidden = item.step > now;
    item.classList.toggle("new", item.step === now);
    if (!item.hidden) latest = item;
  }
  if (latest) find("events").scrollTop = latest.offsetTop + latest.offsetHeight;
}

/** Return an element of SVG with these attributes. */
function draw(tag, attributes) {
  const element = document.createElementNS(find("drawing").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Draw the chances to win over the slider, and name the moves that turned them. */
function drawChances() {
  const { points, turning, players, games } = game.chances;
  const path = (name) => points.map((point) => `${point.step},${100 - 100 * point[name]}`);
  const svg = find("drawing");
  svg.setAttribute("viewBox", `0 0 ${last} 100`);
  svg.ariaLabel = `the chance of ${game.names[game.below]} to win, 0 to 100 %, by step`;
  svg.append(draw("line", { class: "even", x1: 0, x2: last, y1: 50, y2: 50 }),
    draw("polygon", { class: "band", points: [...path("high"), ...path("low").reverse()].join(" ") }),
    draw("polyline", { class: "chance", points: path("chance").join(" ") }),
    draw("line", { class: "now", id: "now", x1: 0, x2: 0, y1: 0, y2: 100 }));
  find("curve").append(...turning.map(({ step }, i) => {
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
  find("source").textContent = `Estimated with all cards known: ${games} games from each point, `
    + (same ? "both players playing on" : `${players[0]} playing on for both`)
    + "; with 95 % intervals." + (turning.length ? "" : " No single move changed it beyond them.");
  find("chance").hidden = false;
  find("chances").hidden = false;
}

/** Say the chance at this step: that of the last point before it. */
function showChance() {
  if (!game.chances) return;
  const point = game.chances.points.findLast((one) => one.step <= now);
  const [chance, low, high] = [point.chance, point.low, point.high].map((p) =>
    (100 * p).toFixed(0));
  const ended = game.steps[now].scene.outcome;
  find("chance").textContent = `${game.names[game.below]} to win: ${chance} %` + (ended ? "" :
    ` (${low} to ${high})` + (point.step < now ? `, ${now - point.step} step${
      now - point.step === 1 ? "" : "s"} ago` : ""));
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
  pause();
  show(k);
}

// Playing on its own: who asked for less motion begins at half speed, and starts it all the same.
let timer = null;
const speed = find("speed");
if (matchMedia("(prefers-reduced-motion: reduce)").matches) speed.value = "0.5";

function pause() {
  clearTimeout(timer);
  timer = null;
  find("play").textContent = "▷";
  find("play").title = "play (P)";
  find("play").ariaLabel = "play";
}

function tick() {
  show(now + 1);
  if (now === last) pause();
  else timer = setTimeout(tick, 1500 / Number(speed.value));
}

function play() {
  if (timer !== null) {
    pause();
    return;
  }
  if (now === last) show(0);
  find("play").textContent = "‖";
  find("play").title = "pause (P)";
  find("play").ariaLabel = "pause";
  timer = setTimeout(tick, 1500 / Number(speed.value));
}

/** Choose the next speed, or the one before. */
function hurry(by) {
  speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
}

const acts = { p: play, P: play, "+": () => hurry(1), "-": () => hurry(-1) };

/** Show the text of the card under the pointer, beside it. */
function showText(event) {
  const card = event.target.closest("[data-card]");
  if (!card) {
    hideText();
    return;
  }
  const box = find("text");
  box.textContent = game.texts[card.dataset.card];
  box.hidden = false;
  const near = card.getBoundingClientRect(), own = box.getBoundingClientRect();
  const below = near.bottom + own.height + 8 < innerHeight;
  box.style.left = `${Math.max(4, Math.min(near.left, innerWidth - own.width - 4))}px`;
  box.style.top = `${below ? near.bottom + 4 : Math.max(4, near.top - own.height - 4)}px`;
}

function hideText() {
  find("text").hidden = true;
}

document.addEventListener("pointerover", showText);
document.addEventListener("pointerdown", showText);
addEventListener("scroll", hideText, { passive: true });

/** The steps with which turns begin. */
const turns = [...game.steps.keys()].filter((k) =>
  k === 0 || game.steps[k].scene.turn !== game.steps[k - 1].scene.turn);

const keys = {
  ArrowLeft: () => now - 1, ArrowRight: () => now + 1, " ": () => now + 1,
  Home: () => 0, End: () => last,
  PageUp: () => turns.findLast((k) => k < now) ?? 0,
  PageDown: () => turns.find((k) => k > now) ?? last,
};
document.addEventListener("keydown", (event) => {
  const pressing = event.key === " " && event.target.closest("button, a, select");
  const choosing = event.target === speed && event.key in keys;
  if (pressing || choosing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key in acts) acts[event.key]();
  if (event.key === "Escape") hideText();
  if (!(event.key in keys)) return;
  event.preventDefault();
  go(keys[event.key]());
});

let touch = null;
document.addEventListener("touchstart", (event) => {
  touch = event.touches.length === 1 && !event.target.closest("#slider, #curve, #turning") ? event.touches[0] : null;
}, { passive: true });
document.addEventListener("touchend", (event) => {
  if (!touch) return;
  const x = event.changedTouches[0].clientX - touch.clientX;
  const y = event.changedTouches[0].clientY - touch.clientY;
  if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) {
    go(now + (x < 0 ? 1 : -1));
  }
  touch = null;
}, { passive: true });

/** Return the step that the address names, counted from 0. */
function addressed() {
  const found = location.hash.match(/^#step-(\d+)$/);
  return found ? Number(found[1]) - 1 : 0;
}

find("slider").max = last + 1;
find("slider").addEventListener("input", (event) => {
  go(Number(event.target.value) - 1);
});
find("play").addEventListener("click", play);
for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["forward", "ArrowRight"],
  ["end", "End"]]) find(id).addEventListener("click", () => go(keys[key]()));
window.addEventListener("hashchange", () => go(addressed()));
if (game.chances) drawChances();
find("curve").addEventListener("pointerdown", (event) => {
  find("curve").setPointerCapture(event.pointerId);
  follow(event);
});
find("curve").addEventListener("pointermove", follow);
show(addressed());
