// A figure that another view takes the place of is set aside and not thrown away: where no GPU draws, what each scene of a
// stage compiles takes most of the seconds until it stands, and curves beside it would be drawn at each click. As it was it
// comes back; what shows anything else is made anew.
// The stage and a film; what has points drawn by WebGL, three canvases each; curves and bars. A browser keeps sixteen canvases.
const MOST = { scenes: 2, points: 2, flat: 8 };
const kindOf = (node) => (sceneNames(node).length ? "scenes" : node.querySelector(".gl-canvas") ? "points" : "flat");
const aside = () => (shared.aside ??= new Map()); // by the figure's name, the one that was left last at the end

function throwAway(node) {
  node.ltw.stop?.();
  node.ltw.thinned?.disconnect();
  if (window.Plotly && node._fullLayout) window.Plotly.purge(node);
  for (const name of ["ltw", "ltwDraw", "ltwGlide", "ltwCaption"]) delete node[name];
}

// Whether it could be: it is drawn, nothing is on its way to it or lies over it, and no other stands in its place.
function setAside(node) {
  const { listening, drawing, stale, revision, name } = node.ltw;
  const kind = kindOf(node);
  if (!listening || drawing || stale || (kind === "scenes" && !ON_STAGE.test(revision))) return false;
  if (shared.nodes.has(name) || node.ltwMoment || node.querySelector(".ltw-glide, .ltw-now")) return false;
  node.parentElement.remove();
  aside().set(name, node);
  const alike = [...aside()].filter(([, left]) => kindOf(left) === kind);
  if (alike.length > MOST[kind]) {
    const [oldest, left] = alike[0];
    aside().delete(oldest);
    throwAway(left);
  }
  return true;
}

// The node of a figure that is put up: a new one, or that which was set aside and shows the same; and whether the latter is
// to be drawn again.
function nodeFor(parentElement, name, text) {
  const node = parentElement.querySelector(".ltw-plot");
  if (node.ltw) return [node, false];
  for (const [other, left] of aside()) {
    if (other === name ? left.ltw.text === text : left.ltw.page === window.location.pathname) continue;
    aside().delete(other);
    throwAway(left);
  }
  const kept = aside().get(name);
  if (!kept) return [node, false];
  aside().delete(name);
  node.parentElement.replaceWith(kept.parentElement);
  kept.dataset.draws = kept.ltw.draws; // what stands over it takes its place again
  const came = shared.told.has(name); // what differs from it now; where that comes later, it is compared with what is drawn
  if (!came && kept.ltw.patch) shared.patches.set(name, kept.ltw.patch);
  return [kept, came];
}
