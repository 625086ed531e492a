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

// What puts it back is there while it is seen from elsewhere; of names that lie on each other from there one is left.
function sayTurned(node) {
  node.classList.toggle("turned", Boolean(cameraNow(node)));
  node.ltw.names ??= setTimeout(() => { if (node.ltw) { node.ltw.names = null; thinNames(node); } }, 80); // where they are then
}

function thinNames(node) {
  const names = [...node.querySelectorAll('[class^="annotation-scene"]')], taken = [];
  if (!node.classList.contains("turned")) return names.forEach((name) => { name.style.visibility = ""; }); // nothing is measured
  const boxes = names.map((name) => name.querySelector(".annotation-text").getBoundingClientRect());
  boxes.forEach((box, n) => {
    const over = taken.some((one) => box.left < one.right && one.left < box.right && box.top < one.bottom && one.top < box.bottom);
    names[n].style.visibility = over ? "hidden" : "";
    if (!over) taken.push(box);
  });
}

function moveByKey(Plotly, node, event) {
  const [scene] = sceneNames(node);
  const camera = scene && cameraByKey(event, cameraOf(node, scene), figureOf(node).layout[scene].camera);
  if (!camera) return;
  event.preventDefault();
  setCameras(Plotly, node, camera);
}
