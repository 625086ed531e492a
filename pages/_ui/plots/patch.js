// Changes some traces of a figure that plot.js has drawn, by name: a live surface is a small message, and the points and
// texts beside it are not sent again.
export default function (component) {
  const data = JSON.parse(new TextDecoder().decode(component.data));
  const shared = (window.__ltwPlots ??= { library: null, nodes: new Map(), patches: new Map(), alts: new Map() });
  const { name, alt, ...changes } = data;
  shared.alts.set(name, alt);
  const node = shared.nodes.get(name);
  node?.ltwCaption?.();
  const empty = !Object.keys(data.traces).length && !Object.keys(data.layout ?? {}).length;
  const text = empty ? "" : JSON.stringify(changes);
  const before = shared.patches.get(name);
  if (text === (before ? before.text : "")) return;
  if (empty) shared.patches.delete(name);
  else shared.patches.set(name, { text, traces: data.traces, layout: data.layout });
  if (node && node.ltwDraw) node.ltwDraw();
}
