// The frame around every page: navigation, key, language and theme, and which page is shown.

import { ApiError, get, key } from "./api.js";
import { freshId, h, put } from "./dom.js";
import { choose, language, t } from "./i18n.js";
import { icon } from "./parts/icons.js";
import { notice } from "./parts/dialogs.js";
import { failure } from "./parts/states.js";
import { PAGES } from "./pages/all.js";

const THEME = "mnemic.theme";
const context = { account: null, right: "read", seesAll: false, scopes: [], now: Date.now() };
let leave = () => {};
let shown = 0;

function theme() {
  return sessionStorage.getItem(THEME) || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function setTheme(name) {
  sessionStorage.setItem(THEME, name);
  document.documentElement.dataset.theme = name;
}

async function learn() {
  const { data } = await get("/overview");
  Object.assign(context, {
    account: data.account, right: data.right, seesAll: data.sees_all, overview: data, now: data.now,
    scopes: data.fullest.map((scope) => ({ kind: scope.kind, name: scope.name, memories: scope.memories })),
  });
}

export function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name = "", ...rest] = path.split("/").map(decodeURIComponent);
  return { name: name || "overview", rest, parameters: new URLSearchParams(query) };
}

async function show() {
  const turn = (shown += 1);
  const { name, rest, parameters } = address();
  const page = PAGES.find((one) => one.name === name) || PAGES[0];
  leave();
  leave = () => {};
  const main = document.querySelector("main");
  document.title = `${t(`page.${page.name}`)} · Mnemic`;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.name === page.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.classList.remove("menu");
  const place = h("div.page", { "data-page": page.name });
  put(main, h("h1", t(`page.${page.name}`)), place);
  try {
    const [module] = await Promise.all([page.load(), context.account === null ? learn() : null]);
    account();
    if (turn !== shown) return;
    const left = await module.show(place, { context, rest, parameters, refresh: learn });
    if (turn !== shown) left?.();
    else leave = left || (() => {});
  } catch (error) {
    if (turn !== shown) return;
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) askForKey(error);
    put(place, failure(error));
  }
  place.dataset.ready = "yes";
}

function account() {
  const told = document.querySelector(".account");
  put(told, context.account === null ? "" : [h("b", context.account), h("span", t(`right.${context.right}`))]);
}

function frame() {
  document.documentElement.lang = language() === "zh" ? "zh-CN" : "en";
  document.documentElement.dataset.theme = theme();
  const groups = [...new Set(PAGES.map((page) => page.group))];
  put(
    document.body,
    h("a.skip", { href: "#main", onclick: toMain }, t("shell.skip")),
    h(
      "header.bar",
      h("button.icon.menu-button", { "aria-label": t("shell.menu"), onclick: () => document.body.classList.toggle("menu") }, icon("menu")),
      h("a.brand", { href: "#/overview" }, h("img", { src: "/console/icon.svg", alt: "", width: 24, height: 24 }), "Mnemic"),
      quickSearch(),
      h("div.account"),
      h("button.icon", { "aria-label": t("shell.key"), title: t("shell.key"), onclick: () => askForKey() }, icon("key")),
      h("button.icon.language", { lang: language() === "zh" ? "en" : "zh-CN", onclick: swapLanguage, "aria-label": t("shell.language") }, language() === "zh" ? "EN" : "中"),
      h("button.icon", { "aria-label": t("shell.theme"), title: t("shell.theme"), onclick: () => setTheme(theme() === "dark" ? "light" : "dark") }, icon("theme")),
    ),
    h(
      "nav",
      { "aria-label": t("shell.pages") },
      groups.map((group) => h("section", h("h2", t(`group.${group}`)), h("ul", PAGES.filter((page) => page.group === group).map(navigation)))),
      h("a.docs", { href: "/docs" }, t("shell.docs")),
    ),
    h("main", { id: "main", tabindex: "-1" }),
  );
}

function toMain(event) {
  // The hash names the page, so a link to an element must not change it.
  event.preventDefault();
  document.querySelector("main").focus();
}

function navigation(page) {
  return h("li", h("a", { href: `#/${page.name}`, "data-name": page.name }, icon(page.name), h("span", t(`page.${page.name}`))));
}

function quickSearch() {
  const box = h("input", { type: "search", id: freshId("q"), "aria-label": t("shell.search"), placeholder: t("shell.search"), autocomplete: "off" });
  const form = h("form.quick", { role: "search" }, icon("search"), box, h("kbd", { "aria-hidden": "true" }, "/"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.value.trim();
    if (!text) return;
    location.hash = /^#?\d+$/.test(text) ? `#/memory/${text.replace("#", "")}` : `#/search?q=${encodeURIComponent(text)}`;
  });
  return form;
}

function swapLanguage() {
  choose(language() === "zh" ? "en" : "zh");
  frame();
  show();
}

function askForKey(error) {
  if (document.querySelector("dialog.key")) return;
  const box = h("input", { type: "password", autocomplete: "off", spellcheck: "false", value: key.get(), "aria-label": t("key.label"), placeholder: "mnm_…" });
  const dialog = h(
    "dialog.key",
    { "aria-label": t("key.title") },
    h(
      "form",
      { method: "dialog" },
      h("h2", t("key.title")),
      error ? h("p.failed", error.message) : null,
      h("p", t("key.about")),
      box,
      h("div.actions", h("button.quiet", { type: "button", onclick: () => dialog.close() }, t("action.cancel")), h("button.primary", t("key.use"))),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.querySelector("form").addEventListener("submit", () => {
    key.set(box.value.trim());
    context.account = null;
    show().then(() => context.account !== null && notice(t("key.used")));
  });
  document.body.append(dialog);
  dialog.showModal();
}

addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    document.querySelector(".quick input").focus();
  }
});
frame();
show();
