// The board's picture: where its places are, and marks upon it.

const SVG = "http://www.w3.org/2000/svg";

export class Picture {
  constructor(svg) {
    this.svg = svg;
    this.either = "either" in svg.dataset; // roads between its places may be chosen from both ends
    this.places = new Map([...svg.querySelectorAll("[data-place]")].map((place) => [place.dataset.place, place]));
    this.marks = svg.appendChild(document.createElementNS(SVG, "g"));
    this.marks.setAttribute("class", "marks");
    svg.setAttribute("role", "group"); // inside an image no button would be heard of
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

  // How wide the narrowest of the lit places is on the screen.
  get smallest() {
    return Math.min(...[...this.svg.querySelectorAll(".place.can")].map((place) => place.getBoundingClientRect().width));
  }

  // A board larger than its sheet is moved to where something is lit, unless some of that is in sight.
  bring() {
    const sheet = this.svg.closest(".sheet");
    const frame = sheet.getBoundingClientRect();
    const spots = [...this.svg.querySelectorAll(".place.can")].map((place) => place.getBoundingClientRect());
    const inSight = (spot) => spot.left >= frame.left && spot.right <= frame.right && spot.top >= frame.top && spot.bottom <= frame.bottom;
    if (!spots.length || spots.some(inSight)) return;
    const [first] = spots;
    sheet.scrollBy(first.left - frame.left - (frame.width - first.width) / 2, first.top - frame.top - (frame.height - first.height) / 2);
  }

  dim() {
    for (const place of this.svg.querySelectorAll(".place.can")) {
      place.classList.remove("can");
      for (const name of ["tabindex", "role", "aria-label"]) place.removeAttribute(name);
    }
    this.lit = null;
    this.marks.replaceChildren();
  }

  // Copies on top of everything: what is marked must not hide behind its neighbours.
  mark(kind, names) {
    this.marks.querySelectorAll(`.${kind}`).forEach((copy) => copy.remove());
    names.forEach((name, number) => {
      const copy = this.places.get(name).cloneNode(true);
      for (const attribute of ["data-place", "tabindex", "role", "aria-label"]) copy.removeAttribute(attribute);
      copy.setAttribute("class", `place ${kind}${number ? "" : " first"}`);
      copy.setAttribute("aria-hidden", "true");
      this.marks.append(copy);
    });
  }

  // A line from one place to the other, to go with what is aimed at.
  link(kind, [one, other]) {
    const [from, to] = [this.centre(one), this.centre(other)];
    const made = document.createElementNS(SVG, "path");
    made.setAttribute("class", `${kind} link`);
    made.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}`);
    this.marks.prepend(made);
  }

  write(name, text) {
    const made = document.createElementNS(SVG, "text");
    made.setAttribute("transform", this.places.get(name).getAttribute("transform"));
    made.setAttribute("y", "8");
    made.textContent = text;
    this.marks.append(made);
  }

  // To the nearest lit place in that direction; what lies aside counts double.
  step(place, dx, dy) {
    const from = this.centre(place.dataset.place);
    let best = null, least = Infinity;
    for (const other of this.svg.querySelectorAll(".place.can")) {
      const to = this.centre(other.dataset.place);
      const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
      const aside = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
      if (along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    best?.focus();
  }
}
