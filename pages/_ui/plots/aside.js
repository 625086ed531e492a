// A figure that another view takes the place of is set aside and not thrown away: where no GPU draws, what each scene of a
// stage compiles takes most of the seconds until it stands, and curves beside it would be drawn at each click. As it was it
// comes back; what shows anything else is made anew.
const MOST_IN_3D = 2; // the stage and a film; a browser keeps some sixteen scenes
const MOST_FLAT = 8; // curves and bars
const aside = () => (shared.aside ??= new Map()); // by the figure's name, the one that was left last at the end

function throwAway(node) {
  node.ltw.stop?.();
  node.ltw.thinned?.disconnect();
  if (window.Plotly && node._fullLayout) window.Plotly.purge(node);
  for (const name of ["ltw", "ltwDraw", "ltwGlide", "ltwCaption"]) delete node[name];
}

// Whether it could be: it is drawn, nothing is on its way to it or lies over it, it has no WebGL but that of its scenes, and
// no other stands in its place.
function setAside(node) {
  const { listening, drawing, stale, revision, name } = node.ltw;
  const in3d = sceneNames(node).length > 0;
  if (!listening || drawing || stale || (in3d ? !ON_STAGE.test(revision) : node.querySelector(".gl-canvas"))) return false;
  if (shared.nodes.has(name) || node.ltwMoment || node.querySelector(".ltw-glide, .ltw-now")) return false;
  node.parentElement.remove();
  aside().set(name, node);
  const alike = [...aside()].filter(([, left]) => (sceneNames(left).length > 0) === in3d);
  if (alike.length > (in3d ? MOST_IN_3D : MOST_FLAT)) {
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
