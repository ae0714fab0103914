// Setting up a game of one's own.

import { ask, attempt, element } from "./api.js";

const form = document.getElementById("play");
const { game, role, against, playclock } = form.elements;

/** The roles that somebody must play. */
async function playedRoles() {
  let roles = game.selectedOptions[0].dataset.roles.split(" ").filter(Boolean);
  if (roles.length === 0) {
    roles = await attempt(() => ask("GET", `/games/${encodeURIComponent(game.value)}/roles`)) ?? [];
  }
  return roles.filter((name) => name.toLowerCase() !== "random");
}

async function showRoles() {
  const roles = await playedRoles();
  role.replaceChildren(...roles.map((name) => element("option", { value: name, text: name })));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const roles = await playedRoles();
  const made = await attempt(() => ask("POST", "/matches", {
    game: game.value,
    players: roles.map((name) => (name === role.value ? "person" : against.value.trim())),
    startclock: 10,
    playclock: playclock.valueAsNumber,
  }));
  if (made) {
    location.assign(`/matches/${made.number}`);
  }
});
game.addEventListener("change", showRoles);
showRoles();
