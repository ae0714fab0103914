// The versions of a player on its page: the form that adds one, and the buttons that restore one.

import { ask, attempt, textOf } from "./api.js";

const form = document.getElementById("new-version");
const path = `/players/${encodeURIComponent(form.dataset.name)}/versions`;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { text, class_name: className, source, note } = form.elements;
  const file = text?.files[0];
  const added = await attempt(async () => ask("POST", path, {
    text: file ? await textOf(file) : "",
    class_name: className?.value.trim() ?? "",
    source: source?.value.trim() ?? "",
    note: note.value.trim(),
  }), form);
  if (added) {
    location.reload();
  }
});
for (const button of document.querySelectorAll("button.restore")) {
  button.addEventListener("click", async () => {
    if (await attempt(() => ask("POST", `${path}/${button.dataset.number}/restore`))) {
      location.reload();
    }
  });
}
