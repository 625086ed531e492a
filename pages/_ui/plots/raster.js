// Surfaces painted pixel by pixel, with a depth for each: some milliseconds a frame without a graphics card.
const TYPES = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u4: Uint32Array, i2: Int16Array, u2: Uint16Array, i1: Int8Array, u1: Uint8Array };

// An array as plotly's JSON has it.
function numbers(value) {
  if (!value || !value.bdata) return value ?? [];
  const text = atob(value.bdata);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = text.charCodeAt(at);
  return new TYPES[value.dtype](bytes.buffer);
}

// A narrow page's scenes are small: each of their points is seen where these are smaller, too.
const SMALLER = 0.6, LEAST = 1.2, FAINTER = 0.8; // pixels, and of their opacity
const smallerMarkers = new WeakMap(); // by what is replaced: plotly compares objects

function forNarrow(trace) {
  const { marker } = trace;
  if ((trace.type !== "scatter3d" && trace.name !== "terms") || !marker?.size?.bdata) return trace;
  if (!smallerMarkers.has(marker)) {
    const size = numbers(marker.size).map((pixels) => Math.max(LEAST, SMALLER * pixels));
    smallerMarkers.set(marker, { ...marker, size, opacity: FAINTER * (marker.opacity ?? 1) });
  }
  return { ...trace, marker: smallerMarkers.get(marker) };
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => { const length = Math.hypot(...a) || 1; return a.map((v) => v / length); };
const LIGHT = unit([0.3, -0.45, 0.9]);

function channels(colour) {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  const [r, g, b, opacity] = hex ? hex.slice(1).map((v) => parseInt(v, 16)) : (colour.match(/[\d.]+/g) ?? [0, 0, 0]).map(Number);
  return [r, g, b, opacity ?? 1];
}

// From data to the unit of the scene's box, which stands around the origin, as plotly has it.
function boxed(scene) {
  const axes = [scene.xaxis, scene.yaxis, scene.zaxis];
  const aspect = ["x", "y", "z"].map((k) => scene.aspectratio[k]);
  return (values, axis) => {
    const [low, high] = axes[axis].range;
    const [middle, scale] = [(low + high) / 2, aspect[axis] / (high - low)];
    const placed = new Float32Array(numbers(values));
    for (let at = 0; at < placed.length; at += 1) placed[at] = (placed[at] - middle) * scale;
    return placed;
  };
}

function meshOf(trace, place) {
  const [x, y, z] = [place(trace.x, 0), place(trace.y, 1), place(trace.z, 2)];
  const [i, j, k] = [numbers(trace.i), numbers(trace.j), numbers(trace.k)];
  const normal = new Float32Array(3 * x.length);
  for (let t = 0; t < i.length; t += 1) {
    const a = i[t], b = j[t], c = k[t];
    const ux = x[b] - x[a], uy = y[b] - y[a], uz = z[b] - z[a];
    const vx = x[c] - x[a], vy = y[c] - y[a], vz = z[c] - z[a];
    const nz = ux * vy - uy * vx;
    const sign = nz < 0 ? -1 : 1;
    for (let corner = 0; corner < 3; corner += 1) {
      const at = 3 * (corner === 0 ? a : corner === 1 ? b : c);
      normal[at] += sign * (uy * vz - uz * vy);
      normal[at + 1] += sign * (uz * vx - ux * vz);
      normal[at + 2] += sign * nz;
    }
  }
  const colour = new Uint8ClampedArray(3 * x.length);
  for (let n = 0; n < x.length; n += 1) {
    const nx = normal[3 * n], ny = normal[3 * n + 1], nz = normal[3 * n + 2];
    const lit = (nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2]) / (Math.hypot(nx, ny, nz) || 1);
    const bright = 0.9 + 0.15 * Math.abs(lit); // either side of a sheet is lit
    const rgb = parseInt(trace.vertexcolor[n].slice(1), 16);
    colour[3 * n] = bright * (rgb >> 16);
    colour[3 * n + 1] = bright * ((rgb >> 8) & 255);
    colour[3 * n + 2] = bright * (rgb & 255);
  }
  return { x, y, z, i, j, k, colour };
}

