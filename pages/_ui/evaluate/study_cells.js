// What a cell of a study's table stands for, or the name of a row, in the line below it: of the one that is pointed at,
// tapped or reached with the arrow keys. One listener for the whole page, since the tables are drawn again with every choice.
const CELL = ".ltw-study [data-said]";
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function show(cell) {
  const table = cell.closest(".ltw-study");
  const line = table.parentElement.querySelector(".ltw-cell-told");
  if (!line || cell.hasAttribute("data-shown")) return;
  table.querySelector("[data-shown]")?.removeAttribute("data-shown");
  cell.setAttribute("data-shown", "");
  const [, name, rest] = cell.dataset.said.match(/^(.*?): (?![^(]*\))([^]*)$/) ?? [null, "", cell.dataset.said];
  const bold = document.createElement("b");
  bold.textContent = name && `${name}:`;
  line.replaceChildren(bold, name ? ` ${rest}` : rest);
}

function focus(cell) {
  cell.tabIndex = -1;
  cell.focus();
  show(cell);
}

function beside(cell, [down, right]) {
  const rows = [...cell.closest("tbody").rows];
  let [row, column] = [rows.indexOf(cell.parentElement), cell.cellIndex];
  for (;;) {
    [row, column] = [row + down, column + right];
    const next = rows[row]?.cells[column];
    if (!next || next.matches(CELL)) return next;
  }
}

export default function () {
  const end = new AbortController();
  const on = (name, act) => document.addEventListener(name, act, { signal: end.signal });
  on("pointerover", (event) => event.pointerType === "mouse" && event.target.closest(CELL) && show(event.target.closest(CELL)));
  on("click", (event) => event.target.closest(CELL) && focus(event.target.closest(CELL)));
  on("keydown", (event) => {
    const table = event.target.closest(".ltw-study");
    if (!table || !STEPS[event.key]) return;
    const here = event.target.closest(CELL);
    const next = here ? beside(here, STEPS[event.key]) : table.querySelector("[data-shown]") ?? table.querySelector("td[data-said]");
    event.preventDefault();
    if (next) focus(next);
  });
  return () => end.abort();
}
