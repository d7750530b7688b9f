// The map on the page of a debate that has ended: it fits, is zoomed and moved, its branches fold, and arguments are struck
// here, by what the page that contests the verdict says. On that page the map is zoomed and moved by the same. Without
// this it is scrolled, and a link leads to that page.
import { setUpMap } from "./map.js";

const SVG = "http://www.w3.org/2000/svg";
const BUTTONS = [["in", "+", "Zoom in"], ["out", "−", "Zoom out"], ["fit", "Fit"]];
const place = document.querySelector(".grows .map, #strike-here .map");
const original = place?.querySelector("svg");
const contest = document.querySelector("[data-contest]")?.dataset.contest;
const contesting = place?.closest("#strike-here"); // this is the page that contests the verdict

function make(name, properties, ...children) {
  const one = Object.assign(document.createElement(name), properties);
  one.append(...children);
  return one;
}

function toolbar(striking) {
  const tools = make("div", { className: "map-tools", role: "toolbar", ariaLabel: "Map" });
  const buttons = contest ? [...BUTTONS, ["strike", striking ? "Back to the debate" : "Strike arguments here"]] : BUTTONS;
  for (const [name, text, label] of buttons) {
    const button = make("button", { type: "button", textContent: text });
    button.dataset.map = name;
    if (label) button.ariaLabel = label;
    tools.append(button);
  }
  return tools;
}

// Show a map, with what is said about the verdict above it while arguments are struck.
function show(svg, verdict) {
  const how = "Arrow keys move it, plus and minus zoom, 0 fits it.";
  const box = make("div", { className: "map map-box", role: "group", tabIndex: 0, ariaLabel: `${title}. ${how}` }, svg);
  view.replaceChildren(toolbar(Boolean(verdict)), ...(verdict ? [verdict] : []), box);
  const choose = verdict ? strike : (href) => location.assign(href);
  setUpMap(choose, { strike: () => (verdict ? back() : strike("?")) });
}

function back() {
  show(original);
  view.querySelector("[data-map=strike]").focus({ preventScroll: true });
}

async function strike(query, link) {
  const number = link ? [...view.querySelectorAll("svg a")].indexOf(link) : -1;
  const answer = await fetch(contest + query.split("#")[0]).catch(() => null);
  const text = answer?.ok ? await answer.text() : null;
  if (text === null) return say("It could not be contested: the server does not answer.");
  const page = new DOMParser().parseFromString(text, "text/html");
  const verdict = make("div", { className: "struck-here" }, ...page.getElementById("moved").children);
  verdict.querySelector("h2")?.remove();
  for (const one of verdict.querySelectorAll("a")) {
    one.addEventListener("click", (event) => {
      event.preventDefault();
      strike(one.getAttribute("href"));
    });
  }
  show(document.adoptNode(page.querySelector("#strike-here svg")), verdict);
  const links = [...view.querySelectorAll("svg a")];
  (links[number] ?? view.querySelector("[data-map=strike]")).focus({ preventScroll: true });
}

function say(words) {
  view.prepend(make("p", { className: "flag", role: "alert", textContent: words }));
}

// Arguments fold away with all that bears on the debate through them alone.
function addFolds(svg) {
  const nodes = new Map([...svg.querySelectorAll(".am-arg")].map((one) => [one.id, one]));
  const lines = [...svg.querySelectorAll("[data-ends]")].map((one) => ({ one, ends: one.dataset.ends.split(" ") }));
  const below = new Map([...nodes.keys()].map((id) => [id, []]));
  for (const { ends: [source, target] } of lines) if (source !== target) below.get(target)?.push(source);
  const folded = new Set();
  const folds = new Map();

  function reached(starts, stop) {
    const found = new Set(starts);
    for (const id of found) if (!stop.has(id)) for (const other of below.get(id)) found.add(other);
    return found;
  }

  // Those that bear on nothing else come first; of a circle that none of them leads to, any.
  const roots = [...nodes.keys()].filter((id) => !lines.some(({ ends }) => ends[0] === id && ends[1] !== id));
  for (const id of nodes.keys()) if (!reached(roots, new Set()).has(id)) roots.push(id);

  function apply() {
    const seen = reached(roots, folded);
    for (const [id, node] of nodes) (node.closest("a") ?? node).classList.toggle("folded", !seen.has(id));
    for (const { one, ends } of lines) one.classList.toggle("folded", !ends.every((id) => seen.has(id)) || folded.has(ends[1]));
    for (const [id, one] of folds) {
      one.classList.toggle("folded", !seen.has(id));
      one.setAttribute("aria-expanded", String(!folded.has(id)));
      one.querySelector("text").textContent = folded.has(id) ? "+" : "−";
    }
  }

  for (const [id, node] of nodes) {
    if (below.get(id).length === 0) continue;
    const fold = document.createElementNS(SVG, "g");
    const box = node.querySelector(".am-box");
    const [x, y] = node.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const name = node.querySelector(".am-name").textContent;
    const its = { class: "am-fold", role: "button", tabindex: "0", "aria-label": `What bears on ${name}` };
    for (const [key, value] of Object.entries(its)) fold.setAttribute(key, value);
    fold.setAttribute("transform", `translate(${x + 14} ${y + Number(box.getAttribute("height"))})`);
    fold.innerHTML = '<circle r="9"/><text text-anchor="middle" y="4.5">−</text>';
    const toggle = () => {
      if (!folded.delete(id)) folded.add(id);
      apply();
    };
    fold.addEventListener("click", toggle);
    fold.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      toggle();
    });
    svg.querySelector(":scope > g").append(fold);
    folds.set(id, fold);
  }
}

const title = place?.getAttribute("aria-label");
const view = make("div", { className: "map-view" });
if (original) {
  place.replaceWith(view);
  if (!contesting) addFolds(original);
  show(original);
  // What is played back is the debate as it was.
  addEventListener("click", (event) => event.target.closest("[data-replay]") && show(original), true);
}
