// <virtual-list>: a long list of rows of one height, of which only those in sight are made. It asks for
// more pages as they come near.

import { h } from "../dom.js";

class VirtualList extends HTMLElement {
  #rows = [];
  #drawn = new Map();
  #space = h("div.space");
  #wanted = { rowHeight: 44, row: () => h("div"), load: null };
  #isLoading = false;
  #isWhole = false;

  connectedCallback() {
    this.setAttribute("role", "list");
    this.tabIndex = 0;
    if (!this.#space.parentNode) this.append(this.#space);
    this.addEventListener("scroll", () => this.draw(), { passive: true });
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    this.sizes.disconnect();
  }

  // `load` returns { rows, more }; `row` makes the element of one.
  async open(wanted) {
    this.#wanted = { ...this.#wanted, ...wanted };
    await this.more();
    return this.#rows.length;
  }

  get length() {
    return this.#rows.length;
  }

  // Put something before all others, such as what has just happened.
  prepend(row) {
    this.#rows.unshift(row);
    this.#forget();
    if (this.scrollTop > 0) this.scrollTop += this.#wanted.rowHeight;
    this.draw();
  }

  async more() {
    if (this.#isLoading || this.#isWhole || !this.#wanted.load) return;
    this.#isLoading = true;
    try {
      const { rows, more } = await this.#wanted.load(this.#rows);
      this.#rows.push(...rows);
      this.#isWhole = !more;
    } finally {
      this.#isLoading = false;
    }
    this.draw();
  }

  draw() {
    const { rowHeight, row } = this.#wanted;
    const height = `${this.#rows.length * rowHeight}px`;
    this.#space.style.height = height;
    this.style.setProperty("--content", height);
    const first = Math.max(0, Math.floor(this.scrollTop / rowHeight) - 4);
    const last = Math.min(this.#rows.length, Math.ceil((this.scrollTop + this.clientHeight) / rowHeight) + 4);
    for (const [at, element] of this.#drawn) {
      if (at < first || at >= last) {
        element.remove();
        this.#drawn.delete(at);
      }
    }
    for (let at = first; at < last; at += 1) {
      if (this.#drawn.has(at)) continue;
      const element = row(this.#rows[at], at);
      element.classList.add("row");
      element.setAttribute("role", "listitem");
      element.style.transform = `translateY(${at * rowHeight}px)`;
      element.style.height = `${rowHeight}px`;
      this.#drawn.set(at, element);
      this.#space.append(element);
    }
    if (last > this.#rows.length - 20) this.more().catch(() => (this.#isWhole = true));
  }

  #forget() {
    for (const element of this.#drawn.values()) element.remove();
    this.#drawn.clear();
  }
}

customElements.define("virtual-list", VirtualList);
