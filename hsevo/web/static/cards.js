// All cards: each with its picture, as in the deck builder.

import { card } from "./draw.js";

const faces = await (await fetch("/cards.json")).json();

/** Draw cards once they come into sight. */
const watcher = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    target.prepend(card(target.id, faces[target.id]));
  }
}, { rootMargin: "600px" });
for (const article of document.querySelectorAll("#cards article")) {
  if (article.id in faces) watcher.observe(article);
}
