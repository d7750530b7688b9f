// Replay: a finished debate played back entry by entry, with its chart and its map growing. The same text stands in a
// report, where it is allowed by its hash, and is asked for by the pages of a server. Without it the page is whole.
(() => {
  const bar = document.getElementById("replay");
  const talk = document.getElementById("transcript");
  if (!bar || !talk) return;
  const [SHORTEST, LONGEST, BEFORE, A_LETTER] = [1200, 9000, 700, 22]; // milliseconds at the usual speed
  const openers = [...document.querySelectorAll("[data-replay]")];
  const slider = bar.querySelector("input");
  const play = bar.querySelector("[data-play]");
  const speed = bar.querySelector("select");
  const told = bar.querySelector("output");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const entries = [];
  const parts = []; // what appears with an entry: the entry itself, or the heading above it
  const drawn = []; // the same for charts and maps, by the seq of an entry
  const lines = [];
  let at = -1;
  let timer = 0;
  let opener = null;

  const seqOf = (one) => Number(one.id.slice(1));

  function collect() {
    let title = "";
    for (const one of talk.children) {
      if (one.matches(".round")) {
        title = one.textContent.trim();
        parts.push({ one, place: entries.length });
      } else if (/^e\d+$/.test(one.id)) {
        parts.push({ one, place: entries.length });
        entries.push({ one, title, who: one.querySelector("h4, .who")?.textContent.trim() ?? "" });
      }
    }
    for (const one of document.querySelectorAll(".grows svg [data-seq]")) drawn.push({ one, seq: Number(one.dataset.seq) });
    for (const one of document.querySelectorAll(".grows path[data-seqs]")) {
      const seqs = one.dataset.seqs.trim().split(/\s+/).filter(Boolean).map(Number);
      const points = one.getAttribute("d").split(" L");
      if (seqs.length === points.length) lines.push({ one, seqs, points });
    }
    collectMap();
  }

  function collectMap() {
    const since = new Map();
    for (const one of document.querySelectorAll(".grows .map a[href^='#e']")) {
      const seq = Number(one.getAttribute("href").slice(2));
      since.set(one.querySelector("[id]")?.id, seq);
      drawn.push({ one, seq });
    }
    for (const one of document.querySelectorAll(".grows .map [data-ends]")) {
      const ends = one.dataset.ends.split(" ").map((end) => since.get(end) ?? 0);
      drawn.push({ one, seq: Math.max(...ends) });
    }
  }

  // Show the debate as it was when that entry had just been written.
  function go(to) {
    at = Math.min(Math.max(to, 0), entries.length - 1);
    const { one: entry, who, title } = entries[at];
    const now = seqOf(entry);
    for (const { one, place } of parts) one.classList.toggle("later", place > at);
    for (const { one, seq } of drawn) one.classList.toggle("later", seq > now);
    for (const { one, seqs, points } of lines) {
      const known = points.filter((_, place) => seqs[place] <= now);
      one.setAttribute("d", known.join(" L"));
    }
    talk.querySelector(".now")?.classList.remove("now");
    entry.classList.add("now");
    document.body.classList.toggle("at-the-end", at === entries.length - 1);
    slider.value = at;
    slider.setAttribute("aria-valuetext", `Entry ${at + 1} of ${entries.length}: ${who}, ${title}`);
    tell(who, title);
    const high = entry.getBoundingClientRect().height > innerHeight * 0.5;
    entry.scrollIntoView({ block: high ? "start" : "end", behavior: calm.matches ? "instant" : "smooth" });
  }

  function tell(who, title) {
    const name = document.createElement("bdi");
    name.textContent = who;
    told.setAttribute("aria-live", document.activeElement === slider ? "off" : "polite");
    told.replaceChildren(`${at + 1} of ${entries.length} · `, name, ` · ${title}`);
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function start() {
    if (at >= entries.length - 1) go(0);
    play.textContent = "Pause";
    wait();
  }

  // As long as it takes to read what is to be seen of the entry.
  function wait() {
    const { one } = entries[at];
    const seen = one.matches("details:not([open])") ? one.querySelector("summary") : one;
    const long = BEFORE + A_LETTER * seen.textContent.trim().length;
    timer = setTimeout(() => {
      go(at + 1);
      if (at < entries.length - 1) wait();
      else pause();
    }, Math.min(Math.max(long, SHORTEST), LONGEST) / Number(speed.value));
  }

  function toggle() {
    if (timer) pause();
    else start();
  }

  function step(to) {
    pause();
    go(to);
  }

  function open(by) {
    if (!entries.length) prepare();
    opener = by;
    document.body.classList.add("replaying");
    bar.hidden = false;
    go(0);
    play.focus({ preventScroll: true });
    if (!calm.matches) start();
  }

  function prepare() {
    collect();
    slider.max = entries.length - 1;
    bar.querySelector(".timeline").style.setProperty("--half", `${50 / entries.length}%`);
    const colours = entries.map(({ one }) => {
      const tick = document.createElement("i");
      tick.className = /\bc-\w+/.exec(one.className)?.[0] ?? "c-neutral";
      return tick;
    });
    bar.querySelector(".ticks").append(...colours);
  }

  function close() {
    pause();
    for (const { one } of [...parts, ...drawn]) one.classList.remove("later");
    for (const { one, points } of lines) one.setAttribute("d", points.join(" L"));
    talk.querySelector(".now")?.classList.remove("now");
    document.body.classList.remove("replaying", "at-the-end");
    bar.hidden = true;
    opener?.focus();
  }

  const keys = {
    " ": toggle,
    ArrowRight: () => step(at + 1),
    ArrowLeft: () => step(at - 1),
    Home: () => step(0),
    End: () => step(entries.length - 1),
    Escape: close,
  };
  addEventListener("keydown", (event) => {
    if (bar.hidden || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    const on = event.target instanceof Element ? event.target : document.body;
    if (on.matches("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && on.closest("button, summary, a")) return; // they have a use for it
    event.preventDefault();
    keys[event.key]();
  });
  slider.addEventListener("input", () => step(Number(slider.value)));
  play.addEventListener("click", toggle);
  bar.querySelector("[data-back]").addEventListener("click", () => step(at - 1));
  bar.querySelector("[data-next]").addEventListener("click", () => step(at + 1));
  bar.querySelector("[data-close]").addEventListener("click", close);
  for (const one of openers) {
    one.closest("[hidden]").hidden = false;
    one.addEventListener("click", () => open(one));
  }
})();
