// What an account holds, what needs attention, and what happens while one looks.

import { follow, get } from "../api.js";
import { h, put } from "../dom.js";
import { number, scopeName } from "../format.js";
import { t, word } from "../i18n.js";
import { dayBars } from "../parts/charts.js";
import { lastDays, VERBS } from "../parts/days.js";
import { feedList } from "../parts/feed.js";
import { nothing } from "../parts/states.js";

export async function show(place, { context, refresh }) {
  await refresh();
  const { overview: held } = context;
  const total = Object.values(held.memories).flatMap(Object.values).reduce((sum, one) => sum + one, 0);
  const health = h("section.card.health", h("h2", t("overview.health")), h("ul.checks"));
  const needed = h("section.card.needed", h("h2", t("overview.attention")), h("ul.checks"));
  const feed = feedList({ tall: true });
  put(
    place,
    h("div.tiles", tiles(held, total)),
    h("div.columns",
      h("section.card.wide", h("h2", t("overview.growth")), total || held.days.length ? dayBars(lastDays(held), VERBS) : nothing(t("overview.empty"))),
      health,
      needed),
    h("div.columns",
      h("section.card.wide", h("h2", t("overview.changes"), h("span.live", t("overview.live"))), feed),
      h("section.card", h("h2", t("overview.scopes")), scopes(context))),
  );
  feed.begin().catch(() => {});
  const stop = new AbortController();
  watch(feed, stop.signal, place.querySelector(".live"));
  attention(needed, stop.signal);
  condition(health, stop.signal);
  return () => stop.abort();
}

function tiles(held, total) {
  const kinds = {};
  for (const counts of Object.values(held.memories)) {
    for (const [kind, memories] of Object.entries(counts)) kinds[kind] = (kinds[kind] || 0) + memories;
  }
  const ordered = Object.entries(kinds).sort(([, one], [, other]) => other - one).slice(0, 4);
  const shown = Object.entries(held.scopes).filter(([kind]) => !["resting", "said"].includes(kind));
  return [
    h("div.tile.first", h("b", number(total)), h("span", t("overview.memories"))),
    ordered.map(([kind, memories]) => h("div.tile", h("b", number(memories)), h("span", word("kind", kind)))),
    h("div.tile", h("b", number(shown.reduce((sum, [, scopes]) => sum + scopes, 0))), h("span", t("overview.scopes"))),
  ];
}

function scopes({ scopes: all }) {
  if (!all.length) return nothing(t("overview.empty"));
  const most = Math.max(...all.map((one) => one.memories));
  return h("ul.scopes", [...all].sort((one, other) => other.memories - one.memories).slice(0, 14).map((scope) => {
    const bar = h("i.bar");
    bar.style.width = `${(scope.memories / most) * 100}%`;
    return h("li", h("a", { href: `#/search?scope=${encodeURIComponent(`${scope.kind}:${scope.name}`)}` }, bar,
      h("span.kind", word("scope", scope.kind)), h("span.name", scopeName(scope)), h("b", number(scope.memories))));
  }));
}

const check = (state, told, href) =>
  h(`li.${state}`, h("i.dot", { "aria-hidden": "true" }), href ? h("a", { href }, told) : h("span", told));

async function condition(card, signal) {
  const told = await fetch("/health/ready", { signal, cache: "no-store" }).then((one) => one.json()).catch(() => null);
  if (!told) return;
  const checks = told.checks;
  const good = { store: "ok", worker: "running", embedder: "ready" };
  put(card.querySelector("ul"), Object.entries(checks).map(([name, one]) => {
    const fine = one.status === good[name] || one.status === "off" || one.status === "idle" || one.status === "loading";
    return check(fine ? (one.status === "off" ? "idle" : "fine") : "bad", `${t(`health.${name}`)}: ${word("health.state", one.status)}`);
  }));
}

async function attention(card, signal) {
  const { data } = await get("/attention", {}, { signal }).catch(() => ({ data: null }));
  if (!data) return;
  const dead = data.jobs.dead_letter || 0;
  const waits = (data.jobs.pending || 0) + (data.jobs.retry_waiting || 0) + (data.jobs.running || 0) + (data.jobs.leased || 0);
  put(card.querySelector("ul"),
    check(data.conflicts ? "warn" : "fine", t("attention.conflicts", { n: number(data.conflicts) })),
    check(dead ? "bad" : "fine", t("attention.dead", { n: number(dead) })),
    check(waits ? "idle" : "fine", t("attention.waiting", { n: number(waits) })),
    data.vectors_missing === null ? check("idle", t("attention.no_vectors"))
      : check(data.vectors_missing ? "warn" : "fine", t("attention.vectors", { n: number(data.vectors_missing) })));
}

// New changes come as they happen; the stream begins again where it broke.
async function watch(feed, signal, mark) {
  let pause = 1000;
  while (!signal.aborted) {
    try {
      mark.classList.add("on");
      await follow(feed.last ? `/events/stream?after=${feed.last}` : "/events/stream", (event) => feed.happened(event), signal);
      pause = 1000;
    } catch {
      mark.classList.remove("on");
      pause = Math.min(pause * 2, 30_000);
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