function levelsOf(trace, mesh, place) {
  const { x, z } = trace.contours;
  const lines = [{ pieces: piecesOf(crossings(mesh, place(heightsOf(z), 2))), colour: z.color }];
  return x ? [{ pieces: piecesOf(net(mesh, trace)), colour: x.color }, ...lines] : lines;
}

// A line as pieces from place to place; a null breaks it.
function piecesOf(places) {
  const pieces = [];
  for (let n = 1; n < places.length; n += 1) {
    if (places[n - 1] && places[n]) pieces.push(...places[n - 1].at, ...places[n].at);
  }
  return pieces;
}

function wiresOf(trace, place) {
  const [x, y, z] = [place(trace.x, 0), place(trace.y, 1), place(trace.z, 2)];
  const places = Array.from(z, (height, n) => (Number.isFinite(height) ? { at: [x[n], y[n], height] } : null));
  return { pieces: piecesOf(places), colour: trace.line.color };
}

// The scenes of a figure: meshes, lines of equal height and others, points.
function scenesOf(figure) {
  const scenes = {};
  for (const [name, layout] of Object.entries(figure.layout)) {
    if (/^scene\d*$/.test(name)) scenes[name] = { name, layout, place: boxed(layout), mesh: null, lines: [], points: null };
  }
  for (const trace of figure.data) {
    const scene = scenes[trace.scene];
    if (!scene) continue;
    if (trace.type === "mesh3d") scene.mesh = meshOf(trace, scene.place);
    if (trace.type === "surface" && scene.mesh) scene.lines.push(...levelsOf(trace, scene.mesh, scene.place));
    if (trace.mode === "lines") {
      scene.lines.push(wiresOf(trace, scene.place));
      continue;
    }
    const { color, colorscale, coloraxis } = trace.marker ?? {};
    if (trace.type === "scatter3d" && !coloraxis) {
      const inks = colorscale ? colorscale.map((stop) => stop[1]) : [color]; // a point's number is that of its ink
      const [x, y, z] = [scene.place(trace.x, 0), scene.place(trace.y, 1), scene.place(trace.z, 2)];
      scene.points = { x, y, z, size: numbers(trace.marker.size), inks, which: colorscale ? numbers(color) : [] };
    }
  }
  return Object.values(scenes);
}

// What plotly's camera sees of a point: pixels to the right and down, and how far away.
function viewer(camera, area) {
  const vector = (v) => [v.x, v.y, v.z];
  const [eye, center, up] = [vector(camera.eye), vector(camera.center), vector(camera.up)];
  const ahead = unit(minus(center, eye));
  const right = unit(cross(ahead, up));
  const over = cross(right, ahead);
  const scale = area.height / 2 / Math.tan(Math.PI / 8);
  const [left, top] = [area.left + area.width / 2, area.top + area.height / 2];
  const see = (x, y, z) => {
    const [dx, dy, dz] = [x - eye[0], y - eye[1], z - eye[2]];
    const depth = Math.max(dx * ahead[0] + dy * ahead[1] + dz * ahead[2], 0.05);
    const zoom = scale / depth;
    return [
      left + zoom * (dx * right[0] + dy * right[1] + dz * right[2]),
      top - zoom * (dx * over[0] + dy * over[1] + dz * over[2]),
      depth,
    ];
  };
  return Object.assign(see, { height: area.height });
}

