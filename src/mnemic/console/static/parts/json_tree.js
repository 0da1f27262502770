// JSON as a tree that opens and closes; long lists and deep trees are cut.

import { h } from "../dom.js";
import { t } from "../i18n.js";

const MOST = 100;
const DEEPEST = 8;

export function jsonTree(value, depth = 0) {
  if (value === null || typeof value !== "object") return h(`code.${value === null ? "null" : typeof value}`, JSON.stringify(value));
  const entries = Object.entries(value);
  if (Array.isArray(value) && value.every((one) => one === null || typeof one !== "object") && value.length <= 16) {
    return h("code", JSON.stringify(value));
  }
  if (depth === DEEPEST) return h("code", "…");
  const rows = entries.slice(0, MOST).map(([name, inner]) => h("li", h("b", name), " ", jsonTree(inner, depth + 1)));
  const rest = entries.length > MOST ? h("li", t("json.more", { n: entries.length - MOST })) : null;
  return h("ul.json", rows, rest);
}
