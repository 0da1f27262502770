// Making elements. Text is always set as text, so nothing a server says becomes markup.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

// Descriptions hold `code` between backticks and empty lines between paragraphs, nothing else.
export function prose(text) {
  return (text || "")
    .split(/\n\s*\n/)
    .filter((part) => part.trim())
    .map((part) => element("p", {}, inline(part)));
}

export function inline(text) {
  return (text || "")
    .split(/(`[^`]+`)/)
    .filter(Boolean)
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? element("code", {}, part.slice(1, -1))
        : part,
    );
}

export function pretty(value) {
  return JSON.stringify(value, null, 2);
}
