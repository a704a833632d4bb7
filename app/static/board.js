// Choosing orders on the board. It knows no game: the server sends every legal order with its cost; the words of an
// order that name a place of the picture are places, the others are choices. Lists and buttons do the same without it.

import { watch } from "./live.js";
import { Picker } from "./picker.js";
import { Picture } from "./picture.js";
import { showPlans } from "./plans.js";
import { replay, settled } from "./replay.js";
import { listenToTalk, nameSpots } from "./talk.js";
import { buttons, Zoom } from "./zoom.js";

const MOST_PAGES = 10; // of orders, where there are thousands; all others can be typed
const FEW = 6; // as many orders of several words can stand side by side
const REACH = 14; // pixels beside a place at which a click still means it
const REST = 140; // milliseconds that a pointer rests before the server is asked what an order brings
const LONGEST = 8000; // milliseconds between two times that a server that is away is asked
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let desk, picture, picker, zoom, kit, again; // `again` listens for what others do, from the page's state on
let orders = new Map(); // by verb: what is legal, understood
let verbs = []; // what is held: one verb, or several that begin alike
let picks = []; // the places chosen so far
let aim = null; // the place that is pointed at
let ways = [], way = null; // the ways to lay something there, and which of them is shown
let turned = 0; // the direction that was chosen last
let touch = false, tapped = null, keyed = false; // how the last choice was made
let resting = null;
let relight = () => {}; // what the talk names

const $ = (selector) => desk.querySelector(selector);
const tool = (verb) => kit?.querySelector(`[data-tool="${CSS.escape(verb)}"]`);
const button = (verb) => $(`[data-verb="${CSS.escape(verb)}"]`);
const label = (verb) => button(verb)?.querySelector("b")?.textContent ?? verb;
const own = () => { const mark = $(".sitter.mine .mark"); return mark && getComputedStyle(mark).backgroundColor; };

// What can be chosen

function understand(list) {
  const known = [...desk.querySelectorAll("[data-verb]")].map((link) => link.dataset.verb);
  const named = [...(kit?.querySelectorAll("[data-tool]") ?? [])].map((one) => one.dataset.tool);
  const longest = [...new Set([...known, ...named])].sort((a, b) => b.length - a.length);
  orders = new Map();
  for (const [order, cost, swept = []] of list) {
    const verb = longest.find((one) => `${order} `.startsWith(`${one} `));
    if (verb === undefined) continue;
    const all = order.slice(verb.length).split(" ").filter(Boolean);
    const one = { verb, order, cost, swept, all, places: all.filter((word) => picture.has(word)), words: all.filter((word) => !picture.has(word)) };
    if (!orders.has(verb)) orders.set(verb, []);
    orders.get(verb).push(...eitherWay(one));
  }
}

// What leads from place to place is the same from its other end, where the picture says so.
function eitherWay(one) {
  return picture.either && one.places.length === 2 ? [one, { ...one, places: [...one.places].reverse() }] : [one];
}

function candidates() {
  return verbs.flatMap((verb) => orders.get(verb) ?? []).filter((one) => picks.every((place, i) => one.places[i] === place));
}

// What is laid covers places of one sort; a journey leads from one sort to another, and is chosen step by step.
function isFootprint(some) {
  const firsts = new Set(some.map((one) => one.places[picks.length]));
  return some.some((one) => footprint(one).slice(1).some((place) => firsts.has(place)));
}

const footprint = (one) => one.places.slice(picks.length); // what of it is still to be chosen
const direction = (one) => picture.angle(footprint(one));

const cheapest = (some) => Math.min(...some.map((one) => one.cost));
const costs = (n) => picker.words("cost", n);

// Showing

