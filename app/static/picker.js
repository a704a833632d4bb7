// The box under the verbs: what is chosen so far, in words, and buttons for what the board cannot show.

export class Picker {
  constructor(box) {
    this.box = box;
  }

  // The page says it, in the reader's language; {n} stands for a number.
  words(name, n) {
    return this.box.dataset[name].replace("{n}", n);
  }

  // `order` is what would be ordered, in notation, for whoever reads the page by a script.
  say(text, order = "") {
    const line = this.box.querySelector(".say");
    line.dataset.order = order;
    line.textContent = text;
  }

  // Each button is a label, what it does, and perhaps a title. Labels that the page knows are translated.
  offer(...list) {
    this.put(list.map(([label, act, title]) => this.button(label, act, title)));
  }

  put(buttons) {
    this.box.querySelector(".picks").replaceChildren(...buttons);
  }

  button(label, act, title = "") {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `button small${label === "take" || label === "choose" ? "" : " quiet"}`;
    const card = cardOf(label), [, words, key] = SAID.exec(this.box.dataset[label] ?? card?.dataset.name ?? label);
    if (card) made.append(pictureOf(card));
    made.append(words);
    if (key) made.append(Object.assign(document.createElement("span"), { className: "key", textContent: ` (${key})` }));
    made.dataset.word = label;
    made.title = title || card?.dataset.text || "";
    if (act) made.addEventListener("click", act);
    return made;
  }

  // Several words of a hand, in any number that some order takes: a card each, to be pressed in.
  offerHand(some, send, cancel) {
    const hand = new Map();
    for (const one of some) for (const [word, n] of count(one.words)) hand.set(word, Math.max(n, hand.get(word) ?? 0));
    const cards = repeated(hand).map((word) => this.card(word));
    const pressed = () => cards.filter(isPressed).map((card) => card.dataset.word);
    const found = () => some.find((one) => same(count(one.words), count(pressed())));
    const done = this.button("take", () => send(found().order));
    const refresh = () => {
      for (const card of cards) card.disabled = !isPressed(card) && !some.some((one) => holds(one.words, [...pressed(), card.dataset.word]));
      done.disabled = !found();
      this.say(found()?.order ?? this.words("words"), found()?.order);
    };
    for (const card of cards) card.addEventListener("click", () => { card.setAttribute("aria-pressed", !isPressed(card)); refresh(); });
    this.put([...cards, done, this.button("cancel", cancel)]);
    refresh();
  }

  card(word) {
    const made = this.button(word);
    made.classList.add("card-choice");
    made.setAttribute("aria-pressed", "false");
    return made;
  }
}

const SAID = /^(.*?)(?: \(([^()]*)\))?$/; // what is said, and the key that does it
const cardOf = (word) => document.getElementById(`card-${word.replaceAll("+", "-")}`);

function pictureOf(card) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg"), use = document.createElementNS(made.namespaceURI, "use");
  made.setAttribute("class", "card-picture");
  made.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#${card.id}`);
  made.append(use);
  return made;
}

const isPressed = (card) => card.getAttribute("aria-pressed") === "true";
const count = (list) => list.reduce((sum, word) => sum.set(word, (sum.get(word) ?? 0) + 1), new Map());
const repeated = (counts) => [...counts].flatMap(([word, n]) => Array(n).fill(word));
const same = (a, b) => a.size === b.size && [...a].every(([word, n]) => b.get(word) === n);
const holds = (all, some) => [...count(some)].every(([word, n]) => (count(all).get(word) ?? 0) >= n);
