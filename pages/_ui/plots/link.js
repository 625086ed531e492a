// A link to what is seen, into the clipboard.
const LINK = { // two links of a chain, as large and bold as plotly's own icons
  width: 24, height: 24, transform: "rotate(-45 12 12)",
  path: "M5 6h6v3H5a3 3 0 0 0 0 6h6v3H5a6 6 0 0 1 0-12zm8 0h6a6 6 0 0 1 0 12h-6v-3h6a3 3 0 0 0 0-6h-6zM8 10.5h8v3H8z",
};

// The address holds dataset, class and the page's choices. ``navigator.clipboard`` is there over https and on this machine
// only; a server in a classroom often has neither.
async function copyLink(gd, event) {
  const button = event?.currentTarget;
  const say = (text) => button?.setAttribute("data-title", text);
  const { link, left } = linkToView(location.href);
  const copied = left ? "Link copied, without the key to your tables: they stay yours" : "Link copied";
  try {
    await navigator.clipboard.writeText(link);
    say(copied);
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: link });
    document.body.append(field);
    field.select();
    say(document.execCommand("copy") ? copied : "This browser does not let a page copy");
    field.remove();
  }
  setTimeout(() => say("Copy link to this view"), left ? 5000 : 2000);
}

// An address as others may have it: without the token of the reader's own tables. Nothing else in it is written anew.
function linkToView(address) {
  const [whole, fragment = ""] = address.split(/(?=#)/);
  const [page, query = ""] = whole.split("?");
  const parts = query.split("&").filter((part) => part && !part.startsWith("upload="));
  const link = page + (parts.length ? `?${parts.join("&")}` : "") + fragment;
  return { link, left: /[?&]upload=/.test(whole) };
}