function show() {
  aim = way = null;
  clearTimeout(resting);
  picture.dim();
  pop(null);
  if (!picker.box) return; // who only looks on chooses nothing
  for (const place of picture.svg.querySelectorAll(".happened")) if (verbs.length) place.classList.remove("happened");
  picker.box.hidden = !verbs.length;
  for (const link of desk.querySelectorAll("[data-verb]")) link.toggleAttribute("aria-current", verbs.includes(link.dataset.verb));
  $(".menu")?.remove();
  if (!verbs.length) return;
  if (touch) $(".reach").scrollTop = 0;
  const some = candidates();
  const byPlace = grouped(some);
  const complete = byPlace.get(undefined) ?? []; // these need no more places
  byPlace.delete(undefined);
  if (byPlace.size) light(byPlace, isFootprint(some), complete);
  else offer(some);
  if (!touch) requestAnimationFrame(() => picker.box.scrollIntoView({ block: "nearest" })); // now would hold up the lights
}

function grouped(some) {
  const found = new Map();
  for (const one of some) {
    const place = one.places[picks.length];
    if (found.has(place)) found.get(place).push(one);
    else found.set(place, [one]);
  }
  return found;
}

function light(byPlace, laid, complete) {
  picture.light([...byPlace].map(([place, some]) => [place, costs(cheapest(some))]));
  zoom.bring(picture.lights, touch);
  picture.mark("picked", picks);
  const some = [...byPlace.values()].flat();
  for (const [place, here] of byPlace) if (!laid && here.every((one) => one.places.length === picks.length + 1)) picture.write(place, cheapest(here));
  if (!touch && (laid || !picks.length)) hang(some);
  const words = verbs.length === 1 ? (button(verbs[0])?.title ?? verbs[0]) : verbs.map(label).join(", ");
  picker.say(`${words}. ${picker.words(once(verbs[0]) && picture.lit ? "once" : "pick")}`);
  picker.offer(...complete.map((one) => [one.order, () => send(one.order), costs(one.cost)]), ["cancel", back]);
}

const once = (verb) => verb !== undefined && "once" in (tool(verb)?.dataset ?? {});

// The thing itself hangs at the pointer until it is over a place where it could lie.
function hang(some) {
  const sample = nearestOf(some);
  const drawn = sample && picture.drawing(kit, sample, own());
  picture.hang(drawn, drawn ? picture.centre(footprint(sample)[0] ?? sample.places[0]) : null);
}

function aimAt(place) {
  const all = candidates();
  const some = all.filter((one) => one.places[picks.length] === place);
  aim = place;
  way = null;
  picture.drop();
  const only = picks.length && some.length === 1 && footprint(some[0]).length > 1; // nothing is left to choose
  if (isFootprint(all) || only) {
    ways = some.sort((a, b) => direction(a) - direction(b));
    way = ways.indexOf(nearestOf(ways));
    return drawWay();
  }
  const ends = some.length === 1 && some[0].places.length === picks.length + 1;
  picture.mark("aim", [place]);
  if (ends) picture.ghost("preview", kit, some[0], own());
  else picture.clear("preview");
  if (ends) tell(some[0]);
  else picker.say(`${[verbs.map(label).join(", "), ...picks, place].join(" ")} …`);
  picker.offer([ends ? "take" : "choose", take], ["cancel", back]);
}

function drawWay() {
  const one = ways[way];
  picture.mark("swept", one.swept);
  picture.mark("aim", footprint(one));
  picture.ghost("preview", kit, one, own());
  tell(one);
  picker.offer(["take", take], ...(ways.length > 1 ? [["rotate", rotate]] : []), ["cancel", back]);
}

// First what the page knows; what it brings is asked for when the pointer rests.
function tell(one) {
  const begun = picker.words("begun", one.cost).replace("{what}", () => [label(one.verb), ...one.words].join(" "));
  picker.say(begun, one.order);
  clearTimeout(resting);
  resting = setTimeout(async () => {
    const found = await brought(one.order);
    if (!found || $(".say").dataset.order !== one.order) return;
    const told = found.told?.length ? found.told : [begun]; // which says what it costs, too
    picker.say([gains(found), ...told].filter(Boolean).join(" · "), one.order);
  }, REST);
}

const gains = (found) => found.problem ?? (found.reveals ? picker.words("reveals") : found.gain ? picker.words("gain", found.gain > 0 ? `+${found.gain}` : found.gain) : "");

