// Shuts a button's help from a click on until the pointer leaves the button's place, or something else is done: what the
// keyboard, a finger or the wheel opens is seen.
if (!window.__ltwHelp) {
  window.__ltwHelp = true;
  const page = document.documentElement;
  let place = null; // of the button clicked last
  const open = () => {
    place = null;
    delete page.dataset.ltwClicked;
  };
  document.addEventListener("pointerdown", (event) => {
    open();
    const button = event.target.closest?.('button:not([aria-label^="Help"])');
    if (!button || event.pointerType !== "mouse") return;
    place = button.getBoundingClientRect();
    page.dataset.ltwClicked = "";
  }, true);
  document.addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
    if (place && (x <= place.left || x >= place.right || y <= place.top || y >= place.bottom)) open();
  }, true);
  for (const done of ["keydown", "wheel"]) document.addEventListener(done, open, { capture: true, passive: true });
  page.addEventListener("pointerleave", open);
}
