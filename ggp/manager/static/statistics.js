// What random games show of a rulesheet, as a list.

import { element } from "./api.js";

/** The list of what `/statistics` or `/rules/try` answers. */
export function statisticsList(found) {
  const rows = [
    ["random games", found.playouts],
    ["not over after 500 moves", found.unfinished],
    ["moves in a game", found.length?.toFixed(1)],
    ["choices in a turn", found.branching?.toFixed(1)],
    ...Object.entries(found.goals).map(([role, goal]) => [`goal of ${role}`, goal?.toFixed(1)]),
  ];
  const list = element("dl");
  list.append(...rows.flatMap(([name, value]) => [
    element("dt", { text: name }), element("dd", { text: value ?? "-" }),
  ]));
  return list;
}
