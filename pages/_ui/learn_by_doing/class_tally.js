// Guesses of a class as they come in: bars of a choice or an order, or numbers as dots on a line. Texts are texts.
export default function (component) {
  const { data, parentElement } = component;
  const root = parentElement.querySelector(".ltw-tally");
  const given = JSON.stringify(data);
  if (root.ltwGiven === given) return;
  root.ltwGiven = given;
  const element = (tag, name, text) => {
    const node = document.createElement(tag);
    node.className = name;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", data.alt);
  if (data.kind === "bars") {
    const shape = JSON.stringify(data.rows.map((row) => row.label));
    if (root.ltwShape !== shape) {  // the same bars only grow
      root.ltwShape = shape;
      root.replaceChildren(
        ...data.rows.map((row) => {
          const line = element("div", "row");
          const track = element("div", "track");
          track.append(element("div", "bar"));
          line.append(element("div", "label", row.label), track, element("div", "value"));
          return line;
        }),
      );
    }
    data.rows.forEach((row, i) => {
      const line = root.children[i];
      line.classList.toggle("right", row.right);
      line.classList.toggle("starred", row.starred);
      line.querySelector(".bar").style.width = `${100 * row.share}%`;
      line.querySelector(".value").textContent = row.value;
    });
    return;
  }
  root.ltwShape = null;
  if (data.kind === "surfaces") {
    const ramp = data.ramp.map((c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16)));
    const [lowest, highest] = data.limits;
    const n = data.size;
    const tile = ([name, heights]) => {
      const figure = element("figure", "");
      const canvas = element("canvas", "");
      canvas.width = canvas.height = n;
      const picture = new ImageData(n, n);
      heights.forEach((height, place) => {
        const [row, column] = [Math.floor(place / n), place % n];
        const t = Math.min(1, Math.max(0, (height - lowest) / (highest - lowest))) * (ramp.length - 1);
        const i = Math.min(Math.floor(t), ramp.length - 2);
        const to = 4 * ((n - 1 - row) * n + column);
        for (let k = 0; k < 3; k++) picture.data[to + k] = ramp[i][k] + (t - i) * (ramp[i + 1][k] - ramp[i][k]);
        picture.data[to + 3] = 255;
      });
      canvas.getContext("2d").putImageData(picture, 0, 0);
      figure.append(canvas, element("figcaption", "", name));
      return figure;
    };
    const tiles = element("div", "tiles");
    tiles.append(...data.tiles.map(tile));
    root.replaceChildren(tiles);
    return;
  }
  const W = 640, bins = 64, left = 24, radius = 5.6;
  const at = (v) => left + ((v - data.low) / (data.high - data.low)) * (W - 2 * left);
  const stacks = {};
  const dots = data.values.map((v) => {
    const bin = Math.round(((v - data.low) / (data.high - data.low)) * bins);
    stacks[bin] = (stacks[bin] ?? 0) + 1;
    return [left + (bin / bins) * (W - 2 * left), stacks[bin]];
  });
  const high = Math.max(4, ...Object.values(stacks));
  const H = 70 + 2 * radius * high;
  const floor = H - 34;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${W} ${H}`);
  const make = (tag, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    svg.append(node);
  };
  make("line", { class: "axis", x1: left, x2: W - left, y1: floor, y2: floor });
  data.ticks.forEach(([v, text]) => make("text", { class: "tick", x: at(v), y: floor + 20, "text-anchor": "middle" }, text));
  dots.forEach(([x, n]) => make("circle", { class: "dot", cx: x, cy: floor - radius * (2 * n - 1) - 1, r: radius - 0.6 }));
  const mark = (cls, v, text, y) => {
    make("line", { class: cls, x1: at(v), x2: at(v), y1: y + 5, y2: floor });
    const side = at(v) > W * 0.7 ? "end" : at(v) < W * 0.3 ? "start" : "middle";
    make("text", { class: `${cls} name`, x: at(v), y, "text-anchor": side }, text);
  };
  if (data.mean) mark("mean", ...data.mean, 14);
  if (data.starred) mark("starred", ...data.starred, 30);
  if (data.answer) mark("answer", ...data.answer, 30);
  root.replaceChildren(svg);
}
