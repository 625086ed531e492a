// One surface that turns once and changes from weighting to weighting, and beside it a document whose words have the
// colours that the surface has at their terms. Drawn on a plain canvas (`raster.js`): nothing to load, and a click is
// answered by the next frame. Left out: hovering over points, and exports.
const ONCE = 4500; // milliseconds of the one turn
const BACK = 600; // of its end before its time
const FADE = 250; // in which all that is read comes, once it rests
const PHONE = 500; // pixels of a page
const MORPH = 700; // of a change of weighting
const PACE = 33; // at most so many milliseconds a frame are waited for
const ENOUGH = 0.38; // of a surface is seen from where the camera stands, or it is raised
const RISE = 0.22; // radians by which the camera rises on its way round, or it would pass some surfaces edge-on: no more than for TFIDF at rest
const BEHIND = 0.15; // so far behind the surface a term is hidden by it, and so is its name
const MOST_RAISED = 0.6; // radians
const ROUND = Array.from({ length: 12 }, (_, n) => (n * Math.PI) / 6);
const APART = 21; // pixels between names one above the other
const HIGH = 1.8; // times as high is the box on a canvas that is higher than wide
const SIDE = 26; // pixels at the left of the box, in which its heights have their numbers
const NEGATIVE = 0.15; // of the colour key at least is for what lies below 0, so that it is seen
const NUMBER = 16; // pixels between a name and an axis's number above or below it
const LOWEST = 200; // pixels of a canvas on which numbers take more of the height
const PINNED = 56; // pixels from the top of the page at which the surface stays (`turntable.css`)
const raw = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const HEX = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, "0"));
const eased = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);
const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const part = (all, k, count) => all.subarray((k * all.length) / count, ((k + 1) * all.length) / count);

// What the server sent, unpacked once.
function read(sent) {
  const { figure, frames } = sent;
  const two = (text) => new Uint16Array(raw(text).buffer);
  const of = (trace) => figure.data[frames.traces[trace]];
  const z = two(frames.z);
  const floors = floorsOf(frames, z);
  const stage = {
    ...sent, layout: figure.layout, floors, mesh: of(frames.surface), levels: of(`${frames.surface} levels`), points: of("terms"),
    z, at: two(frames.points), veil: raw(frames.veil), lut: raw(frames.lut), dark: raw(frames.dark),
  };
  return { ...stage, raised: floors.map((_, k) => raisedFor(stage, k)) };
}

// By how much the camera is raised for a weighting: one that falls away from the reader would be seen edge-on, as IDF.
function raisedFor(stage, k) {
  const { place } = scenesOf({ data: [], layout: standing(stage, k, k, 0) })[0];
  const { low, high } = stage.frames, heights = Float32Array.from(part(stage.z, k, stage.frames.frames), (v) => low + ((high - low) / 65535) * v);
  const [x, y, z] = [place(stage.mesh.x, 0), place(stage.mesh.y, 1), place(heights, 2)];
  const corners = ["i", "j", "k"].map((name) => numbers(stage.mesh[name]));
  const faces = Array.from(corners[0], (_, t) => {
    const [a, b, c] = corners.map((of) => [x[of[t]], y[of[t]], z[of[t]]]);
    const across = cross(minus(b, a), minus(c, a));
    return across[2] < 0 ? across.map((v) => -v) : across;
  });
  const floor = faces.reduce((sum, face) => sum + face[2], 0);
  const shown = (by) => { // what is seen of its upper side, as a share of the floor seen from above
    const { eye } = turned(stage.layout.scene.camera, 0, by);
    const towards = unit([eye.x, eye.y, eye.z]);
    return faces.reduce((sum, face) => sum + Math.max(0, dot(face, towards)), 0) / floor;
  };
  let by = 0;
  while (by < MOST_RAISED && shown(by) < ENOUGH) by += 0.05;
  return by;
}

