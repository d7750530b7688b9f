// The argument map: moved and zoomed by pointer and keys, and linked with the transcript both ways.
const [STEP, SMALLEST] = [0.15, 0.7];
let view = null; // what is shown of the drawing, kept when it is drawn anew; null fits all of it
let untouched = true;

function whole(svg) {
  return { x: 0, y: 0, w: Number(svg.getAttribute("width")), h: Number(svg.getAttribute("height")) };
}

// At first all of it or, where there is no room, as much from the claim on as can be read.
function begin(svg) {
  if (!untouched || !svg.clientWidth) return;
  const all = whole(svg);
  const scale = Math.min(svg.clientWidth / all.w, svg.clientHeight / all.h);
  view = scale >= SMALLEST ? null : { x: 0, y: 0, w: svg.clientWidth / SMALLEST, h: svg.clientHeight / SMALLEST };
}

function show(svg) {
  const at = view ?? whole(svg);
  svg.setAttribute("preserveAspectRatio", "xMidYMin meet");
  svg.setAttribute("viewBox", `${at.x} ${at.y} ${at.w} ${at.h}`);
}

function zoom(svg, factor, x = 0.5, y = 0.5) {
  untouched = false;
  const all = whole(svg);
  const at = view ?? all;
  const w = Math.min(Math.max(at.w * factor, 120), all.w * 3);
  const scale = w / at.w;
  view = { x: at.x + at.w * x * (1 - scale), y: at.y + at.h * y * (1 - scale), w, h: at.h * scale };
  show(svg);
}

function move(svg, right, down) {
  untouched = false;
  const at = view ?? whole(svg);
  view = { ...at, x: at.x + at.w * right, y: at.y + at.h * down };
  show(svg);
}

function onKey(event) {
  const svg = event.currentTarget.querySelector("svg");
  if (!svg || event.ctrlKey || event.metaKey || event.altKey) return;
  const moves = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  if (event.key in moves) move(svg, ...moves[event.key]);
  else if (event.key === "+" || event.key === "=") zoom(svg, 0.8);
  else if (event.key === "-") zoom(svg, 1.25);
  else if (event.key === "0") fit(svg);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function fit(svg) {
  untouched = false;
  view = null;
  show(svg);
}

function drag(box, svg) {
  let from = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.button === 0) from = { x: event.clientX, y: event.clientY, moved: false };
  });
  box.addEventListener("pointermove", (event) => {
    if (!from || !(event.buttons & 1)) return;
    const size = box.getBoundingClientRect();
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(dx, dy) < 5) return;
    move(svg, -dx / size.width, -dy / size.height);
    from = { x: event.clientX, y: event.clientY, moved: true };
  });
  box.addEventListener("click", (event) => {
    if (from?.moved) {
      event.preventDefault();
      event.stopPropagation();
    }
    from = null;
  }, true);
  box.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return; // a plain wheel scrolls the page
    const size = box.getBoundingClientRect();
    zoom(svg, event.deltaY > 0 ? 1.1 : 0.9, (event.clientX - size.left) / size.width, (event.clientY - size.top) / size.height);
    event.preventDefault();
  }, { passive: false });
}

// Make the map that is on the page now work: `choose` is told where a link in it leads, `more` is what other buttons do.
export function setUpMap(choose, more) {
  const box = document.querySelector(".map-box");
  const svg = box?.querySelector("svg");
  if (!svg) return;
  const tools = box.parentElement.querySelector(".map-tools");
  tools.hidden = false;
  const work = { in: () => zoom(svg, 0.8), out: () => zoom(svg, 1.25), fit: () => fit(svg), ...more };
  for (const button of tools.querySelectorAll("button")) button.addEventListener("click", work[button.dataset.map]);
  box.addEventListener("keydown", onKey);
  drag(box, svg);
  for (const link of svg.querySelectorAll("a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      choose(link.getAttribute("href"), link);
    });
  }
  begin(svg);
  show(svg);
}

// The map has come into sight, and its room is known only now.
export function mapShown() {
  const svg = document.querySelector(".map-box svg");
  if (!svg) return;
  begin(svg);
  show(svg);
}

// Mark the arguments that an entry put forward, and bring the first of them into sight.
export function highlight(seq) {
  const svg = document.querySelector(".map-box svg");
  if (!svg) return;
  for (const old of svg.querySelectorAll(".am-current")) old.classList.remove("am-current");
  const links = [...svg.querySelectorAll("a")].filter((link) => link.getAttribute("href") === `#e${seq}`);
  for (const link of links) link.querySelector(".am-arg")?.classList.add("am-current");
  if (!links.length || !view) return;
  const box = svg.getBoundingClientRect();
  const node = links[0].getBoundingClientRect();
  const outside = node.left < box.left || node.right > box.right || node.top < box.top || node.bottom > box.bottom;
  if (outside) {
    move(svg, (node.left + node.width / 2 - box.left - box.width / 2) / box.width, (node.top + node.height / 2 - box.top - box.height / 2) / box.height);
  }
}
