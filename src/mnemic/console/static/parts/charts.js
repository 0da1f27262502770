// Small plots: bars of days, a bar of stages, a line of shares.

import { h, svg } from "../dom.js";
import { milliseconds, number } from "../format.js";
import { t, word } from "../i18n.js";

// One bar for each day, kinds of change stacked. `days` is a list of { day, events }.
export function dayBars(days, verbs) {
  const width = 720;
  const height = 120;
  const step = width / days.length;
  const most = Math.max(1, ...days.map((one) => sum(one.events)));
  const bars = days.flatMap((one, at) => {
    let top = height;
    return verbs
      .filter((verb) => one.events[verb])
      .map((verb) => {
        const tall = Math.max(1.5, (one.events[verb] / most) * (height - 6));
        top -= tall;
        return svg(`rect.verb-${verb}`, { x: at * step + 1, y: top, width: Math.max(1, step - 2), height: tall, rx: 1.5 },
          svg("title", `${one.day} · ${word("verb", verb)}: ${number(one.events[verb])}`));
      });
  });
  const told = days.filter((one) => sum(one.events)).map((one) => `${one.day}: ${sum(one.events)}`).join(", ");
  return h(
    "figure.days",
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${t("overview.growth")}. ${told}`, preserveAspectRatio: "none" },
      svg("line.axis", { x1: 0, x2: width, y1: height, y2: height }), bars),
    h("figcaption", h("span", days[0].day), legend(verbs.filter((verb) => days.some((one) => one.events[verb]))), h("span", days.at(-1).day)),
  );
}

const legend = (verbs) => h("ul.legend", verbs.map((verb) => h("li", h(`i.swatch.verb-${verb}`), word("verb", verb))));

const sum = (events) => Object.values(events).reduce((total, one) => total + one, 0);

// The stages of a recall side by side, as long as they took.
export function stageBar(stages) {
  const total = stages.reduce((sum, stage) => sum + stage.wall_ms, 0) || 1;
  return h(
    "div.stages",
    h("div.stage-bar", { role: "img", "aria-label": stages.map((one) => `${word("stage", one.name)} ${milliseconds(one.wall_ms)}`).join(", ") },
      stages.map((stage, at) => h(`i.tone-${at % 6}`, { style: { "flex-grow": stage.wall_ms / total }, title: `${word("stage", stage.name)} ${milliseconds(stage.wall_ms)}` }))),
    h("ol.legend", stages.map((stage, at) => h("li", h(`i.swatch.tone-${at % 6}`), word("stage", stage.name), h("b", milliseconds(stage.wall_ms))))),
  );
}

// A share from 0 to 1 as a short bar.
export function share(value, label) {
  const bar = h("i");
  bar.style.width = `${Math.round(Math.max(0, Math.min(1, value)) * 100)}%`;
  return h("span.share", { title: label, role: "img", "aria-label": `${label}: ${value.toFixed(2)}` }, bar);
}
