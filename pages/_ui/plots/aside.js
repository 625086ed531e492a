// A stage in 3D that another view takes the place of is set aside and not thrown away: where no GPU draws, what each of its
// scenes compiles takes most of the seconds until it stands. As it was it comes back; what shows anything else is made anew.
const MOST_ASIDE = 2; // the stage and a film; a browser keeps some sixteen scenes
const aside = () => (shared.aside ??= new Map()); // by the figure's name, the one that was left last at the end

function throwAway(node) {
  node.ltw.stop?.();
  node.ltw.thinned?.disconnect();
  if (window.Plotly && node._fullLayout) window.Plotly.purge(node);
  for (const name of ["ltw", "ltwDraw", "ltwGlide", "ltwCaption"]) delete node[name];
}

// Whether it could be: it is drawn, and nothing is on its way to it.
function setAside(node) {
  const { listening, drawing, stale, revision, name } = node.ltw;
  if (!listening || drawing || stale || !ON_STAGE.test(revision) || !sceneNames(node).length) return false;
  node.parentElement.remove();
  aside().set(name, node);
  const [oldest, left] = aside().entries().next().value;
  if (aside().size > MOST_ASIDE) {
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
  const came = shared.told.has(name); // what differs from it now; where that comes later, it is compared with what is drawn
  if (!came && kept.ltw.patch) shared.patches.set(name, kept.ltw.patch);
  return [kept, came];
}
