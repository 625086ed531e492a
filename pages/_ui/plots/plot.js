// Draws a plotly figure in place: the same node for its whole life, so that a surface can change without a flicker and
// the camera stays where the reader put it. Plotly comes from the server that serves this page.

const sceneNames = (node) => Object.keys(node._fullLayout || {}).filter((name) => /^scene\d*$/.test(name));
const cameraOf = (node, scene) => node._fullLayout[scene]._scene.getCamera();

// What it shows, in a sentence that is the figure's caption. Only what keys do something to is a stop of the Tab key.
function caption(node) {
  node.nextElementSibling.textContent = shared.alts.get(node.ltw.name) ?? node.ltw.alt;
  tell(node);
}

// Words that stand beside a figure are those of what is drawn: a figure that moves is drawn later than it is sent.
function tell(node) {
  const said = node.ltw.told?.length ? node.ltw.told : shared.told.get(node.ltw.name) ?? [];
  if (node.ltw.name === "live_curves") {
    shared.now = said.join("").match(NOW)?.[1];
    shared.nodes.forEach((each) => (each.ltw?.late ? sayLate(each) : setTimeout(sayLate, LATE, each)));
  } else sayLate(node);
  if (!said.length) return;
  document.querySelectorAll(`.ltw-told[data-of="${node.ltw.name}"]`).forEach((word, k) => {
    if (word.textContent !== (said[k] ?? "")) word.textContent = said[k] ?? "";
  });
}

// A surface that is drawn later than the numbers beside it says of which step it is, and which one is being drawn.
const LATE = 150; // milliseconds: where it is drawn sooner, as with a GPU, there is nothing to say
const NOW = /now (step [\d,]+)/, STEP = /before training|step [\d,]+/, MOMENT = /(?:before training|step [\d,]+)(?: · wire: step 0)?/;

function sayLate(node) {
  if (!shared.now || !node.ltw?.often || shared.replay) return;
  const drawn = (node._fullLayout?.annotations ?? []).map(({ text }) => text.match(STEP)?.[0]).find(Boolean);
  const label = [...node.querySelectorAll(".annotation-text tspan")].find((word) => drawn && word.textContent.startsWith(drawn));
  if (!label || shared.now === drawn) return;
  node.ltw.late = true;
  label.textContent = `${drawn} · drawing ${shared.now}`;
}

function letKeysIn(node, layout) {
  const roles = { role: "application", tabindex: "0", "aria-label": KEYS };
  const in3d = Object.keys(layout).some((name) => /^scene\d*$/.test(name));
  node.parentElement.querySelector(".ltw-turn").hidden = !in3d;
  node.parentElement.classList.toggle("in3d", in3d);
  for (const [name, value] of Object.entries(roles)) in3d ? node.setAttribute(name, value) : node.removeAttribute(name);
}

// Ticks and marks one by one are nothing to listen to; the caption says what they come to.
function hideMarks(node) {
  for (const part of node.querySelectorAll(".main-svg, .gl-container")) part.setAttribute("aria-hidden", "true");
}

// Where the toolbar would lie over words, it stands above the figure.
const WORDS = ".gtitle, .annotation-text, .legendtext, .xtitle, .ytitle, .x2title, .y2title, .cbtitle text, .xtick text";

function liftToolbar(node) {
  if (node.classList.contains("lifted")) return;
  const bar = node.querySelector(".modebar")?.getBoundingClientRect();
  if (!bar?.width) return;
  const under = (word) => {
    const box = word.getBoundingClientRect();
    return box.width && box.left < bar.right && bar.left < box.right && box.top < bar.bottom && bar.top < box.bottom;
  };
  node.classList.toggle("lifted", [...node.querySelectorAll(WORDS)].some(under));
}

// A narrow page gets the figure's narrow layout: the same traces, fewer side by side.
const NARROW = 720, PHONE = 480, MAP = 200; // pixels: of a page, of a phone, of one map on it
const COLUMNS = 1000; // pixels of a window above which a figure stands beside words, as in style.css
const isNarrow = (node) => Boolean(node.ltw.narrow) && node.parentElement.clientWidth < narrowBelow(node.ltw.figure.layout.meta ?? {});

function narrowBelow({ framed, across, below, page }) {
  if (page) return window.innerWidth <= page ? Infinity : 0; // by what stands beside it there
  if (below) return below;
  if (framed?.width <= NARROW) return 0.75 * framed.width; // it was planned for a column
  return across ? Math.min(NARROW, Math.max(PHONE, MAP * across)) : NARROW;
}

// The narrow layout comes whole and anew each time; but of a figure that moves by itself once, so that heights, colours and
// the names of some points are those of the wide one, which follow.
const NAMED = 2;

