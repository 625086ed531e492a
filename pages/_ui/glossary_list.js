// The glossary: what is typed is looked for at the beginnings of words, and marked; entries whose name or other form has it
// come first.
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
  const groups = (words.ltw ??= [...words.children].map((group) => [group, [...group.querySelectorAll("dl > div")]]));
  find.oninput = () => {
    const typed = find.value.trim(), begins = beginning(typed);
    const named = (one) => one.dataset.forms.search(begins) >= 0;
    for (const one of words.querySelectorAll("mark")) one.replaceWith(one.textContent);
    words.normalize();
    for (const [group, entries] of groups) {
      for (const one of entries) one.hidden = !marked(one, begins, typed) && !named(one);
      group.querySelector("dl").append(...sorted(entries, named));
      group.hidden = entries.every((one) => one.hidden);
    }
    words.append(...sorted(groups, ([, entries]) => entries.some(named)).map(([group]) => group));
    ways.forEach((way, i) => (way.disabled = groups[i][0].hidden));
    told.textContent = groups.every(([group]) => group.hidden) ? `No word here begins with “${typed}”.` : "";
    words.scrollTop = 0;
  };
  ways.forEach((way, i) => {
    way.onclick = () => words.scrollTo({ top: groups[i][0].offsetTop - words.offsetTop });
  });
  words.onclick = (event) => {
    const way = event.target.closest("a");
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setTriggerValue("asked", way.getAttribute("href"));
  };
}

// What is typed, where a word begins with it.
function beginning(typed) {
  const escaped = typed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}`, "giu");
}

// Those first that are wanted first, each part in its order.
function sorted(all, first) {
  return [...all.filter(first), ...all.filter((one) => !first(one))];
}

// Whether an entry has what is typed, which is marked wherever it has.
function marked(entry, begins, typed) {
  const walker = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  const held = texts.filter((text) => text.data.search(begins) >= 0);
  for (const text of typed ? held : []) {
    for (const { index } of [...text.data.matchAll(begins)].reverse()) {
      const hit = text.splitText(index), one = document.createElement("mark");
      hit.splitText(typed.length);
      hit.replaceWith(one);
      one.append(hit);
    }
  }
  return held.length > 0;
}
