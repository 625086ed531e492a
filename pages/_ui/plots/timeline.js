// Moves the figures of a training through its snapshots, in the browser: a slider, a button that plays, and what the
// step, loss and F1 were. The figures are plot.js's; each keeps its node, and with it the camera.
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const numbers = (text) => new Uint16Array(bytes(text).buffer);
const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));
const FILM = 5000; // milliseconds from the first step to the one that was kept

function unpack(surface) {
  const unpacked = { ...surface, points: numbers(surface.points), labels: numbers(surface.labels) };
  if (surface.z) Object.assign(unpacked, { z: numbers(surface.z), veil: bytes(surface.veil), lut: bytes(surface.lut), dark: bytes(surface.dark) });
  return unpacked;
}

const part = (all, k, count) => all.subarray((k * all.length) / count, ((k + 1) * all.length) / count);

function heights(values, surface, lift) {
  const out = new Float32Array(values.length);
  const unit = (surface.high - surface.low) / 65535;
  for (let i = 0; i < values.length; i++) out[i] = surface.low + unit * values[i] + lift;
  return out;
}

function colours(values, surface) {
  const { lut, veil, faded } = surface;
  const out = new Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const at = 3 * (values[i] >> 8);
    const v = veil[i] / 255;
    let text = "#";
    for (let c = 0; c < 3; c++) text += HEX[Math.round(lut[at + c] * (1 - v) + faded[c] * v)];
    out[i] = text;
  }
  return out;
}

function surfacePatch(surface, k, { data, layout }) {
  const traces = {};
  const at = surface.traces;
  if (surface.z) {
    const sheet = part(surface.z, k, surface.frames);
    traces[at[surface.surface]] = { z: heights(sheet, surface, 0), vertexcolor: colours(sheet, surface) };
  }
  const values = part(surface.points, k, surface.frames);
  const points = heights(values, surface, surface.lift);
  // points are light where the surface under them is dark; without a surface they are coloured by their weight
  const color = surface.z ? Uint8Array.from(values, (value) => surface.dark[value >> 8]) : points;
  traces[at.terms] = { z: points, marker: { ...data[at.terms].marker, color } };
  let scene = null;
  if (surface.labels.length && layout.scene.annotations) {
    const labels = heights(part(surface.labels, k, surface.frames), surface, surface.lift);
    scene = { ...layout.scene, annotations: layout.scene.annotations.map((note, i) => ({ ...note, z: labels[i] })) };
  }
  return { text: "frame " + k, traces, layout: scene ? { scene } : null, moved: true };
}

export default function (component) {
  const { parentElement, data } = component;
  const root = parentElement.querySelector(".ltw-timeline");
  const button = root.querySelector("button");
  const slider = root.querySelector("input");
  const label = root.querySelector("output");
  const state = (root.ltw ??= { playing: null, at: null, key: null });
  const { names, steps, loss, f1, best } = data;
  const last = steps.length - 1;
  const surface = unpack(JSON.parse(data.surface));
  const bars = JSON.parse(data.bars);
  if (state.key !== data.key) Object.assign(state, { key: data.key, at: data.start });
  slider.max = last;
  tell(Math.min(state.at, last)); // while the figures are put up

  async function send(name, patch) {
    const node = shared.nodes.get(name);
    shared.patches.set(name, patch);
    if (patch.alt) shared.alts.set(name, patch.alt);
    node?.ltwCaption?.();
    if (node && node.ltwDraw) await node.ltwDraw();
  }

  function tell(k) {
    slider.value = k;
    const number = (value) => (value === null ? "–" : value.toFixed(3).replace(/^0\./, "."));
    label.textContent = (steps[k] === best ? "kept: " : "") + `step ${steps[k].toLocaleString("en")} · loss ${number(loss[k])} · validation F1 ${number(f1[k])}`;
    slider.setAttribute("aria-valuetext", label.textContent);
  }

  function show(k) {
    state.at = k;
    tell(k);
    root.dataset.step = steps[k];
    const drawn = shared.nodes.get(names.surface)?.ltw?.figure;
    const now = {};
    now[data.now[0]] = { x: [steps[k]], y: [loss[k]] };
    now[data.now[1]] = { x: [steps[k]], y: [f1[k]] };
    shared.told.set(names.bars, [data.alts.told[k]]);
    return Promise.all([
      drawn && send(names.surface, { ...surfacePatch(surface, k, drawn), alt: data.alts.surface[k] }),
      send(names.curves, { text: "frame " + k, traces: now, layout: null }),
      send(names.bars, { text: "frame " + k, traces: { 0: bars[k] }, layout: null, alt: data.alts.bars[k] }),
    ]);
  }

  function stop() {
    state.playing = null;
    button.dataset.icon = "play_arrow";
    button.textContent = "Play";
  }

  async function play() {
    const mine = (state.playing = {});
    button.dataset.icon = "pause";
    button.textContent = "Pause";
    const kept = data.start; // where the training was best: what came later was thrown away
    const from = state.at >= kept ? 0 : state.at;
    const began = performance.now();
    while (state.playing === mine) { // by the clock: a slow machine leaves snapshots out
      const share = (performance.now() - began) / FILM;
      const k = Math.min(kept, from + Math.floor(share * kept));
      if (k !== state.at || k === from) await show(k);
      if (k === kept) break;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    if (state.playing === mine) stop();
  }

  button.onclick = () => (state.playing ? stop() : play());
  slider.oninput = () => { stop(); show(Number(slider.value)); };
  const ready = () => [names.surface, names.curves, names.bars].every((name) => shared.nodes.get(name)?.ltwDraw);
  const waiting = setInterval(() => { if (ready()) { clearInterval(waiting); show(Math.min(state.at, last)); } }, 60);
  return () => { clearInterval(waiting); stop(); };
}
