// The words of the page, by their names in texts.yaml: texts.js is made of it (hsevo/texts.py).

import texts from "./texts.js";

/** Return the parts of a text: words, and the values that are filled in, such as elements.
 * @param {string} key @param {Record<string, any>} values @returns {any[]} */
export function parts(key, values = {}) {
  if (!(key in texts)) throw new Error(`there is no text ${key} in texts.yaml`);
  const found = texts[key], text = typeof found === "string" ? found : found[values.n === 1 ? "one" : "other"];
  return text.split(/\{(\w+)\}/).map((part, i) => {
    if (i % 2 === 0) return part;
    if (!(part in values)) throw new Error(`the text ${key} needs ${part}`);
    return values[part];
  });
}

/** Return a text in words. values: what its placeholders stand for.
 * @param {string} key @param {Record<string, string | number>} [values] */
export const say = (key, values) => parts(key, values).join("");
