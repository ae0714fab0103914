// Registering players, and asking how they are.

import { ask, attempt } from "./api.js";

document.getElementById("register")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, source, dialect } = event.target.elements;
  const body = { name: name.value.trim(), source: source.value.trim(), dialect: dialect.value };
  if (await attempt(() => ask("POST", "/players", body), event.target)) {
    location.reload();
  }
});

for (const row of document.querySelectorAll("[data-player]")) {
  const path = `/players/${encodeURIComponent(row.dataset.player)}`;
  row.querySelector(".retire")?.addEventListener("click", async () => {
    if (await attempt(() => ask("DELETE", path))) {
      row.remove();
    }
  });
  attempt(async () => {
    const found = await ask("GET", `${path}/status`);
    const cell = row.querySelector(".status");
    const time = found.seconds ? `, ${(1000 * found.seconds).toFixed(0)} ms` : ""; // who plays here is not asked
    cell.textContent = found.problem || found.status + time;
    // Who cannot be asked in its dialect may be quite well.
    cell.classList.toggle("bad", Boolean(found.problem) && found.status !== "unknown");
    cell.classList.toggle("quiet", found.status === "unknown");
  });
}
