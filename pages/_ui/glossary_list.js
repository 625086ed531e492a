// The glossary: what is typed is looked for in the words and their other forms, and where none has it in the meanings.
export default function ({ parentElement, setTriggerValue }) {
  const [find, told, words] = ["input", "[role=status]", ".words"].map((one) => parentElement.querySelector(one));
  const entries = [...words.querySelectorAll("dl > div")];
  find.oninput = () => {
    const sought = find.value.trim().toLowerCase();
    let found = entries.filter((one) => one.dataset.forms.includes(sought));
    if (!found.length) found = entries.filter((one) => one.textContent.toLowerCase().includes(sought));
    for (const one of entries) one.hidden = !found.includes(one);
    for (const group of words.children) group.hidden = !group.querySelector("dl > div:not([hidden])");
    told.textContent = found.length ? "" : `No word or meaning here holds “${find.value.trim()}”.`;
    words.scrollTop = 0;
  };
  [...parentElement.querySelectorAll("nav button")].forEach((way, i) => {
    way.onclick = () => {
      find.value = "";
      find.oninput();
      words.scrollTo({ top: words.children[i].offsetTop - words.offsetTop });
    };
  });
  words.onclick = (event) => {
    const way = event.target.closest("a");
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setTriggerValue("asked", way.getAttribute("href"));
  };
}
