// Words in the reader's language: that of the browser until another one is chosen.

import { english } from "./words/english.js";
import { chinese } from "./words/chinese.js";

const KEPT = "mnemic.language";
const DICTIONARIES = { en: english, zh: chinese };

export function language() {
  const chosen = sessionStorage.getItem(KEPT);
  if (chosen in DICTIONARIES) return chosen;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function choose(name) {
  sessionStorage.setItem(KEPT, name);
}

export const locale = () => (language() === "zh" ? "zh-CN" : "en-GB");

// t("search.found", { n: 12 }); {n|hit|hits} counts. A key that has no words shows itself.
export function t(name, given = {}) {
  const words = DICTIONARIES[language()][name] ?? english[name] ?? name;
  return words
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, variable, one, many) => `${given[variable]} ${String(given[variable]) === "1" ? one : many}`)
    .replace(/\{(\w+)\}/g, (whole, variable) => given[variable] ?? whole);
}

// The words for a value of the wire, or the value itself where there are none.
export function word(group, value) {
  const name = `${group}.${value}`;
  return name in english ? t(name) : String(value ?? "");
}
