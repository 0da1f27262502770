// Two texts word by word: what stayed, what went, what came. The longest common part of both.

import { h } from "../dom.js";

const MOST = 600;
// A word with the blanks behind it; Han is compared character by character.
const PARTS = /\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu;
// Texts that share less were written anew.
const LEAST_SHARED = 0.35;

export function diff(before, after) {
  const old = before.match(PARTS) || [];
  const now = after.match(PARTS) || [];
  if (old.length > MOST || now.length > MOST) return [h("del", before), " ", h("ins", after)];
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = now.length - 1; other >= 0; other -= 1) {
      longest[one * width + other] = old[one] === now[other]
        ? longest[(one + 1) * width + other + 1] + 1
        : Math.max(longest[(one + 1) * width + other], longest[one * width + other + 1]);
    }
  }
  if (longest[0] < LEAST_SHARED * Math.max(old.length, now.length)) return [h("del", before), " ", h("ins", after)];
  return walk(old, now, longest, width);
}

function walk(old, now, longest, width) {
  const made = [];
  const add = (kind, part) => {
    if (made.at(-1)?.kind === kind) made.at(-1).text += part;
    else made.push({ kind, text: part });
  };
  let one = 0;
  let other = 0;
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      add("same", old[one]);
      one += 1;
      other += 1;
    } else if (one < old.length && (other === now.length || longest[(one + 1) * width + other] >= longest[one * width + other + 1])) {
      add("del", old[(one += 1) - 1]);
    } else {
      add("ins", now[(other += 1) - 1]);
    }
  }
  return made.map(({ kind, text }) => (kind === "same" ? text : h(kind, text)));
}
