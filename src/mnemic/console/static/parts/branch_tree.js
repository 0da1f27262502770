// The branches of a session as lines from left to right, each leaving its parent where it forked.

import { h, svg } from "../dom.js";
import { t } from "../i18n.js";

const LANE = 30;
const MOST_DOTS = 120;

export function branchTree(branches, chosen, choose) {
  const lanes = inOrder(branches);
  const longest = Math.max(1, ...lanes.map((one) => end(one)));
  const step = Math.max(2, Math.min(26, 640 / longest));
  const left = 14;
  const width = left + longest * step + 170;
  const height = lanes.length * LANE + 10;
  const laneOf = new Map(lanes.map((one, at) => [one.branch_id, at]));
  const at = (floor, lane) => [left + floor * step, lane * LANE + 18];
  const drawn = lanes.map((branch, lane) => {
    const begins = branch.from_branch === null || branch.from_branch === undefined ? 0 : (branch.at_floor_no ?? 0) + 1;
    const own = branch.branch_id === chosen;
    const [x, y] = at(begins, lane);
    const [last] = at(Math.max(begins, end(branch) - 1), lane);
    const parent = laneOf.get(branch.from_branch);
    const fork = parent === undefined ? "" : curve(at(begins - 1, parent), [x, y]);
    const dots = step < 6 || end(branch) - begins > MOST_DOTS ? [] : Array.from({ length: Math.max(0, end(branch) - begins) }, (_, n) => {
      const [cx, cy] = at(begins + n, lane);
      return svg("circle", { cx, cy, r: 4 });
    });
    return svg(own ? "g.lane.chosen" : "g.lane", { tabindex: 0, role: "button", "aria-pressed": own, "aria-label": t("tree.branch", { name: branch.branch_id, turns: end(branch) }), onclick: () => choose(branch.branch_id), onkeydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), choose(branch.branch_id)) },
      fork ? svg("path", { d: fork }) : null,
      svg("path", { d: `M${x} ${y}H${Math.max(last, x)}` }), dots.length ? dots : svg("circle", { cx: last, cy: y, r: 4 }),
      svg("text", { x: Math.max(last, x) + 12, y: y + 4 }, branch.branch_id));
  });
  return h("div.tree", svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": t("tree.label") }, drawn));
}

const end = (branch) => branch.floor_count;

const curve = ([x, y], [to, down]) => `M${x} ${y}C${x + (to - x) * 0.8} ${y} ${x + (to - x) * 0.2} ${down} ${to} ${down}`;

// Children stand right below their parent.
function inOrder(branches) {
  const children = new Map();
  for (const branch of branches) {
    const parent = branch.from_branch ?? null;
    children.set(parent, [...(children.get(parent) || []), branch]);
  }
  const placed = [];
  const place = (branch) => {
    placed.push(branch);
    for (const child of children.get(branch.branch_id) || []) place(child);
  };
  for (const root of children.get(null) || []) place(root);
  return [...placed, ...branches.filter((branch) => !placed.includes(branch))];
}
