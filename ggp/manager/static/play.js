// The form that starts a match of the user against a program or people.

import { addressOf, ask, attempt, element } from "./api.js";
import { nameIn, remember } from "./challenges.js";
import { playedRoles } from "./roles.js";

const form = document.getElementById("play");
const { game, role, opponent, against, playclock, account, clock, seconds, minutes, increment, name, rated } = form.elements;
const BY_LOT = "";
let proposed = against.defaultValue;

async function showRoles() {
  const roles = await playedRoles(game);
  role.replaceChildren(...roles.map((one) => element("option", { value: one, text: one })));
  if (roles.length > 1) {
    role.append(element("option", { value: BY_LOT, text: "random" }));
  }
  for (const option of opponent.options) {
    option.disabled = option.value !== "program" && roles.length < 2;
  }
  if (opponent.selectedOptions[0].disabled) {
    opponent.value = "program";
  }
  propose();
  showParts();
}

/** Propose a program for the game, unless the user has chosen another one. */
function propose() {
  const { program } = game.selectedOptions[0].dataset;
  if (against.value === proposed) {
    against.value = program;
    proposed = program;
  }
}

/** Show the fields for the chosen kinds of opponent and clock. */
function showParts() {
  const wanted = new Set([opponent.value, opponent.value === "program" ? "program" : "people", `clock-${clock.value}`]);
  for (const part of form.querySelectorAll("[data-for]")) {
    const isWanted = part.dataset.for.split(" ").every((one) => wanted.has(one));
    part.hidden = !isWanted;
    for (const field of part.querySelectorAll("input, select")) {
      field.disabled = !isWanted;
    }
  }
}

function chosenClock() {
  if (clock.value === "none") {
    return null;
  }
  return clock.value === "move"
    ? { kind: "move", seconds: seconds.valueAsNumber, increment: 0 }
    : { kind: "game", seconds: Math.round(60 * minutes.valueAsNumber), increment: increment.valueAsNumber };
}

/** Return whether the match is rated. Guests are not asked, because their matches are never rated. */
function chosenRating() {
  return rated ? { rated: rated.checked } : {};
}

async function playProgram() {
  const roles = await playedRoles(game);
  const own = role.value === BY_LOT ? roles[Math.floor(Math.random() * roles.length)] : role.value;
  const made = await attempt(() => ask("POST", "/matches", {
    game: game.value,
    players: roles.map((one) => (one === own ? "person" : against.value.trim())),
    startclock: 10,
    playclock: playclock.valueAsNumber,
    ...chosenRating(),
  }), form);
  if (made) {
    location.assign(addressOf(made, own));
  }
}

async function challenge() {
  const roles = await playedRoles(game);
  const own = role.value === BY_LOT ? roles[0] : role.value;
  const other = opponent.value === "account" ? `person:@${account.value.trim()}` : `person:${opponent.value}`;
  const made = await attempt(() => ask("POST", "/challenges", {
    game: game.value,
    players: roles.map((one) => (one === own ? "person" : other)),
    sides: role.value === BY_LOT ? "random" : "given",
    clock: chosenClock(),
    ...chosenRating(),
    ...nameIn(name),
  }), form);
  if (made) {
    remember(made.number, made.key, made.links);
    location.assign(`/challenges/${made.number}`);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  return opponent.value === "program" ? playProgram() : challenge();
});
game.addEventListener("change", showRoles);
opponent.addEventListener("change", showParts);
clock.addEventListener("change", showParts);
showRoles();
