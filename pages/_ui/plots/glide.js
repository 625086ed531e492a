// A figure's surfaces on a plain canvas, for as long as they change faster than plotly draws them: some milliseconds a frame
// without a graphics card. It lies over the scenes alone, with their cameras; what is around them is plotly's, which draws
// again when the hand rests, and takes the canvas away. Left out: hovering.
function names(context, scene, see, ink) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  const taken = [];
  for (const { text, ...note } of scene.layout.annotations ?? []) {
    const name = text.split("<br>").join(", "); // of terms in one place
    context.font = ink.font(note.font.size);
    const [x, y] = see(scene.place([note.x], 0)[0], scene.place([note.y], 1)[0], scene.place([note.z], 2)[0]);
    const at = [x + (note.ax ?? 0), y + note.ay];
    const half = context.measureText(name).width / 2, high = 0.6 * note.font.size;
    const box = { left: at[0] - half, right: at[0] + half, top: at[1] - high, bottom: at[1] + high };
    if (note.ay && !apartFrom(box, taken)) continue;
    taken.push(box);
    context.strokeStyle = ink.muted;
    context.lineWidth = 0.8;
    if (note.ay) line(context, [x, y - 1], [at[0], at[1] + 8]);
    context.lineWidth = 5;
    context.strokeStyle = ink.paper;
    context.strokeText(name, ...at);
    context.fillStyle = note.font.color;
    context.fillText(name, ...at);
  }
}

// A scene whose names stand at the heights that their terms have now.
function renamed(scene, data) {
  const terms = data.find((trace) => trace.name === "terms" && trace.scene === scene.name);
  if (!terms) return scene;
  const [x, y, z] = [terms.x, terms.y, terms.z].map(numbers);
  const annotations = (scene.layout.annotations ?? []).map((note) => {
    let at = 0;
    const away = (n) => Math.abs(x[n] - note.x) + Math.abs(y[n] - note.y);
    for (let n = 1; n < x.length; n += 1) if (away(n) < away(at)) at = n;
    return { ...note, z: z[at] };
  });
  return { ...scene, layout: { ...scene.layout, annotations } };
}

// Scenes of `data` over the node's own, with `traces` changed.
function glide(node, data, layout) {
  const full = node._fullLayout;
  const { l, t, w, h } = full._size;
  const theme = layout.template.layout;
  const ink = {
    text: theme.font.color, muted: theme.scene.xaxis.title.font.color, grid: theme.scene.xaxis.gridcolor, line: theme.scene.xaxis.linecolor,
    paper: theme.paper_bgcolor, font: (size, bold) => `${bold ? "bold " : ""}${size}px ${theme.font.family}`,
  };
  let canvas = node.querySelector(".ltw-glide");
  if (!canvas) {
    canvas = Object.assign(document.createElement("canvas"), { className: "ltw-glide" });
    node.append(canvas);
  }
  const ratio = Math.min(window.devicePixelRatio || 1, 1.5);
  canvas.width = node.clientWidth * ratio;
  canvas.height = node.clientHeight * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const layer = document.createElement("canvas");
  for (const scene of scenesOf({ data, layout })) {
    const { x, y } = scene.layout.domain;
    const area = { left: l + w * x[0], width: w * (x[1] - x[0]), top: t + h * (1 - y[1]), height: h * (y[1] - y[0]) };
    const camera = cameraOf(node, scene.name);
    const see = viewer(camera, area);
    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.width, area.height);
    context.clip();
    context.fillStyle = ink.paper;
    context.fillRect(area.left, area.top, area.width, area.height);
    frame(context, scene, see, ink);
    [layer.width, layer.height] = [area.width, area.height].map((length) => Math.round(length * ratio));
    layer.getContext("2d").putImageData(raster(scene, camera, layer.width, layer.height, ratio), 0, 0);
    context.drawImage(layer, area.left, area.top, area.width, area.height);
    context.restore();
    names(context, renamed(scene, data), see, ink);
  }
  node.dataset.glided = Number(node.dataset.glided ?? 0) + 1;
}

function endGlide(node) {
  node.querySelector(".ltw-glide")?.remove();
}