async function brought(order) {
  const answer = await fetch(asking(desk.dataset.brings, `order=${encodeURIComponent(order)}`)).catch(() => null);
  return answer?.ok ? answer.json() : null;
}

function rotate() {
  if (way === null || ways.length < 2) return false;
  way = (way + 1) % ways.length;
  turned = direction(ways[way]);
  drawWay();
  return true;
}

// The one that points where the last one did, as nearly as can be.
function nearestOf(some) {
  let best = null, least = Infinity;
  for (const one of some) {
    const off = Math.abs(direction(one) - turned), away = Math.min(off, 2 * Math.PI - off);
    if (away < least) [best, least] = [one, away];
  }
  return best;
}

// Words that are no places: one of a few, a few sentences, or several of a hand.
function offer(some) {
  if (some.length === 1) return send(some[0].order);
  picture.mark("picked", picks);
  picker.say(picker.words("words"));
  const long = new Set(some.map((one) => one.words.length));
  const named = long.has(1) ? (one) => one.words[0] : (one) => one.order;
  if (long.size > 1 || (!long.has(1) && some.length > FEW)) picker.offerHand(some, send, back);
  else picker.offer(...some.map((one) => [named(one), () => send(one.order), costs(one.cost)]), ["cancel", back]);
}

// With nothing in hand: what can be done at a place

function openAt(place, event) {
  const handle = [...orders.keys()].find((verb) => tool(verb)?.dataset.at?.split(" ").includes(place));
  if (handle) return choose([handle], keyed);
  const here = [...orders].map(([verb, some]) => [verb, some.filter((one) => one.places[0] === place)]).filter(([, some]) => some.length);
  const journeys = here.filter(([verb, some]) => some.some((one) => one.places.length > 1) && !laidByOne(verb));
  if (journeys.length) {
    verbs = journeys.map(([verb]) => verb);
    picks = [place];
    show();
    if (keyed) goOn();
    const others = here.filter(([verb]) => !verbs.includes(verb));
    if (others.length) pop(event, others.map(([verb, some]) => choiceOf(verb, some, place)));
    return;
  }
  if (here.length) pop(event, here.map(([verb, some]) => choiceOf(verb, some, place)));
}

function laidByOne(verb) {
  const before = picks;
  picks = [];
  const laid = isFootprint(orders.get(verb));
  picks = before;
  return laid;
}

const choiceOf = (verb, some, place) => [label(verb), () => begin(verb, place), costs(cheapest(some)), button(verb)?.querySelector("svg"), some.length === 1 && some[0].order];

function begin(verb, place) {
  verbs = [verb];
  picks = [];
  show();
  if (!picture.has(place) || !candidates().some((one) => one.places[0] === place)) return;
  aimAt(place);
  if (way === null) take();
  else if (keyed) picture.places.get(place).focus();
}

// A small menu beside what was clicked.
function pop(event, list = []) {
  $("#pop")?.remove();
  if (!event || !list.length) return;
  const made = document.createElement("div");
  made.id = "pop";
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", picker.words("here"));
  for (const [words, act, title, icon, order] of list) {
    const [item, told, aside] = ["button", "span", "small"].map((name) => document.createElement(name));
    [told.textContent, aside.textContent] = [words, title];
    item.type = "button";
    if (icon) item.append(icon.cloneNode(true));
    item.append(told, aside);
    if (order) brought(order).then((found) => { aside.textContent = [title, found && gains(found)].filter(Boolean).join(" · "); });
    item.addEventListener("click", () => { pop(null); act(); });
    made.append(item);
  }
  const frame = $(".board").getBoundingClientRect();
  $(".board").append(made);
  made.style.left = `${Math.max(4, Math.min(event.clientX - frame.left + 8, frame.width - made.offsetWidth - 4))}px`;
  made.style.top = `${Math.max(4, Math.min(event.clientY - frame.top + 8, frame.height - made.offsetHeight - 4))}px`;
  if (keyed) made.querySelector("button").focus();
}

// Choosing

function choose(wanted, byKey) {
  verbs = verbs.join() === wanted.join() && !picks.length ? [] : wanted;
  picks = [];
  show();
  if (byKey) goOn();
}

