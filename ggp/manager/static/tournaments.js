// The form that starts a tournament.

import { ask, attempt } from "./api.js";

/** Parse lines of the form `NAME = KIND`. A name alone is also the kind. */
function entrants(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
    const at = line.indexOf(" = ");
    return at < 0 ? { name: line, player: line } : { name: line.slice(0, at), player: line.slice(at + 3) };
  });
}

/** Return the test that may stop the tournament, or null if neither hypothesis is given. */
function stopRule(elo0, elo1) {
  const number = (input) => (input.value === "" ? null : input.valueAsNumber);
  return elo0.value || elo1.value ? { elo0: number(elo0), elo1: number(elo1) } : null;
}

document.getElementById("new-tournament").addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = event.target.elements;
  const numbers = Object.fromEntries(
    // An empty seed is NaN, which JSON writes as null.
    ["rounds", "minutes", "pause", "startclock", "playclock", "seed"].map((name) => [name, fields[name].valueAsNumber]),
  );
  const plan = {
    name: fields.name.value.trim(),
    form: fields.form.value,
    games: [...fields.games.selectedOptions].map((option) => option.value),
    players: entrants(fields.players.value),
    // The field is not called `matches`, because that would hide the form's method of that name.
    matches: fields.meetings.valueAsNumber,
    stop: stopRule(fields.elo0, fields.elo1),
    sign_up: Boolean(fields["sign-up"]?.value),
    clock: fields["sign-up"]?.value === "people" ? { kind: "move", seconds: fields.seconds.valueAsNumber } : null,
    results: fields.results?.value,
    release: fields.release?.value || null,
    ...numbers,
  };
  const checked = await attempt(() => ask("POST", "/tournaments/check", plan), event.target);
  const isWanted = checked && (checked.warnings.length === 0
    || window.confirm(`${checked.warnings.join("\n")}\n\nStart the tournament anyway?`));
  const made = isWanted && await attempt(() => ask("POST", "/tournaments", plan), event.target);
  if (made) {
    location.assign(`/tournaments/${made.number}`);
  }
});
