// A tournament that goes on: a fresh page now and then, until it is over.

import { ask, attempt } from "./api.js";

const { number, status } = document.getElementById("tournament").dataset;

document.getElementById("abort")?.addEventListener("click", async () => {
  await attempt(() => ask("POST", `/tournaments/${number}/abort`));
  location.reload();
});
if (["waiting", "running", "interrupted"].includes(status)) {
  setTimeout(() => location.reload(), 3000);
}
