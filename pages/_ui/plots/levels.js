// Lines of equal height on meshes, and of equal tpr and fpr, as the lines they are. A figure has them as a surface without a
// face, which needs no script of ours; but plotly then makes a surface of every one, a third of the time that a scene takes
// where no GPU draws.
const MOST_LEVELS = 40;
const WIDER = 2; // a line is thinner than a contour of the same width
const OFF = 0.005; // of the scene's box: how far from the mesh a line lies, or steep places would swallow half of its width

// Places on a mesh, three numbers each, and the triangle of each; null where a line ends. Here where it crosses the heights.
function crossings({ x, y, z, i, j, k }, heights) {
  const places = [];
  const cross = (a, b, height, triangle) => {
    if (z[a] < height === z[b] < height) return;
    places.push({ at: partway([x, y, z], a, b, (height - z[a]) / (z[b] - z[a])), triangle });
  };
  for (let t = 0; t < i.length; t += 1) {
    const a = i[t], b = j[t], c = k[t];
    const low = Math.min(z[a], z[b], z[c]), high = Math.max(z[a], z[b], z[c]);
    for (const height of heights) {
      if (!(height > low && height <= high)) continue; // it crosses two of the sides, or none
      cross(a, b, height, t);
      cross(b, c, height, t);
      cross(c, a, height, t);
      places.push(null);
    }
  }
  return places;
}

const partway = (parts, a, b, share) => parts.map((part) => part[a] + share * (part[b] - part[a]));

// Along lines of equal fpr, then of equal tpr: each is a column or a row of the mesh, or lies between two of them.
function net({ x, y, z }, { contours, x: ofColumns, y: ofRows }) {
  const places = [], all = [numbers(ofColumns), numbers(ofRows)], columns = all[0].length, rows = all[1].length;
  all.forEach((values, axis) => {
    for (const value of heightsOf(contours["xy"[axis]])) {
      const cell = values.findLastIndex((each, n) => n === 0 || (each <= value && n < values.length - 1));
      const share = (value - values[cell]) / (values[cell + 1] - values[cell]);
      all[1 - axis].forEach((_, other) => {
        const [row, column] = axis === 0 ? [other, cell] : [cell, other], corner = row * columns + column;
        const at = partway([x, y, z], corner, corner + (axis === 0 ? 1 : columns), share);
        places.push({ at, triangle: Math.min(row, rows - 2) * (columns - 1) + Math.min(column, columns - 2) });
      });
      places.push(null);
    }
  });
  return places;
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

function linesOf(mesh, places, scale, { color, width }, { name, scene }) {
  const [x, y, z] = [0, 1, 2].map(() => new Array(places.length).fill(null));
  places.forEach((place, n) => {
    if (!place) return;
    const step = stepOff(mesh, place.triangle, scale);
    [x, y, z].forEach((part, axis) => { part[n] = place.at[axis] + step[axis]; });
  });
  return { type: "scatter3d", mode: "lines", x, y, z, line: { color, width }, hoverinfo: "skip", showlegend: false, name, scene };
}

// Of a surface without a face that follows its mesh: its level lines, and those of equal rates where it has them and rests.
// The level lines are wider, or the net would hide them.
function linesOn(mesh, trace, scale, rests) {
  const parts = Object.fromEntries(["x", "y", "z", "i", "j", "k"].map((part) => [part, numbers(mesh[part])]));
  const { x, z } = trace.contours;
  return {
    lines: linesOf(parts, crossings(parts, heightsOf(z)), scale, { color: z.color, width: WIDER * z.width }, trace),
    net: rests && x && linesOf(parts, net(parts, trace), scale, x, trace),
  };
}

// A figure's traces with the surfaces without a face as lines on the mesh before them; those of equal rates come last, so
// that each trace keeps its place. What changes ``often`` has none of those, which take as long as all else: it is drawn sooner.
const drawnLines = new WeakMap();

function withLines(traces, layout, often = false) {
  let mesh = null;
  const nets = [];
  const drawn = traces.map((trace) => {
    if (trace.type === "mesh3d") mesh = trace;
    if (trace.type !== "surface" || !trace.hidesurface || mesh?.scene !== trace.scene) return trace;
    const scale = scaleOf(layout[trace.scene ?? "scene"]);
    const from = [mesh.x, mesh.y, mesh.i, trace.contours, often, ...scale];
    let known = drawnLines.get(mesh.z);
    if (!known || !from.every((part, n) => part === known.from[n])) {
      known = { from, ...linesOn(mesh, trace, scale, !often) };
      drawnLines.set(mesh.z, known);
    }
    if (known.net) nets.push(known.net);
    return known.lines;
  });
  return [...drawn, ...nets];
}
