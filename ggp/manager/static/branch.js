// Playing on from a position of a finished match.

import { addressOf, ask, attempt } from "./api.js";

/** Set up a match that continues after a turn, with a person in one of its roles, and open it. */
export async function branchOff(number, turn, roles, role, against = "mcts", form = undefined) {
  const players = roles.map((name) => (name === role ? "person" : against));
  const made = await attempt(() => ask("POST", `/matches/${number}/branches`, { turn, players }), form);
  if (made) {
    location.assign(addressOf(made, role));
  }
}
