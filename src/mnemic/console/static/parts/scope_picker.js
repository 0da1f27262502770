// Choosing scopes: one for pages about a single scope, or any number, of which each can be left out again.

import { h, put, select } from "../dom.js";
import { number, scopeKey, scopeLabel, scopeName, scopeOf } from "../format.js";
import { t, word } from "../i18n.js";

const told = (scope) => `${word("scope", scope.kind)} · ${scopeName(scope)} (${number(scope.memories)})`;

// A select over the scopes of some kinds. One that is named in the address is offered though it is not
// among the fullest.
export function scopeSelect(scopes, chosen, kinds) {
  const offered = scopes.filter((scope) => !kinds || kinds.includes(scope.kind));
  const options = offered.map((scope) => [scopeKey(scope), told(scope)]);
  if (chosen && !options.some(([key]) => key === chosen)) options.push([chosen, scopeLabel(scopeOf(chosen))]);
  return select(options, chosen || options[0]?.[0]);
}

export function scopePicker(scopes, chosen) {
  const keys = new Set(chosen.filter(Boolean));
  const tags = h("span.tags");
  const box = select([["", t("search.all_scopes")], ...scopes.map((scope) => [scopeKey(scope), told(scope)])], "");
  const draw = () => {
    box.options[0].textContent = t(keys.size ? "search.more_scopes" : "search.all_scopes");
    put(tags, [...keys].map((key) => h("button.tag", { type: "button", "aria-label": t("search.without", { scope: scopeLabel(scopeOf(key)) }), onclick: () => { keys.delete(key); draw(); } }, scopeLabel(scopeOf(key)), " ×")));
  };
  box.addEventListener("change", () => {
    if (box.value) keys.add(box.value);
    box.value = "";
    draw();
  });
  draw();
  return { box, tags, keys };
}