function narrowed(wide, narrow, moving) {
  const layout = { ...wide, ...narrow };
  if (!moving) return layout;
  const moment = (wide.annotations ?? []).map(({ text }) => text.match(MOMENT)?.[0]).find(Boolean);
  if (moment) layout.annotations = (layout.annotations ?? []).map((note) => ({ ...note, text: note.text.replace(MOMENT, moment) }));
  for (const name of Object.keys(narrow).filter((name) => /^scene\d*$/.test(name) && wide[name])) {
    const isDot = ({ text }) => text === "●"; // a selected term
    const written = (wide[name].annotations ?? []).filter((note) => !isDot(note)).slice(0, NAMED);
    const annotations = (wide[name].annotations ?? []).filter((note) => isDot(note) || written.includes(note));
    const [slim, full] = [narrow[name].zaxis, wide[name].zaxis]; // the range of a film does not change
    const zaxis = `${slim.range}` === `${full.range}` ? slim : { ...full, showticklabels: slim.showticklabels };
    layout[name] = { ...narrow[name], zaxis, annotations };
  }
  if (wide.coloraxis) {
    const { cmin, cmax, colorscale } = wide.coloraxis;
    layout.coloraxis = { ...narrow.coloraxis, cmin, cmax, colorscale };
  }
  return layout;
}

// Numbers below 1 are written as in tables, .8; what figures/theme.py has for figures that leave the app.
const BELOW_ONE = {};
for (const digits of [1, 2, 3])
  for (let k = 5; k < 1000; k += 5) {
    const text = (k / 1000).toFixed(digits).slice(1);
    if (Number(text)) for (const sign of ["", "−"]) BELOW_ONE[sign + "0" + text] = sign + text;
  }
const withAliases = new Map(); // by template, as text: plotly compares objects

function withoutZeros(template) {
  const text = JSON.stringify(template);
  if (!withAliases.has(text)) {
    const { xaxis, yaxis, scene = {}, coloraxis = {} } = template.layout;
    const more = (part) => ({ ...part, labelalias: BELOW_ONE });
    const bar = { colorbar: { labelalias: BELOW_ONE } };
    withAliases.set(text, {
      data: { scatter: [{ marker: bar }], heatmap: [bar] },
      layout: {
        ...template.layout, xaxis: more(xaxis), yaxis: more(yaxis),
        scene: { ...scene, xaxis: more(scene.xaxis), yaxis: more(scene.yaxis), zaxis: more(scene.zaxis) },
        coloraxis: { ...coloraxis, colorbar: more(coloraxis.colorbar) },
      },
    });
  }
  return withAliases.get(text);
}

function figureOf(node) {
  const { figure, narrow, name } = node.ltw;
  const patch = shared.patches.get(name);
  const wide = { ...figure.layout, ...patch?.layout };
  const here = isNarrow(node) ? narrowed(wide, narrow, node.ltw.often || patch?.moved) : wide;
  const layout = steppedBack(node, here.template?.layout ? { ...here, template: withoutZeros(here.template) } : here);
  const changed = (traces, by) => (by ? traces.map((trace, i) => (by[i] ? { ...trace, ...by[i] } : trace)) : traces);
  const now = changed(changed(figure.data, patch?.traces), node.ltw.place); // a moment of a replay
  return { data: isNarrow(node) ? now.map(forNarrow) : now, layout };
}

// Scenes that are narrower than they were planned are lower, too, or there would be nothing above and below them; small
// ones below a large one, and two rows of two, are higher where they have a page's width, and not that of a column.
const LOWEST = 220; // pixels of a scene
const HIGHER = 1.2, SQUARE = 1.3; // times, at most; of two rows of two
const PHONES = 640, TALL = 0.35, LEAST_TALL = 300; // of the window: above curves, on a page of one column that is no phone's

function lowered(node, layout) {
  const { width, rows, height, across, grows } = layout.meta.framed;
  const wider = window.innerWidth <= COLUMNS ? node.parentElement.clientWidth / width : 1;
  const more = grows ? Math.min(HIGHER, wider) : rows === 2 && across === 2 && wider > 1 ? SQUARE : 1;
  const column = rows === 1 && window.innerWidth > PHONES && window.innerWidth <= COLUMNS;
  if (more > 1.02)
    return { ...layout, height: more * layout.height, meta: { ...layout.meta, framed: { ...layout.meta.framed, height: more * height } } };
  const most = column ? Math.max(LEAST_TALL, TALL * window.innerHeight) : Infinity;
  const fits = Math.min(most, height * Math.min(1, node.parentElement.clientWidth / width));
  const less = rows * (height - Math.max(Math.min(LOWEST, height), fits));
  if (!(less > 8) || layout.xaxis) return layout;
  const framed = { ...layout.meta.framed, height: height - less / rows };
  return { ...layout, height: layout.height - less, meta: { ...layout.meta, framed } };
}

