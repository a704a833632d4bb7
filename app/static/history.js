// Walking through a match without reloading: the links lead to the same places without it.

const PACE = 1500; // milliseconds between two orders while it plays by itself
const look = () => document.getElementById("look");
let timer = null;

async function go(address, push = true) {
  const answer = await fetch(address).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page && page.getElementById("look");
  if (!fresh) return void location.assign(address);
  const large = document.querySelector(".zoom input")?.checked;
  const focus = document.activeElement?.closest?.(".ways a")?.dataset.key;
  look().replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  if (large) document.querySelector(".zoom input").checked = true;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  if (focus) look().querySelector(`.ways [data-key="${focus}"]`)?.focus();
  wait();
}

// While it plays, the link to stop knows where to go on to.
function wait() {
  clearTimeout(timer);
  const stop = look().querySelector("[data-onward]");
  if (stop) timer = setTimeout(() => go(stop.dataset.onward, false), PACE);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#look .ways a, #look .eyes a, #look .steps a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, .sheet, pre") || event.ctrlKey || event.metaKey || event.altKey) return;
  const link = look().querySelector(`.ways [data-key="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  go(link.href);
});

window.addEventListener("popstate", () => go(location.href, false));
wait();
