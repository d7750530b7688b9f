// Start: the plan follows the form. Without this the button "Plan it" does the same.
const form = document.querySelector("form.start");
const WAIT = 400;
const topic = form.elements.namedItem("topic");
// Whoever has not come to the question yet is not told that it is missing.
let untouched = !form.querySelector("#refused:not([hidden])");
let timer = 0;
let latest = 0;
let unread = ""; // why a file that was chosen is not among the documents

function mark(faults) {
  for (const told of form.querySelectorAll("[data-refused]")) told.remove();
  document.getElementById("refused").hidden = !faults.get("");
  for (const place of form.querySelectorAll("[data-fault]")) {
    const text = faults.get(place.dataset.fault) ?? (place.dataset.fault === "documents" ? unread : "");
    place.textContent = text;
    place.hidden = !text;
    const field = form.elements.namedItem(place.dataset.fault);
    if (field instanceof HTMLElement) {
      if (text) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
      if (text) place.closest("details")?.setAttribute("open", "");
    }
  }
}

// Who takes part may hang on what was typed: the fields for them follow, and keep what is in them.
function recast(page) {
  const fresh = page.querySelector("[data-roles]");
  const old = [...form.querySelectorAll("[data-roles]")].find((one) => one.dataset.roles === fresh?.dataset.roles);
  const names = (one) => [...one.querySelectorAll("input")].map((input) => input.name).join();
  if (old && names(old) !== names(fresh)) old.replaceWith(document.adoptNode(fresh));
}

const LETTERS_OF_IMAGES = 4_000_000; // 3 MB in Base64
const PIXEL = "R0lGODlhAQABAAAAACw=";
// What an image shows does not change the plan, and so its bytes are not sent again for every letter that is typed.

function planned() {
  const fields = new URLSearchParams(new FormData(form));
  const light = documents().map((one) => (one.image ? { ...one, image: PIXEL } : one));
  if (light.length) fields.set("documents", JSON.stringify(light));
  if (untouched && !topic.value.trim()) fields.set("untouched", "yes");
  return fields;
}

// The plan that is shown is about a form that has changed.
function outdate() {
  document.getElementById("plan").setAttribute("aria-busy", "true");
  return ++latest;
}

async function replan() {
  const mine = outdate();
  try {
    const answer = await fetch("/start/plan", { method: "POST", body: planned() });
    if (!answer.ok || mine !== latest) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("plan");
    mark(new Map([...fresh.querySelectorAll("[data-fault-for]")].map((one) => [one.dataset.faultFor, one.textContent])));
    document.getElementById("plan").replaceWith(document.adoptNode(fresh));
    recast(page);
  } catch {
    // The server is away; the buttons say so when they are pressed.
  } finally {
    if (mine === latest) document.getElementById("plan").removeAttribute("aria-busy");
  }
}

// Files become text at the server, which keeps nothing: the text is sent along with the form.
const upload = form.querySelector("[data-upload]");
const kept = upload.querySelector("[name=documents]");
const chosen = upload.querySelector(".chosen");
upload.hidden = false;

function documents() {
  try {
    return JSON.parse(kept.value || "[]");
  } catch {
    return [];
  }
}

function list() {
  chosen.replaceChildren(
    ...documents().map((one, index) => {
      const item = document.createElement("li");
      const drop = document.createElement("button");
      drop.type = "button";
      drop.textContent = "Remove";
      drop.setAttribute("aria-label", `Remove ${one.title}`);
      drop.addEventListener("click", () => {
        unread = "";
        keep(documents().filter((_, other) => other !== index));
      });
      const size = one.image ? "image" : `${one.text.length.toLocaleString("en")} characters`;
      item.append(`D${index + 1} ${one.title} (${size}) `, drop);
      return item;
    }),
  );
}

function keep(all) {
  kept.value = all.length ? JSON.stringify(all) : "";
  list();
  replan();
}

upload.querySelector("input[type=file]").addEventListener("change", async (event) => {
  const place = form.querySelector('[data-fault="documents"]');
  unread = "";
  for (const file of event.target.files) {
    try {
      const answer = await fetch(`/api/documents?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
      const found = await answer.json();
      if (!answer.ok) throw new Error(found.error ?? "it cannot be read");
      const all = [...documents(), found];
      const letters = all.reduce((sum, one) => sum + (one.image ?? "").length, 0);
      if (letters > LETTERS_OF_IMAGES) throw new Error("all images may have 3 MB together");
      keep(all);
    } catch (error) {
      unread = `${file.name}: ${error.message}`;
      place.textContent = unread;
      place.hidden = false;
    }
  }
  event.target.value = "";
});
list();

form.addEventListener("input", () => {
  outdate();
  clearTimeout(timer);
  timer = setTimeout(replan, WAIT);
});
topic.addEventListener("blur", () => {
  if (!untouched || topic.value.trim()) return;
  untouched = false;
  replan();
});
form.addEventListener("submit", (event) => {
  if (form.dataset.sent) event.preventDefault();
  if (event.submitter?.value === "start") form.dataset.sent = "yes";
});
// An example is for any model: what was typed for everybody stays.
for (const link of document.querySelectorAll(".examples a")) {
  link.addEventListener("click", () => {
    const model = form.elements.namedItem("model").value;
    const url = new URL(link.href);
    if (model) url.searchParams.set("model", model);
    link.href = url.href;
  });
}
window.addEventListener("pageshow", () => delete form.dataset.sent);
// What the server has found fault with stands until something is changed, and is what the reader is brought to.
const refused = form.querySelector("#refused:not([hidden])");
refused?.scrollIntoView({ block: "center", behavior: "instant" });
refused?.focus({ preventScroll: true });
if (topic.value && !form.querySelector("[data-fault]:not([hidden])")) replan();
