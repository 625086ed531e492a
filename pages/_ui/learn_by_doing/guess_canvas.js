// A square to answer on: a point, or a curve drawn by hand. By pointer, touch and keyboard; the answer comes when it is
// revealed, and not before. Rates run from 0 to 1; "log" axes show four decades.
export default function (component) {
  const root = component.parentElement.querySelector(".ltw-guess");
  root.ltwComponent = component;
  root.ltwResized ??= new ResizeObserver(() => draw(root.ltwComponent));  // words keep their size whatever its width
  root.ltwResized.observe(root);
  draw(component);
}

function draw(component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".ltw-guess");
  const svg = root.querySelector("svg");
  const live = root.querySelector("output");
  const W = Math.min(780, Math.max(300, root.clientWidth || 460));  // on a phone words keep their size
  const told = JSON.stringify(data);
  if (root.ltwTold === told && root.ltwWidth === W) return;
  const own = root.ltwTold === told ? root.ltwOwn : null;  // on another width what was drawn and not sent yet stays
  Object.assign(root, { ltwTold: told, ltwWidth: W });
  const below = data.answer && !data.others ? 30 : 0;  // for which line is which: below, so that nothing moves
  const tall = Math.max(1, Math.min(1.4, (window.innerHeight - 480) / W));  // beside its question, in a high window
  const H = (W > 460 ? 0.8 : W > 380 ? tall : 0.87) * W + below, left = 62, right = 20, top = 14, bottom = 52 + below;
  const { kind, scale, across, up, low, to, guess, answer, open, label } = data;
  const N = 41;
  const px = (u) => left + u * (W - left - right);
  const py = (v) => H - bottom - v * (H - top - bottom);
  const forward = (rate) => (scale === "log" ? 1 + Math.log10(Math.max(rate, 1e-4)) / 4 : rate);
  const inverse = (u) => (scale === "log" ? (u <= 0.001 ? 0 : 10 ** (4 * (u - 1))) : u);
  const height = (v) => (v - low) / (1 - low);
  const make = (tag, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    svg.append(node);
    return node;
  };
  const percent = (rate) => `${+(100 * rate).toPrecision(3)}%`;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
  make("rect", { class: "frame", x: px(0), y: py(1), width: px(1) - px(0), height: py(0) - py(1) });
  let aside = null;
  if (to < 1) {  // what lies further right is not judged
    make("rect", { class: "beyond", x: px(to), y: py(1), width: px(1) - px(to), height: py(0) - py(1) });
    aside = make("text", { class: "side halo", x: px(to) + 8, y: py(1) + 18 }, "does not count");
  }
  const rates = scale === "log" ? [1e-4, 1e-3, 1e-2, 1e-1, 1] : [0, 0.25, 0.5, 0.75, 1];
  const axis = (rate, vertical, text) => {
    const u = kind === "sketch" && vertical ? height(rate) : forward(rate);
    if (vertical) {
      make("line", { class: "grid", x1: px(0), x2: px(1), y1: py(u), y2: py(u) });
      make("text", { class: "tick", x: px(0) - 7, y: py(u) + 4, "text-anchor": "end" }, text);
    } else {
      make("line", { class: "grid", x1: px(u), x2: px(u), y1: py(0), y2: py(1) });
      make("text", { class: "tick", x: px(u), y: py(0) + 18, "text-anchor": "middle" }, text);
    }
  };
  rates.forEach((rate) => axis(rate, false, percent(rate)));
  if (kind === "point") {
    rates.forEach((rate) => axis(rate, true, percent(rate)));
    make("line", { class: "diagonal", x1: px(0), y1: py(0), x2: px(1), y2: py(1) });
    make("text", { class: "side", x: px(0) + 8, y: py(1) + 18 }, "speaks for the class");
    make("text", { class: "side", x: px(1) - 8, y: py(0) - 8, "text-anchor": "end" }, "speaks against it");
  } else {
    (low < 0 ? [-1, -0.5, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).forEach((v) => axis(v, true, String(v).replace("-", "−").replace("0.", ".")));
  }
  const titled = (text, at, room) => {  // no longer than there is room
    const node = make("text", { class: "title", "text-anchor": "middle", ...at }, text);
    const size = node.getComputedTextLength?.();
    if (size > room) node.style.fontSize = `${(13 * room) / size}px`;
  };
  titled(across, { x: W / 2 + 20, y: H - below - 8 }, W - 44);
  const middle = (py(0) + py(1)) / 2;
  titled(up, { x: 14, y: middle, transform: `rotate(-90 14 ${middle})` }, 2 * Math.min(middle, H - middle) - 4);

  // what the reader has drawn
  const line = (heights) =>
    heights.map((v, i) => (v === null ? "" : `${px(i / (heights.length - 1))},${py(height(v))}`)).filter(Boolean).join(" ");
  let point = own ? own.point : kind === "point" && guess ? [forward(guess[0]), forward(guess[1])] : null;
  let drawn = own ? own.drawn : kind === "sketch" ? (guess ? guess.slice() : Array(N).fill(null)) : null;
  let place = 0;
  const shape = kind === "point" ? make("g", { class: "guess" }) : make("polyline", { class: "guess", points: "" });
  // an empty square says what it is for, until something is on it
  const hint = open && !guess && make("text", { class: "hint", x: (px(0) + px(to)) / 2, y: (py(0) + py(1)) / 2, "text-anchor": "middle" },
    kind === "sketch" ? `draw here${to < 0.6 ? "" : ", from left to right"}` : `${matchMedia("(hover: none)").matches ? "tap" : "click"} where it lies`);
  const cursor = make("circle", { class: "cursor", r: 6 });
  const draw = () => {
    root.ltwOwn = { point, drawn };
    if (hint && (point || drawn?.some((v) => v !== null))) hint.remove();
    if (kind === "point") {
      shape.replaceChildren();
      if (!point) return;
      const [x, y] = [px(point[0]), py(point[1])];
      for (const d of [`M${x - 9},${y}H${x + 9}`, `M${x},${y - 9}V${y + 9}`]) {
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        path.setAttribute("d", d);
        shape.append(path);
      }
    } else {
      shape.setAttribute("points", line(drawn));
      cursor.setAttribute("cx", px(place / (N - 1)));
      cursor.setAttribute("cy", py(height(drawn[place] ?? (low < 0 ? 0 : 0.5))));
    }
  };
  if (answer) {
    if (kind === "point") {
      make("circle", { class: "answer", cx: px(forward(answer[0])), cy: py(forward(answer[1])), r: 7 });
      const far = forward(answer[0]) > 0.6;
      const at = { class: "name", x: px(forward(answer[0])) + (far ? -12 : 12), y: py(forward(answer[1])) + 4 };
      make("text", { ...at, "text-anchor": far ? "end" : "start" }, label);
    } else {
      make("polyline", { class: "answer", points: line(answer) });
    }
  }
  // what others have drawn, one of them pointed out, and their mean
  const put_point = (cls, [x, y], r) => make("circle", { class: cls, cx: px(forward(x)), cy: py(forward(y)), r });
  for (const other of data.others ?? [])
    kind === "point" ? put_point("other", other, 5) : make("polyline", { class: "other", points: line(other) });
  if (data.mean) kind === "point" ? put_point("mean", data.mean, 8) : make("polyline", { class: "mean", points: line(data.mean) });
  if (data.starred) {
    const { guess: one, name } = data.starred;
    kind === "point" ? put_point("starred", one, 8) : make("polyline", { class: "starred", points: line(one) });
    const [x, y] = kind === "point" ? one.map(forward) : [0.98, height(one[Math.round(0.98 * (one.length - 1))])];
    const last = kind !== "point" || x > 0.6;
    make("text", { class: "name", x: px(x) + (last ? -10 : 12), y: py(y) - 8, "text-anchor": last ? "end" : "start" }, name);
  }
  svg.classList.toggle("revealed", Boolean(answer && root.ltwOpen));  // under the reader's eyes, and not at each visit
  root.ltwOpen = open;
  if (answer && !data.others) {  // which is which
    if (guess) svg.append(shape);  // over the answer, so that neither hides the other
    const at = H - 14;
    const sign = (cls, x) =>
      kind === "point"
        ? make(cls === "answer" ? "circle" : "path", cls === "answer" ? { class: cls, cx: x + 12, cy: at, r: 6 } : { class: cls, d: `M${x + 4},${at}H${x + 20}M${x + 12},${at - 8}V${at + 8}` })
        : make("polyline", { class: cls, points: `${x},${at} ${x + 26},${at}` });
    sign("answer", px(0));
    make("text", { class: "key", x: px(0) + 32, y: at + 4 }, "the answer");
    if (guess) {
      sign("guess", px(0) + 130);
      make("text", { class: "key", x: px(0) + 162, y: at + 4 }, "your guess");
    }
  }
  if (aside) {  // over the lines, above or below, where it is further from them
    const near = [answer, guess].filter(Boolean).flatMap((all) => all.slice(Math.floor(to * (all.length - 1))).slice(0, 14));
    const room = (y) => Math.min(...near.map((v) => Math.abs(py(height(v)) - y)));
    const [top, bottom] = [py(1) + 18, py(0) - 10];
    if (room(bottom) > room(top)) aside.setAttribute("y", bottom);
    svg.append(aside);
  }
  draw();
  root.classList.toggle("open", open);
  svg.setAttribute("tabindex", open ? "0" : "-1");
  svg.setAttribute("role", open ? "application" : "img");
  svg.setAttribute("aria-label", data.alt);
  live.textContent = "";
  if (!open) {
    svg.onpointerdown = svg.onpointermove = svg.onpointerup = svg.onkeydown = null;
    return;
  }
  const clamp = (u) => Math.min(1, Math.max(0, u));
  let timer;
  const tell = (wait) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (kind === "point") setStateValue("guess", point.map(inverse));
      else setStateValue("guess", filled());
    }, wait);
  };
  const filled = () => {  // what lies between and beside the parts that were drawn
    const known = drawn.map((v, i) => [i, v]).filter(([, v]) => v !== null);
    if (!known.length) return null;
    return drawn.map((v, i) => {
      if (v !== null) return v;
      const before = known.filter(([j]) => j < i).pop(), after = known.find(([j]) => j > i);
      if (!before || !after) return (before || after)[1];
      return before[1] + ((after[1] - before[1]) * (i - before[0])) / (after[0] - before[0]);
    });
  };
  const where = (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * W, y = ((event.clientY - box.top) / box.height) * H;
    return [clamp((x - px(0)) / (px(1) - px(0))), clamp((py(0) - y) / (py(0) - py(1)))];
  };
  let last = null;
  const put = (event) => {
    const [u, v] = where(event);
    if (kind === "point") point = [u, v];
    else {
      const i = Math.round(u * (N - 1)), value = low + v * (1 - low);
      const from = last ?? [i, value];
      const steps = Math.max(1, Math.abs(i - from[0]));
      // a line that begins at the left edge and goes down along it is a wall: the edge keeps the height it begins with
      const first = !last ? 0 : i === 0 && from[0] === 0 ? steps + 1 : 1;
      for (let k = first; k <= steps; k++)
        drawn[Math.round(from[0] + ((i - from[0]) * k) / steps)] = from[1] + ((value - from[1]) * k) / steps;
      last = [i, value];
      place = i;
    }
    draw();
  };
  svg.onpointerdown = (event) => {
    svg.setPointerCapture(event.pointerId);
    last = null;
    put(event);
    event.preventDefault();
    svg.focus({ preventScroll: true });
  };
  svg.onpointermove = (event) => svg.hasPointerCapture(event.pointerId) && put(event);
  svg.onpointerup = () => tell(0);
  svg.onkeydown = (event) => {
    const step = event.shiftKey ? 0.1 : 0.025;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] || [0, 0];
    if (!dx && !dy) return;
    event.preventDefault();
    if (kind === "point") {
      point = point ? [clamp(point[0] + dx * step), clamp(point[1] + dy * step)] : [0.5, 0.5];
      live.textContent = `fpr ${percent(inverse(point[0]))}, tpr ${percent(inverse(point[1]))}`;
    } else {
      const value = drawn[place] ?? (low < 0 ? 0 : 0.5);
      drawn[place] = Math.min(1, Math.max(low, value + dy * step * (1 - low)));
      const next = Math.min(N - 1, Math.max(0, place + dx * (event.shiftKey ? 4 : 1)));
      for (let i = place; i !== next; i += Math.sign(next - place)) drawn[i + Math.sign(next - place)] ??= drawn[place];
      place = next;
      live.textContent = `at ${percent(place / (N - 1))}: ${drawn[place].toFixed(2).replace(/^(-?)0\./, "$1.")}`;
    }
    draw();
    tell(500);
  };
}
