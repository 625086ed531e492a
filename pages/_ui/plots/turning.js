// Scenes that stand side by side are turned together, and none is seen from below.
function turnTogether(node, event) {
  const state = node.ltw;
  if (state.turning) return;
  const moved = sceneNames(node).find((scene) => event[scene + ".camera"]);
  if (!moved) return;
  const asked = event[moved + ".camera"], camera = within(asked) ?? asked;
  state.turning = true;
  for (const scene of sceneNames(node))
    if (scene !== moved || camera !== asked) node._fullLayout[scene]._scene.setViewport({ ...node._fullLayout[scene], camera });
  state.turning = false;
  sayTurned(node);
}

async function turnAll(Plotly, node, event) {
  const state = node.ltw;
  const moved = sceneNames(node).find((scene) => event[scene + ".camera"]);
  if (!moved || state.settling) return;
  const camera = event[moved + ".camera"];
  state.settling = true;
  try { await setCameras(Plotly, node, within(camera) ?? camera); } finally { state.settling = false; }
}

async function setCameras(Plotly, node, camera) {
  const own = (scene) => [scene + ".camera", structuredClone(camera)]; // plotly turns what it is given
  await Plotly.relayout(node, Object.fromEntries(sceneNames(node).map(own)));
  sayTurned(node);
}

// Of a finger plotly says nothing.
function byFinger(node, then) {
  return ({ target }) => {
    const scene = node.ltw?.free && sceneNames(node).find((name) => node._fullLayout[name]._scene.container.contains(target));
    if (scene) then({ [scene + ".camera"]: cameraOf(node, scene) });
  };
}

// What puts it back is there while it is seen from elsewhere.
function sayTurned(node) {
  node.classList.toggle("turned", Boolean(cameraNow(node)));
}

// Of names that lie on each other the first is left, the stronger one: they were placed for other heights or from elsewhere.
const apartFrom = (box, taken) =>
  !taken.some((one) => box.left < one.right && one.left < box.right && box.top < one.bottom && one.top < box.bottom);

function thinNames(layer) {
  const taken = [], names = [...layer.querySelectorAll('[class^="annotation-scene"]')];
  for (const name of names.sort((one, other) => one.dataset.index - other.dataset.index)) {
    const words = name.querySelector(".annotation-text"), box = words.getBoundingClientRect();
    const shown = words.textContent === "●" || apartFrom(box, taken); // a selected term's mark
    name.style.visibility = shown ? "" : "hidden";
    if (shown) taken.push(box);
  }
}

// plotly writes them anew for each frame: they are thinned before it is seen.
function keepNamesApart(node) {
  const state = node.ltw, layer = node._fullLayout._infolayer.node();
  if (state.layer === layer) return;
  state.thinned?.disconnect();
  state.layer = layer;
  state.thinned = new MutationObserver(() => thinNames(layer));
  state.thinned.observe(layer, { childList: true });
  thinNames(layer);
}

function moveByKey(Plotly, node, event) {
  const [scene] = sceneNames(node);
  const camera = scene && cameraByKey(event, cameraOf(node, scene), figureOf(node).layout[scene].camera);
  if (!camera) return;
  event.preventDefault();
  setCameras(Plotly, node, camera);
}
