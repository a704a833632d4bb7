// Choosing orders on the board. It knows no game: the server sends every legal order with its cost; the words of an
// order that name a place of the picture are places, the others are choices. Lists and buttons do the same without it.

import { Picker } from "./picker.js";
import { Picture } from "./picture.js";

const POLL = 30_000; // how often to ask whether the table has changed
const QUICK = 2_000; // the same while a bot is asked
const MOST_PAGES = 10; // of orders, where there are thousands; all others can be typed
const FEW = 6; // as many orders of several words can stand side by side
const FINGER = 16; // pixels below which a place cannot be touched
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let desk, picture, picker; // made anew with every fresh page
let choices = [], etag = null;
let verb = new URLSearchParams(location.search).get("verb");
let picks = []; // the places chosen so far
let aim = null; // the place that is pointed at
let ways = [], way = null; // the ways to lay something there, and which of them is shown
let turned = 0; // the direction that was chosen last
let touch = false, tapped = null, keyed = false; // how the last choice was made

// What can be chosen

function candidates() {
  return verb === null ? [] : choices.filter(([order]) => `${order} `.startsWith(`${verb} `)).map(understood).flatMap(eitherWay)
    .filter((one) => picks.every((place, i) => one.places[i] === place));
}

function understood([order, cost, swept = []]) {
  const words = order.slice(verb.length).split(" ").filter(Boolean);
  return { order, cost, swept, places: words.filter((word) => picture.has(word)), words: words.filter((word) => !picture.has(word)) };
}

// What leads from place to place is the same from its other end, where the picture says so.
function eitherWay(one) {
  return picture.either && one.places.length === 2 ? [one, { ...one, places: [...one.places].reverse() }] : [one];
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
  picture.dim();
  picker.box.hidden = verb === null;
  for (const link of desk.querySelectorAll("[data-verb]")) link.toggleAttribute("aria-current", link.dataset.verb === verb);
  desk.querySelector(".menu")?.remove();
  if (verb === null) return;
  const some = candidates();
  const byPlace = grouped(some);
  const complete = byPlace.get(undefined) ?? []; // these need no more places
  byPlace.delete(undefined);
  if (byPlace.size) light(byPlace, isFootprint(some), complete);
  else offer(some);
}

function grouped(some) {
  const found = new Map();
  for (const one of some) found.set(one.places[picks.length], [...(found.get(one.places[picks.length]) ?? []), one]);
  return found;
}

function light(byPlace, footprint, complete) {
  picture.light([...byPlace].map(([place, some]) => [place, costs(cheapest(some))]));
  const { checked } = desk.querySelector(".zoom input");
  if (touch && !checked && picture.smallest < FINGER) desk.querySelector(".zoom input").click();
  picture.bring();
  picture.mark("picked", picks);
  for (const [place, some] of byPlace) {
    const last = !footprint && some.every((one) => one.places.length === picks.length + 1);
    if (last) picture.write(place, cheapest(some));
  }
  picker.say(`${desk.querySelector(`[data-verb="${verb}"]`).title}. ${picker.words("pick")}`);
  picker.offer(...complete.map((one) => [one.order, () => send(one.order), costs(one.cost)]), ["cancel", back]);
}

function aimAt(place) {
  const all = candidates();
  const some = all.filter((one) => one.places[picks.length] === place);
  aim = place;
  way = null;
  const only = picks.length && some.length === 1 && footprint(some[0]).length > 1; // nothing is left to choose
  if (isFootprint(all) || only) {
    ways = some.sort((a, b) => direction(a) - direction(b));
    way = nearest();
    return drawWay();
  }
  const ends = some.length === 1 && some[0].places.length === picks.length + 1;
  picture.mark("aim", [place]);
  picker.say(ends ? `${some[0].order}: ${costs(some[0].cost)}` : `${[verb, ...picks, place].join(" ")} …`);
  picker.offer(["take", take], ["cancel", back]);
}

function drawWay() {
  const { order, cost, swept } = ways[way];
  picture.mark("swept", swept);
  picture.mark("aim", footprint(ways[way]));
  if (picture.either) picture.link("aim", footprint(ways[way]));
  picker.say(`${order}: ${costs(cost)}`);
  picker.offer(["take", take], ...(ways.length > 1 ? [["rotate", rotate]] : []), ["cancel", back]);
}

function rotate() {
  way = (way + 1) % ways.length;
  turned = direction(ways[way]);
  drawWay();
}

// The way that points where the last one did, as nearly as can be.
function nearest() {
  const off = ways.map((one) => Math.abs(direction(one) - turned)).map((a) => Math.min(a, 2 * Math.PI - a));
  return off.indexOf(Math.min(...off));
}

// Words that are no places: one of a few, a few sentences, or several of a hand.
function offer(some) {
  if (some.length === 1) return send(some[0].order);
  picture.mark("picked", picks);
  picker.say(picker.words("words"));
  const long = new Set(some.map((one) => one.words.length));
  const label = long.has(1) ? (one) => one.words[0] : (one) => one.order;
  if (long.size > 1 || (!long.has(1) && some.length > FEW)) picker.offerHand(some, send, back);
  else picker.offer(...some.map((one) => [label(one), () => send(one.order), costs(one.cost)]), ["cancel", back]);
}

// Choosing

