// A figure's surfaces on a plain canvas, to be turned from the first moment: plotly is a large script, and drawing with it
// takes a slow machine seconds. Scenes, camera, colours and words are those of the plotly figure, which takes the
// canvas's place when the reader's hand is off it. Left out: hovering, the colour bar, zooming, and the surfaces themselves
// (`raster.js`).
const QUIET = 1500; // milliseconds without a touch before plotly may hold the page up

function line(context, a, b) {
  context.beginPath();
  context.moveTo(a[0], a[1]);
  context.lineTo(b[0], b[1]);
  context.stroke();
}

// The floor and the two walls behind, with their ticks; words along the edges in front.
function frame(context, scene, see, ink) {
  const { layout } = scene;
  const half = ["x", "y", "z"].map((k) => layout.aspectratio[k] / 2);
  const depth = (axis, side) => see(...[0, 1, 2].map((a) => (a === axis ? side * half[a] : 0)))[2];
  const far = [0, 1].map((axis) => (depth(axis, -1) > depth(axis, 1) ? -1 : 1));
  context.strokeStyle = ink.grid;
  context.lineWidth = 1;
  context.fillStyle = ink.muted;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const ticks = [layout.xaxis, layout.yaxis, layout.zaxis].map((axis, n) => scene.place(axis.tickvals, n));
  context.font = ink.font(10.5);
  for (const [n, axis] of [[0, layout.xaxis], [1, layout.yaxis]]) {
    const other = 1 - n;
    const along = (value, across, height) => (n === 0 ? see(value, across, height) : see(across, value, height));
    ticks[n].forEach((value, index) => {
      if (Math.abs(value) > half[n]) return;
      line(context, along(value, -half[other], -half[2]), along(value, half[other], -half[2]));
      line(context, along(value, far[other] * half[other], -half[2]), along(value, far[other] * half[other], half[2]));
      const [x, y] = along(value, -far[other] * (half[other] + 0.07), -half[2] - 0.03);
      context.fillText(axis.ticktext[index], x, y);
    });
    const [x, y] = along(0, -far[other] * (half[other] + 0.2), -half[2] - 0.1);
    context.font = ink.font(12);
    context.fillText(axis.title.text, x, y);
    context.font = ink.font(10.5);
  }
  const corners = [[-far[0], far[1]], [far[0], -far[1]]].map(([x, y]) => [x * half[0], y * half[1]]);
  const post = corners.reduce((a, b) => (see(...a, 0)[0] < see(...b, 0)[0] ? a : b));
  context.textAlign = "right";
  ticks[2].forEach((value, index) => {
    line(context, see(far[0] * half[0], -half[1], value), see(far[0] * half[0], half[1], value));
    line(context, see(-half[0], far[1] * half[1], value), see(half[0], far[1] * half[1], value));
    const [x, y] = see(...post, value);
    context.fillText(String(layout.zaxis.tickvals[index]), x - 6, y);
  });
  context.strokeStyle = ink.line;
  const floor = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([x, y]) => see(x * half[0], y * half[1], -half[2]));
  floor.forEach((corner, n) => line(context, corner, floor[(n + 1) % 4]));
  for (const [x, y] of [...corners, [far[0] * half[0], far[1] * half[1]]]) line(context, see(x, y, -half[2]), see(x, y, half[2]));
}

function names(context, scene, see, ink) {
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.font = ink.font(12);
  for (const note of scene.layout.annotations ?? []) {
    const [x, y] = see(scene.place([note.x], 0)[0], scene.place([note.y], 1)[0], scene.place([note.z], 2)[0]);
    context.strokeStyle = ink.muted;
    context.lineWidth = 0.8;
    line(context, [x, y - 1], [x, y + note.ay + 3]);
    context.lineWidth = 3;
    context.strokeStyle = ink.paper;
    context.strokeText(note.text, x, y + note.ay);
    context.fillStyle = note.font.color;
    context.fillText(note.text, x, y + note.ay);
  }
}

// Plotly's few marks of style in words: bold, colour, size.
function written(context, html, x, y, ink, size, colour) {
  let at = x;
  const write = (node, style) => {
    if (node.nodeType === Node.TEXT_NODE) {
      context.font = ink.font(style.size, style.bold);
      context.fillStyle = style.colour;
      context.fillText(node.data, at, y);
      at += context.measureText(node.data).width;
      return;
    }
    const own = { ...style, bold: style.bold || node.nodeName === "B" };
    if (node.style && node.style.color) own.colour = node.style.color;
    if (node.style && node.style.fontSize) own.size = parseFloat(node.style.fontSize);
    node.childNodes.forEach((child) => write(child, own));
  };
  context.textAlign = "left";
  write(new DOMParser().parseFromString(html, "text/html").body, { size, bold: false, colour });
}

