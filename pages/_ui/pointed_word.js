// Says what a word of the glossary means when the pointer rests on it, or a finger taps one that is underlined; Escape takes
// it away, as does scrolling or a click.
const MEANINGS = __MEANINGS__;
const WHERE = ":is([data-testid=stMain], [data-testid=stSidebar])";
const NOT = "abbr:not(.ltw-word), input, textarea, code, pre, canvas, .js-plotly-plot, .ltw-glossary, [contenteditable], [data-testid=stSidebarNav], h1";
const REST = 350; // ms that the pointer rests
const LONGEST = Math.max(...Object.keys(MEANINGS).map((form) => form.split(/\s+/).length));

function wordAt(x, y) {
  const at = document.caretPositionFromPoint?.(x, y);
  const range = at ? null : document.caretRangeFromPoint?.(x, y);
  const node = at?.offsetNode ?? range?.startContainer;
  const offset = at?.offset ?? range?.startOffset;
  if (node?.nodeType !== Node.TEXT_NODE || !node.parentElement?.closest(WHERE) || node.parentElement.closest(NOT)) return null;
  const text = node.data;
  const words = [...text.matchAll(/[\p{L}\p{N}₀-₉²_'’-]+/gu)].map((found) => [found.index, found.index + found[0].length]);
  const here = words.findIndex(([from, to]) => from <= offset && offset <= to);
  if (here < 0) return null;
  for (let n = LONGEST; n; n--) {
    for (let first = Math.max(0, here - n + 1); first <= here && first + n <= words.length; first++) {
      const [from, to] = [words[first][0], words[first + n - 1][1]];
      const meaning = MEANINGS[text.slice(from, to)];
      if (!meaning) continue;
      const found = document.createRange();
      found.setStart(node, from);
      found.setEnd(node, to);
      const box = found.getBoundingClientRect();
      // the nearest letter may lie far from the pointer
      if (x >= box.left - 2 && x <= box.right + 2 && y >= box.top && y <= box.bottom) return { meaning, box, pressed: Boolean(node.parentElement.closest("label, button, [role=option]")) };
    }
  }
  return null;
}

export default function () {
  if (window.__ltwPointed) return;
  window.__ltwPointed = true;
  const shown = document.createElement("div");
  shown.className = "ltw-meaning";
  shown.setAttribute("role", "tooltip");
  shown.hidden = true;
  document.body.append(shown);
  let timer;
  const hide = () => {
    clearTimeout(timer);
    shown.hidden = true;
  };
  const show = (found) => {
    if (!found) return;
    shown.replaceChildren(
      ...["b", "span", "code", "span", "small"].map((tag, i) => Object.assign(document.createElement(tag), { textContent: found.meaning[i] })),
    );
    for (const i of [2, 3]) shown.children[i].innerHTML = found.meaning[i]; // formula and example, of the glossary's own
    // what stands below a word that can be pressed, such as the next answer, must be reached through it
    shown.style.pointerEvents = found.pressed ? "none" : "";
    shown.style.left = `${Math.max(8, Math.min(found.box.left, innerWidth - 340))}px`;
    shown.hidden = false;
    const below = found.box.bottom + 6;
    const height = shown.offsetHeight;
    shown.style.top = `${below + height < innerHeight ? below : Math.max(8, found.box.top - height - 6)}px`;
  };
  addEventListener("pointermove", (event) => {
    if (event.target.closest?.(".ltw-meaning")) return clearTimeout(timer);
    hide();
    // an underlined word says the same as all others, once: the browser would show its title on top
    const titled = event.target.closest?.(".ltw-word[title]");
    if (titled) {
      titled.setAttribute("aria-description", titled.title);
      titled.removeAttribute("title");
    }
    if (event.pointerType === "mouse" && !event.buttons) timer = setTimeout(() => show(wordAt(event.clientX, event.clientY)), REST);
  });
  // whatever scrolls: the word moves away from under what is said of it
  for (const kind of ["pointerdown", "wheel", "scroll"]) addEventListener(kind, hide, { passive: true, capture: true });
  addEventListener("click", (event) => {
    const word = event.pointerType === "touch" && event.target.closest?.(".ltw-word");
    const meaning = word && MEANINGS[word.textContent];
    if (meaning) show({ meaning, box: word.getBoundingClientRect(), pressed: false });
  });
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
