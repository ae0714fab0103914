// A tournament that goes on: a fresh page now and then, until it is over.

import { ask, attempt } from "./api.js";

const { number, status } = document.getElementById("tournament").dataset;

document.getElementById("abort")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/abort`));
  location.reload();
});
document.getElementById("end")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/end`));
  location.reload();
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
    const again = button.dataset.isFinal ? "" : ", and be played again, by what its players are registered with now";
    if (window.confirm(`Shall match ${match} count no more${again}?`)) {
      await attempt(() => ask("POST", `/tournaments/${number}/annul`, { match }));
      location.reload();
    }
  });
}
if (["waiting", "running", "interrupted"].includes(status)) {
  setInterval(() => {
    if (!join?.contains(document.activeElement)) { // nobody is writing there
      location.reload();
    }
  }, 3000);
}
