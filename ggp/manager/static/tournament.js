// The page of a tournament, which reloads every 3 seconds until the tournament is over.

import { ask, attempt } from "./api.js";

const { number, status } = document.getElementById("tournament").dataset;

document.getElementById("abort")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/abort`));
  location.reload();
});
document.getElementById("begin")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/begin`));
  location.reload();
});
document.getElementById("sign-up")?.addEventListener("click", async () => {
  if (await attempt(() => ask("POST", `/tournaments/${number}/players`, { name: "me", player: "person" }))) {
    location.reload();
  }
});
document.getElementById("end")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/end`));
  location.reload();
});
const results = document.getElementById("results");
results?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const wanted = { results: results.elements.results.value, release: results.elements.release.value || null };
  if (await attempt(() => ask("POST", `/tournaments/${number}/results`, wanted), results)) {
    location.reload();
  }
});
const join = document.getElementById("join");
join?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(join);
  const entrant = { name: given.get("name").trim(), player: (given.get("player") ?? "").trim() };
  if (await attempt(() => ask("POST", `/tournaments/${number}/players`, entrant), join)) {
    location.reload();
  }
});
for (const button of document.querySelectorAll(".leave")) {
  button.addEventListener("click", async () => {
    await attempt(() => ask("DELETE", `/tournaments/${number}/players/${encodeURIComponent(button.dataset.name)}`));
    location.reload();
  });
}
for (const button of document.querySelectorAll(".annul")) {
  button.addEventListener("click", async () => {
    const match = Number(button.dataset.match);
    const again = button.dataset.isFinal ? "" : " and play it again, with its players as they are registered now";
    if (window.confirm(`Annul match ${match}${again}?`)) {
      await attempt(() => ask("POST", `/tournaments/${number}/annul`, { match }));
      location.reload();
    }
  });
}
if (["waiting", "running", "interrupted"].includes(status)) {
  setInterval(() => {
    if (![join, results].some((form) => form?.contains(document.activeElement))) { // the user fills in a form
      location.reload();
    }
  }, 3000);
}
