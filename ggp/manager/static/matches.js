// The list of matches, and the forms that start and import one. The list reloads while matches run.

import { addressOf, ask, attempt, element, tell } from "./api.js";
import { copiedLink } from "./seats.js";
import { playedRoles } from "./roles.js";

const form = document.getElementById("new-match");
const seats = document.getElementById("seats");

async function showSeats() {
  const { game } = form.elements;
  const wanted = game.value;
  const played = await playedRoles(game);
  if (game.value !== wanted) {
    return; // the user has chosen another game meanwhile
  }
  seats.replaceChildren(...played.map((role, index) => {
    const label = element("label", { text: `Player of ${role}` });
    label.append(element("input", {
      name: "player", list: "known-players", required: "", value: index === 0 ? game.selectedOptions[0].dataset.program : "random",
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
    spectators: fields.spectators.value,
    hold: fields.hold.checked ? "all" : "one",
  }), form);
  if (made) {
    goTo(made);
  }
}

/** Open a match. If several people play, show a link for each instead. */
function goTo(made) {
  if (new Set(Object.values(made.keys)).size < 2) {
    location.assign(addressOf(made));
    return;
  }
  const list = document.getElementById("invitations");
  list.replaceChildren(...Object.keys(made.keys).map((role) => (
    copiedLink(`Link for ${role}`, addressOf(made, role), [["Open", () => location.assign(addressOf(made, role))]]))));
  tell("Give each player only their own link.");
}

async function takeIn(event) {
  event.preventDefault();
  const { game, record } = event.target.elements;
  const text = await record.files[0].text();
  const body = { game: game.value, record: text };
  const made = await attempt(() => ask("POST", "/matches/import", body), event.target);
  if (made) {
    location.assign(`/matches/${made.number}`);
  }
}

if (form) { // users who may only watch have no form
  form.elements.game.addEventListener("change", showSeats);
  form.addEventListener("submit", start);
  showSeats();
}
document.getElementById("import-match")?.addEventListener("submit", takeIn);

if (document.querySelector("tr[data-status=running], tr[data-status=waiting]")) {
  setTimeout(() => { if (!document.querySelector("details[open]")) { location.reload(); } }, 5000);
}
