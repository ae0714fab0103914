// A tournament that goes on: a fresh page now and then, until it is over.

import { ask, attempt } from "./api.js";

const { number, status } = document.getElementById("tournament").dataset;

document.getElementById("abort")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/abort`));
  location.reload();
});
for (const button of document.querySelectorAll(".annul")) {
  button.addEventListener("click", async () => {
    const match = Number(button.dataset.match);
    if (window.confirm(`Shall match ${match} count no more, and be played again?`)) {
      await attempt(() => ask("POST", `/tournaments/${number}/annul`, { match }));
      location.reload();
    }
  });
}
if (["waiting", "running", "interrupted"].includes(status)) {
  setTimeout(() => location.reload(), 3000);
}
