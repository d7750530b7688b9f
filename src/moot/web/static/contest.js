// The map begins with its first argument in the middle: on a narrow screen it would be out of sight.
const frame = document.querySelector(".scroll.map");
const first = frame?.querySelector("a.strike:not(.edge)");
if (first) {
  const [box, around] = [first.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollLeft += box.left + box.width / 2 - around.left - around.width / 2;
}
