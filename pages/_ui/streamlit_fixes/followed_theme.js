// Tells the server which theme the page is seen in, as long as that is not the one it draws for.
const EVERY = 700; // milliseconds between two looks at the page
const AGAIN = 2500; // before it is told once more
const TIMES = 3;

function seen() {
  const app = document.querySelector('[data-testid="stApp"]');
  const [r, g, b] = (getComputedStyle(app ?? document.body).backgroundColor.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 128 ? "dark" : "light";
}

// It is told again where that had no effect: Streamlit keeps one of two parts of a page that ask for a run at a time.
function watch(state) {
  const theme = seen();
  if (theme === state.base) return;
  if (theme !== state.told) state.tellings = 0;
  else if (state.tellings >= TIMES || Date.now() < state.tellAgain) return;
  // while the script runs, a request would take the place of a click on another page that waits to be looked at
  if (document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running") return;
  Object.assign(state, { told: theme, tellings: state.tellings + 1, tellAgain: Date.now() + AGAIN });
  state.tell(theme);
}

export default function ({ data, setTriggerValue }) {
  const state = (window.__ltwTheme ??= {});
  state.base = data;
  state.tell = (theme) => setTriggerValue("seen", theme);
  if (state.base === state.told) state.told = null;
  state.timer ??= setInterval(() => watch(state), EVERY);
  return () => {
    clearInterval(state.timer);
    delete window.__ltwTheme;
  };
}
