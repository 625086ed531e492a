// Shuts a button's help, from the click on until the pointer has left the button's place.
if (!window.__ltwHelp) {
  window.__ltwHelp = true;
  const page = document.documentElement.dataset;
  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest?.('button:not([aria-label^="Help"])');
    if (!button || event.pointerType === "touch") return;
    const { left, top, right, bottom } = button.getBoundingClientRect();
    page.ltwClicked = "";
    const look = ({ clientX: x, clientY: y }) => {
      if (x > left && x < right && y > top && y < bottom) return;
      delete page.ltwClicked;
      document.removeEventListener("pointermove", look, true);
    };
    document.addEventListener("pointermove", look, true);
  }, true);
}
