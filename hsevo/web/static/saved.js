// The decks that were saved: opened, and deleted once it was asked whether that is meant.

import { post } from "./decklist.js";
import { make } from "./draw.js";
import { say } from "./say.js";

const find = (id) => document.getElementById(id);

/** Return a button. */
function button(words, name, label, act) {
  const found = make("button", name, words);
  found.type = "button";
  found.ariaLabel = label;
  found.addEventListener("click", act);
  return found;
}

export class Saved {
  /** act: {open(words), tell(words)}. */
  constructor(act) {
    this.act = act;
    this.list = find("saved");
    for (const row of this.list.children) this.listen(row);
  }

  listen(row) {
    row.querySelector(".open").addEventListener("click", () => this.act.open(`saved:${row.dataset.name}`));
    row.querySelector(".delete").addEventListener("click", () => this.ask(row));
  }

  /** Offer a deck that was just saved as one to begin with. */
  remember(words, name, hero) {
    const says = `${name} (${hero[0].toUpperCase()}${hero.slice(1)})`;
    for (const group of document.querySelectorAll("optgroup.saved")) {
      group.hidden = false;
      const option = [...group.children].find((one) => one.value === words) ?? group.appendChild(make("option"));
      option.value = words;
      option.textContent = says;
      option.disabled = false;
    }
    find("shelf").hidden = false;
    const before = [...this.list.children].find((one) => one.dataset.name === name);
    const row = make("li", "", make("button", "open", says), make("button", "delete", say("saved.delete")));
    for (const one of row.children) one.type = "button";
    row.dataset.name = name;
    row.querySelector(".delete").ariaLabel = say("saved.delete_it", { name });
    if (before) before.replaceWith(row);
    else this.list.append(row);
    this.listen(row);
  }

  /** Ask in a deck's row whether it is to be deleted; Escape keeps it. */
  ask(row) {
    const { name } = row.dataset, parts = [...row.children];
    const keep = () => {
      row.replaceChildren(...parts);
      row.querySelector(".delete").focus();
    };
    const no = button(say("saved.keep"), "", say("saved.keep_it", { name }), keep);
    const yes = button(say("saved.delete"), "bad", say("saved.for_good", { name }), () => this.delete(row, keep));
    row.replaceChildren(make("span", "", say("saved.ask", { name })), no, yes);
    for (const one of [no, yes]) {
      one.addEventListener("keydown", (event) => {
        if (event.key === "Escape") keep();
      });
    }
    no.focus();
  }

  async delete(row, keep) {
    const { name } = row.dataset;
    const [fine, answer] = await post("/saved/delete", { name });
    if (!fine) {
      keep();
      find("kept").replaceChildren(make("span", "bad", answer.why));
      return;
    }
    for (const option of document.querySelectorAll("optgroup.saved option")) {
      if (option.value === `saved:${name}`) option.remove();
    }
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    if (next) next.querySelector(".delete").focus();
    else find("shelf").querySelector("summary").focus();
    for (const group of document.querySelectorAll("optgroup.saved")) group.hidden = !group.children.length;
    this.act.tell(say("saved.deleted", { name }));
    find("kept").textContent = say("saved.deleted", { name });
  }
}
