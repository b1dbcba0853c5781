/* A name in the text, such as eva:wide-reply:2026, or a word of a command, such as --games-per-pair, is not
   broken at its hyphens while a line holds it. */
const wholeWords = text => text.split(/(\s+)/).map(word => {
  if (!word.includes("-")) return word;
  const whole = document.createElement("span");
  whole.className = "whole";
  whole.textContent = word;
  return whole;
});
document.addEventListener("DOMContentLoaded", () => {
  for (const code of document.querySelectorAll(".md-typeset :not(pre) > code"))
    if (!code.childElementCount) code.replaceChildren(...wholeWords(code.textContent));
  for (const code of document.querySelectorAll(".md-typeset pre > code:has(> .gp)"))
    for (const node of [...code.childNodes])
      if (node.nodeType === Node.TEXT_NODE) node.replaceWith(...wholeWords(node.textContent));
});
