// What is said at the table and names a place of the board: pointed at, it lights up there. Plain words without a script.

const fold = (text) => text.replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize("NFD")[0]).toLowerCase(); // as long as it was
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

// Places by what people call them: their notation, and the name that stands behind it in brackets.
function names({ places }) {
  const found = new Map([...places.keys()].map((place) => [fold(place), place]));
  for (const [place, drawn] of places) {
    const name = drawn.querySelector("title")?.textContent.match(/^[^:(]*\(([^)]+)\)/)?.[1];
    if (name && !found.has(fold(name))) found.set(fold(name), place);
  }
  return found;
}

// Finds what is named in a text: where it stands, how long it is and which place is meant.
function finder(known) {
  const longest = [...known.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longest})(?![\\p{L}\\p{N}])`, "gu");
  return (text) => (longest ? [...fold(text).matchAll(pattern)].map(({ 0: word, index }) => ({ index, length: word.length, place: known.get(word) })) : []);
}

// The words that name places become buttons; the text itself stays as it was written.
export function nameSpots(desk, picture) {
  const told = desk.querySelector("#told:not([data-named])");
  if (!told) return;
  told.dataset.named = "";
  const find = finder(names(picture));
  for (const speech of told.querySelectorAll(".speech")) {
    const walk = document.createTreeWalker(speech, NodeFilter.SHOW_TEXT), texts = [];
    while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("a")) texts.push(walk.currentNode);
    for (const text of texts) split(text, find(text.data));
  }
}

function split(text, found) {
  for (const { index, length, place } of found.reverse()) {
    const word = text.splitText(index);
    word.splitText(length);
    const button = Object.assign(document.createElement("button"), { type: "button", className: "spot", textContent: word.data });
    button.dataset.spot = place;
    button.setAttribute("aria-pressed", "false");
    word.replaceWith(button);
  }
}

// Whatever is pointed at lights up; what is pressed stays lit until it is pressed again; what is being written does too.
// Gives what lights it again on a board that was made anew.
export function listenToTalk(desk, picture) {
  const talk = desk.querySelector("#talk"), say = talk?.querySelector("#say");
  if (!talk) return () => {};
  const pressed = () => [...talk.querySelectorAll(".spot[aria-pressed=true]")].map((one) => one.dataset.spot);
  const written = () => (say?.value ? finder(names(picture()))(say.value).map(({ place }) => place) : []);
  const light = (...more) => {
    const board = picture();
    board.mark("spoken", [...new Set([...pressed(), ...written(), ...more])].filter((place) => board.has(place)));
  };
  const meant = (event) => {
    const spot = event.target.closest(".spot"), step = event.target.closest(".step");
    return spot ? [spot.dataset.spot] : (step?.dataset.touch.split(" ") ?? []);
  };
  for (const kind of ["pointerover", "focusin"]) talk.addEventListener(kind, (event) => light(...meant(event)));
  for (const kind of ["pointerleave", "focusout"]) talk.addEventListener(kind, () => light());
  talk.addEventListener("click", (event) => {
    const spot = event.target.closest(".spot");
    if (!spot) return;
    spot.setAttribute("aria-pressed", String(spot.getAttribute("aria-pressed") !== "true"));
    light(...(spot.matches(":hover, :focus") && spot.getAttribute("aria-pressed") === "true" ? meant(event) : []));
  });
  say?.addEventListener("input", () => light());
  return light;
}