// A scene without its axes as an image, everything hidden that is behind something; `near` says how near each pixel is.
function raster(scene, camera, width, height, ratio) {
  const image = new ImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const near = new Float32Array(width * height); // 1 / depth
  const see = viewer(camera, { left: 0, top: 0, width, height });
  if (scene.mesh) fill(scene.mesh, see, pixels, near, width, height);
  const block = (x, y, nearness, reach, [r, g, b, opacity]) => {
    for (let row = Math.max(0, Math.ceil(y - reach)); row <= Math.min(height - 1, y + reach); row += 1) {
      for (let column = Math.max(0, Math.ceil(x - reach)); column <= Math.min(width - 1, x + reach); column += 1) {
        const at = row * width + column;
        if (nearness < near[at] || (column - x) ** 2 + (row - y) ** 2 > reach * reach) continue;
        const old = pixels[at];
        const rest = old >>> 24 ? 1 - opacity : 0;
        const mix = (value, shift) => Math.round(value * (1 - rest) + ((old >>> shift) & 255) * rest);
        pixels[at] = (255 << 24) | (mix(b, 16) << 16) | (mix(g, 8) << 8) | mix(r, 0);
      }
    }
  };
  for (const { pieces, colour } of scene.lines) {
    const ink = channels(colour);
    for (let n = 0; n < pieces.length; n += 6) {
      const a = see(pieces[n], pieces[n + 1], pieces[n + 2]);
      const b = see(pieces[n + 3], pieces[n + 4], pieces[n + 5]);
      const steps = Math.max(1, Math.ceil(Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]))));
      for (let step = 0; step < steps; step += 1) {
        const share = step / steps;
        const depth = a[2] + share * (b[2] - a[2]) - 0.012;
        block(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), 1 / depth, 0.45 * ratio, ink);
      }
    }
  }
  if (scene.points) {
    const { x, y, z, size, which } = scene.points;
    const inks = scene.points.inks.map((name) => [...channels(name).slice(0, 3), 0.9]);
    for (let n = 0; n < x.length; n += 1) {
      const ink = inks[which[n] ?? 0];
      const [px, py, depth] = see(x[n], y[n], z[n]);
      block(px, py, 1 / (depth - 0.02), 0.33 * (size.length ? size[n] : size) * ratio, ink); // as WebGL draws them
    }
  }
  return Object.assign(image, { near });
}

function fill(mesh, see, pixels, near, width, height) {
  const { i, j, k, colour } = mesh;
  const count = mesh.x.length;
  const px = new Float32Array(count), py = new Float32Array(count), pn = new Float32Array(count);
  for (let n = 0; n < count; n += 1) {
    const seen = see(mesh.x[n], mesh.y[n], mesh.z[n]);
    px[n] = seen[0];
    py[n] = seen[1];
    pn[n] = 1 / seen[2];
  }
  for (let t = 0; t < i.length; t += 1) {
    const a = i[t], b = j[t], c = k[t];
    const ax = px[a], ay = py[a], bx = px[b] - ax, by = py[b] - ay, cx = px[c] - ax, cy = py[c] - ay;
    const double = bx * cy - by * cx;
    if (!double) continue;
    const left = Math.max(0, Math.ceil(ax + Math.min(0, bx, cx))), right = Math.min(width - 1, Math.floor(ax + Math.max(0, bx, cx)));
    const top = Math.max(0, Math.ceil(ay + Math.min(0, by, cy))), bottom = Math.min(height - 1, Math.floor(ay + Math.max(0, by, cy)));
    const da = pn[a], db = pn[b], dc = pn[c], ca = 3 * a, cb = 3 * b, cc = 3 * c;
    for (let y = top; y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const wb = ((x - ax) * cy - (y - ay) * cx) / double;
        const wc = (bx * (y - ay) - by * (x - ax)) / double;
        const wa = 1 - wb - wc;
        if (wa < -1e-4 || wb < -1e-4 || wc < -1e-4) continue;
        const at = y * width + x;
        const nearness = wa * da + wb * db + wc * dc;
        if (nearness <= near[at]) continue;
        near[at] = nearness;
        const red = wa * colour[ca] + wb * colour[cb] + wc * colour[cc];
        const green = wa * colour[ca + 1] + wb * colour[cb + 1] + wc * colour[cc + 1];
        const blue = wa * colour[ca + 2] + wb * colour[cb + 2] + wc * colour[cc + 2];
        pixels[at] = (255 << 24) | (blue << 16) | (green << 8) | red;
      }
    }
  }
}
