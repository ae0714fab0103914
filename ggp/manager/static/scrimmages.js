// The page of scrimmages: the form that requests one, and the choice whether to accept requests.

import { ask, attempt } from "./api.js";

/** Send the fields of a form to the API and reload the page if that succeeds. */
function onSubmit(id, path, body) {
  const form = document.getElementById(id);
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await attempt(() => ask("POST", path, body(form.elements)), form)) {
      location.reload();
    }
  });
}

onSubmit("request", "/scrimmages", (fields) => ({
  game: fields.game.value,
  player: fields.player.value,
  opponent: fields.opponent.value,
  startclock: fields.startclock.valueAsNumber,
  playclock: fields.playclock.valueAsNumber,
  rated: fields.rated.checked,
}));
onSubmit("accepts", "/me/scrimmages", (fields) => ({ accepts: fields.accepts.value }));
