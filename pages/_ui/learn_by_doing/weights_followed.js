// Bars and score of a document follow the thumb of a word's weight: Streamlit tells the server where it is when it
// rests.
function signed(v) {
  const told = Math.abs(v).toFixed(3), sign = v >= 0 ? "+" : Number(told) ? "−" : "";
  return sign + told.replace(/^0/, "");
}

// What each bar adds, as `HardDocument.added`: the classifier stays, the document's weights have length 1 again.
function added({ terms, constant }, factors) {
  const weights = terms.map(([weight, , bar]) => weight * factors[bar]);
  const length = Math.hypot(...weights) || 1;
  const adds = factors.map(() => 0);
  terms.forEach(([, coefficient, bar], n) => { adds[bar] += (coefficient * weights[n]) / length; });
  return [...adds, constant];
}

// The same changes that the server sends, which replace these (`patch.js`).
function show(node, { figure: name, colours }, parts) {
  const { data, layout } = node.ltw.figure, before = shared.patches.get(name);
  const [bars, was] = [{ ...data[0], ...before?.traces[0] }, [...node._fullData[1].x]];
  const x = [...parts].reverse();
  const notes = (before?.layout?.annotations ?? layout.annotations).map((note, n) => ({
    ...note, text: signed(x[n]), x: x[n] < 0 ? Math.min(x[n], was[n]) : Math.max(x[n], was[n]),
    xanchor: x[n] < 0 ? "right" : "left", xshift: x[n] < 0 ? -5 : 5,
  }));
  const reach = 1.6 * Math.max(...[...x, ...was].map(Math.abs)) || 1;
  const marker = { ...bars.marker, color: x.map((v) => colours[Number(v > 0)]) };
  const moved = { ...bars, x, marker, customdata: x.map((v, n) => [bars.customdata[n][0], signed(v)]) };
  const frame = { ...before?.layout, annotations: notes, xaxis: { ...layout.xaxis, range: [-reach, reach] } };
  shared.patches.set(name, { text: "followed", traces: { ...before?.traces, 0: moved }, layout: frame });
  node.ltwDraw();
}

export default function (component) {
  const sent = component.data, box = () => document.querySelector(`.${sent.score}`);
  const inputs = () => sent.sliders.map((key) => document.querySelector(`.${key} input[type=range]`));
  delete box()?.dataset.says; // the server has said it
  shared.followed?.(); // Streamlit calls this again for new data, and ends only what it called last
  let asked = 0;
  const follow = () => {
    asked = 0;
    const node = shared.nodes.get(sent.figure), now = inputs();
    if (!node?.ltwDraw || !box() || now.includes(null)) return;
    const parts = added(sent, now.map(({ value }) => Number(value)));
    const score = parts.reduce((a, b) => a + b, 0), says = score > 0 ? "yes" : "no";
    show(node, sent, parts);
    box().dataset.says = says;
    box().querySelector("strong").textContent = signed(score);
    const told = box().querySelector("em");
    told.textContent = says;
    // what was said of another training holds no more
    for (let after = told.nextSibling; after; after = after.nextSibling) after.textContent = after.previousSibling === told ? "." : "";
  };
  const observer = new MutationObserver(() => { asked ||= requestAnimationFrame(follow); });
  const moves = { attributes: true, attributeFilter: ["aria-valuetext"], subtree: true };
  observer.observe(document.querySelector(".st-key-lesson-step"), moves);
  return (shared.followed = () => { observer.disconnect(); cancelAnimationFrame(asked); });
}