// A number of the two weightings that a change is between, as far as it has come.
function between({ from, to, share }, of) {
  const [a, b] = [from, to].map(of);
  return a + eased(share) * (b - a);
}

// On its way round the camera rises early and comes down late.
const raisedNow = (state, azimuth = azimuthOf(state.camera) - azimuthOf(state.first)) =>
  between(state, (k) => state.stage.raised[k]) + RISE * (1 - Math.cos(azimuth / 2) ** 4);

// Where the axis of heights begins for each weighting: at 0 where nothing to speak of lies below it.
function floorsOf({ low, high, frames }, z) {
  const unit = (high - low) / 65535;
  return Array.from({ length: frames }, (_, k) => {
    const lowest = part(z, k, frames).reduce((a, b) => Math.min(a, b), 65535);
    return low + unit * lowest < -0.02 * (high - low) ? low : 0;
  });
}

function standing(stage, from, to, share) {
  const { floors, layout, frames } = stage;
  const floor = floors[from] + share * (floors[to] - floors[from]);
  const { zaxis } = layout.scene;
  const span = frames.high - floor;
  const ticks = zaxis.tickvals.filter((tick) => tick > floor + 0.08 * span);
  const range = [floor - 0.01 * span, frames.high + 0.02 * span];
  return { ...layout, scene: { ...layout.scene, zaxis: { ...zaxis, range, tickvals: ticks } } };
}

// The figure between two weightings: `share` of the way from one to the other.
function staged(stage, from, to, share, small) {
  const { frames, lut, veil, dark } = stage;
  const [low, unit] = [frames.low, (frames.high - frames.low) / 65535];
  const mixed = (all) => {
    const [a, b] = [part(all, from, frames.frames), part(all, to, frames.frames)];
    return Float32Array.from(a, (value, n) => value + share * (b[n] - value));
  };
  const [sheet, at] = [mixed(stage.z), mixed(stage.at)];
  const vertexcolor = Array.from(sheet, (value, n) => {
    const place = 3 * (value >> 8), v = veil[n] / 255;
    return "#" + [0, 1, 2].map((c) => HEX[Math.round(lut[place + c] * (1 - v) + frames.faded[c] * v)]).join("");
  });
  const heights = (values, lift) => Array.from(values, (value) => low + unit * value + lift);
  const points = small ? forNarrow(stage.points) : stage.points;
  const data = [
    { ...stage.mesh, z: heights(sheet, 0), vertexcolor },
    stage.levels,
    { ...points, z: heights(at, frames.lift), marker: { ...points.marker, color: Array.from(at, (value) => dark[value >> 8]) } },
  ];
  return scenesOf({ data, layout: standing(stage, from, to, share) })[0];
}

const namesOf = (text) => text.replace(/ \+[\d,]+$/, "").split(", ");

