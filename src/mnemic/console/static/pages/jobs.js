// Background work: what waits, runs, failed and was done; with another try, or none.

import { get, post } from "../api.js";
import { h, put, select } from "../dom.js";
import { ago, dateTime, number, percent, scopeLabel } from "../format.js";
import { t, word } from "../i18n.js";
import { trying } from "../parts/dialogs.js";
import { nothing } from "../parts/states.js";
import "../parts/virtual_list.js";

const PORTION = 50;
const STATUSES = ["pending", "leased", "running", "retry_waiting", "dead_letter", "cancelled", "succeeded"];
const AGAIN = ["dead_letter", "cancelled"];
const WAITS = ["pending", "retry_waiting"];
const LOOK = 3000;

export async function show(place, { context, parameters }) {
  const status = parameters.get("status") || "";
  const box = select([["", t("jobs.all")], ...STATUSES.map((one) => [one, word("job", one)])], status);
  box.setAttribute("aria-label", t("jobs.status"));
  box.addEventListener("change", () => (location.hash = box.value ? `#/jobs?status=${box.value}` : "#/jobs"));
  const counts = h("ul.legend");
  const body = h("div");
  const seesAll = context.right === "admin";
  put(place, h("section.card", h("h2", counts, box), seesAll ? null : h("p.note", t("jobs.admin")), body));
  const look = async () => {
    const { data } = await get("/attention");
    const numbers = JSON.stringify(data.jobs);
    if (numbers === look.last) return;
    look.last = numbers;
    put(counts, STATUSES.filter((one) => data.jobs[one]).map((one) => h("li", h(`i.swatch.job-${one}`), word("job", one), h("b", number(data.jobs[one])))));
    await list(body, { status, mayAct: seesAll, again: () => { look.last = null; return look(); } });
  };
  await look();
  const timer = setInterval(() => look().catch(() => {}), LOOK);
  return () => clearInterval(timer);
}

async function list(body, { status, mayAct, again }) {
  const rows = document.createElement("virtual-list");
  rows.classList.add("jobs", "tall");
  rows.setAttribute("aria-label", t("page.jobs"));
  put(body, rows);
  const load = async (before) => {
    const { data, meta } = await get("/memory/jobs", { status, limit: PORTION, offset: before.length, sort_by: "created_at", sort_order: "desc" });
    return { rows: data, more: meta.has_more };
  };
  const shown = await rows.open({ rowHeight: 66, load, row: (job) => row(job, { mayAct, again }) });
  if (!shown) put(body, nothing(t("jobs.none")));
}

function row(job, { mayAct, again }) {
  const scope = { kind: job.scope, name: job.scope_id };
  const act = (verb) => async () => {
    if (await trying(() => post(`/memory/jobs/${encodeURIComponent(job.id)}/${verb}`), t(`jobs.${verb}_done`))) await again();
  };
  return h("div", { "data-job": job.id },
    h("span.verb", h(`i.swatch.job-${job.status}`), word("job", job.status)),
    h("div.what", h("b", word("work", job.job_type)), h("span", scopeLabel(scope)), job.last_error ? h("p.failed", { title: job.last_error }, job.last_error) : h("small", t("jobs.attempts", { n: job.attempt_count, all: job.max_attempts }), job.lease_owner ? ` · ${job.lease_owner}` : "")),
    ["running", "leased"].includes(job.status) ? h("progress", { max: 1, value: job.progress, "aria-label": percent(job.progress) }) : h("time", { title: dateTime(job.updated_at) }, ago(job.updated_at)),
    h("span.act", mayAct && AGAIN.includes(job.status) ? h("button", { onclick: act("retry") }, t("jobs.retry")) : null,
      mayAct && WAITS.includes(job.status) ? h("button", { onclick: act("cancel") }, t("jobs.cancel")) : null));
}
