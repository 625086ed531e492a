// A swipe and the wheel belong to the page, until the reader asks to turn the figure; then they do until a hand goes
// elsewhere. The mouse's drag and the arrow keys turn it at any time: they mean nothing else.
function letScroll(node) {
  const state = node.ltw;
  const button = node.parentElement.querySelector(".ltw-turn");
  const set = (free) => {
    state.free = free;
    button.setAttribute("aria-pressed", String(free));
    button.textContent = free ? "Now drag it" : "Turn the surface";
    node.classList.toggle("free", free);
    if (node._context?._scrollZoom) node._context._scrollZoom.gl3d = free;
  };
  const keep = (event) => { if (!state.free) event.stopPropagation(); };
  for (const name of ["touchstart", "touchmove", "touchend", "wheel"]) node.addEventListener(name, keep, { capture: true, passive: true });
  const elsewhere = (event) => { if (state.free && !node.parentElement.contains(event.target)) set(false); };
  window.addEventListener("pointerdown", elsewhere, true);
  button.onclick = () => set(!state.free);
  node.parentElement.querySelector(".ltw-reset").onclick = () => home(node);
  return () => window.removeEventListener("pointerdown", elsewhere, true);
}

// As the figure is seen at first.
function home(node) {
  const [scene] = sceneNames(node);
  if (scene) setCameras(window.Plotly, node, figureOf(node).layout[scene].camera);
}
