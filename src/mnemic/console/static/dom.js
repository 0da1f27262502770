// Making elements. Text is always set as text, so nothing that is stored becomes markup.

const SVG = "http://www.w3.org/2000/svg";

// h("button.quiet", { onclick: save, disabled: true }, "Save")
export function h(described, attributes, ...children) {
  return fill(document.createElement(described.split(".")[0] || "div"), described, attributes, children);
}

export function svg(described, attributes, ...children) {
  return fill(document.createElementNS(SVG, described.split(".")[0]), described, attributes, children);
}

function fill(made, described, attributes, children) {
  const classes = described.split(".").slice(1);
  if (classes.length) made.classList.add(...classes);
  if (attributes instanceof Node || typeof attributes === "string" || Array.isArray(attributes)) {
    children.unshift(attributes);
    attributes = {};
  }
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("aria-")) {
      made.setAttribute(name, String(value));
      continue;
    }
    if (value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [property, set] of Object.entries(value)) made.style.setProperty(property, set);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...flat(children));
  return made;
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

export function put(parent, ...children) {
  parent.replaceChildren(...flat(children));
  return parent;
}

let ids = 0;
export const freshId = (prefix = "e") => `${prefix}${(ids += 1)}`;

// A label with its control, tied together for screen readers.
export function field(label, control, { hint, grow = false } = {}) {
  control.id ||= freshId("f");
  return h(
    grow ? "div.field.grow" : "div.field",
    h("label", { for: control.id }, label),
    control,
    hint ? h("small", hint) : null,
  );
}

export function select(options, chosen, attributes = {}) {
  return h(
    "select",
    attributes,
    options.map(([value, told]) => h("option", { value, selected: value === chosen }, told)),
  );
}

export function debounced(call, milliseconds = 250) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), milliseconds);
  };
}
