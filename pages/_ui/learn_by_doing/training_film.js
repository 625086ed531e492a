// Plays a training in a page that is taken home: the surface that stands there already gets each step's heights and
// colours, a dot goes along the curve of validation F1, and a line says which step it is. Nothing is fetched.
(function (film) {
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const numbers = (text) => new Uint16Array(bytes(text).buffer);
  const part = (all, k) => all.subarray((k * all.length) / film.frames, ((k + 1) * all.length) / film.frames);
  const unit = (film.high - film.low) / 65535;
  const heights = (values, lift) => Array.from(values, (value) => film.low + unit * value + lift);
  const [sheets, points, lut, dark, veil] = [numbers(film.z), numbers(film.points), bytes(film.lut), bytes(film.dark), bytes(film.veil)];
  const colour = (value, i) => {
    const v = veil[i] / 255, at = 3 * (value >> 8);
    return `rgb(${[0, 1, 2].map((c) => Math.round(lut[at + c] * (1 - v) + film.faded[c] * v))})`;
  };
  const root = document.getElementById("ltw-film"), node = root.querySelector(".plotly-graph-div");
  const [button, slider, label, dot] = [".film button", ".film input", ".film output", ".dot"].map((name) => root.querySelector(name));
  let at = film.start, playing = null;

  function show(k) {
    at = slider.value = k;
    const { step, f1, x, y } = film.course[k];
    label.textContent = `Step ${step.toLocaleString("en")}, validation F1 ${f1}${k === film.start ? ", kept" : ""}`;
    slider.setAttribute("aria-valuetext", label.textContent);
    dot.setAttribute("cx", x);
    dot.setAttribute("cy", y);
    const sheet = part(sheets, k), values = part(points, k), z = heights(sheet, 0);
    const wide = Math.round(Math.sqrt(z.length)), lines = [];
    for (let row = 0; row < wide; row++) lines.push(z.slice(row * wide, (row + 1) * wide).map((v) => v + film.lift / 6));
    const [none, marks] = [undefined, Array.from(values, (v) => dark[v >> 8])];
    const moved = { z: [z, lines, heights(values, film.lift)], vertexcolor: [Array.from(sheet, colour), none, none], "marker.color": [none, none, marks] };
    Plotly.restyle(node, moved, [film.surface, `${film.surface} levels`, "terms"].map((name) => film.traces[name]));
  }

  function stop() {
    playing = null;
    button.textContent = "▶ Play";
  }

  function play() {
    const mine = (playing = {}), from = at >= film.start ? 0 : at, began = performance.now();
    button.textContent = "❚❚ Pause";
    const next = () => {  // by the clock: a slow machine leaves steps out
      if (playing !== mine) return;
      const k = Math.min(film.start, from + Math.floor(((performance.now() - began) / 6000) * film.start));
      if (k !== at) show(k);
      k === film.start ? stop() : setTimeout(next, 60);
    };
    next();
  }

  button.onclick = () => (playing ? stop() : play());
  slider.oninput = () => {
    stop();
    show(+slider.value);
  };
})
