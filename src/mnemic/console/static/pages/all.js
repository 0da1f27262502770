// The pages, in the order of the navigation. Each is read when it is first opened: what stands on the
// screen first should not wait for the others.

const page = (group, name) => ({ group, name, load: () => import(`./${name}.js`) });

export const PAGES = [
  ...["overview", "search", "memory", "timeline", "graph"].map((name) => page("look", name)),
  ...["people", "chats", "places", "perceptions"].map((name) => page("products", name)),
  ...["jobs", "keys", "connect"].map((name) => page("work", name)),
];