function choose(wanted, byKey) {
  verb = verb === wanted ? null : wanted;
  picks = [];
  show();
  if (byKey) goOn();
  else if (verb !== null) picture.svg.closest(".sheet").scrollIntoView({ block: "nearest" });
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
  else verb = null;
  show();
  (picture.lit ?? desk.querySelector("[data-verb]"))?.focus();
}

function send(order) {
  const form = document.getElementById("add");
  form.elements.add.value = order;
  submit(form);
}

// The server answers with the whole page; its desk takes the place of this one.
async function submit(form, submitter) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, submitter)) });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("desk");
    if (fresh) swap(document.adoptNode(fresh));
    else location.assign(answer.redirected ? answer.url : location.pathname);
  } catch {
    picker.box.hidden = false;
    picker.say(picker.words("failed"));
  }
}

function swap(fresh) {
  const sheet = desk.querySelector(".sheet");
  const scrolled = [sheet.scrollLeft, sheet.scrollTop];
  const large = desk.querySelector(".zoom input").checked;
  desk.replaceWith(fresh);
  fresh.querySelector(".zoom input").checked = large;
  fresh.querySelector(".sheet").scrollTo(...scrolled);
  fresh.querySelector(".notice[role=alert]")?.scrollIntoView({ block: "nearest" });
  picks = [];
  begin(fresh);
}

// Listening

function onKey(event) {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = event.target.closest(".place.can");
  if (event.key === "Escape" && verb !== null) back();
  else if (event.key.toLowerCase() === "r" && way !== null && ways.length > 1) rotate();
  else if (place && ARROWS[event.key]) picture.step(place, ...ARROWS[event.key]);
  else if (place && (event.key === "Enter" || event.key === " ")) take();
  else return;
  keyed = true;
  event.preventDefault();
}

function onClick(event) {
  const link = event.target.closest("[data-verb]");
  const place = lit(event);
  if (desk.querySelector("[data-plan]")) plan(event);
  else if (link) {
    event.preventDefault();
    choose(link.dataset.verb, event.detail === 0);
  } else if (place && touch && tapped !== place) {
    tapped = place; // a finger cannot hover: its first touch shows, the second takes
    aimAt(place);
  } else if (place) {
    tapped = null;
    if (aim !== place) aimAt(place);
    take();
  }
}

// Out of turn nobody knows what will be legal: verbs and places write their names, the rest is typed.
function plan(event) {
  const begun = event.target.closest("[data-plan]")?.dataset.plan;
  const named = event.target.closest("[data-place]")?.dataset.place;
  const typed = document.getElementById("typed");
  if (begun) event.preventDefault();
  if (begun) typed.value = `${begun} `;
  else if (named) typed.value = `${typed.value.trimEnd()} ${named} `.trimStart();
  if (begun || (named && !touch)) typed.focus();
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
  if (!("swap" in event.target.dataset)) return;
  event.preventDefault();
  submit(event.target, event.submitter);
}

// Who needs a large board needs it every turn.
function zoom(input) {
  const sheet = desk.querySelector(".sheet");
  input.checked ||= localStorage.getItem("large") === "yes";
  input.addEventListener("change", () => {
    localStorage.setItem("large", input.checked ? "yes" : "no");
    sheet.scrollTo((sheet.scrollWidth - sheet.clientWidth) / 2, (sheet.scrollHeight - sheet.clientHeight) / 2);
    picture.bring();
  });
}

function listen() {
  zoom(desk.querySelector(".zoom input"));
  desk.addEventListener("click", onClick);
  desk.addEventListener("submit", onSubmit);
  desk.addEventListener("paste", onPaste);
  desk.addEventListener("pointerdown", (event) => { touch = event.pointerType === "touch"; keyed = false; });
  picture.svg.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch" && lit(event)) aimAt(lit(event)); });
  picture.svg.addEventListener("focusin", (event) => { if (!touch && lit(event) && aim !== lit(event)) aimAt(lit(event)); });
}

// Where the next orders are, if there are more than one answer holds.
function following(answer) {
  return answer.headers.get("Link")?.match(/^<([^>]*)>; rel="next"/)?.[1];
}

async function begin(root) {
  desk = root;
  picture = new Picture(root.querySelector(".sheet svg"));
  picker = new Picker(document.getElementById("picker"));
  listen();
  const answer = await fetch(root.dataset.choices);
  if (!answer.ok) return;
  etag = answer.headers.get("ETag");
  choices = await answer.json();
  for (let more = following(answer), page = 1; more && page < MOST_PAGES; page++) {
    const rest = await fetch(more);
    if (!rest.ok) break;
    choices.push(...await rest.json());
    more = following(rest);
  }
  // A page that was only opened must do nothing: orders without a place would be sent at once.
  if (!candidates().some((one) => one.places.length)) verb = null;
  show();
  if (keyed) (picture.lit ?? root.querySelector(".draft .button"))?.focus();
  root.dataset.ready = "";
}

async function watch() {
  const answer = document.hidden ? null : await fetch(desk.dataset.choices).catch(() => null);
  if (answer?.ok && answer.headers.get("ETag") !== etag) changed();
}

// A bot's move is what one waits for; a person's may come while one is writing.
function changed() {
  if ("quick" in desk.dataset) location.reload();
  else document.getElementById("moved").hidden = false;
}

function keepWatch() {
  setTimeout(() => watch().then(keepWatch), "quick" in desk.dataset ? QUICK : POLL);
}

const found = document.getElementById("desk");
if (found?.dataset.choices) {
  document.addEventListener("keydown", onKey);
  begin(found).then(keepWatch);
}
