// What random games show of a rulesheet, as a list.

import { element } from "./api.js";

/** Who has no move though the game is not over, and when. */
function stuckText({ stuck, goals }) {
  const { roles, first_turn: first, last_turn: last } = stuck;
  const isAll = roles.length > 1 && roles.length === Object.keys(goals).length;
  const who = isAll ? "nobody has a move" : `no move for ${roles.join(", ")}`;
  return `${who} in ${first < last ? `turns ${first} to ${last}` : `turn ${first}`}`;
}

/** The list of what `/statistics` or `/rules/try` answers. */
export function statisticsList(found) {
  const rows = [
    ["random games", found.playouts],
    ["not over after 500 moves", found.unfinished],
    ...(found.stuck ? [[stuckText(found), found.stuck.playouts]] : []),
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
