// The form that uploads a player as a Python file and registers it.

import { ask, attempt, textOf } from "./api.js";

document.getElementById("upload")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const name = form.elements.name.value.trim();
  const registered = await attempt(async () => {
    const text = await textOf(form.elements.text.files[0]);
    const { source } = await ask("POST", "/submissions", { text });
    const which = form.elements.class.value.trim();
    return ask("POST", "/players", { name, source: which ? `${source}:${which}` : source });
  }, form);
  if (registered) {
    location.reload();
  }
});
