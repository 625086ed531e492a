// A button in the place that the last row of surfaces leaves empty: it opens the list of what else can be compared.
const GAP = 16; // pixels
const LIST = ":is(.st-key-beside, .st-key-functions) input";

function hole(plot) {
  const { _size: size, ...layout } = plot._fullLayout;
  const scenes = Object.keys(layout).filter((name) => /^scene\d*$/.test(name));
  const { x, y } = layout[scenes.at(-1)].domain;
  if (scenes.length < 3 || x[1] > 0.8) return null; // one below the other, as on a phone, or a full row
  const high = size.h * (y[1] - y[0]);
  return { left: size.l + size.w * (x[1] + 0.013), right: size.l + 0.98 * size.w, top: size.t + size.h * (1 - y[1]), high };
}

// Where what stands in that place ends: of five surfaces the scale of colours and what it says. Pixels from the figure's top.
function below(plot, { left, right, top, high }) {
  const at = plot.getBoundingClientRect();
  const inside = [...plot.querySelectorAll(".infolayer .colorbar, .infolayer .annotation")]
    .map((part) => part.getBoundingClientRect())
    .filter((box) => box.width && box.right > at.left + left && box.left < at.left + right)
    .filter((box) => box.bottom > at.top + top && box.top < at.top + top + high);
  return Math.max(top, ...inside.map((box) => box.bottom - at.top + GAP));
}

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  function place() {
    const plot = document.querySelector(".st-key-stage .ltw-plot");
    const found = plot?._fullLayout?.scene ? hole(plot) : null;
    button.hidden = !found;
    if (!found) return;
    const own = button.parentElement.getBoundingClientRect();
    const at = plot.getBoundingClientRect();
    button.style.left = `${at.left - own.left + found.left}px`;
    button.style.top = `${at.top - own.top + below(plot, found)}px`;
    button.style.width = `${found.right - found.left}px`;
    button.style.height = `${0.36 * found.high}px`;
  }
  button.onclick = () => {
    const list = document.querySelector(LIST);
    list?.scrollIntoView({ block: "nearest" });
    list?.focus();
    list?.click();
  };
  // its figure is drawn later, which plot.js counts, and changes with the page's width
  button.ltwEnd?.(); // of the call before
  const stage = document.querySelector(".st-key-stage");
  const drawn = new MutationObserver(place), sized = new ResizeObserver(place);
  if (stage) {
    drawn.observe(stage, { subtree: true, attributeFilter: ["data-draws"] });
    sized.observe(stage);
  }
  place();
  return (button.ltwEnd = () => {
    drawn.disconnect();
    sized.disconnect();
  });
}
