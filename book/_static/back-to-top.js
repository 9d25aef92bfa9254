// The button that leads to the top is there while the reader scrolls upwards.
"use strict";

(() => {
  const button = document.getElementById("pst-back-to-top");
  if (!button) return;
  let last = scrollY;
  button.addEventListener("click", () => scrollTo(0, 0));
  addEventListener("scroll", () => {
    button.style.display = 0 < scrollY && scrollY < last ? "block" : "none";
    last = scrollY;
  });
})();
