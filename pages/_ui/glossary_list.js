// The glossary: what is typed is looked for in the words and their other forms, and where none has it in the meanings.
// It opens at the right of a wide page (`style.css`), else beside the menu where there is room, else in its place, and
// can be typed into at once; a finger does not call the keyboard.
const NARROWEST = 350; // pixels that lines are read in
const OPENER = "[data-testid=stSidebar] [data-testid=stPopoverButton][aria-expanded=true]";
const WIDEST = 560;
const FOLD = "[data-testid=stSidebarCollapseButton] button";
export default function ({ parentElement, setTriggerValue }) {
  const [find, told, words] = ["input", "[role=status]", ".words"].map((one) => parentElement.querySelector(one));
  const room = parentElement.querySelector(".ltw-glossary-room");
  if (!room.style.length) {
    const edge = Math.round(document.querySelector("[data-testid=stSidebar]").getBoundingClientRect().right);
    const wide = Math.min(window.innerWidth - edge, WIDEST), aside = wide >= NARROWEST;
    room.style.setProperty("--wide", aside ? `${wide}px` : "100vw");
    room.closest("[data-testid=stPopoverBody]").style.setProperty("--aside", aside ? `${edge}px` : "0px");
    if (window.matchMedia("(hover: hover)").matches) find.focus({ preventScroll: true });
  }
  words.style.paddingRight = `calc(1.1rem - ${words.offsetWidth - words.clientWidth}px)`; // entries are as wide as the field
  parentElement.querySelector(".close").onclick = () => {
    document.querySelector(OPENER)?.click();
    if (room.style.getPropertyValue("--wide") === "100vw") document.querySelector(FOLD)?.click(); // it would close the list
  };
  const ways = [...parentElement.querySelectorAll("nav button")];
  const entries = [...words.querySelectorAll("dl > div")];
  find.oninput = () => {
    const sought = find.value.trim().toLowerCase();
    let found = entries.filter((one) => one.dataset.forms.includes(sought));
    if (!found.length) found = entries.filter((one) => one.textContent.toLowerCase().includes(sought));
    for (const one of entries) one.hidden = !found.includes(one);
    ways.forEach((way, i) => {
      way.disabled = words.children[i].hidden = !words.children[i].querySelector("dl > div:not([hidden])");
    });
    told.textContent = found.length ? "" : `No word or meaning here holds “${find.value.trim()}”.`;
    words.scrollTop = 0;
  };
  ways.forEach((way, i) => {
    way.onclick = () => words.scrollTo({ top: words.children[i].offsetTop - words.offsetTop });
  });
  words.onclick = (event) => {
    const way = event.target.closest("a");
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setTriggerValue("asked", way.getAttribute("href"));
  };
}
