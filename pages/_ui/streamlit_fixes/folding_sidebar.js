// Folds the sidebar on narrow pages: at first, after a link in it was followed, after a choice that ends there, and on a
// phone, where it lies over the page, after a tap beside it.
const NARROW = 1000, PHONE = 640;
const KEPT = "stSidebarCollapsed-"; // Streamlit's own entries: how a reader of a wide page likes it

export default function ({ data: choices }) {
  if (window.__ltwFolding) return void window.__ltwFolding(choices);
  let opened = false; // by hand, on a narrow page
  let width = window.innerWidth;
  const kept = () => {
    try {
      return Object.fromEntries(Object.entries(localStorage).filter(([name]) => name.startsWith(KEPT)));
    } catch {
      return {};
    }
  };
  // until then the style sheet hides an open one of a narrow page, so that this begins as it stays
  const begun = () => { document.documentElement.dataset.ltwFolded = ""; };
  const fold = (left = 20) => {
    const bar = document.querySelector('[data-testid="stSidebar"]');
    if (window.innerWidth > NARROW || opened || bar?.dataset.collapsed === "true") return begun();
    const button = document.querySelector('[data-testid="stSidebarCollapseButton"] button');
    if (button) {
      const before = kept();
      button.click();
      for (const name of Object.keys(kept())) {
        if (name in before) localStorage.setItem(name, before[name]);
        else localStorage.removeItem(name);
      }
      begun();
    } else if (left) setTimeout(() => fold(left - 1), 50);
    else begun();
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-testid="stExpandSidebarButton"]')) opened = true;
    else if (event.target.closest('[data-testid="stSidebar"] :is([data-testid="stSidebarNavLink"], [data-testid="stPageLink"] a)')) {
      opened = false;
      setTimeout(fold, 60); // after Streamlit's own answer to the click
    }
  });
  document.addEventListener("click", (event) => {
    const bar = document.querySelector('[data-testid="stSidebar"]');
    if (window.innerWidth > PHONE || !bar || bar.dataset.collapsed === "true" || !event.target.closest('[data-testid="stMain"]')) return;
    event.preventDefault();
    event.stopPropagation(); // it is for the menu, not for what lies under it
    opened = false;
    fold();
  }, true);
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    setTimeout(fold, 60);
  });
  window.__ltwFolding = (now) => {
    if (now <= choices) return;
    choices = now;
    opened = false;
    fold();
  };
  fold();
}
