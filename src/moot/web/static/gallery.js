// Cards of debates that are under way move by themselves: one connection for all cards of the page. Now and then it is
// asked whether there are other debates, while somebody looks; those appear, too.
import { follow } from "./follow.js";

const LOOK_EVERY = 10000; // milliseconds
const list = document.getElementById("listed");
let stop = () => {};

// What the focus is on has the same address afterwards.
function keepingFocus(change) {
  const link = document.activeElement?.closest("#listed a")?.getAttribute("href");
  change();
  if (link) list.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

function put({ name, html }) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".run");
  const old = document.querySelector(`[data-running="${CSS.escape(name)}"]`);
  if (fresh && old) keepingFocus(() => old.replaceWith(document.adoptNode(fresh)));
}

function listen() {
  stop();
  const names = [...document.querySelectorAll("[data-running]")].map((one) => one.dataset.running);
  if (!names.length) return;
  const address = () => `/cards/follow?${new URLSearchParams(names.map((name) => ["name", name]))}`;
  stop = follow(address, -1, { card: put, found: () => {}, lost: () => {}, ended: () => {} }, false);
}

async function look() {
  try {
    const answer = document.hidden ? null : await fetch("/cards/known");
    if (answer?.ok && (await answer.text()) !== list.dataset.known) {
      if (!list.childElementCount) return location.reload(); // nothing had been debated
      const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      const fresh = page.getElementById("listed");
      keepingFocus(() => list.replaceChildren(...document.adoptNode(fresh).children));
      list.dataset.known = fresh.dataset.known;
      document.querySelector("[data-count]")?.replaceWith(page.querySelector("[data-count]") ?? "");
      listen();
    }
  } catch {
    // The server is away; the next look may find it.
  }
  setTimeout(look, LOOK_EVERY);
}

if (list) {
  listen();
  setTimeout(look, LOOK_EVERY);
}
