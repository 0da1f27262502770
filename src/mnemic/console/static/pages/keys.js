// Who may use the server: keys are made, shown once, replaced and revoked.

import { ApiError, get, post, request } from "../api.js";
import { field, h, put, select } from "../dom.js";
import { day, dateTime } from "../format.js";
import { t } from "../i18n.js";
import { ask, notice, trying } from "../parts/dialogs.js";
import { nothing } from "../parts/states.js";

const RIGHTS = ["read", "write", "admin"];

export async function show(place, { context }) {
  let keys;
  try {
    ({ data: keys } = await get("/keys"));
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return void put(place, nothing(t("keys.admin")));
    throw error;
  }
  const again = () => show(place, { context });
  put(place, h("section.card",
    h("h2", t("keys.title"), h("button.primary", { onclick: () => create(context, again) }, t("keys.create"))),
    h("p.note", t("keys.about")),
    keys.length ? h("div.wide-table", table(keys, context, again)) : nothing(t("keys.none"))));
}

function table(keys, context, again) {
  const now = context.now;
  const heads = ["keys.name", ...(context.seesAll ? ["keys.account"] : []), "keys.right", "keys.created", "keys.state"];
  return h("table.keys",
    h("thead", h("tr", heads.map((one) => h("th", { scope: "col" }, t(one))), h("th", { scope: "col" }, h("span.unseen", t("keys.actions"))))),
    h("tbody", [...keys].reverse().map((key) => h("tr", { "data-key": key.id },
      h("th", { scope: "row" }, h("b", key.name), " ", h("code", key.id), key.is_own ? h("span.tag.active", t("keys.own")) : null),
      context.seesAll ? h("td", key.account) : null,
      h("td", t(`right.${key.right}`)), h("td", day(key.created_at)), h("td", state(key, now)),
      h("td.act", isOver(key, now) ? null : [h("button.quiet", { onclick: () => rotate(key, again) }, t("keys.rotate")), h("button.quiet.danger", { onclick: () => revoke(key, again) }, t("keys.revoke"))])))));
}

const isOver = (key, now) => key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now);

function state(key, now) {
  if (key.revoked_at !== null) return h("span.tag.invalidated", t("keys.revoked", { at: dateTime(key.revoked_at) }));
  if (key.expires_at === null) return h("span.tag.active", t("keys.endless"));
  return h(isOver(key, now) ? "span.tag.invalidated" : "span.tag.active", t(isOver(key, now) ? "keys.expired" : "keys.until", { at: dateTime(key.expires_at) }));
}

async function create(context, again) {
  const name = h("input", { type: "text", required: true, maxlength: 200 });
  const right = select(RIGHTS.map((one) => [one, t(`right.${one}`)]), "write");
  const account = h("input", { type: "text", maxlength: 200, value: context.account, required: true });
  const ends = h("input", { type: "date" });
  const fields = { name: { label: t("keys.name"), control: name }, right: { label: t("keys.right"), control: right }, ends: { label: t("keys.ends"), control: ends } };
  if (context.seesAll) fields.account = { label: t("keys.account"), control: account };
  const given = await ask({ title: t("keys.create"), about: t("keys.create_about"), fields, confirm: t("keys.make") });
  if (!given) return;
  const body = { name: given.name.trim(), right: given.right };
  if (given.ends) body.expires_at = Date.parse(given.ends);
  if (context.seesAll && given.account.trim()) body.account = given.account.trim();
  const made = await trying(() => post("/keys", body));
  if (made) await once(made.data, again);
}

async function rotate(key, again) {
  const grace = select([["0", t("keys.at_once")], ["3600", t("keys.hour")], ["86400", t("keys.day")]], "0");
  const given = await ask({ title: t("keys.rotate_title", { name: key.name }), about: t("keys.rotate_about"), fields: { grace: { label: t("keys.grace"), control: grace } }, confirm: t("keys.rotate") });
  if (!given) return;
  const made = await trying(() => post(`/keys/${key.id}/rotate`, { grace_seconds: Number(given.grace) }));
  if (made) await once(made.data, again);
}

async function revoke(key, again) {
  const about = t(key.is_own ? "keys.revoke_own" : "keys.revoke_about");
  const given = await ask({ title: t("keys.revoke_title", { name: key.name }), about, confirm: t("keys.revoke"), danger: true });
  if (given && (await trying(() => request("DELETE", `/keys/${key.id}`), t("keys.gone")))) await again();
}

// The text of a key is in this dialog and nowhere else.
async function once(key, again) {
  const text = h("input", { type: "text", readonly: true, value: key.text, spellcheck: "false", autocomplete: "off", onfocus: (event) => event.target.select() });
  const copy = h("button", { type: "button", onclick: async () => { await navigator.clipboard.writeText(key.text); notice(t("keys.copied")); } }, t("connect.copy"));
  await ask({ title: t("keys.once", { name: key.name }), about: t("keys.once_about"), body: h("div.once", field(t("keys.text"), text, { grow: true }), copy), confirm: t("keys.kept"), cancel: false });
  text.value = "";
  await again();
}
