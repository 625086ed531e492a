// Keeps how far the lessons are in this browser, and tells once what it has kept; where one is, for who goes by keys.
const SQUARE = ".ltw-guess.open svg, .ltw-sculpt.open canvas";
const GUESS = '[class*="st-key-lesson-"][class*="-guess"] button';

// Enter on a square to answer on leads to the button, which stands before it; what was drawn arrives a moment later.
function toGuess(looks) {
  const button = [...document.querySelectorAll(GUESS)].find((one) => !one.disabled);
  if (button) button.focus();
  else if (looks) setTimeout(toGuess, 100, looks - 1);
}

export default function (component) {
  const { at } = component.data;
  if (!window.__ltwLessonKeys) {
    window.__ltwLessonKeys = true;
    addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches?.(SQUARE)) return;
      event.preventDefault();  // else the same key would press the button that it leads to
      toGuess(30);
    });
  }
  if (at && window.__ltwLessonAt && window.__ltwLessonAt !== at) {
    const top = () => document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
    top();
    requestAnimationFrame(top);
    // the button that was pressed is gone, and with it the focus: whoever goes on by keys begins at the step's heading
    let looks = 12;
    const begin = () => {
      const heading = document.querySelector('[data-testid="stMain"] h2');
      const app = document.querySelector('[data-testid="stApp"]');
      if (app?.dataset.testScriptState === "notRunning" && heading && [document.body, null].includes(document.activeElement)) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      if (looks--) setTimeout(begin, 100);
    };
    begin();
  }
  window.__ltwLessonAt = at;
  const key = "ltw_lessons";
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(key) || "{}");
    const told = JSON.parse(component.data.told);
    if (!window.__ltwLessonsTold) {
      window.__ltwLessonsTold = true;
      if (Object.keys(kept).some((name) => !(name in told))) {
        const text = JSON.stringify(kept);
        let left = 100;
        const tell = () => {
          const app = document.querySelector('[data-testid="stApp"]');
          if (app?.dataset.testScriptState === "notRunning" || left-- === 0) component.setStateValue("kept", text);
          else setTimeout(tell, 100);
        };
        setTimeout(tell, 50);
      }
    }
    localStorage.setItem(key, JSON.stringify({ ...kept, ...told }));
  } catch {
    // a browser that keeps nothing: the address still does
  }
}
