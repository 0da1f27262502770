// What may be done about a memory: each after a question, and shown only where the key allows it. The
// server checks the right again.

import { sdk } from "../api.js";
import { h } from "../dom.js";
import { number } from "../format.js";
import { t, word } from "../i18n.js";
import { ask, trying } from "./dialogs.js";

// A chat's items follow from its turns, and are changed there.
export const isItem = (memory) => ["global", "chat", "branch", "floor"].includes(memory.scope.kind);

export const isSensitive = (memory) => memory.sensitive ?? (memory.context?.sensitivity === "high" || memory.kind === "knowledge_vault");

export async function edit(found, again) {
  const box = h("textarea", { rows: 6, maxlength: 20_000, "aria-label": t("memory.text") });
  box.value = found.content;
  const given = await ask({ title: t("edit.title", { id: found.id }), about: t("edit.about"), fields: { content: { control: box } }, confirm: t("action.save") });
  if (given && given.content.trim() && given.content !== found.content) {
    if (await trying(() => sdk("revise", { memory_id: found.id, content: given.content }), t("edit.done"))) await again();
  }
}

export async function forget(id, again) {
  const box = h("input", { type: "text", required: true, maxlength: 300 });
  const given = await ask({ title: t("forget.title", { id }), about: t("forget.about"), fields: { reason: { label: t("forget.reason"), control: box } }, confirm: t("action.forget"), danger: true });
  if (given && (await trying(() => sdk("forget", { memory_id: id, reason: given.reason }), t("forget.done")))) await again();
}

export async function undo(id, again) {
  const given = await ask({ title: t("undo.title", { id }), about: t("undo.about"), confirm: t("action.undo") });
  if (given && (await trying(() => sdk("undo", { memory_id: id }), t("undo.done")))) await again();
}

// First what would go, then the question. `kind` is what erasing knows: a memory, a user.
export async function erase(kind, name, after) {
  const due = await trying(() => sdk("erase", { kind, name, dry_run: true }));
  if (!due) return;
  const counts = Object.entries(due.counts || {}).filter(([, rows]) => rows);
  const given = await ask({
    title: t(`erase.${kind}`, { name }), about: t("erase.about"), confirm: t("action.erase"), danger: true,
    body: h("ul.counts", counts.map(([row, rows]) => h("li", h("b", number(rows)), ` ${word("row", row)}`))),
  });
  if (given && (await trying(() => sdk("erase", { kind, name }), t("erase.done")))) await after();
}