const goOn = () => (picture.lit ?? picker.box.querySelector(".picks button"))?.focus();

function take() {
  if (aim === null) return;
  if (way !== null) return void send(ways[way].order);
  const byKey = document.activeElement?.matches(".place, .picks button");
  picks.push(aim);
  show();
  if (byKey) goOn();
}

function back() {
  if (picks.length) picks.pop();
  else verbs = [];
  show();
  (picture.lit ?? $("[data-verb]"))?.focus();
}

// Why a verb is of no use now: what the rules say to an order of it. Its button is told so too.
async function reason(off, aloud) {
  if (off.dataset.tried) off.title = (await brought(off.dataset.tried))?.problem ?? picker.words("failed");
  off.removeAttribute("data-tried");
  if (!aloud) return;
  verbs = [];
  show();
  picker.box.hidden = false;
  picker.say(off.title);
  picker.put([]);
  picker.box.scrollIntoView({ block: "nearest" });
}

// Why a place that is dark is dark, in the words of the rules.
async function explain(place) {
  const sample = candidates()[0];
  if (!sample) return;
  const guess = [sample.verb, ...picks, place, ...sample.words];
  if (sample.places.length !== picks.length + 1) return;
  const found = await brought(guess.join(" "));
  if (found?.problem) picker.say(found.problem);
}

function send(order) {
  const verb = verbs.find((one) => `${order} `.startsWith(`${one} `)) ?? order;
  if (once(verb)) return playAtOnce(order);
  if (busy) return void (next ??= sent?.order === order ? null : () => { if (legal(order)) send(order); }); // a double click means one
  const form = $("#add");
  form.elements.add.value = order;
  sent = legal(order) && { ...legal(order), held: [verbs, picks.join(" ")] };
  submit(form);
}

const legal = (order) => [...orders.values()].flat().find((one) => one.order === order);

// Another plan takes the place of the draft.
function instead(plan) {
  const form = $("#instead");
  for (const order of plan) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "order", value: order }));
  submit(form);
}

