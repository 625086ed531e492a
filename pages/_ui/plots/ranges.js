// "Reset axes", and a double click, go to what a figure shows now: plotly would go to what it showed first.
function resetToNow(node, layout) {
  for (const [name, axis] of Object.entries(node._fullLayout)) {
    if (!/^[xy]axis\d*$/.test(name)) continue;
    const range = layout[name]?.range;
    [axis._rangeInitial0, axis._rangeInitial1] = range ?? [];
    axis._autorangeInitial = !range;
  }
}