// Show the figure over `node` until `end` is called. `ready` resolves when a hand has been off it for a while.
function sketch(node, figure) {
  const { layout } = figure;
  const theme = layout.template.layout;
  const ink = {
    muted: theme.scene.xaxis.tickfont.color, grid: theme.scene.xaxis.gridcolor, line: theme.scene.xaxis.linecolor,
    paper: theme.paper_bgcolor, text: theme.font.color,
    font: (size, bold) => `${bold ? "bold " : ""}${size}px ${theme.font.family}`,
  };
  const scenes = scenesOf(figure);
  const layer = document.createElement("canvas");
  const first = scenes[0].layout.camera;
  let camera = first;
  const canvas = document.createElement("canvas");
  canvas.className = "ltw-sketch";
  node.append(canvas);

  const paint = (quick) => {
    const [width, height, ratio] = [node.clientWidth, layout.height, Math.min(window.devicePixelRatio || 1, 2)];
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = ink.paper;
    context.fillRect(0, 0, width, height);
    const margin = layout.margin;
    const plot = { width: width - margin.l - margin.r, height: height - margin.t - margin.b };
    for (const scene of scenes) {
      const { x, y } = scene.layout.domain;
      const area = {
        left: margin.l + plot.width * x[0], width: plot.width * (x[1] - x[0]),
        top: margin.t + plot.height * (1 - y[1]), height: plot.height * (y[1] - y[0]),
      };
      const see = viewer(camera, area);
      context.save();
      context.beginPath();
      context.rect(area.left, area.top, area.width, area.height);
      context.clip();
      frame(context, scene, see, ink);
      const finer = ratio < 1.5 && !quick ? 2 : 1; // smooths the edges where a pixel is large
      [layer.width, layer.height] = [area.width, area.height].map((length) => Math.round(length * ratio * finer));
      const image = raster(scene, camera, layer.width, layer.height, ratio * finer);
      layer.getContext("2d").putImageData(image, 0, 0);
      context.drawImage(layer, area.left, area.top, area.width, area.height);
      names(context, scene, see, ink);
      context.restore();
    }
    context.textBaseline = "alphabetic";
    written(context, layout.title.text, 4, 22, ink, theme.title.font.size, ink.text);
    for (const note of layout.annotations) {
      const [x, y] = [margin.l + plot.width * note.x + 3, margin.t + plot.height * (1 - note.y)];
      written(context, note.text, x, note.yanchor === "bottom" ? y - 7 : y + 13, ink, note.font.size, note.font.color);
    }
    node.dataset.sketched = Number(node.dataset.sketched ?? 0) + 1;
  };

  let ended = false;
  let asked = 0;
  let touched = performance.now();
  let held = null;
  const again = () => { asked ||= requestAnimationFrame(() => { asked = 0; if (!ended) paint(); }); };
  const turn = (azimuth, height) => {
    touched = performance.now();
    camera = turned(camera, azimuth, height);
    again();
  };
  const down = (event) => { held = [event.clientX, event.clientY]; touched = performance.now(); canvas.setPointerCapture(event.pointerId); };
  const move = (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held[0], event.clientY - held[1]];
    held = [event.clientX, event.clientY];
    turn(-x * 0.008, y * 0.008);
  };
  const up = () => { held = null; touched = performance.now(); };
  const key = (event) => { const angle = TURNS[event.key]; if (angle) { event.preventDefault(); turn(...angle); } };
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, up);
  node.addEventListener("keydown", key);
  const observer = new ResizeObserver(again);
  observer.observe(node);
  paint(true);
  setTimeout(again, 60);
  const ready = new Promise((resolve) => {
    const look = () => {
      if (ended) return;
      const rest = touched + QUIET - performance.now();
      if (!held && rest <= 0) resolve();
      else setTimeout(look, Math.max(rest, 100));
    };
    look();
  });
  return {
    ready,
    points: scenes.map((scene) => scene.points?.x.length ?? 0),
    moved: () => (camera === first ? null : camera),
    end: () => { ended = true; observer.disconnect(); node.removeEventListener("keydown", key); canvas.remove(); },
  };
}
