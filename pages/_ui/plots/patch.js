// Changes some traces of a figure that plot.js has drawn, by name: a live surface is a small message, and the points and
// texts beside it are not sent again.
export default function (component) {
  const data = JSON.parse(new TextDecoder().decode(component.data));
  const shared = (window.__ltwPlots ??= { library: null, nodes: new Map(), patches: new Map() });
  const empty = !Object.keys(data.traces).length && !Object.keys(data.layout ?? {}).length;
  const text = empty ? "" : JSON.stringify(data);
  const before = shared.patches.get(data.name);
  if (text === (before ? before.text : "")) return;
  if (empty) shared.patches.delete(data.name);
  else shared.patches.set(data.name, { text, traces: data.traces, layout: data.layout });
  const node = shared.nodes.get(data.name);
  if (node && node.ltwDraw) node.ltwDraw();
}
