// Until a page has appeared, entries far away are not laid out (see moot.css): a long debate appears sooner. Then they
// are, so that the End key and the scroll bar know how long it is.
function settle() {
  document.body.classList.add("settled");
  document.querySelector(":target")?.scrollIntoView({ behavior: "instant" });
}
requestAnimationFrame(() => setTimeout(settle));
