// Watch: follows the log, asks the server for the pieces that are new, and puts them where they belong.
import { setProgress } from "./clock.js";
import { forget, keepDraft, typedInto } from "./drafts.js";
import { follow } from "./follow.js";
import { setUpKeys } from "./keys.js";
import { highlight, mapShown, setUpMap } from "./map.js";
import { everybodySilent, fallSilent, speak, wait, whoIsBusy } from "./speaking.js";

const root = document.getElementById("watch");
const entries = document.getElementById("entries");
const outline = document.getElementById("outline");
const newer = document.getElementById("newer");
const now = document.getElementById("now");
const { here, seat, run } = root.dataset;
const own = seat ? { seat } : {};
const [TOGETHER, DRAW_AFTER, LINGER, LOOK_AGAIN] = [40, 300, 1500, 3000];
let loaded = Number(document.getElementById("state").dataset.last);
let wanted = loaded;
let current = null;
let connected = true;
let unseen = false;
let following = false; // the end is in sight, and stays so until the reader scrolls away
let inspecting = 0;
let stopListening = () => {};
let gone = false;
const jobs = {};

// Have this done after a while: once, however often it was asked for meanwhile, and again when it failed.
function later(name, work, wait) {
  const job = (jobs[name] ??= { busy: false, timer: 0, next: null });
  job.next = { work, wait };
  if (!job.busy && !job.timer) begin(job);
}

function begin(job) {
  const { work, wait } = job.next;
  job.next = null;
  job.timer = setTimeout(async () => {
    job.timer = 0;
    job.busy = true;
    try {
      await work();
    } catch {
      job.next ??= { work, wait: LOOK_AGAIN };
    }
    job.busy = false;
    if (job.next && !gone) begin(job);
  }, wait);
}

