// The form that registers players, and the status of each player.

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
    const time = found.seconds ? `, ${(1000 * found.seconds).toFixed(0)} ms` : ""; // players on this machine are not asked
    cell.textContent = found.problem || found.status + time;
    // A player whose dialect has no such question may work well.
    cell.classList.toggle("bad", Boolean(found.problem) && found.status !== "unknown");
    cell.classList.toggle("quiet", found.status === "unknown");
  });
}
