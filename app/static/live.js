// What others do arrives by itself: by server-sent events, and by asking now and then where those fail.

const POLL = 4000;

// Calls `changed` with the name of the table's state whenever it is another than the page's.
export function watch(desk, changed) {
  const told = (state) => { if (state && state !== desk().dataset.state) changed(state); };
  let source = null, polling = false;
  const ask = async () => {
    const answer = document.hidden ? null : await fetch(address(desk())).catch(() => null);
    if (answer?.ok) told((await answer.text().catch(() => "")).match(/^data: (.*)$/m)?.[1]);
    setTimeout(ask, POLL);
  };
  const poll = () => { if (!polling) setTimeout(ask, POLL); polling = true; };
  const listen = () => {
    if (!window.EventSource || document.hidden) return;
    source?.close();
    source = new EventSource(address(desk()));
    source.onmessage = (event) => told(event.data);
    source.onerror = () => { if (source.readyState === EventSource.CLOSED) poll(); };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? source?.close() : listen()));
  if (!window.EventSource) poll();
  listen();
  return listen; // to be called when the page's state is another
}

const address = (desk) => `${desk.dataset.events}?state=${encodeURIComponent(desk.dataset.state)}`;