function haloed(context, text, x, y, colour, paper) {
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = paper;
  context.strokeText(text, x, y);
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

// Whether a leader runs through a name.
const runsThrough = ([[x, y], [toX, toY]], name) => Array.from({ length: 9 }, (_, n) => n / 8).some((at) =>
  Math.abs(x + at * (toX - x) - name.x) < name.half && Math.abs(y + at * (toY - y) - (name.top - 8)) < 9);

// Names with leaders, one above the other where they would run into each other, below their points where there is no
// room above; none leaves the figure, and one that finds no room is left out, but the marked one.
function label(context, named, written, ink, width, told) {
  const taken = [];
  context.font = ink.font(TICK);
  const marks = [ // no name runs through the marked point, or lies on an axis's number
    ...named.filter(({ bold }) => bold).map(({ x, y }) => ({ x, top: y + 8, half: 9, apart: APART })),
    ...written.map(([text, x, y]) => ({ x, top: y + 8, half: context.measureText(text).width / 2, apart: NUMBER })),
  ];
  context.textAlign = "center";
  context.textBaseline = "bottom";
  const font = ({ bold }) => ink.font(bold ? 14 : 13, true);
  // the marked one, then the lowest, so that leaders do not cross
  for (const one of [...named].sort((a, b) => Boolean(b.bold) - Boolean(a.bold) || b.y - a.y)) {
    const { text, y, colour, bold } = one;
    context.font = font(one);
    const half = context.measureText(text).width / 2 + 3;
    const inside = (x) => Math.max(half, Math.min(width - half, x));
    const leader = (x, top) => [[one.x, top < y ? y - 2 : y + 2], [Math.max(x - half + 6, Math.min(x + half - 6, one.x)), top < y ? top + 1 : top - 16]];
    const free = (x, top) => ![...taken, ...marks].some((other) => Math.abs(other.x - x) < other.half + half + 4 && Math.abs(other.top - top) < (other.apart ?? APART))
      && !taken.some((other) => runsThrough(leader(x, top), other) || runsThrough(other.leader, { x, top, half }));
    // over its point, or beside a name that is there
    const aside = taken.filter((other) => Math.abs(other.x - one.x) < other.half + half).flatMap((other) => [-1, 1].map((way) => inside(other.x + way * (other.half + half + 5))));
    const xs = [inside(one.x), ...aside.sort((a, b) => Math.abs(a - one.x) - Math.abs(b - one.x))];
    const tops = Array.from({ length: 9 }, (_, n) => y - 20 - 18 * n).filter((top) => top >= 18);
    const places = [...tops, ...Array.from({ length: 9 }, (_, n) => Math.max(18, y + 26) + 18 * n)].flatMap((top) => xs.map((x) => [x, top]));
    const found = places.find((at) => free(...at)) ?? (bold ? [xs[0], 18] : null);
    if (!found) continue;
    const [x, top] = found;
    taken.push({ ...one, x, top, half, leader: leader(x, top) });
    context.globalAlpha = bold ? 1 : told;
    context.strokeStyle = bold ? colour : ink.muted;
    context.lineWidth = 1;
    line(context, ...leader(x, top));
  }
  for (const one of taken) {
    context.font = font(one);
    context.globalAlpha = one.bold ? 1 : told;
    haloed(context, one.text, one.x, one.top, one.colour, ink.paper);
  }
  context.globalAlpha = 1;
}

// How many times its distance the camera stands back, so that the turn leaves the box and the numbers beside it whole.
function back(state, area) {
  const of = [state.from, state.to, state.share, area.width, area.height].join();
  if (state.back?.of === of && state.back.stage === state.stage) return state.back.by; // while it turns
  const { aspectratio } = state.stage.layout.scene, [x, y, z] = ["x", "y", "z"].map((axis) => aspectratio[axis] / 2);
  const posts = [[-x, -y], [-x, y], [x, -y], [x, y]].flatMap((at) => [[...at, -z], [...at, z]]);
  const whole = (by) => ROUND.map((azimuth) => turned(state.first, azimuth, raisedNow(state, azimuth))).every((camera) => {
    const see = viewer({ ...camera, eye: scaled(camera.eye, by) }, area);
    return posts.every((post) => ((at) => at > SIDE && at < area.width - 2)(see(...post)[0]));
  });
  let by = 1;
  while (by < 2 && !whole(by)) by += 0.02;
  state.back = { of, by, stage: state.stage };
  return by;
}

function draw(state, quick) {
  const { stage, canvas } = state;
  const raised = raisedNow(state);
  const camera = turned(state.camera, 0, raised);
  const theme = stage.look;
  const ink = { ...theme, apart: 8, later: true, font: (size, bold) => `${bold ? "600 " : ""}${size}px ${theme.family}` };
  const [width, height, ratio] = [canvas.clientWidth, canvas.clientHeight, Math.min(window.devicePixelRatio || 1, 2)];
  if (!width) return;
  const area = { left: 0, top: 0, width, height };
  const { scene: box } = stage.layout, high = height > width;
  stage.usual ??= box.aspectratio.z;
  box.aspectratio = { ...box.aspectratio, z: stage.usual * (high ? HIGH : 1) };
  const share = eased(state.share);
  const scene = staged(stage, state.from, state.to, share, width < PHONE);
  // a little back, so that the lowest ticks are whole, and the box from every side
  const eye = scaled(camera.eye, Math.max((height < LOWEST ? 1.16 : 1.06) + 0.4 * raised, back(state, area)));
  const near = { ...camera, eye, center: { ...camera.center, z: camera.center.z + (high ? 0.12 : 0) } }; // then in its middle
  const see = viewer(near, area);
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const written = frame(context, scene, see, ink);
  const finer = ratio < 1.5 && !quick ? 2 : 1;
  const layer = (state.layer ??= document.createElement("canvas"));
  [layer.width, layer.height] = [Math.round(width * ratio * finer), Math.round(height * ratio * finer)];
  const painted = raster(scene, near, layer.width, layer.height, ratio * finer);
  layer.getContext("2d").putImageData(painted, 0, 0);
  context.drawImage(layer, 0, 0, width, height);
  context.globalAlpha = state.told;
  labels(context, written, ink, true);
  context.globalAlpha = 1;
  const height_of = ({ z }) => z[state.from] + share * (z[state.to] - z[state.from]) + stage.frames.lift;
  const seen = (of) => see(scene.place([of.x], 0)[0], scene.place([of.y], 1)[0], scene.place([height_of(of)], 2)[0]);
  const lit = stage.words[state.lit];
  const named = stage.frames.named.map((of) => ({ text: of.text, of, colour: ink.text }));
  if (lit && !named.some(({ text }) => namesOf(text).includes(state.lit))) named.unshift({ text: state.lit, of: lit });
  for (const one of named) {
    if (state.lit && namesOf(one.text).includes(state.lit)) Object.assign(one, { colour: ink.selected, bold: true });
    const [x, y, depth] = seen(one.of);
    const at = Math.round(y * ratio * finer) * layer.width + Math.round(x * ratio * finer);
    Object.assign(one, { x, y, hidden: painted.near[at] > 1 / (depth - BEHIND) });
  }
  // what turns by itself shows no term through the surface; what stands still does
  const through = !state.turning;
  label(context, named.filter(({ hidden, bold }) => (bold ? through || !hidden : state.told && !hidden)), written, ink, width, state.told);
  const own = named.find(({ bold }) => bold);
  if (own && (through || !own.hidden)) {
    const [x, y] = seen(lit);
    for (const [reach, colour] of [[7, ink.paper], [5.5, ink.selected]]) {
      context.beginPath();
      context.arc(x, y, reach, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
    }
  }
  canvas.dataset.drawn = Number(canvas.dataset.drawn ?? 0) + 1;
  canvas.dataset.azimuth = azimuthOf(camera).toFixed(3);
  canvas.dataset.raised = raised.toFixed(3);
}

const azimuthOf = ({ eye }) => Math.atan2(eye.y, eye.x);
const scaled = (eye, by) => ({ x: by * eye.x, y: by * eye.y, z: by * eye.z });

// Draws until nothing moves: the one turn, a change of weighting, a hand.
function move(state) {
  if (state.going) return;
  state.going = true;
  let last = 0;
  const step = (now) => {
    if (state.ended) return;
    if (now - last < PACE) return void requestAnimationFrame(step);
    last = now;
    let moving = false;
    if (state.turning) {
      const { turning } = state;
      turning.began ??= now;
      const share = Math.min(1, (now - turning.began) / turning.time);
      turning.done = turning.by * eased(share);
      state.camera = share < 1 ? turned(turning.from, turning.done, 0) : state.first;
      if (share < 1) moving = true;
      else state.turning = null;
    }
    if (state.turning) state.rested = null;
    else if (state.told < 1) {
      state.rested ??= now;
      state.told = Math.min(1, (now - state.rested) / FADE);
      moving ||= state.told < 1;
    }
    if (state.share < 1) {
      state.began ??= now;
      state.share = Math.min(1, (now - state.began) / MORPH);
      moving ||= state.share < 1;
      colour(state);
    }
    draw(state, moving || Boolean(state.held));
    if (moving || state.again) requestAnimationFrame(step);
    else state.going = false;
    state.again = false;
  };
  requestAnimationFrame(step);
}

// Whoever moves the pointer or touches the page, or comes to the figure by key, reads: the turn ends, by the shorter way, in front.
function halt(state) {
  const { turning } = state;
  if (!turning || turning.halted) return;
  const done = turning.done ?? 0;
  state.turning = { from: state.camera, by: done > Math.PI ? 2 * Math.PI - done : -done, time: BACK, halted: true };
  move(state);
}

function redraw(state) {
  state.again = true;
  move(state);
}

function choose(state, k) {
  const { stage, root } = state;
  for (const [n, button] of [...root.querySelectorAll(".choice > button")].entries()) button.setAttribute("aria-pressed", n === k);
  if (k !== state.to) {
    Object.assign(state, { from: state.to, to: k, share: still() ? 1 : 0, began: null });
    move(state);
  }
  const { names, alts } = stage;
  root.querySelector("figcaption").textContent = alts[k];
  Object.assign(root.dataset, { shown: names[k], learned: names[k] === "Learned" });
  colour(state);
}

// The colours of words and key, which change with those of the surface, and what is said of them.
function colour(state) {
  shadeWords(state);
  key(state);
  tell(state);
}

// How much of the key is for what lies below 0: where a term does, a part of its own, so that it is seen, strong or pale.
function belowOf(stage, k) {
  const zero = (-255 * stage.frames.low) / (stage.frames.high - stage.frames.low);
  const below = () => Math.min(...part(stage.at, k, stage.frames.frames)) < 257 * zero - 128 || Object.values(stage.words).some(({ z }) => z[k] < 0);
  stage.below ??= [];
  return [zero, (stage.below[k] ??= below() ? Math.max(NEGATIVE, zero / 255) : 0)];
}

// The colours of what is shown, with the weights that they stand for: from one scale to another as the surface goes.
function key(state) {
  const { root, stage } = state, [zero] = belowOf(stage, state.to), share = between(state, (k) => belowOf(stage, k)[1]);
  const stops = stage.shades[0].map((colour, n) => [colour, n < zero ? (share * n) / zero : share + ((1 - share) * (n - zero)) / (255 - zero), n]);
  const shown = stops.filter(([, , n]) => (share > 0 || n >= zero) && (n % 15 === 0 || Math.abs(n - zero) < 1));
  for (const scale of root.querySelectorAll(".scale")) {
    scale.querySelector(".ramp").style.background = `linear-gradient(to right, ${shown.map(([colour, at]) => `${colour} ${(100 * at).toFixed(1)}%`).join(", ")})`;
    scale.querySelector(".zero").style.left = `${100 * share}%`;
    const below = scale.querySelector(".below");
    below.hidden = share < 0.9 * NEGATIVE; // the 0 would lie on it
    below.textContent = `−${String(Math.min(1, Math.round(-10 * stage.frames.low) / 10)).replace("0.", ".")}`;
  }
}

// What is said of the weighting that is shown; halfway to another one, of that.
function tell({ root, stage, from, to, share }) {
  const k = share < 0.5 ? from : to;
  const weight = `${stage.names[k].replace("Learned", "learned")} weight`;
  const hand = window.matchMedia("(hover: none)").matches ? "tap one" : "point at one";
  const put = (place, text) => { if (place.textContent !== text) place.textContent = text; }; // at each frame
  put(root.querySelector(".weight"), weight);
  put(root.querySelector(".about"), stage.about.replace("{weight}", weight).replace("{point}", hand));
  root.dataset.negative = belowOf(stage, k)[1] > 0;
}

function shadeWords(state) {
  const { root, stage } = state, [colours, inks] = stage.shades;
  for (const word of root.querySelectorAll(".text span")) {
    const at = Math.round(between(state, (k) => stage.words[word.dataset.term].shade[k]));
    Object.assign(word.style, { backgroundColor: colours[at], color: inks[at] });
  }
}

// The documents of a term as a table of two by two, of which tpr and fpr are the shares.
function count(state, term) {
  const { root, stage } = state;
  const of = stage.words[term];
  const table = root.querySelector("table");
  table.hidden = !of;
  if (!of) return table.querySelectorAll("[data-of]").forEach((place) => { place.textContent = ""; });
  const number = (value) => value.toLocaleString("en");
  const percent = (share) => `${Number((100 * share).toPrecision(3))}%`;
  const fill = (name, text) => { table.querySelector(`[data-of=${name}]`).textContent = text; };
  for (const name of ["tp", "fp", "fn", "tn"]) fill(name, number(of[name]));
  for (const place of table.querySelectorAll("[data-of=term]")) place.textContent = `“${term}”`;
  for (const [name, having, rest] of [["tpr", of.tp, of.fn], ["fpr", of.fp, of.tn]]) {
    const counts = Object.assign(document.createElement("span"), { textContent: `${number(having)} of ${number(having + rest)} = ` });
    table.querySelector(`[data-of=${name}]`).replaceChildren(`${name} = `, counts, percent(having / (having + rest)));
  }
}

function light(state, term) {
  if (state.lit === term) return;
  state.lit = term;
  for (const word of state.root.querySelectorAll(".text span")) word.classList.toggle("lit", word.dataset.term === term);
  count(state, term);
  redraw(state);
}

function write(state) {
  const { root, stage } = state;
  const text = root.querySelector(".text");
  root.classList.toggle("waits", !stage.pieces.length);
  text.replaceChildren(...stage.pieces.map((piece) => {
    if (typeof piece === "string") return document.createTextNode(piece);
    const word = document.createElement("span");
    [word.textContent, word.dataset.term] = piece;
    return word;
  }));
  root.querySelector(".choice").replaceChildren(...stage.names.map((name, k) => {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.textContent = name;
    button.onclick = () => choose(state, k);
    return button;
  }), ...stage.missing.map(([name, why]) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name, title: why });
    button.setAttribute("aria-disabled", "true");
    return button;
  }), ...stage.missing.map(([, why]) => {
    const [note, train] = [document.createElement("span"), document.createElement("button")];
    Object.assign(train, { type: "button", textContent: "Train it", onclick: () => document.querySelector(".st-key-train_it button").click() });
    note.append(why, " ", train);
    return note;
  }));
  const kept = stage.pieces.some((piece) => typeof piece !== "string" && piece[1] === state.lit) ? state.lit : stage.first;
  state.lit = null;
  light(state, kept);
  // the word that is marked is read, and not faded where the text goes on: where it would be, the strongest word in
  // sight is marked instead, so that the text begins at its beginning
  const { lineHeight, paddingTop } = getComputedStyle(text);
  const [line, above] = [parseFloat(lineHeight), parseFloat(paddingTop)];
  const shown = root.clientWidth < PHONE ? above + 3.5 * line : text.clientHeight - 2.5 * line; // above a phone's buttons
  const isLow = (word) => word.offsetTop > shown, strength = (word) => stage.words[word.dataset.term].z[state.to ?? 0];
  const seen = [...text.querySelectorAll("span")].filter((word) => !isLow(word));
  let word = text.querySelector(".lit");
  if (word && isLow(word) && kept === stage.first && seen.length) {
    word = seen.reduce((best, other) => (strength(other) > strength(best) ? other : best));
    light(state, word.dataset.term);
  }
  // a whole line stands at the upper edge
  text.scrollTop = word && isLow(word) ? above + line * (Math.floor((word.offsetTop - above) / line) - 3) : 0;
}

