// The icons: strokes on a grid of 24.

import { svg } from "../dom.js";

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  key: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM10.8 12.2 20 3M16 7l3 3",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.2 16.2 21 21",
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z",
  memory: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h5",
  timeline: "M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  places: "M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11zM12 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  perceptions: "M3 12h3l2.5-7 4 14 3-10 1.5 3H21",
  chats: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  people: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21a7.5 7.5 0 0 1 15 0",
  graph: "M6 8.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 20.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.3 7l7.4 2.200M7.9 15.5 6.4 8.500M10 16.500l6.3-4.5",
  jobs: "M4 6h11M4 12h11M4 18h7M18 5v14M18 19l-2.5-2.500M18 19l2.5-2.5",
  keys: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM10.8 12.2 20 3M16 7l3 3",
  connect: "M9 15l6-6M10 6l1.5-1.500a4.2 4.2 0 0 1 6 6L16 12M14 18l-1.5 1.500a4.2 4.2 0 0 1-6-6L8 12",
  fork: "M6 4v16M6 14c0-4 12-2 12-8",
};

export function icon(name) {
  return svg(
    "svg.glyph",
    { viewBox: "0 0 24 24", width: 18, height: 18, fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
    svg("path", { d: PATHS[name] || "M5 12h14" }),
  );
}
