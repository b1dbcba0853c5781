/* A name in the text, such as eva:wide-reply:2026, is not broken at its hyphens while a line holds it. */
document.addEventListener("DOMContentLoaded", () => {
  for (const code of document.querySelectorAll(".md-typeset :not(pre) > code")) {
    if (code.childElementCount || !code.textContent.includes("-")) continue;
    code.replaceChildren(...code.textContent.split(/( )/).map(word => {
      const whole = document.createElement("span");
      whole.className = word === " " ? "" : "whole";
      whole.textContent = word;
      return whole;
    }));
  }
});