function listen(state) {
  const { root, canvas } = state;
  const turn = (azimuth, height) => {
    Object.assign(state, { turning: null, camera: turned(state.camera, azimuth, height) });
    redraw(state);
  };
  canvas.addEventListener("pointerdown", (event) => { state.held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!state.held) return;
    const [x, y] = [event.clientX - state.held[0], event.clientY - state.held[1]];
    state.held = [event.clientX, event.clientY];
    turn(-x * 0.008, event.pointerType === "touch" ? 0 : y * 0.008);
  });
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => { state.held = null; redraw(state); });
  canvas.addEventListener("keydown", (event) => {
    const camera = cameraByKey(event, state.camera, state.first);
    if (!camera) return;
    event.preventDefault();
    Object.assign(state, { turning: null, camera });
    redraw(state);
  });
  for (const name of ["pointermove", "pointerdown"]) document.addEventListener(name, () => halt(state), { signal: state.gone.signal });
  root.addEventListener("focusin", () => halt(state));
  const text = root.querySelector(".text");
  text.addEventListener("scroll", () => text.classList.toggle("later", text.scrollTop > 1));
  for (const name of ["pointerover", "click"]) text.addEventListener(name, (event) => event.target.dataset.term && light(state, event.target.dataset.term));
  state.observer = new ResizeObserver(() => redraw(state));
  state.observer.observe(canvas);
  // on a phone what stays in sight above the document is smaller there
  const stage = root.querySelector(".stage");
  state.pinned = new IntersectionObserver(([{ boundingClientRect: { top } }]) => {
    const high = stage.offsetHeight;
    if (root.classList.contains("pinned") === top < PINNED + 1) return;
    root.classList.toggle("pinned");
    root.style.setProperty("--gone", `${Math.max(0, high - stage.offsetHeight)}px`);
  }, { rootMargin: `-${PINNED + 1}px 0px 0px`, threshold: [0, 0.25, 0.5, 0.75, 1] });
  state.pinned.observe(stage);
}

