// Draws a plotly figure in place: the same node for its whole life, so that a surface can change without a flicker and
// the camera stays where the reader put it. Plotly comes from the server that serves this page.
const shared = (window.__ltwPlots ??= { library: null, nodes: new Map(), patches: new Map() });

const sceneNames = (node) => Object.keys(node._fullLayout || {}).filter((name) => /^scene\d*$/.test(name));
const cameraOf = (node, scene) => node._fullLayout[scene]._scene.getCamera();

// Scenes that stand side by side are turned together.
function turnTogether(node, event) {
  const state = node.ltw;
  if (state.turning) return;
  const moved = sceneNames(node).find((scene) => event[scene + ".camera"]);
  if (!moved) return;
  const camera = event[moved + ".camera"];
  state.turning = true;
  for (const scene of sceneNames(node)) if (scene !== moved) node._fullLayout[scene]._scene.setViewport({ ...node._fullLayout[scene], camera });
  state.turning = false;
}

async function turnAll(Plotly, node, event) {
  const state = node.ltw;
  const moved = sceneNames(node).find((scene) => event[scene + ".camera"]);
  if (!moved || state.settling) return;
  state.settling = true;
  try { await setCameras(Plotly, node, event[moved + ".camera"]); } finally { state.settling = false; }
}

function setCameras(Plotly, node, camera) {
  return Plotly.relayout(node, Object.fromEntries(sceneNames(node).map((scene) => [scene + ".camera", camera])));
}

const TURNS = { ArrowLeft: [0.15, 0], ArrowRight: [-0.15, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] };

function turned(camera, byAzimuth, byHeight) {
  const { x, y, z } = camera.eye;
  const radius = Math.hypot(x, y, z);
  const azimuth = Math.atan2(y, x) + byAzimuth;
  const height = Math.max(-1.45, Math.min(1.45, Math.asin(z / radius) + byHeight));
  const across = radius * Math.cos(height);
  return { ...camera, eye: { x: across * Math.cos(azimuth), y: across * Math.sin(azimuth), z: radius * Math.sin(height) } };
}

function turnByKey(Plotly, node, event) {
  const angle = TURNS[event.key];
  const scenes = sceneNames(node);
  if (!angle || !scenes.length) return;
  event.preventDefault();
  setCameras(Plotly, node, turned(cameraOf(node, scenes[0]), ...angle));
}

// A narrow page gets the figure's narrow layout: the same traces, fewer side by side.
const NARROW = 720;
const isNarrow = (node) => Boolean(node.ltw.narrow) && node.parentElement.clientWidth < NARROW;

function figureOf(node) {
  const { figure, narrow, name } = node.ltw;
  const patch = shared.patches.get(name);
  // a patch holds what changed of the wide layout, the narrow one comes whole and anew each time
  const layout = { ...figure.layout, ...patch?.layout, ...(isNarrow(node) ? narrow : null) };
  if (!patch) return { data: figure.data, layout };
  return { data: figure.data.map((trace, i) => (patch.traces[i] ? { ...trace, ...patch.traces[i] } : trace)), layout };
}

// What the reader turned stays turned while the figure's uirevision stays the same.
function keepCameras(node, layout) {
  if (!node._fullLayout || node.ltw.revision !== layout.uirevision) return layout;
  const kept = { ...layout };
  for (const scene of sceneNames(node)) {
    if (layout[scene] && node._fullLayout[scene]._scene) kept[scene] = { ...layout[scene], camera: cameraOf(node, scene) };
  }
  return kept;
}

function withCamera(layout, camera) {
  const changed = { ...layout };
  for (const name of Object.keys(layout)) if (/^scene\d*$/.test(name)) changed[name] = { ...layout[name], camera };
  return changed;
}

function fit(node, layout) {
  node.style.height = layout.height + "px";
}

// Pixels of 3D for one of the page's: more for smooth edges, but where no GPU draws them each costs time.
const WITHOUT_GPU = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function pixelRatio() {
  if (shared.ratio) return shared.ratio;
  const gl = document.createElement("canvas").getContext("webgl");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const renderer = gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return (shared.ratio = WITHOUT_GPU.test(renderer) ? 1 : Math.max(1.5, Math.min(2, window.devicePixelRatio)));
}

