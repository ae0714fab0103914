// The roles that need a player: all except `random`, which stands for chance.

import { ask, attempt } from "./api.js";

/** Return the roles that need a player in the game chosen in a `select`. For added games, ask the API. */
export async function playedRoles(select) {
  const [chosen] = select.selectedOptions;
  let roles = chosen.dataset.roles.split(" ").filter(Boolean);
  if (roles.length === 0) {
    const path = `/games/${encodeURIComponent(chosen.value)}/roles`;
    roles = await attempt(() => ask("GET", path)) ?? [];
  }
  return roles.filter((name) => name.toLowerCase() !== "random");
}
