// A study that is running: how far it has come, asked for again and again; its end loads the page anew.
const SECONDS = 2;
const place = document.querySelector("[data-progress]");

async function look() {
  try {
    const answer = await fetch(place.dataset.progress);
    if (answer.ok) {
      const text = await answer.text();
      const told = new DOMParser().parseFromString(text, "text/html").querySelector("[data-running]");
      if (told.dataset.running === "no") return location.reload();
      if (told.outerHTML !== place.firstElementChild.outerHTML) place.replaceChildren(told);
    }
  } catch {
    // The server is away; the next look may find it.
  }
  setTimeout(look, SECONDS * 1000);
}

setTimeout(look, SECONDS * 1000);