const LINK = { // two links of a chain
  width: 24, height: 24,
  path: "M4 9h7v2H5v4h6v2H4a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1zm9 0h7a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-7v-2h6v-4h-6zM8 12h8v2H8z",
};

// The address holds dataset, class and the page's choices. ``navigator.clipboard`` is there over https and on this machine
// only; a server in a classroom often has neither.
async function copyLink(gd, event) {
  const button = event?.currentTarget;
  const say = (text) => button?.setAttribute("data-title", text);
  try {
    await navigator.clipboard.writeText(location.href);
    say("Link copied");
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: location.href });
    document.body.append(field);
    field.select();
    say(document.execCommand("copy") ? "Link copied" : "Copy the address from the browser's bar");
    field.remove();
  }
  setTimeout(() => say("Copy link to this view"), 2000);
}

// One object for the node's whole life: plotly compares it with the last one, the click handler too, and where they differ
// it draws everything anew.
function config(Plotly, node) {
  return (node.ltw.config ??= {
    responsive: true,
    displaylogo: false,
    showSendToCloud: false, // plotly's "Share chart…" would send a reader's data to a server of plotly's
    scrollZoom: false,
    plotGlPixelRatio: pixelRatio(),
    toImageButtonOptions: { format: "png", scale: 2, filename: node.ltw.name },
    modeBarButtonsToRemove: ["select2d", "lasso2d", "resetCameraLastSave3d", "hoverClosest3d"],
    modeBarButtonsToAdd: [{
      name: "Download as SVG", title: "Download plot as SVG", icon: Plotly.Icons.disk,
      click: (gd) => Plotly.downloadImage(gd, { format: "svg", filename: node.ltw.name }),
    }, {
      name: "Copy link", title: "Copy link to this view", icon: LINK, click: copyLink,
    }],
  });
}

async function draw(Plotly, node) {
  const state = node.ltw;
  const wait = (state.restUntil ?? 0) - performance.now();
  if (wait > 0) state.later ??= setTimeout(() => { state.later = null; if (node.ltw === state) draw(Plotly, node); }, wait);
  if (state.held || state.drawing || wait > 0) { state.stale = true; return; }
  state.drawing = true;
  state.stale = false;
  const began = performance.now();
  try {
    const { data, layout } = figureOf(node);
    fit(node, layout);
    await Plotly.react(node, withLines(data, layout), { ...keepCameras(node, layout), autosize: true }, config(Plotly, node));
    state.revision = layout.uirevision;
    node.dataset.draws = (state.draws += 1);
  } finally { state.drawing = false; }
  const took = performance.now() - began;
  node.dataset.took = Math.round(took);
  // what changes by itself leaves a machine that draws slowly most of its time for clicks
  if (state.often) state.restUntil = performance.now() + Math.min(4000, 2 * took);
  if (state.stale && !state.held) draw(Plotly, node);
}

function sayFailed(node, error) {
  node.textContent = "The chart could not be drawn: " + error.message;
}

// What is not 3D is drawn in a fraction of the time of what is, and before it.
const IN_3D = 40; // milliseconds

function drawSoon(Plotly, node) {
  const state = node.ltw;
  const drawNow = () => {
    state.soon = null;
    if (node.ltw === state) draw(Plotly, node).catch((error) => sayFailed(node, error));
  };
  if (sceneNames(node).length) state.soon ??= setTimeout(drawNow, IN_3D);
  else drawNow();
}

