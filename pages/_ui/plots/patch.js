// Changes some traces of a figure that plot.js has drawn, by name: a live surface is a small message, and the points and
// texts beside it are not sent again.
export default function (component) {
  const data = JSON.parse(new TextDecoder().decode(component.data));
  const { name, of: figure, alt, told, ...changes } = data; // of another figure the same changes are new
  shared.alts.set(name, alt);
  shared.told.set(name, told);
  const node = shared.nodes.get(name);
  const empty = !Object.keys(data.traces).length && !Object.keys(data.layout ?? {}).length;
  const text = empty ? "" : JSON.stringify(changes);
  const before = shared.patches.get(name);
  const drawn = text === (before ? before.text : "");
  if (drawn && node?.ltw && !node.ltw.stale && !node.ltw.drawing) node.ltw.told = told;
  node?.ltwCaption?.();
  if (drawn) return;
  if (empty) shared.patches.delete(name);
  else shared.patches.set(name, { text, traces: data.traces, layout: data.layout });
  if (node && node.ltwDraw) node.ltwDraw();
}
