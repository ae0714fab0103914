// The statistics of random games, as a list.

import { element } from "./api.js";

/** Return which roles have no move in which turns although the game is not over. */
function stuckText({ stuck, goals }) {
  const { roles, first_turn: first, last_turn: last } = stuck;
  const isAll = roles.length > 1 && roles.length === Object.keys(goals).length;
  const who = isAll ? "no role has a move" : `no move for ${roles.join(", ")}`;
  return `${who} in ${first < last ? `turns ${first} to ${last}` : `turn ${first}`}`;
}

/** Return an answer of `/statistics` or `/rules/try` as a list. */
export function statisticsList(found) {
  const rows = [
    ["random games", found.playouts],
    ["not over after 500 moves", found.unfinished],
    ...(found.stuck ? [[stuckText(found), found.stuck.playouts]] : []),
    ["moves per game", found.length?.toFixed(1)],
    ["choices per turn", found.branching?.toFixed(1)],
    ...Object.entries(found.goals).map(([role, goal]) => [`goal of ${role}`, goal?.toFixed(1)]),
  ];
  const list = element("dl");
  list.append(...rows.flatMap(([name, value]) => [
    element("dt", { text: name }), element("dd", { text: value ?? "-" }),
  ]));
  return list;
}
