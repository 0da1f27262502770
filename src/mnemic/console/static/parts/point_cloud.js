// Places as a cloud of points on a canvas: two axes to push about, three to turn. Every point is a few
// bytes in an array, so a hundred thousand of them are drawn anew for each step of the mouse.

// The fewer there are, the larger each is drawn, in pixels.
const SIZES = [[1_500, 8], [15_000, 5], [Infinity, 3]];
const NEAR = 12;
const GROWTH = 1.6;

export class PointCloud {
  count = 0;
  ids = new Float64Array(1024);
  #places = new Float32Array(3 * 1024);
  #colors = new Uint32Array(1024);
  #low = [Infinity, Infinity, Infinity];
  #high = [-Infinity, -Infinity, -Infinity];
  #turn = { across: -0.55, down: 0.42 };
  #shift = [0, 0];
  #zoom = 1;
  #asked = false;

  constructor(canvas, { axes, ink, paper, over = () => {} }) {
    this.canvas = canvas;
    this.axes = axes;
    this.flat = axes === 2;
    this.pen = canvas.getContext("2d", { alpha: false });
    Object.assign(this, { ink, paper, over });
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(canvas);
    this.#handle();
  }

  close() {
    this.sizes.disconnect();
  }

  add(ids, points, colors) {
    const all = this.count + ids.length;
    if (all > this.ids.length) this.#grow(Math.ceil(all * GROWTH));
    points.forEach((point, at) => {
      const to = this.count + at;
      this.ids[to] = ids[at];
      this.#colors[to] = colors[at];
      for (let axis = 0; axis < 3; axis += 1) {
        const value = point[axis] ?? 0;
        this.#places[to * 3 + axis] = value;
        this.#low[axis] = Math.min(this.#low[axis], value);
        this.#high[axis] = Math.max(this.#high[axis], value);
      }
    });
    this.count = all;
    this.canvas.dataset.points = all;
    this.draw();
  }

  recolor(colors) {
    this.#colors.set(colors.subarray ? colors.subarray(0, this.count) : colors);
    this.draw();
  }

