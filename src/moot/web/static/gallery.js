// Cards of debates that are under way move by themselves: one connection for all cards of the page.
import { follow } from "./follow.js";

const running = () => [...document.querySelectorAll("[data-running]")].map((one) => one.dataset.running);
const names = running();

function put({ name, html }) {
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".run");
  const old = document.querySelector(`[data-running="${CSS.escape(name)}"]`);
  if (!fresh || !old) return;
  const link = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(document.adoptNode(fresh));
  if (link) fresh.querySelector(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
}

if (names.length) {
  const address = () => `/cards/follow?${new URLSearchParams(names.map((name) => ["name", name]))}`;
  follow(address, -1, { card: put, found: () => {}, lost: () => {}, ended: () => {} }, false);
}
