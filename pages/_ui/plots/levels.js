// Lines of equal height on meshes, as the lines they are. A figure has them as a surface without a face, which needs no
// script of ours; but plotly then makes a surface of every one, a third of the time that a scene takes where no GPU draws.
const MOST_LEVELS = 40;
const WIDER = 2; // a line is thinner than a contour of the same width
const OFF = 0.005; // of the scene's box: how far from the mesh a line lies, or steep places would swallow half of its width

// Ends of short pieces where a mesh crosses the heights, six numbers each, and the triangle of each.
function crossings({ x, y, z, i, j, k }, heights) {
  const pieces = [], triangles = [];
  const cross = (a, b, height) => {
    if (z[a] < height === z[b] < height) return;
    const share = (height - z[a]) / (z[b] - z[a]);
    pieces.push(x[a] + share * (x[b] - x[a]), y[a] + share * (y[b] - y[a]), height);
  };
  for (let t = 0; t < i.length; t += 1) {
    const a = i[t], b = j[t], c = k[t];
    const low = Math.min(z[a], z[b], z[c]), high = Math.max(z[a], z[b], z[c]);
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

function linesOf(mesh, { contours, name, scene }, scale) {
  const parts = Object.fromEntries(["x", "y", "z", "i", "j", "k"].map((part) => [part, numbers(mesh[part])]));
  const { pieces, triangles } = crossings(parts, heightsOf(contours.z));
  const lines = [[], [], []];
  triangles.forEach((triangle, n) => {
    const step = stepOff(parts, triangle, scale);
    lines.forEach((line, axis) => line.push(pieces[6 * n + axis] + step[axis], pieces[6 * n + 3 + axis] + step[axis], null));
  });
  const { color, width } = contours.z;
  const [x, y, z] = lines;
  return { type: "scatter3d", mode: "lines", x, y, z, line: { color, width: WIDER * width }, hoverinfo: "skip", showlegend: false, name, scene };
}

// A figure's traces with the surfaces without a face as lines on the mesh before them.
const drawnLines = new WeakMap();

function withLines(traces, layout) {
  let mesh = null;
  return traces.map((trace) => {
    if (trace.type === "mesh3d") mesh = trace;
    if (trace.type !== "surface" || !trace.hidesurface || mesh?.scene !== trace.scene) return trace;
    const scale = scaleOf(layout[trace.scene ?? "scene"]);
    const from = [mesh.x, mesh.y, mesh.i, trace.contours, ...scale];
    const known = drawnLines.get(mesh.z);
    if (known && from.every((part, n) => part === known.from[n])) return known.lines;
    const lines = linesOf(mesh, trace, scale);
    drawnLines.set(mesh.z, { from, lines });
    return lines;
  });
}
