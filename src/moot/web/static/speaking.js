// Who is at work, and what is being said: a block for each reply under way, replaced by the entry that it becomes.
const place = document.getElementById("speaking");
// Calls whose replies are for nobody but their author: folded, as their entries are.
const PRIVATE = /\/(plan|think|evaluate|deliberate)(\/|$)/;
const MOST_NAMED = 3;
const working = new Map();
let asked = new Map();

function element(name, kind, text) {
  const made = document.createElement(name);
  made.className = kind;
  made.textContent = text;
  return made;
}

function block(news) {
  const hidden = PRIVATE.test(news.key);
  const made = element(hidden ? "details" : "article", hidden ? "private typing" : "statement typing", "");
  const head = document.createElement(hidden ? "summary" : "header");
  const known = document.querySelector(`[data-speaker="${CSS.escape(news.agent)}"]`);
  if (known) made.classList.add(...[...known.classList].filter((one) => one.startsWith("c-")));
  if (known && !hidden) head.append(known.querySelector(".face").cloneNode(true));
  head.append(element(hidden ? "span" : "h4", "who", news.agent), " ", element(hidden ? "span" : "p", "meta", news.doing));
  made.dataset.key = news.key;
  const said = element("div", "said", "");
  said.dir = "auto";
  made.append(head, said);
  place.append(made);
  return made;
}

export function speak(news) {
  const one = working.get(news.key) ?? { agent: news.agent, article: null, timer: 0, done: false };
  one.doing = news.doing;
  working.set(news.key, one);
  clearTimeout(one.timer);
  one.done = false;
  if (news.text) one.article ??= block(news);
  const said = one.article?.querySelector(".said");
  if (!said) return;
  // One connection tells all of it in its order, so what does not begin anew goes on from where it was.
  said.textContent = (news.start ? said.textContent : "") + news.text;
  said.scrollTop = said.scrollHeight;
}

// Take the block away: at once for an entry that has come, or after a while, unless more is said at this key meanwhile.
export function fallSilent(key, after = 0) {
  const one = working.get(key);
  if (!one) return;
  clearTimeout(one.timer);
  one.done = true;
  if (after) {
    one.timer = setTimeout(() => working.get(key) === one && fallSilent(key), after);
    return;
  }
  one.article?.remove();
  working.delete(key);
}

export function everybodySilent() {
  working.clear();
  place.replaceChildren();
}

// People who are asked are waited for; they do not show how they think.
export function wait(questions) {
  asked = new Map(questions.map((one) => [one.key, one.agent]));
}

// Who is at work and who is waited for, in words; empty when that is nobody.
export function whoIsBusy() {
  const busy = [...working].filter(([key, one]) => !one.done && !asked.has(key)).map(([, one]) => `${one.agent} ${one.doing}`);
  const more = busy.length - MOST_NAMED;
  const work = [...busy.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more ${more === 1 ? "is" : "are"} at work`] : [])];
  if (asked.size) work.push(`waiting for ${[...new Set(asked.values())].join(", ")}`);
  const text = work.join("; ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
