// Loads plotly.js once, from the server that serves this page, as early as the page can ask for it.
window.__ltwLibrary ??= (url) => {
  if (window.Plotly) return Promise.resolve(window.Plotly);
  window.__ltwLoading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      window.__ltwLoading = null;
      script.remove();
      reject(new Error("plotly.js could not be loaded"));
    };
    document.head.append(script);
  });
  return window.__ltwLoading;
};
