// Walking through a match without reloading: the links lead to the same places without it.

const PACE = 1500; // milliseconds between two orders while it plays by itself
const look = () => document.getElementById("look");
const queue = []; // what was pressed and is not shown yet: nothing that somebody presses is lost
let timer = null;
let busy = false;

async function go(address, push = true) {
  const answer = await fetch(address).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page && page.getElementById("look");
  if (!fresh) return void location.assign(address);
  const large = document.querySelector(".zoom input")?.checked;
  const focus = document.activeElement?.closest?.(".ways a")?.dataset.key;
  const scrubbing = document.activeElement?.id === "scrub";
  look().replaceWith(document.adoptNode(fresh));
  document.title = page.title;
  if (large) document.querySelector(".zoom input").checked = true;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  if (focus) look().querySelector(`.ways [data-key="${focus}"]`)?.focus();
  if (scrubbing) document.getElementById("scrub")?.focus();
  wait();
}

// One after the other; single steps that were pressed together are one way.
async function work() {
  if (busy) return;
  busy = true;
  while (queue.length) {
    const wish = queue.shift();
    if (wish.address) await go(wish.address, wish.push);
    else if (wish.pos) await go(at(wish.pos));
    else if (STEPS[wish.key]) await step(wish.key);
    else {
      const link = look().querySelector(`.ways [data-key="${CSS.escape(wish.key)}"]`);
      if (link) await go(link.href);
    }
  }
  busy = false;
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

async function step(key) {
  const { pos, last } = look().dataset;
  let to = Number(pos) + STEPS[key];
  while (STEPS[queue[0]?.key]) to += STEPS[queue.shift().key];
  to = Math.min(Math.max(1, to), Number(last));
  if (to !== Number(pos)) await go(at(to));
}

function at(pos) {
  const here = new URL(location.href);
  here.pathname = here.pathname.replace(/\/history.*$/, `/history/${pos}`);
  here.searchParams.delete("play");
  return here.href;
}

function ask(wish) {
  queue.push(wish);
  work();
}

// While it plays, the link to stop knows where to go on to.
function wait() {
  clearTimeout(timer);
  const stop = look().querySelector("[data-onward]");
  if (stop) timer = setTimeout(() => ask({ address: stop.dataset.onward, push: false }), PACE);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("#look .ways a, #look .eyes a, #look .steps a, #look .strip a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  ask({ address: link.getAttribute("href") });
});

document.addEventListener("change", (event) => {
  if (event.target.id === "scrub") ask({ pos: event.target.value });
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, .sheet, pre") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!look().querySelector(`.ways [data-key="${CSS.escape(event.key)}"]`) && !STEPS[event.key]) return;
  event.preventDefault();
  ask({ key: event.key });
});

window.addEventListener("popstate", () => ask({ address: location.href, push: false }));
wait();