function listen(Plotly, node) {
  const state = node.ltw;
  const release = () => {
    if (!state.held) return;
    state.held = false;
    setTimeout(() => state.stale && draw(Plotly, node), 30); // after plotly's own handlers
  };
  // An update in the middle of a drag would snap the camera back: it waits for the pointer.
  node.addEventListener("pointerdown", () => { state.held = true; }, true);
  window.addEventListener("pointerup", release, true);
  window.addEventListener("pointercancel", release, true);
  node.addEventListener("keydown", (event) => turnByKey(Plotly, node, event));
  node.on("plotly_relayouting", (event) => turnTogether(node, event));
  node.on("plotly_relayout", (event) => turnAll(Plotly, node, event));
  node.on("plotly_click", (event) => {
    const point = event.points && event.points[0];
    if (!point) return;
    const custom = Array.isArray(point.customdata) ? point.customdata[0] : point.customdata;
    const id = typeof custom === "string" ? custom : null;
    const text = typeof point.text === "string" ? point.text : null;
    if (id !== null || text !== null) state.pick({ id, text, trace: point.data.name ?? null });
  });
  let narrow = isNarrow(node);
  let width = node.offsetWidth;
  const observer = new ResizeObserver(() => {
    if (!node.offsetWidth || !node._fullLayout || node.offsetWidth === width) return;
    width = node.offsetWidth;
    if (narrow === isNarrow(node)) return void Plotly.Plots.resize(node);
    narrow = isNarrow(node);
    draw(Plotly, node);
  });
  observer.observe(node.parentElement);
  state.stop = () => {
    observer.disconnect();
    window.removeEventListener("pointerup", release, true);
    window.removeEventListener("pointercancel", release, true);
  };
}

// Figures are drawn for light or dark on the server; it is told when the page is not what it thought.
function isDark() {
  const app = document.querySelector('[data-testid="stApp"]');
  const [r, g, b] = (getComputedStyle(app ?? document.body).backgroundColor.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return 0.299 * r + 0.587 * g + 0.114 * b < 128;
}

function watchTheme(state) {
  const seen = isDark() ? "dark" : "light";
  if (seen === state.base || seen === state.told) return;
  // while the script runs, a request would take the place of a click on another page that waits to be looked at
  if (document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "running") return;
  state.told = seen;
  state.tell(seen);
}

// What is said about the figure, the figure, and its narrow layout, in one message of bytes.
function unpack(bytes) {
  const [about, figure, narrow] = new TextDecoder().decode(bytes).split("\0");
  return { ...JSON.parse(about), figure, narrow };
}

export default function (component) {
  const { parentElement, setTriggerValue } = component;
  const data = unpack(component.data);
  const node = parentElement.querySelector(".ltw-plot");
  const fresh = !node.ltw;
  if (fresh) node.ltw = { held: false, drawing: false, stale: false, draws: 0, text: null };
  const state = node.ltw;
  Object.assign(state, { name: data.name, base: data.base, often: data.often });
  state.pick = (value) => setTriggerValue("picked", value);
  state.tell = (value) => setTriggerValue("theme", value);
  if (state.base === state.told) state.told = null;
  state.watch ??= setInterval(() => watchTheme(state), 700);
  shared.nodes.set(data.name, node);
  node.setAttribute("aria-label", data.alt);
  if (state.text !== data.figure + data.narrow) {
    if (!fresh) shared.patches.delete(data.name); // it was of the figure before; a new figure comes without one
    state.text = data.figure + data.narrow;
    state.figure = JSON.parse(data.figure);
    state.narrow = data.narrow ? JSON.parse(data.narrow) : null;
    const shown = figureOf(node);
    fit(node, shown.layout);
    if (data.sketch && (fresh || state.sketch)) {
      state.sketch?.end();
      state.sketch = sketch(node, shown);
    }
    const waiting = state.sketch;
    Promise.resolve(waiting?.ready)
      .then(() => window.__ltwLibrary(data.library))
      .then(async (Plotly) => {
        if (node.ltw !== state || state.sketch !== waiting) return; // the page was left, or the figure has changed
        if (state.listening) return void drawSoon(Plotly, node);
        const camera = waiting?.moved();
        if (camera) {
          state.figure = { ...state.figure, layout: withCamera(state.figure.layout, camera) };
          state.narrow &&= withCamera(state.narrow, camera);
        }
        await draw(Plotly, node);
        waiting?.end();
        state.sketch = null;
        if (!state.listening) { state.listening = true; listen(Plotly, node); }
        node.ltwDraw = () => drawSoon(Plotly, node);
        if (shared.patches.has(state.name)) node.ltwDraw();
      })
      .catch((error) => sayFailed(node, error));
  }
  return () => {
    clearInterval(state.watch);
    state.sketch?.end();
    if (state.stop) state.stop();
    if (shared.nodes.get(state.name) === node) { shared.nodes.delete(state.name); shared.patches.delete(state.name); }
    if (window.Plotly && node._fullLayout) window.Plotly.purge(node);
    delete node.ltw;
    delete node.ltwDraw;
  };
}