// What is all that was asked is played with the click that chose it.
function playAtOnce(order) {
  const form = $("#add").cloneNode(true);
  form.hidden = true;
  form.removeAttribute("id");
  form.removeAttribute("data-swap");
  form.action = desk.dataset.commit;
  form.elements.add.remove();
  for (const [name, value] of [["order", order], ["key", $("[name=key]").value]]) {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", name, value];
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

let sent = null; // the order that is on its way, and what was held when it was sent
let busy = false, sendings = 0; // whether something is on its way, and how often something was
let next = null; // what was pressed meanwhile
let given = null; // the words that were sent
let swapping = null, later = []; // the desk that is being taken over, and what was clicked meanwhile

// The server answers with the parts that changed.
async function submit(form, submitter) {
  busy = true;
  sendings += 1;
  rest();
  try {
    const body = new URLSearchParams(new FormData(form, submitter));
    given = body.get("add");
    const answer = await fetch(form.action, { method: "POST", headers: heads(), body });
    await receive(answer);
  } catch {
    fail();
  } finally {
    busy = false;
    const act = next;
    sent = next = given = null;
    act?.();
    rest();
  }
}

// For whoever reads the page by a script: it is ready while nothing is on its way and what can be chosen is known.
function rest() {
  desk.toggleAttribute("data-ready", !busy && !swapping);
}

function fail() {
  if (!picker?.box) return;
  picker.box.hidden = false;
  picker.say(picker.words("failed"));
}

const asking = (address, more) => `${address}${address.includes("?") ? "&" : "?"}${more}`;
const heads = () => ({ "X-Board": $(".sheet").dataset.link || "-", "X-State": desk.dataset.state });

async function refresh() {
  const before = sendings, seen = desk.dataset.state.split(".")[0]; // so that an undone turn can be told
  const answer = await fetch(asking(desk.dataset.parts, `at=${seen}`), { headers: heads() }).catch(() => null);
  // What was sent meanwhile brings the newer parts; of what could not be had, we are told again.
  if (!answer?.ok || busy || sendings !== before) return void answer?.body?.cancel();
  await receive(answer);
  if (!verbs.length) replay(desk, picture, zoom, { film: false });
}

async function receive(answer) {
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("desk");
  if (!fresh) return void location.assign(answer.redirected ? answer.url : location.pathname);
  await inTurn(() => swap(fresh));
}

// The desk is taken over by one at a time; what is clicked meanwhile is done when it is known what can be chosen.
async function inTurn(work) {
  const turn = (swapping ?? Promise.resolve()).catch(() => {}).then(work);
  swapping = turn;
  rest();
  try {
    await turn;
  } finally {
    if (swapping === turn) {
      const acts = later;
      [swapping, later] = [null, []];
      for (const act of acts) act();
    }
    rest();
  }
}

// Takes over what changed; what is half chosen stays if it still can be.
async function swap(fresh) {
  await settled();
  const held = [verbs, picks], focus = focused(), pointed = [aim, ways[way]?.order], written = $("#typed")?.value;
  const scrolled = $(".reach")?.scrollTop ?? 0, writing = $(".write")?.open;
  for (const part of fresh.querySelectorAll("[data-part]")) document.getElementById(part.id)?.replaceWith(document.adoptNode(part));
  for (const part of fresh.querySelectorAll("[data-fill]")) fill(document.getElementById(part.id), part);
  const sheet = fresh.querySelector(".sheet");
  picture.dim();
  if (sheet.dataset.changes) picture.change(JSON.parse(sheet.dataset.changes));
  else redraw(document.adoptNode(sheet.querySelector("svg")));
  $(".sheet").dataset.link = sheet.dataset.link;
  desk.dataset.state = fresh.dataset.state;
  nameSpots(desk, picture);
  moveOn(fresh.dataset);
  desk.toggleAttribute("data-quick", "quick" in fresh.dataset);
  if ($(".reach")) $(".reach").scrollTop = scrolled;
  if (writing && $(".write")) $(".write").open = true;
  if (written && written !== given && $("#typed")) $("#typed").value = written; // nobody's words are lost because others moved
  await know();
  const done = sent?.held[0] === verbs && sent.held[1] === picks.join(" ") ? sent : null; // who took up something else goes on with that
  [verbs, picks] = goesOn(done) ?? (done ? [held[0], []] : held);
  if (!candidates().some((one) => one.places.length > picks.length)) [verbs, picks] = [[], []];
  show();
  relight();
  if (!done) pointAgain(...pointed);
  const asked = $(".confirm .button");
  if (asked) asked.focus();
  else if (keyed && done) (picture.lit ?? document.getElementById("play"))?.focus();
  else if (focus) $(focus)?.focus();
  again?.();
}

// What screen readers listen to stays, and says something else; who was in there goes on to what can be done.
function fill(kept, part) {
  if (!kept || kept.textContent.trim() === part.textContent.trim()) return;
  const inside = kept.contains(document.activeElement);
  kept.replaceChildren(...part.childNodes);
  if (inside) $(".reach")?.focus();
}

// A position that is no match carries its draft in its addresses: they change with it, and so does the page's own.
function moveOn(fresh) {
  for (const name of ["parts", "choices", "brings"]) if (fresh[name]) desk.dataset[name] = fresh[name];
  if (fresh.here) history.replaceState(null, "", fresh.here);
}

// What was pointed at before the desk was taken over is shown again, turned as it was.
function pointAgain(place, order) {
  if (!isLit(place)) return;
  aimAt(place);
  const same = ways.findIndex((one) => one.order === order);
  if (way === null || same < 0) return;
  way = same;
  drawWay();
}

// A piece that has just come goes on: its ways are lit at once.
function goesOn(done) {
  if (!done || done.places.length !== 1) return null;
  const onward = [...orders].find(([verb, some]) => verb !== done.verb && some.some((one) => one.places.length > 1 && one.places[0] === done.places[0]) && !laidByOne(verb));
  return onward ? [[onward[0]], [done.places[0]]] : null;
}

function focused() {
  const one = document.activeElement;
  if (!one || !desk.contains(one)) return null;
  if (one.id) return `#${one.id}`;
  if (one.dataset.verb) return `[data-verb="${CSS.escape(one.dataset.verb)}"]`;
  return one.name && one.value ? `[name="${one.name}"][value="${CSS.escape(one.value)}"]` : null;
}

function redraw(svg) {
  picture.svg.replaceWith(svg);
  draw(svg);
}

// Listening

function onKey(event) {
  if (event.target.closest("input, textarea, select, pre") && event.target.type !== "radio") return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.shiftKey) return press("undo-last", event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = event.target.closest(".place.can");
  const idle = !event.target.closest("a, button, summary, input");
  if (event.key === "Escape" && $("#pop")) pop(null);
  else if (event.key === "Escape" && verbs.length) back();
  else if (event.key === "Escape" && $("[data-back]")) $("[data-back]").click();
  else if (event.key === "Backspace") return press("undo-last", event);
  else if (event.key.toLowerCase() === "r" && rotate()) ;
  else if (numbered(event.key)) numbered(event.key).click();
  else if (place && ARROWS[event.key]) picture.step(place, ...ARROWS[event.key]);
  else if (place && (event.key === "Enter" || event.key === " ")) take();
  else if (event.key === "Enter" && idle) return press("play", event);
  else return;
  keyed = true;
  event.preventDefault();
}

// Each verb has a key: its number in the row, as far as there are digits.
function number() {
  desk.querySelectorAll(".verb:not(.off)").forEach((verb, i) => i < 9 && verb.setAttribute("aria-keyshortcuts", i + 1));
}

const numbered = (key) => /^[1-9]$/.test(key) && $(`[aria-keyshortcuts="${key}"]`);

function press(id, event) {
  const found = document.getElementById(id);
  if (!found || found.disabled) return;
  event.preventDefault();
  found.click();
}

function onClick(event) {
  const verb = event.target.closest("[data-verb]")?.dataset.verb, dark = event.target.closest("[data-place]")?.dataset.place;
  const off = event.target.closest(".verb.off");
  if (event.target.closest("[data-hint]")) return suggest(event);
  if (off) { event.preventDefault(); return void reason(off, true); }
  if (event.target.closest("[data-back]")) { event.preventDefault(); return refresh(); }
  if (event.target.id === "replay") return void showAgain();
  if (verb) event.preventDefault();
  const onBoard = event.target.closest(".sheet"), inMenu = event.target.closest("#pop");
  if ($("[data-plan]")) plan(event);
  else if (swapping && (verb || onBoard)) later.push(() => reach(verb, dark, event)); // nobody knows yet what can be chosen
  else if (verb || onBoard) reach(verb, dark, event);
  else if (!inMenu) pop(null);
}

function reach(verb, dark, event) {
  const place = isLit(dark) ? dark : picture.near(event.clientX, event.clientY, REACH);
  if (verb) choose([verb], event.detail === 0);
  else if (place && touch && tapped !== place) {
    tapped = place; // a finger cannot hover: its first touch shows, the second takes
    aimAt(place);
  } else if (place) {
    tapped = null;
    if (aim !== place) aimAt(place);
    take();
  } else if (dark && verbs.length) explain(dark);
  else if (dark && !verbs.length) openAt(dark, event);
  else pop(null);
}

const isLit = (place) => Boolean(picture.places.get(place)?.classList.contains("can"));

// Where nobody knows what will be legal: verbs and places write their names, the rest is typed.
function plan(event) {
  const begun = event.target.closest("[data-plan]")?.dataset.plan;
  const named = event.target.closest("[data-place]")?.dataset.place;
  const typed = document.getElementById("typed");
  if (begun) event.preventDefault();
  if (begun) typed.value = `${begun} `;
  else if (named) typed.value = `${typed.value.trimEnd()} ${named} `.trimStart();
  if (begun || (named && !touch)) typed.focus();
}

// A bot's whole turn, drawn on the board before anybody takes it.
async function suggest(event) {
  event.preventDefault();
  const answer = await fetch(event.target.closest("[data-hint]").href, { headers: { ...heads(), Accept: "application/json" } }).catch(() => null);
  const box = $("#suggestion");
  if (!answer?.ok || !box) return;
  const { orders: list, told, why } = await answer.json();
  verbs = [];
  show();
  list.forEach((order, number) => {
    const known = [...(kit?.querySelectorAll("[data-tool]") ?? [])].map((one) => one.dataset.tool).sort((a, b) => b.length - a.length);
    const verb = known.find((one) => `${order} `.startsWith(`${one} `)) ?? "";
    const all = order.slice(verb.length).split(" ").filter(Boolean);
    picture.ghost(`plan${number}`, kit, { verb, all, places: all.filter((word) => picture.has(word)) }, own());
  });
  zoom.see([...picture.marks.querySelectorAll(".ghost")]);
  const words = document.createElement("p");
  words.textContent = why;
  const items = document.createElement("ol");
  items.append(...told.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  const give = (some) => () => { const form = $("#add"); form.elements.add.value = some.join("; "); submit(form); };
  const acts = [["all", give(list)], ["first", give(list.slice(0, 1))], ["no", () => { box.hidden = true; show(); }]].map(([name, act], number) => {
    const made = Object.assign(document.createElement("button"), { type: "button", className: `button small${number ? " quiet" : ""}`, textContent: box.dataset[name] });
    made.addEventListener("click", act);
    return made;
  });
  const row = Object.assign(document.createElement("div"), { className: "row" });
  row.append(...acts);
  box.replaceChildren(words, row, items); // whoever knows why need not read on
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
  acts[0].focus({ preventScroll: true });
}

// Orders are mailed and noted one a line; the field has one line for all.
function onPaste(event) {
  const lines = event.clipboardData.getData("text").split("\n").map((line) => line.trim()).filter(Boolean);
  if (event.target.id !== "typed" || lines.length < 2) return;
  event.preventDefault();
  event.target.setRangeText(lines.join("; "), event.target.selectionStart, event.target.selectionEnd, "end");
}

const lit = (event) => event.target.closest?.(".place.can")?.dataset.place;

function onSubmit(event) {
  const swaps = "swap" in event.target.dataset, one = event.submitter;
  if (swaps || busy) event.preventDefault();
  if (!busy) return void (swaps && submit(event.target, one));
  // It is pressed again when what is on its way has come: the desk has other buttons then, and another draft.
  const name = nameOf(one);
  if (name) next = () => { if ($(name) && !$(name).disabled) $(name).click(); };
}

// A button by what it does, so that the same one is found on the desk that comes.
function nameOf(button) {
  if (button?.id) return `#${button.id}`;
  if (button?.dataset.press) return `[data-press="${CSS.escape(button.dataset.press)}"]`;
  return button?.name === "add" && `[name=add][value="${CSS.escape(button.value)}"]`;
}

// The wheel turns what is held, and enlarges the board when nothing is.
function onWheel(event) {
  event.preventDefault();
  if (way !== null && ways.length > 1) rotate();
  else zoom.by(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
}

let fingers = null; // two that came down together, and have not moved yet
function onTouch(event) {
  if (event.type === "touchstart") fingers = event.touches.length === 2 ? Date.now() : null;
  else if (event.type === "touchmove") fingers = fingers && event.touches.length === 2 && Date.now() - fingers > 250 ? null : fingers;
  else if (fingers && Date.now() - fingers < 300) { fingers = null; rotate(); }
}

function listen() {
  desk.addEventListener("click", onClick);
  desk.addEventListener("submit", onSubmit);
  desk.addEventListener("paste", onPaste);
  desk.addEventListener("pointerover", (event) => { const off = event.target.closest(".verb.off[data-tried]"); if (off && event.pointerType === "mouse") reason(off); });
  desk.addEventListener("pointerdown", (event) => { touch = event.pointerType === "touch"; keyed = false; });
  const sheet = $(".sheet");
  sheet.addEventListener("wheel", onWheel, { passive: false });
  sheet.addEventListener("contextmenu", (event) => { if (verbs.length) event.preventDefault(); rotate(); });
  for (const kind of ["touchstart", "touchmove", "touchend"]) sheet.addEventListener(kind, onTouch, { passive: true });
  sheet.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch" && verbs.length && !lit(event)) picture.carry(event); });
  sheet.addEventListener("pointerleave", () => picture.drop());
  sheet.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch" && lit(event)) aimAt(lit(event)); });
  sheet.addEventListener("focusin", (event) => { if (touch || !lit(event)) return; zoom.see([event.target]); if (aim !== lit(event)) aimAt(lit(event)); });
  document.addEventListener("keydown", onKey);
  for (const tab of desk.querySelectorAll(".tab input")) tab.addEventListener("change", () => sessionStorage.setItem("panel", tab.value));
  const wanted = location.hash.slice(1) || sessionStorage.getItem("panel");
  const tab = wanted && $(`.tab input[value="${CSS.escape(wanted)}"]`);
  if (tab) tab.checked = true;
}

function draw(svg) {
  picture = new Picture(svg);
  if (zoom) return zoom.take(svg);
  zoom = new Zoom($(".sheet"), svg);
  buttons($(".zoom"), zoom);
  bringInSight($("[data-look]")?.dataset.look ?? ""); // what a task is about
}

const bringInSight = (names) => zoom.see(names.split(" ").flatMap((name) => picture.places.get(name) ?? []));

// Where the next orders are, if there are more than one answer holds.
function following(answer) {
  return answer.headers.get("Link")?.match(/^<([^>]*)>; rel="next"/)?.[1];
}

// By verb, cost and first word, as the server packs them.
function* unpacked({ orders: packed, over }) {
  for (const [verb, costs] of Object.entries(packed)) for (const [cost, firsts] of Object.entries(costs)) for (const [first, rests] of Object.entries(firsts)) for (const rest of rests.split(";")) {
    const order = [verb, first, rest].filter(Boolean).join(" ");
    yield [order, Number(cost), over[order]];
  }
}

// A server that is away for a moment is asked again.
async function ask(address) {
  for (let pause = 500; ; pause *= 2) {
    const answer = await fetch(address).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    if (pause > LONGEST) throw new Error(`no answer from ${address}`);
    await new Promise((done) => { setTimeout(done, pause); });
  }
}

// Asks what is legal now.
async function know() {
  kit = $(".kit");
  picker = new Picker($("#picker"));
  number();
  showPlans($("#plans"), [...desk.querySelectorAll(".draft code")].map((code) => code.textContent), instead);
  orders = new Map();
  if (!desk.dataset.choices || !picker.box) return;
  const list = [];
  for (let more = asking(desk.dataset.choices, "packed"), page = 0; more && page < MOST_PAGES; page++) {
    const answer = await ask(more);
    if (!answer.ok) break;
    list.push(...unpacked(await answer.json()));
    more = following(answer);
  }
  understand(list);
}

async function open(root) {
  desk = root;
  draw($(".sheet svg"));
  listen();
  nameSpots(desk, picture);
  relight = listenToTalk(desk, () => picture);
  if (desk.dataset.events) again = watch(() => desk, refresh);
  await inTurn(prepare);
  const story = $("#replay");
  if (story) story.hidden = !$("#story .step");
  replay(desk, picture, zoom).then(() => { if (verbs.length && aim === null && !picture.lit) show(); });
}

async function prepare() {
  if (desk.dataset.choices) await know().catch(fail);
  bringInSight([...(kit?.querySelectorAll("[data-at]") ?? [])].map((one) => one.dataset.at).join(" ")); // one's own piece
  const wanted = new URLSearchParams(location.search).get("verb");
  const only = orders.size === 1 && once([...orders.keys()][0]) ? [...orders.keys()][0] : null;
  verbs = orders.has(wanted) ? [wanted] : only ? [only] : [];
  // A page that was only opened must do nothing: orders without a place would be sent at once.
  if (!candidates().some((one) => one.places.length)) verbs = [];
  if (picker) show();
}

// What was lit or half chosen is put down: the pieces move now.
async function showAgain() {
  verbs = [];
  show();
  await replay(desk, picture, zoom, { again: true });
}

const found = document.getElementById("desk");
if (found) open(found);
