// The list of matches: a seat for each role of the chosen game, and a fresh list while some run.

import { ask, attempt, element } from "./api.js";

const form = document.getElementById("new-match");
const seats = document.getElementById("seats");

function showSeats() {
  const roles = form.elements.game.selectedOptions[0].dataset.roles.split(" ");
  const played = roles.filter((role) => role && role.toLowerCase() !== "random");
  seats.replaceChildren(...played.map((role, index) => {
    const label = element("label", { text: `Who plays ${role}` });
    label.append(element("input", {
      name: "player", list: "known-players", required: "", value: index === 0 ? "mcts" : "random",
    }));
    return label;
  }));
}

async function start(event) {
  event.preventDefault();
  const fields = form.elements;
  const players = [...seats.querySelectorAll("input")].map((input) => input.value.trim());
  const made = await attempt(() => ask("POST", "/matches", {
    game: fields.game.value,
    players,
    startclock: fields.startclock.valueAsNumber,
    playclock: fields.playclock.valueAsNumber,
    scrambled: fields.scrambled.checked,
  }));
  if (made) {
    location.assign(`/matches/${made.number}`);
  }
}

form.elements.game.addEventListener("change", showSeats);
form.addEventListener("submit", start);
showSeats();

if (document.querySelector("tr[data-status=running], tr[data-status=waiting]")) {
  const opened = document.getElementById("new");
  setTimeout(() => { if (!opened.open) { location.reload(); } }, 5000);
}
