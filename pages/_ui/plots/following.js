// Surfaces that follow a slider's thumb: Streamlit tells the server where it is when it rests. A hand near a slider has
// the server send the surfaces at all its places; then each place that the thumb passes is shown at once.
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const HEX = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, "0"));

async function unpack(sweep) {
  const stream = new Blob([bytes(sweep.packed)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  return { ...sweep, all, lut: bytes(sweep.lut), dark: bytes(sweep.dark), veil: bytes(sweep.veil) };
}

// What of the figure's traces is otherwise at a place.
function tracesAt(sweep, k, data) {
  const { all, panels, places, points, veil, lut, dark, faded } = sweep;
  const size = veil.length;
  const heights = (values, lift) => Float32Array.from(values, (v) => sweep.low + ((sweep.high - sweep.low) * v) / 255 + lift);
  const traces = {};
  const row = points.reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (let p = 0; p < panels; p += 1) {
    const scene = p ? `scene${p + 1}` : "scene";
    const sheet = all.subarray((k * panels + p) * size, (k * panels + p + 1) * size);
    const mesh = data.findIndex((trace) => trace.type === "mesh3d" && trace.scene === scene);
    if (mesh >= 0) {
      const vertexcolor = Array.from(sheet, (v, n) => {
        const fade = veil[n] / 255;
        return "#" + [0, 1, 2].map((c) => HEX[Math.round(lut[3 * v + c] * (1 - fade) + faded[c] * fade)]).join("");
      });
      traces[mesh] = { z: heights(sheet, 0), vertexcolor };
    }
    const terms = data.findIndex((trace) => trace.name === "terms" && trace.scene === scene);
    if (terms >= 0 && points.length) {
      const from = places * panels * size + k * row + before;
      const at = all.subarray(from, from + points[p]);
      traces[terms] = { z: heights(at, sweep.lift), marker: { ...data[terms].marker, color: Uint8Array.from(at, (v) => dark[v]) } };
      before += points[p];
    }
  }
  return traces;
}

const DRAWN = 10_000; // milliseconds that a figure has to be drawn in before its replay is given up

// A line through curves over steps where a step is, in each of their panels, and a veil over what comes after it; without a
// step they are removed. Meanwhile the F1 above them is the step's.
const LAST = /^( *(?:line: |of )the network:? )[^;]+/;

function mark(curves, step, f1) {
  curves?.querySelectorAll(".ltw-now").forEach((line) => line.remove());
  const words = [...(curves?.querySelectorAll(".annotation-text tspan") ?? [])].find((word) => LAST.test(word.textContent));
  if (words) words.textContent = step === undefined ? words.ltwLast ?? words.textContent : (words.ltwLast ??= words.textContent).replace(LAST, `$1${f1}`);
  const layout = curves?._fullLayout, at = Math.min(layout?.xaxis?.d2p?.(step), layout?.xaxis?._length); // the training's axis may end before
  if (!Number.isFinite(at)) return; // on a logarithmic axis there is no step 0
  for (const panel of [layout.yaxis, layout.yaxis2].filter(Boolean)) {
    const line = Object.assign(document.createElement("i"), { className: "ltw-now" });
    const { _offset: left, _length: width } = layout.xaxis;
    Object.assign(line.style, { left: `${left + at}px`, width: `${width - at + 2}px`, top: `${panel._offset}px`, height: `${panel._length}px` });
    curves.append(line);
  }
}

// The slider of steps shows the one that is seen (`live_view.css`).
function slide(step) {
  const slider = document.querySelector(".st-key-scrubber");
  const most = slider?.querySelector("input")?.max;
  slider?.style.setProperty("--at", `${(100 * step) / most}%`);
  slider?.style.setProperty("--step", `"${step.toLocaleString("en")}"`);
}

// What stands beside a surface's name: "learned", or during a training and its replay the step.
const MOMENTS = /^(learned|before training|step [\d,]+( · wire: step 0)?)( · drawing step [\d,]+)?$/;

function named(node, moment, moments = MOMENTS) {
  const words = node?.ltwMoment?.isConnected ? node.ltwMoment : [...(node?.querySelectorAll(".annotation-text tspan") ?? [])].find((word) => moments.test(word.textContent));
  if (!words) return;
  node.ltwMoment = moment ? words : null;
  words.textContent = moment || "learned";
}

// What is said while a training is played back, by where: one time on the whole page. Its controls give way to the one that
// ends it, which any click does.
const SAYS = ".st-key-head .st-key-lead, .st-key-head .st-key-trained, .st-key-status, .st-key-scrubber, .st-key-transport, .st-key-numbers, .st-key-nearest, .st-key-strongest, .st-key-bar .st-key-actions";

function says(place, { lead, said, steps, course, curves, f1 }, k) {
  if (place.closest(".st-key-head")) return lead;
  if (place.matches(".st-key-transport")) return ""; // what can be taken away
  if (place.matches(".st-key-nearest")) return "Nearest formula: known at the end";
  if (place.matches(".st-key-strongest")) return steps ? `Pale: at step ${steps.at(-1).toLocaleString("en")}, the one that is kept` : "Pale: at the step that is kept";
  if (!place.matches(".st-key-numbers")) return said[k];
  const below = f1[k] !== null && f1[k] < shared.nodes.get(curves)?._fullLayout?.yaxis2?.range[0];
  return course[k] + (below ? " (below the axis)" : "");
}

// Before its first place is seen, and where nothing is played back, the numbers are those of the curves, which stay, too.
const WAITS = "Drawing the surface that was learned…";

function waits(place, sent, numbers) {
  if (place.matches(".st-key-status")) return WAITS;
  if (place.matches(".st-key-numbers")) return numbers;
  return place.matches(".st-key-scrubber") ? "" : says(place, { ...sent, said: [""] }, 0);
}

// Whether what was learned stands in the picture, and no longer a step of its training.
const OF_TRAINING = /before training|step [\d,]+/;

const isBusy = (node) => Boolean(node?.ltw && (node.ltw.stale || node.ltw.drawing || node.ltw.soon));

function isDrawn(node, since) {
  const { ltw, dataset, _fullLayout } = node;
  if (ltw.often || isBusy(node) || Number(dataset.draws) <= since) return false;
  return !(_fullLayout?.annotations ?? []).some(({ text }) => OF_TRAINING.test(text));
}

// The end of a training is told with its surface and not before, for as long as that may take to be drawn.
const LET_GO = 6_000; // milliseconds

// While a training goes on its numbers are those of its curves. The first that is told of its end may come in one go with what
// holds it back, and be seen first: from then on it is held back until the server says what is played back.
const ENDED = "a training that was followed";

const GOES_ON = /^Training |is paused/;

function holdBack(figure) {
  const state = window.__ltwFollowing;
  const sentence = () => document.querySelector(".st-key-head .st-key-lead")?.textContent, first = sentence();
  // the page's sentence may come first; while a training goes on another one is seen in its place, or it says so
  const ends = (said) => said && said !== first && !GOES_ON.test(said) && !document.querySelector(".st-key-trained");
  let goes = false;
  state.end?.disconnect();
  state.end = new MutationObserver(() => {
    const numbers = document.querySelector(".st-key-numbers"), told = numbers?.querySelector(".ltw-told");
    if (!ends(sentence()) && (told || (numbers && !goes))) { goes = Boolean(told); return; }
    state.end.disconnect();
    if (!numbers || state.replay) return;
    replay({ figure, of: ENDED, curves: "live_curves", lead: "Training has ended. Its test F1 and its nearest formula follow." }, { aborted: false });
  });
  state.end.observe(document.body, { childList: true, subtree: true });
}

// The places one after the other, once, by the clock; until anything is clicked or a key is pressed. The sentences, the
// picture's name, the slider and the curves have the step that is shown; while the places are still on their way, what was
// drawn last of the training stays (`plot.js`). Its end is drawn below the last place. Without places, and where reduced
// motion is wanted, the sentences wait for the surface alone.
async function replay(sent, signal) {
  const { figure, replay: milliseconds, sweep, steps, curves } = sent;
  const plays = steps && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const skip = Object.assign(document.createElement("button"), { type: "button", className: "ltw-skip", textContent: "Skip to the end" });
  const node = () => shared.nodes.get(figure), before = window.__ltwFollowing.replay;
  const own = before && !before.off && [sent.of, ENDED].includes(before.of) ? { ...before, of: sent.of } : {
    of: sent.of, since: Number(node()?.dataset.draws ?? 0), numbers: shared.nodes.get(curves)?.ltw?.told?.join("") || "Trained",
  };
  let at = -1; // the place that is seen
  const say = () => {
    if (others()) return;
    document.querySelectorAll(SAYS).forEach((place) => { place.dataset.replays = at < 0 ? waits(place, sent, own.numbers) : says(place, sent, at); });
    if (at >= 0) slide(steps[at]);
    const actions = document.querySelector(".st-key-bar .st-key-actions");
    if (plays && !end.signal.aborted && skip.parentElement !== actions) actions?.append(skip);
  };
  const hush = () => {
    document.querySelectorAll("[data-replays]").forEach(({ dataset }) => delete dataset.replays);
  };
  const f1Of = (k) => sent.course[k].split(" ").pop();
  const name = (k) => named(node(), `step ${steps[k].toLocaleString("en")}`);
  window.__ltwFollowing.replay = own; // another one that begins clears up itself
  const end = new AbortController();
  // before anything that keeps an event to itself; a finger on the button ends it when it lifts, lest what comes in the
  // button's place be clicked
  const ends = { signal: end.signal, capture: true };
  for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, (event) => event.target !== skip && end.abort(), ends);
  skip.addEventListener("click", () => end.abort());
  const others = () => own.off || window.__ltwFollowing.replay !== own; // another one, or another training, has begun
  const over = () => signal.aborted || end.signal.aborted || others();
  const frame = () => new Promise((resolve) => setTimeout(resolve, 33));
  const anew = new MutationObserver(say); // a sentence that comes anew is not seen before it is said what stands there
  try {
    document.querySelector(".ltw-skip")?.remove(); // of what was held back until now
    say();
    anew.observe(document.body, { childList: true, subtree: true });
    const glideTo = (k) => node().ltwGlide(tracesAt(ready, k, node().ltw.figure.data));
    const begin = () => { // all of the first place is seen at once; its names at its heights
      glideTo((at = 0));
      say();
      name(0);
      shared.replay.waits.delete(curves);
      shared.nodes.get(curves)?.ltwDraw?.();
      mark(shared.nodes.get(curves), steps[0], f1Of(0));
    };
    shared.replay = { figure: plays && figure, waits: new Set(plays ? [figure, curves] : [curves]), drawn: () => (at >= 0 ? name(at) : node().ltw.place && begin()) };
    const ready = plays && sweep && (await unpack(sweep)), asked = performance.now();
    while (plays && !over() && !(ready && node()?.ltwGlide && node()._fullLayout?.scene)) {
      if (performance.now() - asked > DRAWN) return;
      await frame();
    }
    while (plays && !over() && node()?.ltw.drawing) await frame();
    if (plays && !over() && node()?.ltwGlide) { // the first place is drawn with the axes and the key of the end
      node().ltw.place = tracesAt(ready, 0, node().ltw.figure.data);
      shared.replay.waits.delete(figure);
      node().ltwDraw();
      while (!over() && (at < 0 || isBusy(shared.nodes.get(curves))) && performance.now() - asked < DRAWN) await frame();
    }
    for (const began = performance.now(); at >= 0 && !over(); await frame()) {
      const k = Math.floor(((performance.now() - began) / milliseconds) * ready.places);
      if (k >= ready.places || !node()?.ltwGlide) break;
      glideTo((at = k));
      say();
      name(k);
      mark(shared.nodes.get(curves), steps[k], f1Of(k));
    }
  } finally {
    end.abort();
    skip.remove();
    const last = node();
    if (last?.ltw?.place) { // under what is seen of it
      delete last.ltw.place;
      own.since = Number(last.dataset.draws);
      last.ltwDraw?.();
    }
    if (!others()) {
      if (shared.replay.waits.delete(figure) && node()?.ltw.stale) node().ltwDraw?.();
      for (const from = performance.now(); !others() && node() && !isDrawn(node(), own.since) && performance.now() - from < LET_GO; ) await frame();
    }
    anew.disconnect();
    if (window.__ltwFollowing.replay === own) {
      window.__ltwFollowing.replayed = sent.of; // what is told already is not held back again
      window.__ltwFollowing.replay = null;
      shared.replay = null;
      hush();
      named(node());
      mark(shared.nodes.get(curves));
      node()?.ltwGlide?.(null);
      for (const late of [node(), shared.nodes.get(curves)]) if (late?.ltw?.stale) late.ltwDraw?.();
    }
  }
}

export default function (component) {
  const { data, setTriggerValue } = component;
  const state = (window.__ltwFollowing ??= { stops: {} });
  const sent = JSON.parse(new TextDecoder().decode(data));
  if (sent.replay === 0) return; // it is loaded
  const name = sent.figure + (sent.replay ? ` ${sent.sweep ? "replay" : "held"}` : "");
  if (sent.replay && !sent.of) { // a training goes on
    if (state.replay) state.replay.off = true;
    holdBack(sent.figure);
    // until it is drawn
    const before = shared.nodes.get(sent.figure);
    named(before, "previous training", /^learned$/);
    return () => before?.ltwMoment?.textContent === "previous training" && named(before);
  }
  if (sent.replay) state.end?.disconnect();
  if (sent.replay && state.replayed === sent.of) return () => state.stops[name]?.abort(); // it runs, or has run
  state.stops[name]?.abort(); // Streamlit calls this again for new data, and ends only what it called last
  const stop = (state.stops[name] = new AbortController());
  const wake = (event) => {
    const slider = sent.sliders.find((key) => event.target.closest?.(`.st-key-${key}`));
    if (slider && (state.asked !== sent.of + slider)) {
      state.asked = sent.of + slider;
      setTriggerValue("wanted", slider);
    }
  };
  for (const name of ["pointerover", "pointerdown", "focusin"]) document.addEventListener(name, wake, { signal: stop.signal });
  if (sent.replay) {
    if (sent.sweep) state.replayed = sent.of;
    replay(sent, stop.signal);
  } else if (sent.sweep) {
    const ready = unpack(sent.sweep);
    const input = document.querySelector(`.st-key-${sent.slider} input[type=range]`);
    const show = async () => {
      const sweep = await ready;
      const node = shared.nodes.get(sent.figure);
      if (stop.signal.aborted || !node?.ltwGlide || !node._fullLayout?.scene) return;
      const k = Number(input.value);
      if (k >= sweep.places) return;
      node.ltwGlide(k === first ? null : tracesAt(sweep, k, node.ltw.figure.data));
    };
    const first = Number(input?.value);
    let asked = 0;
    const observer = new MutationObserver(() => { asked ||= requestAnimationFrame(() => { asked = 0; show(); }); });
    if (input) observer.observe(input, { attributes: true, attributeFilter: ["aria-valuetext"] });
    stop.signal.addEventListener("abort", () => observer.disconnect());
  }
  return () => stop.abort();
}