export default function (component) {
  const root = component.parentElement.querySelector(".ltw-turntable");
  const fresh = !root.ltw;
  const canvas = root.querySelector("canvas");
  const state = (root.ltw ??= { root, canvas, lit: null, text: null, told: 1, gone: new AbortController() });
  const text = new TextDecoder().decode(component.data);
  if (text && state.text !== text) {
    const before = state.stage, stage = read(JSON.parse(text));
    // the picture without its document, which was sent before and comes late: this script was still being loaded for it
    if (before?.key === stage.key && before.pieces.length && !stage.pieces.length) return () => {};
    Object.assign(state, { text, stage });
    canvas.setAttribute("aria-label", KEYS);
    state.first = stage.layout.scene.camera;
    if (before?.key !== stage.key) {
      const same = before ? stage.names.indexOf(before.names[state.to]) : -1;
      const at = same < 0 ? stage.start : same;
      Object.assign(state, { from: at, to: at, share: 1, camera: state.camera ?? state.first });
      if (!fresh && root.getBoundingClientRect().top < 0) { // chosen further down, on a phone: what changes is brought into view
        root.scrollIntoView({ behavior: still() ? "auto" : "smooth" });
      }
      // once a visit: whoever comes back from another page finds it at rest
      if (!window.__ltwTurned && !still()) Object.assign(state, { told: 0, turning: { from: state.first, by: 2 * Math.PI, time: ONCE } });
      window.__ltwTurned = true;
    }
    write(state);
    choose(state, state.to);
    if (fresh) listen(state);
    draw(state, true);
    move(state);
  }
  const call = (state.call = {});
  return () => {
    if (state.call !== call) return; // of a call that another one has followed
    state.ended = true;
    state.gone.abort();
    state.observer?.disconnect();
    state.pinned?.disconnect();
    delete root.ltw;
  };
}
