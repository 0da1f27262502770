// The colours of the theme as numbers for a canvas, and which of them a value gets.

const STEPS = 64;

// #rrggbb as the pixel of a canvas, which begins with the least byte.
export function pixel(name) {
  const [red, green, blue] = parts(name);
  return pack(red, green, blue);
}

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function parts(name) {
  const number = Number.parseInt(css(name).slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

const pack = (red, green, blue) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

// From one colour to another in steps.
function ramp(from, to) {
  const [one, other] = [parts(from), parts(to)];
  return Array.from({ length: STEPS }, (_, step) => pack(...one.map((part, at) => Math.round(part + ((other[at] - part) * step) / (STEPS - 1)))));
}

// A pixel for each value: yes and no, numbers from the least to the greatest, words in turn.
export function colored(values) {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length) return scaled(values, "--tone-1", "--tone-2");
  const words = new Map();
  const tones = [0, 2, 3, 4, 5, 1].map((tone) => pixel(`--tone-${tone}`));
  const [good, bad, none] = [pixel("--good"), pixel("--bad"), pixel("--faint")];
  return values.map((value) => {
    if (value === null || value === undefined) return none;
    if (typeof value === "boolean") return value ? good : bad;
    if (!words.has(value)) words.set(value, tones[words.size % tones.length]);
    return words.get(value);
  });
}

export function scaled(values, from = "--line", to = "--tone-0") {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (typeof value !== "number") continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const steps = ramp(from, to);
  const none = pixel("--faint");
  const wide = high - low || 1;
  return values.map((value) => (typeof value === "number" ? steps[Math.round(((value - low) / wide) * (STEPS - 1))] : none));
}
