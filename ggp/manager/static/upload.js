// The form that uploads a player as a Python file and registers it.

import { ask, attempt } from "./api.js";

const MAX_BYTES = 262144;

/** Return the text of a file. If it is too long, throw an Error that names the field. */
async function textOf(file) {
  if (file.size > MAX_BYTES) {
    throw new Error(`text: expected at most ${MAX_BYTES} bytes, got ${file.size}`);
  }
  return file.text();
}

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
