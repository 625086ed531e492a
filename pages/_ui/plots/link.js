// A link to what is seen, into the clipboard.
const LINK = { // two links of a chain
  width: 24, height: 24,
  path: "M4 9h7v2H5v4h6v2H4a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1zm9 0h7a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-7v-2h6v-4h-6zM8 12h8v2H8z",
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
