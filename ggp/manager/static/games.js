// The catalogue: the roles of added games, and statistics that are made when the user opens them.

import { ask, attempt, element } from "./api.js";
import { statisticsList } from "./statistics.js";

for (const place of document.querySelectorAll("[data-statistics]")) {
  place.addEventListener("toggle", async () => {
    if (!place.open || place.querySelector("dl")) {
      return;
    }
    const waiting = element("p", { class: "quiet", text: "Playing random games…" });
    place.append(waiting);
    const path = `/games/${encodeURIComponent(place.dataset.statistics)}/statistics`;
    const found = await attempt(() => ask("GET", path));
    waiting.remove();
    if (found && !place.querySelector("dl")) {
      place.append(statisticsList(found));
    }
  });
}

for (const place of document.querySelectorAll("[data-roles-of]")) {
  attempt(async () => {
    const roles = await ask("GET", `/games/${encodeURIComponent(place.dataset.rolesOf)}/roles`);
    place.textContent = roles.join(", ");
  });
}