async function piece(path, values = {}) {
  const answer = await fetch(`${here}/watch/${path}?${new URLSearchParams({ ...own, ...values })}`);
  if (answer.status === 404 && path === "state") isGone();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// The folder of the run was deleted: there is nothing left to ask for, and what is on the page is all that is left.
function isGone() {
  gone = true;
  stopListening();
  everybodySilent();
  const badge = document.createElement("span");
  badge.className = "badge";
  badge.textContent = "Gone";
  document.getElementById("standing").replaceChildren(badge, " This debate is gone: its folder was deleted.");
  document.querySelector(".state-line .row").replaceChildren();
  saveUnsent(document.getElementById("question"));
  document.getElementById("question").replaceChildren();
  document.getElementById("state").dataset.ended = "gone";
}

// Entries

function atTheEnd() {
  return now.getBoundingClientRect().top <= innerHeight + 80;
}

function stay() {
  if (following) now.scrollIntoView({ block: "nearest", behavior: "instant" });
}

async function load() {
  const upto = wanted;
  if (upto <= loaded) return;
  const page = await piece("entries", { after: loaded, upto });
  const fresh = document.createDocumentFragment();
  for (const node of [...page.getElementById("new-entries").children]) {
    if (node.id && document.getElementById(node.id)) continue;
    if (node.dataset.call) fallSilent(node.dataset.call);
    fresh.append(document.adoptNode(node));
  }
  loaded = Math.max(loaded, upto);
  const empty = !fresh.childElementCount;
  if (fresh.querySelector('.said a[href^="#D"]')) later("given", async () => swap(await piece("given"), "given"), DRAW_AFTER);
  entries.append(fresh);
  uncover();
  outline.append(...[...page.getElementById("new-outline").children].map((node) => document.adoptNode(node)));
  now.textContent = "";
  stay();
  unseen ||= !empty && !following;
  notify();
  draw();
  if (wanted > loaded) later("load", load, TOGETHER);
}

async function replace(seq) {
  const old = document.getElementById(`e${seq}`);
  // One that is on its way may have been made before it was struck.
  if (!old && seq > loaded) throw new Error(`entry ${seq} is not here yet`);
  if (!old) return;
  const fresh = (await piece("entries", { after: seq - 1, upto: seq })).getElementById(`e${seq}`);
  if (fresh) old.replaceWith(document.adoptNode(fresh));
}

// Figures and state

function draw() {
  later("draw", async () => {
    const page = await piece("figures");
    setProgress(page.getElementById("progress"));
    const hadFocus = document.querySelector("#map") === document.activeElement;
    swap(page, "figures");
    uncover();
    mapReady();
    if (hadFocus) document.getElementById("map")?.focus({ preventScroll: true });
  }, DRAW_AFTER);
}

// What was open stays open.
function swap(page, id) {
  const [fresh, old] = [document.adoptNode(page.getElementById(id)), document.getElementById(id)];
  const folds = (part) => [part, ...part.querySelectorAll("details")].filter((one) => one.matches("details"));
  const open = new Set(folds(old).filter((one) => one.open).map((one) => one.firstElementChild.textContent));
  for (const one of folds(fresh)) one.open = open.has(one.firstElementChild.textContent);
  old.replaceWith(fresh);
}

function mapReady() {
  setUpMap((href) => choose(Number(href.slice(2))), { wide: widen });
  if (current !== null) highlight(current);
}

function widen() {
  const wide = root.classList.toggle("map-wide");
  document.querySelector("[data-map=wide]")?.setAttribute("aria-pressed", String(wide));
  if (wide) document.querySelector(".side-panel").open = true;
  document.getElementById("map")?.focus({ preventScroll: true });
}

// What waits below: a question for whoever sits here, or entries that they have not seen.
function notify() {
  unseen &&= !atTheEnd();
  const question = document.getElementById("question");
  const turn = question.dataset.key && question.getBoundingClientRect().top > innerHeight - 120;
  newer.hidden = !turn && !unseen;
  newer.textContent = turn ? "It is your turn" : "New entries below";
}

async function restate() {
  const page = await piece("state");
  const fresh = page.getElementById("state");
  const old = document.getElementById("state");
  old.dataset.ended = fresh.dataset.ended;
  old.querySelector(".state-line").replaceWith(document.adoptNode(fresh.querySelector(".state-line")));
  setProgress();
  const [news, known] = [fresh.querySelector("#came-to"), old.querySelector("#came-to")];
  if (news.textContent !== known.textContent) {
    known.replaceWith(document.adoptNode(news));
    uncover();
  }
  const [asked, before] = [page.getElementById("question"), document.getElementById("question")];
  if (asked.dataset.key !== before.dataset.key) {
    saveUnsent(before);
    before.replaceWith(document.adoptNode(asked));
    keepAnswer();
    document.title = document.title.replace(/^● /, "");
    if (asked.dataset.key) document.title = `● ${document.title}`;
    notify();
  }
  if (fresh.dataset.ended === "done") document.getElementById("seats")?.remove();
  said();
  return { ended: fresh.dataset.ended, last: Number(fresh.dataset.last) };
}

function said() {
  const place = document.querySelector("[data-working]");
  if (!place) return;
  const busy = whoIsBusy();
  if (!connected) place.textContent = "The connection is lost; trying again";
  else if (busy) place.textContent = busy;
}

// What is half typed

function keepAnswer() {
  const [question, form] = [document.getElementById("question"), document.querySelector("form.answer")];
  if (!form) return;
  keepDraft(form, `${run} ${seat} ${question.dataset.key}`);
  form.addEventListener("submit", () => (question.dataset.sent = "yes"));
}

// The question was answered elsewhere, or nobody waits for it any more: what was typed here is not taken away.
function saveUnsent(question) {
  const form = question.querySelector("form");
  const text = form && !question.dataset.sent ? typedInto(form) : "";
  if (!text) return;
  // A debate that stopped, as at a limit, asks the same again when it is resumed.
  if (["", "done"].includes(document.getElementById("state").dataset.ended)) forget(`${run} ${seat} ${question.dataset.key}`);
  const card = document.createElement("section");
  card.className = "card";
  const head = document.createElement("h2");
  head.textContent = "What you had typed, when the debate went on without it";
  const typed = document.createElement("p");
  typed.className = "verbatim";
  typed.dir = "auto";
  typed.textContent = text;
  card.append(head, typed);
  document.getElementById("unsent").replaceChildren(card);
}

// The verdict, and what would give it away, is covered until the reader opens it: in this tab, once for all.

const uncovered = `moot uncovered ${run}`;
function uncover() {
  if (!sessionStorage.getItem(uncovered)) return;
  for (const one of document.querySelectorAll("details.cover")) one.open = true;
}
document.addEventListener("toggle", (event) => {
  if (!event.target.open || !event.target.matches(".cover[data-verdict]") || sessionStorage.getItem(uncovered)) return;
  sessionStorage.setItem(uncovered, "yes");
  uncover();
}, true);

// Choosing an entry

function choose(seq, focus = true) {
  const entry = document.getElementById(`e${seq}`);
  if (!entry) return;
  entries.querySelector(".current")?.classList.remove("current");
  entry.classList.add("current");
  current = seq;
  entry.closest("details:not([open])")?.setAttribute("open", "");
  entry.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (focus) entry.focus({ preventScroll: true });
  highlight(seq);
  history.replaceState(null, "", `?${new URLSearchParams({ ...own, entry: seq })}#e${seq}`);
  clearTimeout(inspecting);
  inspecting = setTimeout(async () => {
    const fresh = (await piece(`inspect/${seq}`)).getElementById("inspector");
    document.getElementById("inspector").replaceWith(document.adoptNode(fresh));
  }, 120);
}

function step(by) {
  const all = [...entries.querySelectorAll(".entry")];
  const at = all.findIndex((one) => one.classList.contains("current"));
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by];
  if (next) choose(Number(next.dataset.seq));
}

