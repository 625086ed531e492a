// Lines of equal height on meshes, and of equal tpr and fpr, as the lines they are. A figure has them as a surface without a
// face, which needs no script of ours; but plotly then makes a surface of every one, a third of the time that a scene takes
// where no GPU draws.
const MOST_LEVELS = 40;
const WIDER = 2; // a line is thinner than a contour of the same width
const OFF = 0.005; // of the scene's box: how far from the mesh a line lies, or steep places would swallow half of its width

// Ends of short pieces where a mesh crosses the heights, six numbers each, and the triangle of each; or values of another
// axis than that of heights.
function crossings({ x, y, z, i, j, k }, heights, axis = 2) {
  const pieces = [], triangles = [], along = [x, y, z][axis];
  const cross = (a, b, height) => {
    if (along[a] < height === along[b] < height) return;
    const share = (height - along[a]) / (along[b] - along[a]);
    for (const part of [x, y, z]) pieces.push(part[a] + share * (part[b] - part[a]));
  };
  for (let t = 0; t < i.length; t += 1) {
    const a = i[t], b = j[t], c = k[t];
    const low = Math.min(along[a], along[b], along[c]), high = Math.max(along[a], along[b], along[c]);
    for (const height of heights) {
      if (!(height > low && height <= high)) continue; // it crosses two of the sides, or none
      cross(a, b, height);
      cross(b, c, height);
      cross(c, a, height);
      triangles.push(t);
    }
  }
  return { pieces, triangles };
}

function heightsOf({ start, end, size }) {
  const heights = [];
  for (let height = start; height <= end && heights.length < MOST_LEVELS; height += size) heights.push(height);
  return heights;
}

// A step off the mesh from a triangle, upwards and square to it as it stands in the scene, in the units of the axes.
function stepOff({ x, y, z, i, j, k }, t, scale) {
  const corner = (n) => [x[n] * scale[0], y[n] * scale[1], z[n] * scale[2]];
  const [a, b, c] = [corner(i[t]), corner(j[t]), corner(k[t])];
  const normal = unit(cross(minus(b, a), minus(c, a)));
  const way = normal[2] < 0 ? -OFF : OFF;
  return normal.map((part, axis) => (way * part) / scale[axis]);
}

function scaleOf(scene) {
  const part = (axis, aspect) => aspect / (axis.range[1] - axis.range[0]);
  const { x, y, z } = scene.aspectratio;
  return [part(scene.xaxis, x), part(scene.yaxis, y), part(scene.zaxis, z)];
}

function linesOf(mesh, { contours, name, scene }, scale, axes) {
  const parts = Object.fromEntries(["x", "y", "z", "i", "j", "k"].map((part) => [part, numbers(mesh[part])]));
  const lines = [[], [], []];
  for (const axis of axes) {
    const { pieces, triangles } = crossings(parts, heightsOf(contours["xyz"[axis]]), axis);
    triangles.forEach((triangle, n) => {
      const step = stepOff(parts, triangle, scale);
      lines.forEach((line, part) => line.push(pieces[6 * n + part] + step[part], pieces[6 * n + 3 + part] + step[part], null));
    });
  }
  const { color, width } = contours["xyz"[axes[0]]];
  const thick = axes.includes(2) ? WIDER : 1; // those of equal rates stay behind those of height
  const [x, y, z] = lines;
  return { type: "scatter3d", mode: "lines", x, y, z, line: { color, width: thick * width }, hoverinfo: "skip", showlegend: false, name, scene };
}

// A figure's traces with the surfaces without a face as lines on the mesh before them; those of equal rates come last, so
// that each trace keeps its place.
const drawnLines = new WeakMap();

function withLines(traces, layout) {
  let mesh = null;
  const nets = [];
  const drawn = traces.map((trace) => {
    if (trace.type === "mesh3d") mesh = trace;
    if (trace.type !== "surface" || !trace.hidesurface || mesh?.scene !== trace.scene) return trace;
    const scale = scaleOf(layout[trace.scene ?? "scene"]);
    const from = [mesh.x, mesh.y, mesh.i, trace.contours, ...scale];
    let known = drawnLines.get(mesh.z);
    if (!known || !from.every((part, n) => part === known.from[n])) {
      known = { from, lines: linesOf(mesh, trace, scale, [2]), net: trace.contours.x && linesOf(mesh, trace, scale, [0, 1]) };
      drawnLines.set(mesh.z, known);
    }
    if (known.net) nets.push(known.net);
    return known.lines;
  });
  return [...drawn, ...nets];
}
