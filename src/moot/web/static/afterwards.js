// Copying, and the entry that a fork starts from. Without this there is the export, and the number is typed.
const told = document.querySelector("[data-copied]");

function offer(selector, text, done) {
  const button = document.querySelector(selector);
  if (!navigator.clipboard) return; // Only pages of this machine, or with TLS, may write to it.
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await text(button));
      told.textContent = done;
    } catch {
      told.textContent = "It could not be copied; the exports below have it.";
    }
  });
}

async function markdown(button) {
  const answer = await fetch(button.dataset.copyMarkdown);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}

offer("[data-copy-markdown]", markdown, "Copied as Markdown.");
offer("[data-copy-link]", (button) => new URL(button.dataset.copyLink, location.href).href, "The link is copied.");

// Whoever follows the number of an entry means that entry.
const at = document.querySelector("[data-fork] [name=at]");
function follow() {
  const entry = /^#e(\d+)$/.exec(location.hash);
  if (at && entry) at.value = entry[1];
}
addEventListener("hashchange", follow);
follow();
