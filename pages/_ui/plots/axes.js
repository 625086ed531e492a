// The axes of a scene on a plain canvas: a solid frame, upright ticks.
const TICK = 12; // pixels
const TICK_PAD = 18, TITLE_PAD = 48; // how far from its axis plotly writes, in its pixels
function line(context, a, b) {
  context.beginPath();
  context.moveTo(a[0], a[1]);
  context.lineTo(b[0], b[1]);
  context.stroke();
}

// Whether a label has room beside those of its axis; it takes it. Where `apart` says nothing, as plotly does: always.
function roomFor(taken, context, text, x, y, apart) {
  const half = context.measureText(text).width / 2;
  if (apart && taken.some((one) => Math.abs(one.x - x) < one.half + half + apart && Math.abs(one.y - y) < TICK + apart / 2)) return false;
  return taken.push({ x, y, half }) > 0;
}

// The words of a frame, where they may come to lie on something with a rim around them.
function labels(context, written, ink, rim) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.font = ink.font(TICK);
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeStyle = ink.paper;
  for (const [text, x, y, colour] of written) {
    if (rim) context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
  }
}

// The floor and the two walls behind, with their ticks; words along the edges in front. `ink.later`: who calls writes the
// words that are returned.
function frame(context, scene, see, ink) {
  const { layout } = scene, written = [], all = [];
  const half = ["x", "y", "z"].map((k) => layout.aspectratio[k] / 2);
  const depth = (axis, side) => see(...[0, 1, 2].map((a) => (a === axis ? side * half[a] : 0)))[2];
  const far = [0, 1].map((axis) => (depth(axis, -1) > depth(axis, 1) ? -1 : 1));
  context.strokeStyle = ink.grid;
  context.lineWidth = 1;
  const apart = see(0, 0, 0)[2] / see.height; // plotly's pixel beside an axis
  const ticks = [layout.xaxis, layout.yaxis, layout.zaxis].map((axis, n) => scene.place(axis.tickvals, n));
  context.font = ink.font(TICK);
  for (const [n, axis] of [[0, layout.xaxis], [1, layout.yaxis]]) {
    const other = 1 - n;
    const along = (value, across, height) => (n === 0 ? see(value, across, height) : see(across, value, height));
    const taken = [];
    ticks[n].forEach((value, index) => {
      if (Math.abs(value) > half[n]) return;
      line(context, along(value, -half[other], -half[2]), along(value, half[other], -half[2]));
      line(context, along(value, far[other] * half[other], -half[2]), along(value, far[other] * half[other], half[2]));
      const [edge] = along(value, -far[other] * half[other], -half[2]);
      let [x, y] = along(value, -far[other] * (half[other] + TICK_PAD * apart), -half[2]);
      if (ink.later) x += Math.sign(x - edge) * Math.min(Math.abs(x - edge), context.measureText(axis.ticktext[index]).width / 2); // off the surface
      if (roomFor(taken, context, axis.ticktext[index], x, y, ink.apart)) written.push([axis.ticktext[index], x, y, ink.text]);
    });
    all.push(...taken);
    const [x, y] = along(0, -far[other] * (half[other] + TITLE_PAD * apart), -half[2]);
    written.push([axis.title.text, x, Math.min(y, context.canvas.clientHeight - 8), ink.muted]); // seen wherever it is turned to
  }
  const corners = [[-far[0], far[1]], [far[0], -far[1]]].map(([x, y]) => [x * half[0], y * half[1]]);
  const post = corners.reduce((a, b) => (see(...a, 0)[0] < see(...b, 0)[0] ? a : b));
  const beside = [0, 1].map((axis) => post.map((at, n) => at + (n === axis ? Math.sign(at) * TICK_PAD * apart : 0)));
  const [left] = beside.sort((a, b) => see(...a, 0)[0] - see(...b, 0)[0]); // out of the box, the way that leads left
  ticks[2].forEach((value, index) => {
    line(context, see(far[0] * half[0], -half[1], value), see(far[0] * half[0], half[1], value));
    line(context, see(-half[0], far[1] * half[1], value), see(half[0], far[1] * half[1], value));
    const told = String(layout.zaxis.tickvals[index]).replace(/^(-?)0\./, "$1.").replace("-", "−");
    let [x, y] = see(...left, value);
    const reach = context.measureText(told).width / 2;
    if (ink.later) x = Math.max(x - reach, reach);
    if (roomFor(all, context, told, x, y, ink.apart)) written.push([told, x, y, ink.text]);
  });
  context.strokeStyle = ink.line;
  const floor = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => see(x * half[0], y * half[1], -half[2]));
  floor.forEach((corner, n) => line(context, corner, floor[(n + 1) % 4]));
  const back = [far[0] * half[0], far[1] * half[1]];
  for (const post of [...corners, back]) line(context, see(...post, -half[2]), see(...post, half[2]));
  for (const post of corners) line(context, see(...post, half[2]), see(...back, half[2]));
  if (!ink.later) labels(context, written, ink);
  return written;
}