// As ``room_for_ticks`` in ``figures/scene.py``, and a little more: nobody chose how wide this page is.
const forTicksOf = (pixels) => Math.pow(Math.max(1, 320 / pixels), 0.6);

// A scene that is narrower than it was planned is seen from further away, as by ``away`` in ``figures/scene.py``; one that
// has a page's width, and not that of a column, comes nearer, by less: it is no higher.
function steppedBack(node, given) {
  const layout = given.meta?.framed?.width ? lowered(node, given) : given;
  const planned = layout.meta?.framed;
  if (!planned || !node.parentElement.clientWidth) return layout;
  const across = node.parentElement.clientWidth / (planned.across ?? 1);
  const forTicks = planned.width ? Math.max(1, forTicksOf(across) / forTicksOf(planned.width / planned.across)) : 1;
  const further = (forTicks * Math.max(1, Math.pow(across / planned.height, -1.4))) / planned.away;
  const far = Math.max(further, window.innerWidth <= COLUMNS ? Math.sqrt(further) : 1);
  if (Math.abs(far - 1) < 0.02) return layout;
  const { camera } = layout.scene;
  const eye = Object.fromEntries(Object.entries(camera.eye).map(([axis, value]) => [axis, far * value]));
  return withCamera(layout, { ...camera, eye });
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

// One object for the node's whole life: plotly compares it with the last one, the click handler too, and where they differ
// it draws everything anew.
function config(Plotly, node) {
  return (node.ltw.config ??= {
    responsive: true,
    displaylogo: false,
    showSendToCloud: false, // plotly's "Share chart…" would send a reader's data to a server of plotly's
    scrollZoom: false,
    plotGlPixelRatio: pixelRatio(),
    modeBarButtonsToRemove: [
      "toImage", "select2d", "lasso2d", "zoom2d", "pan2d", "autoScale2d", "resetCameraLastSave3d", "hoverClosest3d",
    ],
    modeBarButtonsToAdd: [{
      name: "Download", title: "Download as PNG (with Shift: SVG)", icon: Plotly.Icons.camera,
      click: (gd, { shiftKey }) => Plotly.downloadImage(gd, { ...(shiftKey ? { format: "svg" } : { format: "png", scale: 2 }), filename: node.ltw.name }),
    }, {
      name: "Copy link", title: "Copy link to this view", icon: LINK, click: copyLink,
    }],
  });
}

async function draw(Plotly, node) {
  const state = node.ltw;
  if (state.listening && !node.offsetWidth) { state.stale = true; return; } // out of sight: its observer draws it
  const wait = (state.restUntil ?? 0) - performance.now();
  if (wait > 0) state.later ??= setTimeout(() => { state.later = null; if (node.ltw === state && state.stale) draw(Plotly, node); }, wait);
  const awaited = state.listening && shared.replay?.waits.has(state.name); // what was drawn last stays
  if (state.held || state.drawing || awaited || wait > 0) { state.stale = true; return; }
  state.drawing = true;
  state.stale = false;
  const began = performance.now();
  try {
    const { data, layout } = figureOf(node);
    const told = shared.told.get(state.name);
    fit(node, layout);
    freshBars(node, isNarrow(node));
    await Plotly.react(node, withLines(data, layout, state.often), { ...keepCamera(node, layout), autosize: true }, config(Plotly, node));
    resetToNow(node, layout);
    hideMarks(node);
    keepNamesApart(node);
    state.told = told;
    tell(node);
    liftToolbar(node);
    if (shared.replay?.figure === state.name) shared.replay.drawn(); // under it
    else endGlide(node);
    Object.assign(state, { revision: layout.uirevision, first: firstDistance(layout), camera: layout.scene?.camera });
    sayTurned(node);
    node.dataset.draws = (state.draws += 1);
  } finally { state.drawing = false; }
  const took = performance.now() - began;
  node.dataset.took = Math.round(took);
  // what changes by itself leaves a machine that draws slowly half of its time for clicks
  if (state.often) state.restUntil = performance.now() + Math.min(2000, took);
  if (state.stale && !state.held) draw(Plotly, node);
}

function sayFailed(node, error) {
  node.textContent = "The chart could not be drawn: " + error.message;
}

// What is not 3D is drawn in a fraction of the time of what is, and before it.
const IN_3D = 10; // milliseconds

function drawSoon(Plotly, node) {
  const state = node.ltw;
  const drawNow = () => {
    state.soon = null;
    if (node.ltw === state) draw(Plotly, node).catch((error) => sayFailed(node, error));
  };
  if (sceneNames(node).length) state.soon ??= setTimeout(drawNow, IN_3D);
  else drawNow();
}

// What is said of a point that was just marked would cover its name: it comes again when the pointer has moved on.
const MOVED_ON = 12; // pixels

function hideHover(node, at) {
  if (!node.ltw.picks || !window.matchMedia("(hover: hover)").matches) return;
  node.ltw.marked?.abort();
  const moves = (node.ltw.marked = new AbortController());
  node.classList.add("marked");
  node.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - at.clientX, event.clientY - at.clientY) < MOVED_ON) return;
    node.classList.remove("marked");
    moves.abort();
  }, moves);
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
  node.addEventListener("keydown", (event) => moveByKey(Plotly, node, event));
  node.addEventListener("dblclick", (event) => { if (!event.target.closest(".modebar")) home(node); });
  node.on("plotly_relayouting", (event) => turnTogether(node, event));
  node.on("plotly_relayout", (event) => turnAll(Plotly, node, event));
  node.addEventListener("touchmove", byFinger(node, (event) => turnTogether(node, event)));
  node.addEventListener("touchend", byFinger(node, (event) => turnAll(Plotly, node, event)));
  node.on("plotly_click", (event) => {
    const point = event.points && event.points[0];
    if (!point) return;
    const custom = Array.isArray(point.customdata) ? point.customdata[0] : point.customdata;
    const id = typeof custom === "string" ? custom : null;
    const text = typeof point.text === "string" ? point.text : null;
    if (id !== null || text !== null) state.pick({ id, text, trace: point.data.name ?? null });
    if ((id ?? text) !== null && event.event.clientX) hideHover(node, event.event);
  });
  let narrow = isNarrow(node);
  let width = node.offsetWidth;
  const observer = new ResizeObserver(() => {
    if (!node.offsetWidth || !node._fullLayout || (node.offsetWidth === width && !state.stale)) return;
    width = node.offsetWidth;
    if (narrow === isNarrow(node) && !state.stale) return void Plotly.Plots.resize(node);
    narrow = isNarrow(node);
    draw(Plotly, node);
  });
  observer.observe(node.parentElement);
  const keepScroll = letScroll(node);
  state.stop = () => {
    observer.disconnect();
    keepScroll();
    window.removeEventListener("pointerup", release, true);
    window.removeEventListener("pointercancel", release, true);
  };
}

