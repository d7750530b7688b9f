// Keys for reading. They keep out of the way of whoever is typing.
const TYPING = "input, textarea, select, [contenteditable]";

export function setUpKeys(work) {
  const help = document.getElementById("keys");
  const button = document.querySelector("[data-help]");
  button.hidden = false;
  button.addEventListener("click", () => help.showModal());
  const keys = { ...work, "?": () => help.showModal() };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(TYPING)) return;
    if (help.open || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
}
