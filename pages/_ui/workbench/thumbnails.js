// Training runs as small pictures; a click names the one that is to stand on the stage.
export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const list = parentElement.querySelector(".ltw-runs");
  const runs = JSON.parse(new TextDecoder().decode(data));
  list.replaceChildren(...runs.map((run) => {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button", title: run.title });
    if (run.shown) button.setAttribute("aria-current", "true");
    const picture = Object.assign(document.createElement("img"), { src: run.src, alt: "" });
    const line = (name, text) => Object.assign(document.createElement("span"), { className: name, textContent: text });
    button.append(picture, line("name", run.name), line("about", run.about), line("f1", run.f1));
    button.onclick = () => setTriggerValue("chosen", run.token);
    item.append(button);
    return item;
  }));
}
