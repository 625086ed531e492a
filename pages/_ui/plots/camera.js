// A camera that keys move: turned about the upright, raised, nearer and further. And one that is kept.
const TURNS = { ArrowLeft: [0.15, 0], ArrowRight: [-0.15, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] };
const ZOOMS = { "+": 1 / 1.15, "=": 1 / 1.15, "-": 1.15 };
const FURTHEST = 4; // of the first distance; as near as a quarter of it
// From below a surface shows no points, and the names of its axes lie over each other.
const FLATTEST = (5 / 180) * Math.PI, STEEPEST = (85 / 180) * Math.PI;
const KEYS = "3D view: arrow keys turn it, + and − zoom, 0 puts it back";

function turned(camera, byAzimuth, byHeight) {
  const { x, y, z } = camera.eye;
  const radius = Math.hypot(x, y, z);
  const azimuth = Math.atan2(y, x) + byAzimuth;
  const height = Math.max(FLATTEST, Math.min(STEEPEST, Math.asin(z / radius) + byHeight));
  const across = radius * Math.cos(height);
  return { ...camera, eye: { x: across * Math.cos(azimuth), y: across * Math.sin(azimuth), z: radius * Math.sin(height) } };
}

// A camera that a drag took too low or too high, put back to the end of its way; null for any other.
function within({ eye, center, ...camera }) {
  const [x, y, z] = ["x", "y", "z"].map((axis) => eye[axis] - center[axis]);
  const radius = Math.hypot(x, y, z), height = Math.asin(z / radius);
  if (height > FLATTEST - 0.001 && height < STEEPEST + 0.001) return null;
  const kept = height < FLATTEST ? FLATTEST : STEEPEST, across = Math.hypot(x, y);
  const out = (radius * Math.cos(kept)) / (across || 1);
  return { ...camera, center, eye: { x: center.x + out * x, y: center.y + out * y, z: center.z + radius * Math.sin(kept) } };
}

const distance = ({ eye }) => Math.hypot(eye.x, eye.y, eye.z);

function zoomed(camera, first, factor) {
  const now = distance(camera);
  const by = Math.max(distance(first) / FURTHEST, Math.min(distance(first) * FURTHEST, now * factor)) / now;
  return { ...camera, eye: { x: by * camera.eye.x, y: by * camera.eye.y, z: by * camera.eye.z } };
}

// The camera that a key asks for, `first` being that of the figure; null for any other key, which the browser has.
function cameraByKey(event, camera, first) {
  if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return null;
  if (TURNS[event.key]) return turned(camera, ...TURNS[event.key]);
  if (ZOOMS[event.key]) return zoomed(camera, first, ZOOMS[event.key]);
  return event.key === "0" ? first : null;
}

// What the reader turned stays turned while the figure's uirevision stays the same: for every scene, also one that comes.
// Scenes of another size have another first distance, and the reader's is as many times that. A stage that comes back is
// seen as it was left, on the same page. What nobody turned is seen from where the figure says: some shapes are edge-on from elsewhere.
const ON_STAGE = /^stage-/;
const left = () => (shared.cameras ??= new Map()); // by page and uirevision
const placeOf = (node, revision) => `${node.ltw.page} ${revision}`;

// The first distance, as many times the usual one: from the side or from above.
const firstDistance = ({ scene, meta }) => scene && distance(scene.camera) / (meta?.framed?.usual ?? 1);

// A camera as it may be kept: as near and as far as keys take it; none of one that sees nothing.
function sensible(camera, first) {
  const numbers = [camera.eye, camera.center, camera.up].flatMap(({ x, y, z }) => [x, y, z]);
  if (!numbers.every(Number.isFinite) || distance(camera) < distance(first) / 100) return null;
  return zoomed(camera, first, 1);
}

function cameraNow(node) {
  const scene = sceneNames(node).find((name) => node._fullLayout[name]._scene);
  if (!scene || !node.ltw.first) return null;
  const camera = sensible(cameraOf(node, scene), node.ltw.camera), { eye } = node.ltw.camera;
  if (!camera || !(node.ltw.first > 0 && node.ltw.first < Infinity)) return null;
  const turned = Object.keys(eye).some((axis) => Math.abs(camera.eye[axis] - eye[axis]) > 0.002);
  return turned ? { camera, first: node.ltw.first } : null;
}

function leaveCamera(node) {
  const now = ON_STAGE.test(node.ltw.revision) && cameraNow(node);
  const place = placeOf(node, node.ltw.revision);
  if (now) left().set(place, now);
  else left().delete(place);
}

function keepCamera(node, layout) {
  const drawn = node._fullLayout && node.ltw.revision === layout.uirevision;
  const kept = (drawn && cameraNow(node)) || left().get(placeOf(node, layout.uirevision));
  if (!kept || !layout.scene) return withCamera(layout, layout.scene?.camera);
  const by = firstDistance(layout) / kept.first;
  const eye = Object.fromEntries(Object.entries(kept.camera.eye).map(([axis, value]) => [axis, by * value]));
  return withCamera(layout, { ...kept.camera, eye });
}

// In copies: plotly writes into the scenes that it is given.
function withCamera(layout, camera) {
  const scenes = Object.keys(layout).filter((name) => /^scene\d*$/.test(name));
  return { ...layout, ...Object.fromEntries(scenes.map((name) => [name, { ...layout[name], camera: camera && structuredClone(camera) }])) };
}
