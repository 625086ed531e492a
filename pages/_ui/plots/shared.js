// What the scripts of figures know in common, by the figure's name; whichever of them is called first makes it.
const shared = (window.__ltwPlots ??= { nodes: new Map(), patches: new Map(), alts: new Map(), told: new Map() });
