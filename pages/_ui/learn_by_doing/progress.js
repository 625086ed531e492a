// Keeps how far the lessons are in this browser, and tells once what it has kept; where one is, for who goes by keys.
const SQUARE = ".ltw-guess.open svg, .ltw-sculpt.open canvas";
const GUESS = '[class*="st-key-lesson-"][class*="-guess"] button';

// Enter on a square to answer on leads to the button, which stands before it; what was drawn arrives a moment later.
function toGuess(looks) {
  const button = [...document.querySelectorAll(GUESS)].find((one) => !one.disabled);
  if (button) button.focus();
  else if (looks) setTimeout(toGuess, 100, looks - 1);
}

const main = () => document.querySelector('[data-testid="stMain"]');
const atRest = () => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning";

// What is said of a guess, or a hint, may lie below the window, or under the way on, which stays at its foot.
function showSaid(at, label) {
  const classOf = (key) => "st-key-" + key.trim().replace(/[^a-zA-Z0-9_-]/g, "-");
  const look = () => {
    const box = document.getElementsByClassName(classOf(`lesson-${at}-${label}-box`))[0];
    const said = box?.querySelector('[data-testid="stAlert"]') ?? [...(box?.querySelectorAll('[data-testid="stMarkdown"]') ?? [])].at(-1);
    if (!said) return;
    const foot = document.querySelector('[data-testid="stLayoutWrapper"]:has(> .st-key-lesson-onwards)');
    const stays = foot && getComputedStyle(foot).position === "sticky";
    const end = (stays ? foot.getBoundingClientRect().top : innerHeight) - 12;
    const hidden = box.getBoundingClientRect().bottom - end;
    const room = said.getBoundingClientRect().top - 72;  // that far it may go: its beginning is read first
    const top = Math.min(hidden, Math.max(room, 0));
    const smooth = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (hidden > 4 && top > 4) main().scrollBy({ top, behavior: smooth ? "smooth" : "auto" });
  };
  let looks = 40, moved = false;
  const reader = new AbortController();
  for (const name of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(name, () => { moved = true; }, { signal: reader.signal, passive: true });
  const wait = () => {
    if (!atRest() && looks--) return setTimeout(wait, 100);
    if (!moved) look();
    setTimeout(() => { if (!moved) look(); reader.abort(); }, 900);  // a figure above it may have come meanwhile
  };
  setTimeout(wait, 60);
}

export default function (component) {
  const { at } = component.data;
  const said = JSON.parse(component.data.said);
  if (at && window.__ltwLessonAt === at) {
    const before = window.__ltwLessonSaid ?? {};
    const label = Object.keys(said).find((one) => said[one] !== before[one]);
    if (label) showSaid(at, label);
  }
  window.__ltwLessonSaid = said;
  if (!window.__ltwLessonKeys) {
    window.__ltwLessonKeys = true;
    // from within a lesson the entry of the navigation, which is where one is, leads to all of them
    addEventListener("click", (event) => {
      const out = document.querySelector(".st-key-lesson_head a");
      const plain = !(event.ctrlKey || event.metaKey || event.shiftKey);
      if (!out || !plain || !event.target.closest?.('[data-testid="stSidebarNavLink"][aria-current="page"]')) return;
      event.preventDefault();
      event.stopPropagation();
      out.click();
    }, { capture: true });
    addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches?.(SQUARE)) return;
      event.preventDefault();  // else the same key would press the button that it leads to
      toGuess(30);
    });
  }
  // "" is the list of lessons; undefined is a page that was just loaded, which begins at its top by itself
  if (at && window.__ltwLessonAt !== undefined && window.__ltwLessonAt !== at) {
    const top = () => main()?.scrollTo({ top: 0 });
    top();
    requestAnimationFrame(top);
    // the button that was pressed is gone, and with it the focus: whoever goes on by keys begins at the step's heading
    let looks = 12;
    const begin = () => {
      const heading = main()?.querySelector("h2");
      if (atRest() && heading && [document.body, null].includes(document.activeElement)) {
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
          if (atRest() || left-- === 0) component.setStateValue("kept", text);
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
