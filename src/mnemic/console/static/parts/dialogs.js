// Questions before something is changed, and short notices after.

import { field, h } from "../dom.js";
import { t } from "../i18n.js";

// Resolves to the values of the fields, or to null where the dialog was left.
export function ask({ title, about, fields = {}, confirm, danger = false, body = [], cancel = true }) {
  return new Promise((resolve) => {
    const form = h(
      "form",
      { method: "dialog" },
      h("h2", title),
      about ? h("p", about) : null,
      body,
      Object.values(fields).map((one) => (one.label ? field(one.label, one.control) : one.control)),
      h(
        "div.actions",
        cancel ? h("button.quiet", { type: "button", onclick: () => dialog.close() }, t("action.cancel")) : null,
        h(danger ? "button.danger" : "button.primary", { value: "yes" }, confirm),
      ),
    );
    const dialog = h("dialog", { "aria-label": title }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      const values = Object.entries(fields).map(([name, one]) => [name, one.control.value]);
      resolve(dialog.returnValue === "yes" ? Object.fromEntries(values) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function notice(told, { failed = false } = {}) {
  document.querySelector(".notice")?.remove();
  const made = h(failed ? "div.notice.failed" : "div.notice", { role: failed ? "alert" : "status" }, told);
  document.body.append(made);
  setTimeout(() => made.remove(), failed ? 8000 : 4000);
}

// Do something that may fail, and say how it went.
export async function trying(work, done) {
  try {
    const value = await work();
    if (done) notice(done);
    return value;
  } catch (error) {
    notice(error.message, { failed: true });
    return undefined;
  }
}
