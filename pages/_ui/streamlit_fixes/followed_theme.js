// Tells the server which theme the page is seen in, as long as that is not the one it draws for.
const EVERY = 700; // milliseconds between two looks at the page
const AGAIN = [2500, 60_000]; // before it is told once more, at first and at last: each time twice as long

function seen() {
  const app = document.querySelector('[data-testid="stApp"]');
  const [r, g, b] = (getComputedStyle(app ?? document.body).backgroundColor.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

// It is told again where that had no effect: Streamlit keeps one of two parts of a page that ask for a run at a time, and
// none while it is disconnected.
function watch(state) {
  const theme = seen();
  if (theme === state.base) return;
  if (theme !== state.told) state.wait = AGAIN[0];
  else if (Date.now() < state.tellAgain) return;
  // while the script runs, a request would take the place of a click on another page that waits to be looked at
  if (document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running") return;
  Object.assign(state, { told: theme, tellAgain: Date.now() + state.wait, wait: Math.min(2 * state.wait, AGAIN[1]) });
  state.tell(theme);
}

// What opens over the page is outside the app, which alone has the scheme and gets another class with another theme.
function paint() {
  document.documentElement.style.colorScheme = seen();
}

export default function ({ data, setTriggerValue }) {
  const state = (window.__ltwTheme ??= { painter: new MutationObserver(paint) });
  state.painter.observe(document.querySelector('[data-testid="stApp"]'), { attributeFilter: ["class"] });
  paint();
  state.base = data;
  state.tell = (theme) => setTriggerValue("seen", theme);
  if (state.base === state.told) state.told = null;
  clearInterval(state.timer);
  const timer = (state.timer = setInterval(() => watch(state), EVERY));
  return () => clearInterval(timer);
}
