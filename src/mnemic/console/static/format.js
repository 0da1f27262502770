// Numbers, times and names as people read them.

import { locale, t, word } from "./i18n.js";

export const number = (value, digits = 0) =>
  new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);

export const decimal = (value, digits = 2) =>
  value === null || value === undefined ? "–" : value.toFixed(digits);

export const percent = (value) => `${Math.round(value * 100)} %`;

export const milliseconds = (value) =>
  value < 10 ? `${value.toFixed(2)} ms` : `${number(value, 0)} ms`;

// Times come as milliseconds, or as ISO texts from the engine's verbs.
export const moment = (value) => (typeof value === "string" ? Date.parse(value) : value);

export function dateTime(value) {
  if (!value) return "–";
  return new Intl.DateTimeFormat(locale(), {
    year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit",
  }).format(moment(value));
}

export function day(value) {
  return new Intl.DateTimeFormat(locale(), { year: "numeric", month: "short", day: "numeric" }).format(moment(value));
}

const STEPS = [["year", 31_536_000], ["month", 2_592_000], ["day", 86_400], ["hour", 3600], ["minute", 60]];

export function ago(value, now = Date.now()) {
  const seconds = (moment(value) - now) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const [unit, length] = STEPS.find(([, one]) => Math.abs(seconds) >= one) || [];
  return unit ? format.format(Math.round(seconds / length), unit) : t("time.now");
}

// A branch is named by the JSON of its session and itself.
export function scopeName(scope) {
  if (scope.kind === "branch") {
    try {
      return JSON.parse(scope.name).join(" / ");
    } catch {
      return scope.name;
    }
  }
  return scope.name;
}

export const scopeLabel = (scope) => `${word("scope", scope.kind)} · ${scopeName(scope)}`;

export const scopeKey = (scope) => `${scope.kind}:${scope.name}`;

export function scopeOf(text) {
  const at = text.indexOf(":");
  return { kind: text.slice(0, at), name: text.slice(at + 1) };
}
