// The page of a report: the request for it, its progress, and new tries from before a mistake.

import { ask, attempt } from "./api.js";
import { branchOff } from "./branch.js";
import { copy, offerHtml } from "./embed.js";

const page = document.getElementById("report");
const { number } = page.dataset;
const roles = JSON.parse(page.dataset.roles);
const get = (id) => document.getElementById(id);
const MILLISECONDS = 500;

async function order() {
  if (await attempt(() => ask("POST", `/matches/${number}/report`))) {
    for (const [id, isHidden] of [["ask", true], ["offer", true], ["making", false]]) {
      get(id).hidden = isHidden;
    }
    follow();
  }
}

/** Show the progress of the report until it is finished or has failed. */
async function follow() {
  let state;
  try {
    state = await ask("GET", `/matches/${number}/report`);
  } catch {
    state = {};
  }
  if (!["waiting", "running"].includes(state.status)) {
    location.reload();
    return;
  }
  const isRunning = state.status === "running";
  if (isRunning && state.done > 0) {
    get("progress").max = state.total;
    get("progress").value = state.done;
  } else {
    get("progress").removeAttribute("value");
  }
  const stand = isRunning ? `${state.done} of ${state.total}` : "Waiting";
  get("done").textContent = state.why ? `${stand}: ${state.why}.` : isRunning ? stand : `${stand}.`;
  setTimeout(follow, MILLISECONDS);
}

for (const button of document.querySelectorAll("button.again")) {
  const { turn, role } = button.dataset;
  button.addEventListener("click", () => branchOff(number, Number(turn), roles, role));
}
const embed = get("embed");
const offer = () => offerHtml(get("html"), number, Number(get("turn").value), embed.dataset.game);
embed?.addEventListener("toggle", () => embed.open && offer());
get("turn")?.addEventListener("change", offer);
get("copy")?.addEventListener("click", () => copy(get("html")));
get("ask")?.addEventListener("click", order);
if (page.dataset.state === "waiting") {
  follow();
}
