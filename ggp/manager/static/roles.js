// The roles that somebody must play: all but `random`, which is the game's own.

import { ask, attempt } from "./api.js";

/** Those of the game that is chosen in a `select`; of games that were added they are asked for. */
export async function playedRoles(select) {
  const [chosen] = select.selectedOptions;
  let roles = chosen.dataset.roles.split(" ").filter(Boolean);
  if (roles.length === 0) {
    const path = `/games/${encodeURIComponent(chosen.value)}/roles`;
    roles = await attempt(() => ask("GET", path)) ?? [];
  }
  return roles.filter((name) => name.toLowerCase() !== "random");
}