// What is said about the figure, the figure, and its narrow layout, in one message of bytes.
function unpack(bytes) {
  const [about, figure, narrow] = new TextDecoder().decode(bytes).split("\0");
  return { ...JSON.parse(about), figure, narrow };
}

export default function (component) {
  const { parentElement, setTriggerValue } = component;
  const data = unpack(component.data);
  const [node, changed] = nodeFor(parentElement, data.name, data.figure + data.narrow);
  const fresh = !node.ltw;
  if (fresh) node.ltw = { held: false, drawing: false, stale: false, draws: 0, text: null, page: window.location.pathname };
  const state = node.ltw;
  Object.assign(state, { name: data.name, often: data.often, alt: data.alt, picks: data.picks });
  if (!data.often) state.restUntil = 0; // the last picture waits for nothing
  state.pick = (value) => setTriggerValue("picked", value);
  shared.nodes.set(data.name, node);
  node.ltwCaption = () => caption(node);
  if (state.text !== data.figure + data.narrow) {
    if (!fresh) { // they were of the figure before
      for (const of of [shared.patches, shared.alts, shared.told]) of.delete(data.name);
      state.told = null;
    }
    state.text = data.figure + data.narrow;
    state.figure = JSON.parse(data.figure);
    state.narrow = data.narrow ? JSON.parse(data.narrow) : null;
    const shown = figureOf(node);
    fit(node, shown.layout);
    letKeysIn(node, shown.layout);
    window.__ltwLibrary(data.library)
      .then(async (Plotly) => {
        if (node.ltw !== state) return; // the page was left
        if (state.listening) return void drawSoon(Plotly, node);
        const patch = shared.patches.get(state.name); // what comes while it is drawn is drawn next
        await draw(Plotly, node);
        if (!state.listening) { state.listening = true; listen(Plotly, node); }
        node.ltwDraw = () => drawSoon(Plotly, node);
        node.ltwGlide = (traces) => {
          if (!traces) return endGlide(node);
          const { data: shown, layout } = figureOf(node);
          glide(node, shown.map((trace, n) => (traces[n] ? { ...trace, ...traces[n] } : trace)), layout);
        };
        if (shared.patches.get(state.name) !== patch) node.ltwDraw();
      })
      .catch((error) => sayFailed(node, error));
  }
  if (changed) drawSoon(window.Plotly, node);
  caption(node);
  return () => {
    if (parentElement.isConnected) return; // that of a call which another has followed: the figure stands
    leaveCamera(node);
    state.patch = shared.patches.get(state.name);
    if (shared.nodes.get(state.name) === node) for (const of of [shared.nodes, shared.patches, shared.alts, shared.told]) of.delete(state.name);
    if (!setAside(node)) throwAway(node);
  };
}
