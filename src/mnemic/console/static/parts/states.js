// What a page shows while it waits, where there is nothing, and when something went wrong.

import { h } from "../dom.js";
import { t } from "../i18n.js";

export const waiting = () => h("p.waiting", { role: "status" }, t("state.waiting"));

export const nothing = (told, ...more) => h("div.nothing", h("p", told), more);

export const failure = (error) =>
  h("div.failure", { role: "alert" }, h("b", t("state.failed")), h("p", error.message || String(error)));