  placeOf(at) {
    return Array.from(this.#places.subarray(at * 3, at * 3 + this.axes));
  }

  get extent() {
    return Math.max(...this.#high.map((high, axis) => high - this.#low[axis]).filter(Number.isFinite), 1e-9);
  }

  resize() {
    const box = this.canvas.getBoundingClientRect();
    const sharp = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(box.width * sharp));
    this.canvas.height = Math.max(1, Math.round(box.height * sharp));
    this.sharp = sharp;
    this.image = this.pen.createImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.depths = new Float32Array(this.pixels.length);
    this.draw();
  }

  // At most one drawing for each frame of the screen.
  draw() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.drawNow();
    });
  }

  drawNow() {
    if (!this.pixels) return;
    const { width, height } = this.canvas;
    this.pixels.fill(this.paper);
    this.depths.fill(-Infinity);
    const view = this.#view();
    const places = this.#places;
    const half = Math.max(1, Math.round((SIZES.find(([most]) => this.count <= most)[1] * this.sharp) / 2));
    const wide = disc(half);
    for (let at = 0, from = 0; at < this.count; at += 1, from += 3) {
      const x = places[from] - view.middle[0];
      const y = places[from + 1] - view.middle[1];
      const z = places[from + 2] - view.middle[2];
      const left = (view.xx * x + view.xy * y + view.left) | 0;
      const top = (view.yx * x + view.yy * y + view.yz * z + view.top) | 0;
      if (left < half || top < half || left >= width - half || top >= height - half) continue;
      const depth = view.zx * x + view.zy * y + view.zz * z;
      for (let row = top - half; row < top + half; row += 1) {
        const reach = wide[row - top + half];
        for (let pixel = row * width + left - reach, end = pixel + 2 * reach; pixel < end; pixel += 1) {
          if (depth >= this.depths[pixel]) {
            this.depths[pixel] = depth;
            this.pixels[pixel] = this.#colors[at];
          }
        }
      }
    }
    this.pen.putImageData(this.image, 0, 0);
    this.#frame(view);
    this.over(this.pen, (place) => this.#onScreen(view, place), view.scale);
  }

  // Which point stands under the mouse; -1 where none is near.
  nearest(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) * this.sharp, (event.clientY - box.top) * this.sharp];
    const view = this.#view();
    let best = -1;
    let least = (NEAR * this.sharp) ** 2;
    for (let at = 0; at < this.count; at += 1) {
      const [left, top] = this.#onScreen(view, this.#places.subarray(at * 3, at * 3 + 3));
      const away = (left - x) ** 2 + (top - y) ** 2;
      if (away < least) [best, least] = [at, away];
    }
    return best;
  }

  turn(across, down) {
    if (this.flat) this.#shift = [this.#shift[0] + across * 120, this.#shift[1] + down * 120];
    else {
      this.#turn.across += across;
      this.#turn.down = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.#turn.down + down));
    }
    this.draw();
  }

  zoom(factor) {
    this.#zoom = Math.max(0.2, Math.min(200, this.#zoom * factor));
    this.draw();
  }

  reset() {
    this.#turn = { across: -0.55, down: 0.42 };
    this.#shift = [0, 0];
    this.#zoom = 1;
    this.draw();
  }

  #view() {
    const { width, height } = this.canvas;
    const middle = this.#low.map((low, axis) => (Number.isFinite(low) ? (low + this.#high[axis]) / 2 : 0));
    const spans = this.#high.map((high, axis) => Math.max(high - this.#low[axis], 1e-9));
    const across = Math.hypot(spans[0], spans[1]);
    const room = this.flat ? Math.min(width / (spans[0] * 1.15), height / (spans[1] * 1.15)) : Math.min(width / (across * 1.1), height / ((across * 0.55 + spans[2]) * 1.15));
    const scale = room * this.#zoom;
    const [a, b] = this.flat ? [0, Math.PI / 2] : [this.#turn.across, this.#turn.down];
    const [sa, ca, sb, cb] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b)];
    return {
      middle, scale,
      left: width / 2 + this.#shift[0] * this.sharp, top: height / 2 + this.#shift[1] * this.sharp,
      xx: ca * scale, xy: -sa * scale,
      yx: -sa * sb * scale, yy: -ca * sb * scale, yz: this.flat ? 0 : -cb * scale,
      zx: -sa * cb, zy: -ca * cb, zz: sb,
    };
  }

  #onScreen(view, place) {
    const [x, y, z] = [0, 1, 2].map((axis) => (place[axis] ?? view.middle[axis]) - view.middle[axis]);
    return [view.xx * x + view.xy * y + view.left, view.yx * x + view.yy * y + view.yz * z + view.top];
  }

  // The box around all points, with the numbers at its corners.
  #frame(view) {
    if (!this.count) return;
    const { pen } = this;
    const corners = this.flat ? 4 : 8;
    const corner = (at) => [0, 1, 2].map((axis) => ((at >> axis) & 1 ? this.#high : this.#low)[axis]);
    pen.strokeStyle = this.ink;
    pen.globalAlpha = 0.35;
    pen.lineWidth = this.sharp;
    pen.beginPath();
    for (let at = 0; at < corners; at += 1) {
      for (const bit of [1, 2, 4]) {
        if (at & bit || (at | bit) >= corners) continue;
        pen.moveTo(...this.#onScreen(view, corner(at)));
        pen.lineTo(...this.#onScreen(view, corner(at | bit)));
      }
    }
    pen.stroke();
    pen.globalAlpha = 0.8;
    pen.fillStyle = this.ink;
    pen.font = `${11 * this.sharp}px sans-serif`;
    for (const at of this.flat ? [0, 3] : [0, 7]) {
      const [x, y] = this.#onScreen(view, corner(at));
      pen.textAlign = at ? "right" : "left";
      pen.fillText(corner(at).slice(0, this.axes).map((one) => one.toFixed(2)).join(", "), x, y + (at ? -6 : 15) * this.sharp);
    }
    pen.globalAlpha = 1;
  }

  #grow(room) {
    const more = (old, Kind, each) => {
      const grown = new Kind(room * each);
      grown.set(old);
      return grown;
    };
    this.ids = more(this.ids, Float64Array, 1);
    this.#places = more(this.#places, Float32Array, 3);
    this.#colors = more(this.#colors, Uint32Array, 1);
  }

  #handle() {
    const { canvas } = this;
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      held = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [across, down] = [event.clientX - held[0], event.clientY - held[1]];
      held = [event.clientX, event.clientY];
      if (this.flat) this.turn(across / 120, down / 120);
      else this.turn(-across / 160, down / 160);
    });
    canvas.addEventListener("pointerup", () => (held = null));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 500));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const does = { "+": () => this.zoom(1.25), "-": () => this.zoom(0.8), ArrowLeft: () => this.turn(-0.15, 0), ArrowRight: () => this.turn(0.15, 0), ArrowUp: () => this.turn(0, -0.15), ArrowDown: () => this.turn(0, 0.15), 0: () => this.reset() }[event.key];
      if (!does) return;
      event.preventDefault();
      does();
    });
  }
}

// How far each row of a disc reaches to either side.
const disc = (half) => Array.from({ length: 2 * half }, (_, row) => (half < 3 ? half : Math.round(Math.sqrt(half ** 2 - (row + 0.5 - half) ** 2))));
