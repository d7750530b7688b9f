// The list of debates is made anew now and then, while somebody looks: cards of running debates move, and debates that
// were begun elsewhere appear.
const LOOK_EVERY = 5000; // milliseconds
const list = document.getElementById("listed");
let known = list?.innerHTML;

// What the focus is on has the same address afterwards.
function replace(fresh) {
  const link = document.activeElement?.closest("#listed a")?.getAttribute("href");
  list.replaceChildren(...document.adoptNode(fresh).childNodes);
  if (link) list.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

async function look() {
  try {
    const answer = document.hidden ? null : await fetch(location.href);
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
    const fresh = page?.getElementById("listed");
    if (fresh && fresh.innerHTML !== known) {
      if (!list.childElementCount) return location.reload(); // nothing had been debated
      known = fresh.innerHTML;
      replace(fresh);
      document.querySelector("[data-count]")?.replaceWith(page.querySelector("[data-count]") ?? "");
    }
  } catch {
    // The server is away; the next look may find it.
  }
  setTimeout(look, LOOK_EVERY);
}

if (list) setTimeout(look, LOOK_EVERY);
