// "Reset axes", and a double click, go to what a figure shows now: plotly would go to what it showed first.
function resetToNow(node, layout) {
  for (const [name, axis] of Object.entries(node._fullLayout)) {
    if (!/^[xy]axis\d*$/.test(name)) continue;
    const range = layout[name]?.range;
    [axis._rangeInitial0, axis._rangeInitial1] = range ?? [];
    axis._autorangeInitial = !range;
  }
}

// A colour bar that is turned upright or laid down is drawn anew: plotly would measure the old one's ticks as well, and
// leave them there.
function freshBars(node, narrow) {
  if (node.ltw.drawnNarrow !== narrow) for (const bar of node.querySelectorAll("g.colorbar")) bar.remove();
  node.ltw.drawnNarrow = narrow;
}
