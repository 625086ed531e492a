// Shows words of documents. Whatever a text holds, it goes into text nodes: nothing in it is read as markup.
const at = ([light, dark], place) => `light-dark(${light[place]}, ${dark[place]})`;

function shade(word, { behind, ink }, strength) {
  const place = Math.round(((1 + strength) / 2) * (behind[0].length - 1));
  Object.assign(word.style, { backgroundColor: at(behind, place), color: at(ink, place) });
}

function wordOf(component, text, strength, title, chosen) {
  const word = document.createElement("span");
  word.textContent = text;
  if (strength === null) { // it is asked about, and its weight is not told
    word.className = "asked";
    return word;
  }
  word.title = title;
  word.className = chosen ? "word chosen" : "word";
  if (Math.abs(strength) > 0.02) shade(word, component.data.shades, strength);
  word.addEventListener("click", () => component.setTriggerValue("picked", { term: text.toLowerCase() }));
  return word;
}

function lineOf(component, line) {
  const row = document.createElement("div");
  row.className = "line";
  row.tabIndex = 0;
  row.setAttribute("role", "button");
  row.title = "Read this document";
  for (const [kind, text] of [["where", line.where], ["before", line.before], ["hit", line.hit], ["after", line.after]]) {
    const cell = document.createElement("span");
    cell.className = kind;
    const inner = document.createElement("bdi");
    inner.textContent = text;
    cell.append(inner);
    row.append(cell);
  }
  const open = () => component.setTriggerValue("opened", { part: line.part, row: line.row });
  row.addEventListener("click", open);
  row.addEventListener("keydown", (event) => { if (event.key === "Enter") open(); });
  return row;
}

// Texts of one document stand beside each other, and scroll together: each word stays beside itself.
const twins = (node) =>
  [...document.querySelectorAll(".ltw-reading.text")].filter((one) => one !== node && one.textContent === node.textContent);

function scrolled(node) {
  node.classList.toggle("later", node.scrollTop > 1);
  if (node.scrollTop === node.ltwLed) return;  // it was led here by the other
  for (const twin of twins(node)) {
    twin.scrollTop = node.scrollTop;
    twin.ltwLed = twin.scrollTop;
    twin.ltwOpens = null;
  }
  node.ltwLed = undefined;
}

// Only of a text that goes on does the last line fade out; for less than two lines more the box grows.
function fade(node) {
  node.classList.remove("more");
  node.style.maxHeight = "";
  const more = node.scrollHeight - node.clientHeight;
  if (more > 0 && more < 2 * parseFloat(getComputedStyle(node).lineHeight)) node.style.maxHeight = "none";
  else node.classList.toggle("more", more > 0);
}

// A long text opens where its first strongly coloured word is, unless one stands in the lines that are seen.
function showStrongest(node, pieces) {
  const strengths = pieces.map((piece) => (typeof piece === "string" ? 0 : Math.abs(piece[1])));
  const most = Math.max(0, ...strengths);
  const place = strengths.findIndex((strength) => strength >= most / 2 && strength > 0.02);
  node.scrollTop = 0;
  node.classList.remove("later");
  if (place < 0 || node.scrollHeight <= node.clientHeight) return;
  const line = parseFloat(getComputedStyle(node).lineHeight), word = node.childNodes[place].getBoundingClientRect();
  const below = word.bottom - node.getBoundingClientRect().top;
  if (below <= node.clientHeight - 1.5 * line) return;
  // from the paragraph that holds it, or else three whole lines above it, below the line that says so
  const paragraph = below - paragraphTop(node, place);
  const wanted = below - (paragraph < node.clientHeight - 2 * line ? paragraph : 3 * line) - line;
  // a whole line below that one, also where the text ends
  const shift = parseFloat(getComputedStyle(node).paddingTop) - line, end = node.scrollHeight - node.clientHeight;
  node.scrollTop = Math.min(Math.round((wanted - shift) / line), Math.floor((end - shift) / line)) * line + shift;
  node.classList.toggle("later", node.scrollTop > 1);
}

// How far below the top of the box the paragraph begins in which a piece stands.
function paragraphTop(node, place) {
  const range = document.createRange();
  for (let at = place - 1; at >= 0; at--) {
    const text = node.childNodes[at], last = text.nodeType === 3 ? text.data.search(/\n\s*\S[^\n]*$/) : -1;
    if (last < 0) continue;
    const first = last + text.data.slice(last).search(/\S/);
    range.setStart(text, first);
    range.setEnd(text, first + 1);
    return range.getBoundingClientRect().top - node.getBoundingClientRect().top;
  }
  return -Infinity;
}

export default function (component) {
  const { parentElement, data } = component;
  const node = parentElement.querySelector(".ltw-reading");
  const made = document.createDocumentFragment();
  // where words are asked about, a phone shows as much as it can: narrow gaps stand for empty lines
  const close = matchMedia("(max-width: 640px)").matches && data.pieces?.some((piece) => piece[1] === null);
  for (const piece of data.pieces ?? []) {
    if (typeof piece !== "string") made.append(wordOf(component, ...piece));
    else if (close) made.append(...piece.split(/\n\s*\n/).flatMap((text, n) => (n ? [Object.assign(document.createElement("span"), { className: "gap" }), text] : [text])));
    else made.append(piece);
  }
  for (const line of data.lines ?? []) made.append(lineOf(component, line));
  node.className = data.lines ? "ltw-reading lines" : "ltw-reading text";
  node.dir = data.lines ? "ltr" : "auto";
  node.setAttribute("aria-label", data.alt);
  const before = node.textContent;
  node.replaceChildren(made);
  if (data.asked > (window.ltwLinesAsked ?? 0)) {  // the first of the lists: the other stands below it
    window.ltwLinesAsked = data.asked;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    requestAnimationFrame(() => node.scrollIntoView({ block: "center", behavior }));
  }
  node.onscroll = () => scrolled(node);
  for (const kind of ["onwheel", "ontouchmove", "onpointerdown", "onkeydown"]) node[kind] = () => { node.ltwOpens = null; };
  node.ltwSized ??= new ResizeObserver(() => {
    fade(node);
    if (node.ltwOpens) showStrongest(node, node.ltwOpens);  // its lines are others, and nobody has scrolled it
  });
  node.ltwSized.observe(node);
  fade(node);
  if (!data.pieces || node.textContent === before) return node.classList.toggle("later", node.scrollTop > 1);
  const [twin] = twins(node);
  node.ltwOpens = twin ? null : data.pieces;
  if (twin) node.scrollTop = node.ltwLed = twin.scrollTop;
  else showStrongest(node, data.pieces);
}
