// The board's picture: where its places are, marks and ghosts upon it, and how it is made anew from what changed.

const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes = {}) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

export class Picture {
  constructor(svg) {
    this.svg = svg;
    this.kids = [...svg.children]; // what the server drew, in its order
    this.either = "either" in svg.dataset; // roads between its places may be chosen from both ends
    this.marks = svg.appendChild(make("g", { class: "marks" }));
    this.hanging = svg.appendChild(make("g", { class: "marks hanging", visibility: "hidden" }));
    this.survey();
    svg.setAttribute("role", "group"); // inside an image no button would be heard of
  }

  survey() {
    this.places = new Map([...this.svg.querySelectorAll("[data-place]")].map((place) => [place.dataset.place, place]));
    this.lit = null;
  }

  // Made anew from the old one: numbers say which of its elements stay, the rest is new.
  change(list) {
    const fresh = list.flatMap((one) => (typeof one === "string" ? [parsed(one)] : this.kids.slice(one[0], one[0] + one[1])));
    const kept = new Set(fresh);
    for (const kid of this.kids) if (!kept.has(kid)) kid.remove();
    let spot = this.svg.firstChild;
    for (const kid of fresh) {
      if (kid === spot) spot = spot.nextSibling;
      else this.svg.insertBefore(kid, spot);
    }
    this.kids = fresh;
    this.survey();
  }

  has(word) {
    return this.places.has(word);
  }

  centre(name) {
    const matrix = this.places.get(name).transform.baseVal.consolidate()?.matrix;
    return matrix ? { x: matrix.e, y: matrix.f } : { x: 0, y: 0 };
  }

  // In which direction the other places lie from the first.
  angle([first, ...others]) {
    const from = this.centre(first);
    const sum = others.map((name) => this.centre(name)).reduce((a, b) => ({ x: a.x + b.x - from.x, y: a.y + b.y - from.y }), { x: 0, y: 0 });
    return Math.atan2(sum.y, sum.x);
  }

  // Where on the paper something on the screen is.
  spot(event) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : { x: 0, y: 0 };
  }

  // The lit places become buttons; `labels` maps their names to what is said of them.
  light(labels) {
    this.dim();
    for (const [name, label] of labels) {
      const place = this.places.get(name);
      place.classList.add("can");
      place.setAttribute("tabindex", this.lit ? "-1" : "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", `${place.querySelector("title")?.textContent ?? name}, ${label}`);
      this.lit ??= place;
    }
  }

  get lights() {
    return [...this.svg.querySelectorAll(".place.can")];
  }

  // The lit place that is nearest to a point of the screen, if it is as near as a finger is broad.
  near(x, y, reach) {
    let best = null, least = reach;
    for (const place of this.lights) {
      const box = place.getBoundingClientRect();
      const away = Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
      if (away < least) [best, least] = [place, away];
    }
    return best?.dataset.place;
  }

  dim() {
    for (const place of this.lights) {
      place.classList.remove("can");
      for (const name of ["tabindex", "role", "aria-label"]) place.removeAttribute(name);
    }
    this.lit = null;
    this.marks.querySelectorAll(":scope > :not(.spoken)").forEach((mark) => mark.remove());
    this.drop();
  }

  clear(kind) {
    this.marks.querySelectorAll(`.${kind}`).forEach((copy) => copy.remove());
  }

  // Copies on top of everything: what is marked must not hide behind its neighbours.
  mark(kind, names, colour) {
    this.clear(kind);
    names.forEach((name, number) => {
      const copy = this.places.get(name).cloneNode(true);
      for (const attribute of ["data-place", "tabindex", "role", "aria-label"]) copy.removeAttribute(attribute);
      copy.setAttribute("class", `place ${kind}${number ? "" : " first"}`);
      copy.setAttribute("aria-hidden", "true");
      if (colour) copy.style.setProperty("--by", colour);
      this.marks.append(copy);
    });
  }

  // What an order would put on the board, as the game's kit draws it.
  ghost(kind, kit, one, colour) {
    this.clear(kind);
    const drawn = this.drawing(kit, one, colour);
    if (!drawn) return false;
    drawn.classList.add(kind);
    this.marks.append(drawn);
    return true;
  }

  drawing(kit, { verb, places, all }, colour) {
    const tool = kit?.querySelector(`[data-tool="${CSS.escape(verb)}"]`);
    if (!tool?.children.length) return null;
    const whole = make("g", { class: "ghost", "aria-hidden": "true" });
    places.forEach((name, number) => {
      const face = tool.children[Math.min(number, tool.children.length - 1)];
      const word = face.dataset.word;
      const inside = word === undefined ? face : kit.querySelector(`[data-piece="${CSS.escape(all[word])}"]`);
      if ("spans" in face.dataset && places[number + 1]) whole.append(this.span(inside, name, places[number + 1], colour));
      else if (inside?.children.length && !("spans" in face.dataset)) whole.append(at(inside, this.centre(name)));
    });
    return whole.children.length ? whole : null;
  }

  // Something that lies from one place to the next: turned that way, or a line where it has no shape.
  span(inside, one, other, colour) {
    const [from, to] = [this.centre(one), this.centre(other)];
    if (!inside?.children.length) return make("path", { class: "link", d: `M${from.x} ${from.y}L${to.x} ${to.y}`, ...(colour ? { stroke: colour } : {}) });
    const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    return at(inside, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, turn);
  }

  // A ghost that hangs at the pointer until it comes to a place where it could lie.
  hang(drawn, from) {
    this.hanging.replaceChildren();
    if (drawn) {
      const inner = make("g", { transform: `translate(${-from.x} ${-from.y})` });
      inner.append(drawn);
      this.hanging.append(inner);
    }
  }

  carry(event) {
    if (!this.hanging.firstChild) return;
    const { x, y } = this.spot(event);
    this.hanging.setAttribute("transform", `translate(${x} ${y})`);
    this.hanging.setAttribute("visibility", "visible");
  }

  drop() {
    this.hanging.setAttribute("visibility", "hidden");
  }

  write(name, text) {
    const made = make("text", { transform: this.places.get(name).getAttribute("transform"), y: "8", class: "price" });
    made.textContent = text;
    this.marks.append(made);
  }

  // To the nearest lit place in that direction; what lies aside counts double.
  step(place, dx, dy) {
    const from = this.centre(place.dataset.place);
    let best = null, least = Infinity;
    for (const other of this.lights) {
      const to = this.centre(other.dataset.place);
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    best?.focus();
  }
}

function at(inside, { x, y }, turn = 0) {
  const made = make("g", { transform: `translate(${x} ${y})${turn ? `rotate(${turn})` : ""}` });
  made.append(...[...inside.children].map((child) => child.cloneNode(true)));
  return made;
}

function parsed(markup) {
  const holder = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${markup}</svg>`, "image/svg+xml").documentElement;
  return document.importNode(holder.firstElementChild, true);
}
