// Following a debate: server-sent events from the seq that is known, over lost connections and restarted servers.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

// `address(after)` is where to listen, at -1 from the start; `on` has a function for each kind of news, and `lost` and
// `found`. A browser has few connections to one server, so a page that nobody looks at gives its own back, unless it
// listens `always`. What is given back stops it.
export function follow(address, after, on, always) {
  let last = after;
  let wait = FIRST_WAIT;
  let source = null;
  let timer = 0;

  function told(kind) {
    return (event) => {
      const news = JSON.parse(event.data);
      if (event.lastEventId) last = Math.max(last, Number(event.lastEventId));
      on[kind]?.(news);
    };
  }

  function open() {
    rest();
    source = new EventSource(address(last));
    source.onopen = () => {
      wait = FIRST_WAIT;
      on.found();
    };
    source.onerror = () => {
      // The browser would try again at the old address; from the new one nothing comes twice.
      source.close();
      on.lost();
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    };
    for (const kind of ["entry", "struck", "speaking", "silent", "awaiting"]) source.addEventListener(kind, told(kind));
    source.addEventListener("ended", (event) => {
      close();
      on.ended(JSON.parse(event.data));
    });
  }

  function rest() {
    clearTimeout(timer);
    source?.close();
  }

  function close() {
    rest();
    ending.abort();
  }

  const ending = new AbortController();
  const { signal } = ending;
  addEventListener("pagehide", rest, { signal });
  addEventListener("pageshow", (event) => event.persisted && open(), { signal });
  document.addEventListener("visibilitychange", () => {
    if (always) return;
    rest();
    if (!document.hidden) open();
  }, { signal });
  open();
  return close;
}
