// What happened since one's last turn, shown on the board: place by place, in the colour of who did it.

const PACE = 900;
let current = Promise.resolve(); // what is being played
let hurry = () => {};

// Whoever changes the board waits for this: it is as the server thinks it is then.
export function settled() {
  hurry();
  return current;
}

// Every order since then, one after the other; any key or click shows the rest at once. `film` moves the pieces too.
export function replay(desk, picture, zoom, { again = false, film = true } = {}) {
  current = settled().then(() => play(desk, picture, zoom, again, film)).catch(() => {});
  return current;
}

async function play(desk, picture, zoom, again, film) {
  const steps = [...desk.querySelectorAll("#story .step")];
  const mine = desk.querySelector(".sitter.mine .mark")?.textContent;
  const news = steps.filter((step) => where(step, picture).length && (again || whose(step) !== mine));
  const name = `seen ${location.pathname} ${desk.dataset.state}`;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const quick = still || (!again && sessionStorage.getItem(name));
  sessionStorage.setItem(name, "yes");
  if (!news.length) return;
  if (!quick) await animate(desk, picture, zoom, news, film && !document.hidden ? await frames(desk) : null);
  outline(desk, picture, news);
}

async function frames(desk) {
  const answer = await fetch(desk.dataset.frames).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

async function animate(desk, picture, zoom, news, film) {
  let skipped = false;
  const skip = new Promise((done) => { hurry = () => { skipped = true; done(); }; });
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => hurry(), { once: true, capture: true });
  const turns = new Map((film?.frames ?? []).map((frame) => [String(frame.act), frame]));
  if (film?.back) picture.change(film.back);
  const acts = new Set([...turns.keys(), ...news.map((step) => step.dataset.act)]);
  for (const act of [...acts].sort((a, b) => a - b)) {
    if (turns.has(act)) picture.change(turns.get(act).changes);
    const group = news.filter((step) => step.dataset.act === act);
    if (!group.length || skipped) continue;
    picture.mark("now", group.flatMap((step) => where(step, picture)), colour(desk, group[0]));
    zoom.see([...picture.marks.querySelectorAll(".now")]);
    for (const step of group) step.classList.add("now");
    follow(group[0]);
    await Promise.race([skip, new Promise((done) => { setTimeout(done, PACE); })]);
    for (const step of group) step.classList.remove("now");
  }
  if (film?.home) picture.change(film.home);
  picture.clear("now");
  hurry = () => {};
}

// The panel moves, never the page: the board must stay in sight.
function follow(step) {
  const panel = step.closest(".panel"), box = step.getBoundingClientRect(), frame = panel.getBoundingClientRect();
  if (box.top < frame.top || box.bottom > frame.bottom) panel.scrollTop += box.top - frame.top - frame.height / 3;
}

// What stays: outlines of what was touched, until something is chosen.
function outline(desk, picture, steps) {
  const last = new Map();
  for (const step of steps) for (const place of where(step, picture)) last.set(place, step);
  for (const [place, step] of last) {
    const copy = picture.places.get(place);
    copy.classList.add("happened");
    copy.style.setProperty("--by", colour(desk, step));
  }
}

const where = (step, picture) => step.dataset.touch.split(" ").filter((word) => picture.has(word));
const whose = (step) => step.closest("[data-seat]")?.dataset.seat;
const colour = (desk, step) => { const mark = desk.querySelector(`.sitter .seat-${whose(step)}`); return mark ? getComputedStyle(mark).backgroundColor : "#ffd83a"; };
