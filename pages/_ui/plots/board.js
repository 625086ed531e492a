// A surface seen from above, to be painted up and down with a brush: by pointer, touch and keyboard. All strokes are made
// here; the server hears of a surface when a stroke has ended. With an answer beside it, it is shown and not changed.
export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const root = parentElement.querySelector(".ltw-sculpt");
  const given = JSON.stringify(data);
  if (root.ltwGiven === given) return;
  root.ltwGiven = given;
  const { size, start, low, dots, names, named, ticks, open, levels, answer } = data;
  const find = (name) => root.querySelector(`[data-part="${name}"]`);
  const [canvas, readout] = [find("canvas"), find("readout")];
  const clamp = (v, a, b) => Math.min(b, Math.max(a, v));

  // what outlives a message: heights, strokes to undo, the brush
  const state = (root.ltwSculpt ??= { undo: [], redo: [], size: 0.12, strength: 0.5, tool: "raise", at: [0.5, 0.6], id: null });
  if (state.id !== start.id) {
    if (state.heights?.length === start.heights.length) state.undo.push(state.heights);
    [state.id, state.heights, state.redo] = [start.id, Float32Array.from(start.heights, (v) => v / levels), []];
    state.below = start.heights.some((v) => v < 0);
  }
  const floor = () => (low < 0 && state.below ? -1 : 0);
  const percent = (rate) => `${+(100 * rate).toPrecision(2)}%`;
  const bend = 1e-4;
  const rate = (u) => (data.scale === "linear" ? u : bend * Math.expm1(u * Math.log1p(1 / bend)));

  // the picture --------------------------------------------------------------------------------------------------------
  const MARGIN = 0.022; // of a side, around what the axes span: terms at 0 are seen whole, as on maps
  const small = document.createElement("canvas");
  small.width = small.height = size + 2; // what stands at the edge goes on into the margin
  const ramp = data.ramp.map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
  const [lowest, highest] = data.limits;
  const heat = (context, heights, x, y, side) => {
    const wide = size + 2, inside = (n) => clamp(n - 1, 0, size - 1);
    const picture = new ImageData(wide, wide);
    for (let row = 0; row < wide; row++)
      for (let column = 0; column < wide; column++) {
        const t = clamp((heights[inside(row) * size + inside(column)] - lowest) / (highest - lowest), 0, 1) * (ramp.length - 1);
        const i = Math.min(Math.floor(t), ramp.length - 2), f = t - i, to = 4 * ((wide - 1 - row) * wide + column);
        for (let k = 0; k < 3; k++) picture.data[to + k] = ramp[i][k] + f * (ramp[i + 1][k] - ramp[i][k]);
        picture.data[to + 3] = 255;
      }
    small.getContext("2d").putImageData(picture, 0, 0);
    const cell = (size - 1) / (1 - 2 * MARGIN), from = 1.5 - MARGIN * cell;
    context.drawImage(small, from, from, cell, cell, x, y, side, side);
  };
  const boards = answer ? [state.heights, Float32Array.from(answer, (v) => v / levels)] : [state.heights];
  const narrow = () => boards.length > 1 && root.clientWidth < 560;
  const place = { left: 46, top: open ? 8 : 24, right: 10, bottom: 40 };
  let side = 300;
  const span = () => side * (1 - 2 * MARGIN), along = (u) => MARGIN * side + u * span();
  const style = getComputedStyle(root);
  const draw = () => {
    const width = root.clientWidth || 400, many = narrow() ? 1 : boards.length;
    side = Math.max(120, Math.min(width / many - place.left - place.right, data.most));
    const [w, h] = [(side + place.left + place.right) * many, (side + place.top + place.bottom) * (boards.length / many)];
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: w * ratio, height: h * ratio });
    canvas.style.width = `${w}px`;
    canvas.style.height = `${h}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const ink = style.color;
    boards[0] = state.heights;
    boards.forEach((heights, k) => {
      const across = narrow() ? 0 : k, down = narrow() ? k : 0;
      const x0 = across * (side + place.left + place.right) + place.left;
      const y0 = down * (side + place.top + place.bottom) + place.top;
      const [right, up] = [(u) => x0 + along(u), (v) => y0 + side - along(v)];
      heat(context, heights, x0, y0, side);
      context.strokeStyle = context.fillStyle = ink;
      context.font = `12px ${style.fontFamily}`;
      context.lineWidth = 1;
      context.globalAlpha = 0.5;
      context.strokeRect(x0 + 0.5, y0 + 0.5, side - 1, side - 1);
      context.setLineDash([2, 4]);
      context.beginPath();
      context.moveTo(right(0), up(0));
      context.lineTo(right(1), up(1));
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 0.75;
      for (let i = 0; i < dots.length; i += 2)
        context.fillRect(right(dots[i] / 1000) - 1.2, up(dots[i + 1] / 1000) - 1.2, 2.4, 2.4);
      context.globalAlpha = 1;
      context.font = `600 12.5px ${style.fontFamily}`;
      for (const [across, above, name] of named) {
        const [x, y] = [right(across / 1000), up(above / 1000)];
        context.fillRect(x - 3, y - 3, 6, 6);
        const far = x > x0 + side * 0.7;
        context.textAlign = far ? "right" : "left";
        context.strokeStyle = style.getPropertyValue("--st-background-color") || "#fff";
        context.lineWidth = 3.5;
        context.lineJoin = "round";
        context.strokeText(name, x + (far ? -6 : 6), y - 5);
        context.fillText(name, x + (far ? -6 : 6), y - 5);
      }
      context.font = `12px ${style.fontFamily}`;
      context.lineWidth = 1;
      for (const [u, text] of ticks) {
        context.textAlign = u > 0.97 ? "right" : "center";
        context.fillText(text, right(u) + (u > 0.97 ? 10 : 0), y0 + side + 15);
        context.textAlign = "right";
        context.fillText(text, x0 - 5, up(u) + 4);
      }
      context.textAlign = "center";
      context.fillText("fpr", x0 + side / 2, y0 + side + 32);
      context.save();
      context.translate(x0 - 36, y0 + side / 2);
      context.rotate(-Math.PI / 2);
      context.fillText("tpr", 0, 0);
      context.restore();
      if (!open) {
        context.font = `600 13px ${style.fontFamily}`;
        context.fillText(data.titles[k], x0 + side / 2, y0 - 8);
      }
      if (open) {
        const [x, y] = [right(state.at[0]), up(state.at[1])];
        context.strokeStyle = ink;
        context.lineWidth = 1.6;
        context.beginPath();
        context.arc(x, y, state.size * span(), 0, 7);
        context.stroke();
        context.beginPath();
        for (const [dx, dy] of [[5, 0], [0, 5]]) {
          context.moveTo(x - dx, y - dy);
          context.lineTo(x + dx, y + dy);
        }
        context.stroke();
      }
    });
  };
  const height = () => {
    const [x, y] = state.at.map((u) => u * (size - 1)), i = Math.min(size - 2, Math.floor(x)), j = Math.min(size - 2, Math.floor(y));
    const [a, b, h] = [x - i, y - j, state.heights];
    const row = (r) => h[r * size + i] * (1 - a) + h[r * size + i + 1] * a;
    return row(j) * (1 - b) + row(j + 1) * b;
  };
  const read = () => {
    const [u, v] = state.at;
    let near = [];
    for (let i = 0; i < names.length && near.length < 3; i++)
      if (Math.hypot(dots[2 * i] / 1000 - u, dots[2 * i + 1] / 1000 - v) * span() < 11) near.push(...names[i].split(", "));
    near = near.slice(0, 3);
    const words = near.length ? `, at ${near.join(", ")}` : "";
    readout.textContent = `tpr ${percent(rate(v))}, fpr ${percent(rate(u))}: height ${height().toFixed(2).replace(/^(-?)0\./, "$1.")}${words}`;
  };

  // strokes ------------------------------------------------------------------------------------------------------------
  const dab = (u, v, amount, tool) => {
    const h = state.heights, before = tool === "smooth" ? h.slice() : h, wide = state.size / 2;
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++) {
        const d2 = (column / (size - 1) - u) ** 2 + (row / (size - 1) - v) ** 2;
        const share = Math.exp(-d2 / (2 * wide * wide));
        if (share < 0.02) continue;
        const k = row * size + column;
        if (tool === "smooth") {
          let [sum, count] = [0, 0];
          for (let r = Math.max(0, row - 1); r <= Math.min(size - 1, row + 1); r++)
            for (let c = Math.max(0, column - 1); c <= Math.min(size - 1, column + 1); c++) [sum, count] = [sum + before[r * size + c], count + 1];
          h[k] += Math.min(1, 2 * amount * share) * (sum / count - h[k]);
        } else {
          const to = h[k] + (tool === "lower" ? -1 : 1) * amount * share;
          h[k] = clamp(to, Math.min(floor(), h[k]), 1);
        }
      }
  };
  const remember = () => {
    state.undo.push(state.heights.slice());
    if (state.undo.length > 60) state.undo.shift();
    state.redo = [];
  };
  const tell = (wait) => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => {
      setStateValue("drawn", { id: state.id, heights: Array.from(state.heights, (v) => Math.round(v * levels)) });
    }, wait);
  };
  const changed = (wait) => {
    boards[0] = state.heights;
    draw();
    read();
    buttons();
    tell(wait);
  };
  const back = (from, to) => {
    if (!state[from].length) return;
    state[to].push(state.heights);
    state.heights = state[from].pop();
    changed(250);
  };
  const buttons = () => {
    for (const name of ["raise", "lower", "smooth"]) find(name).setAttribute("aria-pressed", String(state.tool === name));
    find("undo").disabled = !state.undo.length;
    find("redo").disabled = !state.redo.length;
    find("size").value = state.size;
    find("strength").value = state.strength;
    find("below").checked = Boolean(state.below);
  };
  root.classList.toggle("open", open);
  find("tools").hidden = !open;
  find("below-line").hidden = low >= 0;
  readout.hidden = !open;
  canvas.setAttribute("role", open ? "application" : "img");
  canvas.setAttribute("tabindex", open ? "0" : "-1");
  canvas.setAttribute("aria-label", data.alt);
  draw();
  root.ltwSized?.disconnect();
  let width = root.clientWidth;
  root.ltwSized = new ResizeObserver(() => {
    if (root.clientWidth !== width) [width] = [root.clientWidth, draw()];
  });
  root.ltwSized.observe(root);
  canvas.onpointerdown = canvas.onpointermove = canvas.onpointerup = canvas.onpointercancel = canvas.onkeydown = null;
  if (!open) return;
  buttons();
  read();
  for (const name of ["raise", "lower", "smooth"])
    find(name).onclick = () => { state.tool = name; buttons(); };
  find("undo").onclick = () => back("undo", "redo");
  find("redo").onclick = () => back("redo", "undo");
  find("size").oninput = (event) => { state.size = +event.target.value; draw(); };
  find("strength").oninput = (event) => { state.strength = +event.target.value; };
  find("below").onchange = (event) => { state.below = event.target.checked; };

  const where = (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - place.left, side - (event.clientY - box.top - place.top)];
    return [x, y].map((pixels) => clamp((pixels - MARGIN * side) / span(), 0, 1));
  };
  let pressed = null;  // {tool, last, time}
  const spray = (time) => {
    if (!pressed) return;
    const passed = Math.min(0.1, (time - pressed.time) / 1000), [u, v] = state.at, [a, b] = pressed.last;
    const steps = Math.max(1, Math.ceil(Math.hypot(u - a, v - b) / (state.size / 2)));
    for (let k = 1; k <= steps; k++)
      dab(a + ((u - a) * k) / steps, b + ((v - b) * k) / steps, (state.strength * (passed * 2 + 0.06 * (steps - 1))) / steps, pressed.tool);
    [pressed.last, pressed.time] = [[u, v], time];
    draw();
    requestAnimationFrame(spray);
  };
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    clearTimeout(state.timer);
    remember();
    state.at = where(event);
    const tool = event.shiftKey && state.tool === "raise" ? "lower" : state.tool;
    dab(...state.at, state.strength * 0.12, tool);
    pressed = { tool, last: state.at, time: performance.now() };
    requestAnimationFrame(spray);
  };
  canvas.onpointermove = (event) => {
    state.at = where(event);
    if (!pressed) draw();
    read();
  };
  canvas.onpointerup = canvas.onpointercancel = () => {
    if (!pressed) return;
    pressed = null;
    changed(120);
  };
  canvas.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 0.1 : 0.025;
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const paint = { "+": "raise", "=": "raise", "-": "lower", "s": "smooth" }[event.key];
    if (move) state.at = state.at.map((u, k) => clamp(u + step * move[k], 0, 1));
    else if (paint) {
      remember();
      dab(...state.at, state.strength * 0.3, paint);
      changed(400);
    } else if (event.key === "u") back("undo", "redo");
    else if (event.key === "r") back("redo", "undo");
    else if (event.key === "[" || event.key === "]") state.size = clamp(state.size * (event.key === "[" ? 0.8 : 1.25), 0.03, 0.4);
    else return;
    event.preventDefault();
    draw();
    read();
    buttons();
  };
}
