// The search of a site: a debate is shown if each word is in what was said in it. Without this all of them are.
(() => {
  const form = document.querySelector(".find");
  const input = form.querySelector("input");
  const told = form.querySelector("output");
  const debates = [...document.querySelectorAll("[data-words]")];
  function find() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const one of debates) {
      one.hidden = !words.every((word) => one.dataset.words.includes(word));
      found += !one.hidden;
    }
    told.textContent = words.length ? `${found} of ${debates.length}` : "";
  }
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("input", find);
  find();
})();