function thoughts() {
  const mine = entries.querySelector(".current details.private");
  if (mine) {
    mine.open = !mine.open;
    return;
  }
  const all = [...entries.querySelectorAll("details.private")];
  const open = all.some((one) => !one.open);
  for (const one of all) one.open = open;
}

root.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const href = link?.getAttribute("href") ?? "";
  const seq = /#e(\d+)$/.exec(href);
  if (!link || link.closest("svg") || !seq || event.ctrlKey || event.metaKey) return;
  if (!document.getElementById(`e${seq[1]}`)) return;
  event.preventDefault();
  choose(Number(seq[1]));
});
newer.addEventListener("click", () => {
  const question = document.getElementById("question");
  const place = question.dataset.key ? question : now;
  place.scrollIntoView({ block: place === now ? "end" : "start", behavior: "instant" });
  place.querySelector("textarea, input:not([type=hidden]), select")?.focus({ preventScroll: true });
  notify();
});
for (const moved of ["scroll", "resize"]) {
  addEventListener(moved, () => {
    following = atTheEnd();
    if (unseen || document.getElementById("question").dataset.key) notify();
  }, { passive: true });
}

// The panels are columns where there is room

const room = matchMedia("(min-width: 64rem)");
function panels() {
  for (const panel of document.querySelectorAll(".panel")) panel.open = room.matches;
}
room.addEventListener("change", panels);
panels();
document.querySelector(".side-panel").addEventListener("toggle", () => mapShown());

// Following

function listen() {
  const address = (after) =>
    `/api/runs/${encodeURIComponent(run)}/follow?${new URLSearchParams({ ...own, after, readable: true })}`;
  stopListening = follow(address, loaded, {
    entry: (entry) => {
      wanted = Math.max(wanted, entry.seq);
      later("load", load, TOGETHER);
    },
    struck: (entry) => later(`struck ${entry.seq}`, () => replace(entry.seq), TOGETHER),
    speaking: (news) => {
      speak(news);
      stay();
      said();
    },
    silent: (news) => {
      fallSilent(news.key, LINGER);
      said();
    },
    awaiting: (news) => {
      wait(news.questions);
      later("state", restate, TOGETHER);
    },
    found: () => {
      everybodySilent(); // whoever still speaks is told from the start
      if (!connected) later("state", restate, TOGETHER);
      connected = true;
    },
    lost: () => {
      connected = false;
      everybodySilent();
      said();
      later("state", restate, LOOK_AGAIN); // the server may be there, and the debate not
    },
    ended: () => {
      everybodySilent();
      draw();
      later("state", async () => {
        const stands = await restate();
        if (seat && stands.ended === "done") later("tell", tellTheRest, TOGETHER);
        lookAgain(stands);
      }, TOGETHER);
    },
  }, Boolean(seat));
}

// Whoever sat there has seen only what their agent might know. Now it is over, and all of it is told, in its order.
async function tellTheRest() {
  const page = await piece("entries");
  entries.setAttribute("aria-live", "off"); // not read out all at once
  for (const [place, all] of [[entries, "new-entries"], [outline, "new-outline"]]) {
    place.replaceChildren(...[...page.getElementById(all).children].map((node) => document.adoptNode(node)));
  }
  uncover();
  stay();
  notify();
}

// A debate that stopped may be taken up again, by somebody else too.
function lookAgain({ ended, last }) {
  wanted = Math.max(wanted, last);
  if (wanted > loaded) later("load", load, TOGETHER);
  if (!ended) listen();
  else if (ended !== "done") later("state", async () => lookAgain(await restate()), LOOK_AGAIN);
}

// Whoever comes late lands at the newest entry. After a reload the browser goes back to where the reader was.
function join() {
  const [arrival] = performance.getEntriesByType("navigation");
  const waited = document.getElementById("question").dataset.key;
  if (arrival?.type === "navigate" && !waited && !new URLSearchParams(location.search).has("entry")) {
    now.scrollIntoView({ block: "end", behavior: "instant" });
  }
}

keepAnswer();
for (const kind of ["vote", "note"]) {
  const form = document.querySelector(`form.${kind}`);
  if (form) keepDraft(form, `${run} ${kind}`);
}
uncover();
mapReady();
setUpKeys({ j: () => step(1), k: () => step(-1), o: thoughts, m: widen });
setProgress();
const asked = /^#e(\d+)$/.exec(location.hash);
const ended = document.getElementById("state").dataset.ended;
if (asked) choose(Number(asked[1]), false);
else if (!ended) join();
following = atTheEnd();
notify();
if (ended) lookAgain({ ended, last: loaded });
else listen();
