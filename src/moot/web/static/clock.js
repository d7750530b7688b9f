// Where the debate stands. The time goes on by itself between two pieces of news.
let seconds = 0;
let told = 0;

// Take what the server says now: that element, or the one that is on the page already.
export function setProgress(fresh) {
  if (fresh) document.getElementById("progress").replaceWith(document.adoptNode(fresh));
  seconds = Number(document.querySelector("[data-elapsed]")?.dataset.elapsed ?? 0);
  told = performance.now();
}

setInterval(() => {
  const place = document.querySelector("[data-elapsed]");
  if (!place) return;
  const now = Math.round(seconds + (performance.now() - told) / 1000);
  place.textContent = now < 60 ? `${now} s` : `${Math.floor(now / 60)} min ${now % 60} s`;
}, 1000);
