// A hit as a card: the text, what it is, and on demand why it was found.

import { decimal, day, percent, scopeLabel } from "../format.js";
import { h } from "../dom.js";
import { t, word } from "../i18n.js";
import { share } from "./charts.js";

const LONG = 700;

export function hitCard(hit, place, { whyOpen = false } = {}) {
  const { memory } = hit;
  return h("article.hit", { "data-memory": memory.id },
    h("div.place", { "aria-hidden": "true" }, place),
    h("div.body",
      memoryText(memory, { passage: hit.passage }),
      facts(memory),
      h("details", { open: whyOpen }, h("summary", t("hit.why"), h("span.brief", t("hit.brief", { score: decimal(hit.score), relevance: percent(hit.relevance) }))), reasons(hit))),
    share(hit.relevance, t("hit.relevance")));
}

// Sensitive texts are covered until somebody asks for them.
export function memoryText(memory, { passage = null, most = LONG } = {}) {
  const where = passage ? `#/memory/${memory.id}?passage=${passage.join("-")}` : `#/memory/${memory.id}`;
  const text = h("a.said", { href: where }, excerpt(memory.content, passage, most));
  if (!memory.sensitive) return text;
  const cover = h("button.quiet.cover", { type: "button", onclick: () => cover.replaceWith(text) }, t("memory.uncover"));
  return cover;
}

// A long text is shown around the passage that was found.
function excerpt(text, passage, most) {
  const [first, last] = passage || [0, Math.min(text.length, most)];
  return [first ? "… " : "", text.slice(first, last), last < text.length ? " …" : ""];
}

export function facts(memory) {
  const marks = [
    memory.status !== "active" ? h(`span.tag.${memory.status}`, word("status", memory.status)) : null,
    memory.valid_until ? h("span.tag.superseded", t("memory.until", { day: day(memory.valid_until) })) : null,
    h("span.tag", word("kind", memory.kind)),
    h("span", scopeLabel(memory.scope)),
    h("span", day(memory.occurred_at || memory.created_at)),
    h("span", t("memory.confidence", { n: decimal(memory.confidence) })),
    h("span.id", `#${memory.id}`),
  ];
  return h("p.facts", marks);
}

function reasons(hit) {
  const signals = Object.entries(hit.signals);
  const rows = [
    [t("hit.words"), hit.bm25_rank === null ? t("hit.absent") : t("hit.rank", { n: hit.bm25_rank }), decimal(hit.bm25_score)],
    [t("hit.meaning"), hit.vector_rank === null ? t("hit.absent") : t("hit.rank", { n: hit.vector_rank }), decimal(hit.cosine)],
    hit.distance === null ? null : [t("hit.distance"), "", decimal(hit.distance, 3)],
    ...signals.map(([name, points]) => [word("signal", name), t("hit.signal"), `${points > 0 ? "+" : ""}${decimal(points)}`]),
  ].filter(Boolean);
  return h("table.reasons",
    h("thead", h("tr", h("th", { scope: "col" }, t("hit.channel")), h("th", { scope: "col" }, t("hit.standing")), h("th", { scope: "col" }, t("hit.value")))),
    h("tbody", rows.map(([name, standing, value]) => h("tr", h("th", { scope: "row" }, name), h("td", standing), h("td.number", value)))));
}
