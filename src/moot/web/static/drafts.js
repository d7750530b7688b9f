// What is half typed is kept, in this tab, until it is sent: it outlives a reload and what happens on the page meanwhile.
const TEXTS = "textarea, select, input:not([type=hidden])";
const ticked = (field) => field.type === "radio" || field.type === "checkbox";

function fieldsOf(form) {
  return [...form.querySelectorAll(TEXTS)].filter((field) => field.name);
}

// Keep what is typed into a form under this name, and put back what was typed there before.
export function keepDraft(form, name) {
  const place = `moot draft ${name}`;
  const kept = JSON.parse(sessionStorage.getItem(place) ?? "{}");
  for (const field of fieldsOf(form)) {
    if (ticked(field)) field.checked ||= kept[field.name] === field.value && !form.querySelector(`:checked[name="${field.name}"]`);
    else if (!field.value) field.value = kept[field.name] ?? "";
    if (kept[field.name]) field.closest("details")?.setAttribute("open", "");
  }
  form.addEventListener("input", () => {
    const typed = fieldsOf(form).filter((field) => (ticked(field) ? field.checked : field.value));
    sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(typed.map((field) => [field.name, field.value]))));
  });
  form.addEventListener("submit", () => sessionStorage.removeItem(place));
}

// All that was typed into a form, as one text.
export function typedInto(form) {
  return fieldsOf(form).filter((field) => !ticked(field)).map((field) => field.value.trim()).filter(Boolean).join("\n\n");
}

export function forget(name) {
  sessionStorage.removeItem(`moot draft ${name}`);
}
