// Setting up a game of one's own.

import { addressOf, ask, attempt, element } from "./api.js";
import { playedRoles } from "./roles.js";

const form = document.getElementById("play");
const { game, role, against, playclock } = form.elements;

async function showRoles() {
  const roles = await playedRoles(game);
  role.replaceChildren(...roles.map((name) => element("option", { value: name, text: name })));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const roles = await playedRoles(game);
  const made = await attempt(() => ask("POST", "/matches", {
    game: game.value,
    players: roles.map((name) => (name === role.value ? "person" : against.value.trim())),
    startclock: 10,
    playclock: playclock.valueAsNumber,
  }), form);
  if (made) {
    location.assign(addressOf(made));
  }
});
game.addEventListener("change", showRoles);
showRoles();
