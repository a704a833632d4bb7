// Moving and enlarging the board: by wheel, pinch, drag, keys and buttons; remembered for each kind of board, in what is learnt for each position.

const MOST = 6;
const STEP = 1.25;
const FINGER = 24; // pixels that a place must be wide to be touched
const LETTER = 11.2; // pixels that letters must be high to be read, and a little
const NARROW = "(max-width: 40rem)"; // a phone, as the style sheet has it
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Zoom {
  constructor(sheet, svg) {
    this.sheet = sheet;
    this.fingers = new Map();
    sheet.classList.add("moving");
    this.take(svg);
    this.listen();
  }

  // The picture that it moves from now on.
  take(svg) {
    this.svg = svg;
    const { x, y, width, height } = svg.viewBox.baseVal ?? { x: 0, y: 0, width: 1, height: 1 };
    this.whole = [x, y, width, height];
    this.name = `zoom ${svg.getAttribute("class")}${document.body.matches(".learning") ? ` ${location.pathname}` : ""}`;
    this.recall();
  }

  // How many pixels of the screen a unit of the paper has when the board is shown whole.
  get unit() {
    const { width, height } = this.sheet.getBoundingClientRect();
    return Math.min(width / this.whole[2], height / this.whole[3]);
  }

  // On a phone a wide board fills its frame, or more where it has names to read, and is moved by finger; elsewhere, and where somebody
  // learns and does not know yet where to look, it is shown whole.
  get filled() {
    const { width, height } = this.sheet.getBoundingClientRect();
    if (!width || !matchMedia(NARROW).matches) return 1;
    const names = this.svg.querySelector(".caption") ? LETTER / this.svg.dataset.lettering : 0;
    const filling = document.body.matches(".learning") ? this.unit : Math.max(width / this.whole[2], height / this.whole[3]);
    return Math.max(filling, names) / this.unit;
  }

  show() {
    const { width, height } = this.sheet.getBoundingClientRect();
    if (!width || !height) return;
    const [x, y, w, h] = this.whole;
    const [wide, high] = [width / this.unit / this.scale, height / this.unit / this.scale];
    const inside = (middle, start, size, seen) => (seen >= size ? start + size / 2 : Math.min(Math.max(middle, start + seen / 2), start + size - seen / 2));
    this.middle = [inside(this.middle[0], x, w, wide), inside(this.middle[1], y, h, high)];
    this.svg.setAttribute("viewBox", this.scale === 1 ? this.whole.join(" ") : `${this.middle[0] - wide / 2} ${this.middle[1] - high / 2} ${wide} ${high}`);
    this.sheet.classList.toggle("near", this.scale > 1);
  }

  // By a factor, around a point of the screen or the middle.
  by(factor, event) {
    const scale = Math.min(MOST, Math.max(1, this.scale * factor));
    if (event) {
      const { left, top, width, height } = this.sheet.getBoundingClientRect();
      const from = [event.clientX - left - width / 2, event.clientY - top - height / 2];
      this.middle = this.middle.map((at, axis) => at + (from[axis] / this.unit) * (1 / this.scale - 1 / scale));
    }
    this.scale = scale;
    this.show();
    this.remember();
  }

  move(dx, dy) {
    this.middle = [this.middle[0] - dx / this.unit / this.scale, this.middle[1] - dy / this.unit / this.scale];
    this.show();
    this.remember();
  }

  // The whole board, or as it was first.
  reset() {
    this.scale = this.scale === 1 ? this.filled : 1;
    this.show();
    this.remember();
  }

  // Something that happens is not missed: the board moves there, and shows more of itself if that takes up more room.
  see(parts) {
    if (this.scale === 1 || !parts.length) return;
    const boxes = parts.map((part) => part.getBoundingClientRect()), frame = this.sheet.getBoundingClientRect();
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
    if (left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom) return;
    const middle = [(left + right) / 2, (top + bottom) / 2].map((at, axis) => (at - (axis ? frame.top + frame.height / 2 : frame.left + frame.width / 2)) / this.unit / this.scale);
    this.middle = this.middle.map((at, axis) => at + middle[axis]);
    this.scale = Math.max(1, this.scale * Math.min(1, frame.width / (right - left), frame.height / (bottom - top)));
    this.show();
  }

  // One of these places is in sight; for a finger so near that the smallest can be touched.
  bring(places, touch) {
    if (!places.length || (this.scale === 1 && !touch)) return; // all of it is in sight: measuring would hold up the lights
    const boxes = places.map((place) => place.getBoundingClientRect());
    const smallest = Math.min(...boxes.map((box) => Math.min(box.width, box.height)));
    const frame = this.sheet.getBoundingClientRect();
    if (touch && smallest < FINGER) {
      const middle = [0, 1].map((axis) => boxes.reduce((sum, box) => sum + (axis ? box.y + box.height / 2 : box.x + box.width / 2), 0) / boxes.length);
      this.by((FINGER * 1.05) / smallest, { clientX: Math.min(Math.max(middle[0], frame.left), frame.right), clientY: Math.min(Math.max(middle[1], frame.top), frame.bottom) });
    }
    const seen = places.some((place) => { const box = place.getBoundingClientRect(); return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom; });
    if (!seen) this.centre(places[0]);
  }

  centre(place) {
    const box = place.getBoundingClientRect(), frame = this.sheet.getBoundingClientRect();
    this.move(frame.left + frame.width / 2 - box.left - box.width / 2, frame.top + frame.height / 2 - box.top - box.height / 2);
  }

  remember() {
    try { localStorage.setItem(this.name, JSON.stringify([this.scale, ...this.middle])); } catch { /* a browser that keeps nothing */ }
  }

  recall() {
    const [x, y, width, height] = this.svg.dataset.heart?.split(" ").map(Number) ?? this.whole;
    [this.scale, this.middle] = [this.filled, [x + width / 2, y + height / 2]];
    try {
      const [scale, ...middle] = JSON.parse(localStorage.getItem(this.name)) ?? [];
      if (scale >= 1 && scale <= MOST && middle.every(Number.isFinite)) [this.scale, this.middle] = [scale, middle];
    } catch { /* nothing was kept */ }
    this.show();
  }

  listen() {
    new ResizeObserver(() => this.show()).observe(this.sheet);
    this.sheet.addEventListener("keydown", (event) => this.onKey(event));
    this.sheet.addEventListener("pointerdown", (event) => { this.fingers.set(event.pointerId, event); this.dragged = false; });
    window.addEventListener("pointermove", (event) => this.onMove(event));
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, (event) => this.fingers.delete(event.pointerId));
    // What ends a drag is no click.
    this.sheet.addEventListener("click", (event) => { if (this.dragged) { event.stopPropagation(); event.preventDefault(); this.dragged = false; } }, true);
  }

  onKey(event) {
    if (event.target !== this.sheet || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") this.by(STEP);
    else if (event.key === "-") this.by(1 / STEP);
    else if (event.key === "0") this.reset();
    else if (ARROWS[event.key]) this.move(...ARROWS[event.key].map((way) => -60 * way));
    else return;
    event.preventDefault();
  }

  onMove(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    if (this.fingers.size === 1) {
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      if (this.scale === 1 || (!this.dragged && Math.hypot(dx, dy) < 6)) return;
      this.dragged = true;
      this.move(dx, dy);
    } else if (this.fingers.size === 2) {
      const other = [...this.fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      if (apart(before) > 10) this.by(apart(event) / apart(before), { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
      this.dragged = true;
    }
    this.fingers.set(event.pointerId, event);
  }
}

// Buttons in the corner of the board, in place of the box that does it without a script.
export function buttons(box, zoom) {
  const bar = document.createElement("div");
  bar.className = "zooms";
  const { nearer, farther, whole } = box.dataset;
  for (const [sign, label, act] of [["+", nearer, () => zoom.by(STEP * STEP)], ["−", farther, () => zoom.by(1 / STEP / STEP)], ["⤢", whole, () => zoom.reset()]]) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: sign, ariaLabel: label, title: label });
    button.addEventListener("click", act);
    bar.append(button);
  }
  box.replaceWith(bar);
}
