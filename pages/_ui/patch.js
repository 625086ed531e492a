// Changes some traces of a figure that plot.js has drawn, by name: a live surface is a small message, and the points and
// texts beside it are not sent again.
export default function (component) {
  const { data } = component;
  const shared = (window.__ltwPlots ??= { library: null, nodes: new Map(), patches: new Map() });
  shared.patches.set(data.name, { traces: data.traces, layout: data.layout });
  const node = shared.nodes.get(data.name);
  if (node && node.ltwDraw) node.ltwDraw();
}
