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

const classOf = (key) => "st-key-" + key.trim().replace(/[^a-zA-Z0-9_-]/g, "-");

// How far a question's box goes up: what is said of a guess, or a hint, may lie below the window, or under the way on,
// which stays at its foot. What a teacher shows may stand above the window. A figure that was drawn in this frame may have
// pushed the box so far (``off``) from where it is put back.
function way(box, shown, off = 0) {
  const said = box.querySelector('[data-testid="stAlert"]') ?? [...box.querySelectorAll('[data-testid="stMarkdown"]')].at(-1);
  if (!said) return 0;
  const foot = document.querySelector(".st-key-lesson-onwards");  // there in any width
  const end = (foot ? foot.getBoundingClientRect().top : innerHeight) - 24;
  const room = said.getBoundingClientRect().top - off - 72;  // that far it may go: its beginning is read first
  if (shown && room < 0) return room;
  const last = shown ? said : box;  // what a teacher shows is read where the student was, with what is beside it
  const up = Math.min(last.getBoundingClientRect().bottom - off - end, Math.max(room, 0));
  return up > 4 ? up : 0;
}

// A question stays where the finger was, whatever its answer adds or takes away above it; then what is said is shown.
function hold(name, top = null) {
  const one = { name, said: false, over: false };
  let from = top, want = top, since = null, rest = null;
  const reader = new AbortController(), begun = performance.now();
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, () => { one.over = true; }, { signal: reader.signal, passive: true });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const each = (now) => {
    const box = document.getElementsByClassName(name)[0];
    rest = atRest() && box ? (rest ?? now) : null;
    one.over ||= now - begun > 8000 || (rest !== null && now - rest > 1500);
    if (one.over) return reader.abort();
    if (box) {
      from ??= want = box.getBoundingClientRect().top;
      if (one.said && since === null && rest !== null && now - rest > 120) {
        want = from - way(box, top === null, box.getBoundingClientRect().top - from);
        since = now;
      }
      // what comes late into the box (a figure that is drawn last) may push what is said below the window again
      if (since !== null && now - since > 250) want = Math.min(want, box.getBoundingClientRect().top - Math.max(way(box, top === null), 0));
      const share = since === null ? 0 : still ? 1 : Math.min((now - since) / 250, 1);
      const off = box.getBoundingClientRect().top - (from + (want - from) * share * (2 - share));
      if (Math.abs(off) >= 1) main().scrollTop += off;
    }
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);
  return one;
}

export default function (component) {
  const { at } = component.data;
  const said = JSON.parse(component.data.said);
  if (at && window.__ltwLessonAt === at) {
    const before = window.__ltwLessonSaid ?? {};
    const label = Object.keys(said).find((one) => said[one] !== before[one]);
    const name = classOf(`lesson-${at}-${label}-box`), held = window.__ltwLessonHeld;
    if (label) {
      // a teacher may show the answer while the page still follows what was said of the guess: that is followed no more
      const waits = held?.name === name && !held.over && !held.said;
      if (held && !waits) held.over = true;
      (waits ? held : (window.__ltwLessonHeld = hold(name))).said = true;
    }
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
    addEventListener("click", (event) => {
      const box = event.target.closest?.('[class*="st-key-lesson-"][class*="-box"]');
      const name = box && [...box.classList].find((one) => one.startsWith("st-key-"));
      if (name && event.target.closest("button")) window.__ltwLessonHeld = hold(name, box.getBoundingClientRect().top);
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
