// The page of a challenge: links to hand out, the players, and a seat to take.

import { ask, attempt, element } from "./api.js";
import { accept, forget, known, nameIn, openRoles, pathOf, recallName, sit, termsText } from "./challenges.js";
import { copiedLink } from "./seats.js";

const PAUSE = 1500;
const page = document.getElementById("challenge");
const { number } = page.dataset;
const get = (id) => document.getElementById(id);
const form = get("accept");
const link = new URLSearchParams(location.search).get("link") ?? "";
const mine = known(number);
let isOpen = true;

function seatText(seat) {
  if (!seat.open) {
    return seat.player;
  }
  return { anybody: "anyone", link: "anyone with the link", account: seat.account }[seat.open];
}

/** Return the state of a challenge in words. */
function stateText(found) {
  if (found.status !== "open") {
    return { accepted: "It was accepted.", withdrawn: "It was withdrawn.", declined: "It was declined.",
      expired: "It has expired." }[found.status];
  }
  const until = new Date(found.expires).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return found.acceptable ? `Open until ${until}.` : `Waiting for an opponent until ${until}.`;
}

function show(found) {
  get("game").textContent = found.game;
  get("game").href = `/games#game-${found.game}`;
  get("challenger").textContent = found.challenger;
  get("clock").textContent = termsText(found);
  get("state").textContent = stateText(found);
  get("seats").replaceChildren(...found.seats.map((seat) => {
    const row = element("tr");
    row.append(element("td", { text: found.sides === "random" ? "random" : seat.role }), element("td", { text: seatText(seat) }));
    return row;
  }));
  isOpen = found.status === "open";
  const isOwn = found.own && isOpen;
  get("withdraw").hidden = !isOwn;
  get("links").hidden = !isOwn || Object.keys(mine.links).length === 0;
  form.hidden = !isOpen || !found.acceptable || isOwn;
  get("decline").hidden = !found.seats.some((seat) => seat.open === "account");
  get("offered").textContent = openRoles(found);
}

async function look() {
  const found = await attempt(() => ask("GET", pathOf(number, mine.key || link)));
  if (found) {
    show(found);
    if (found.match && (mine.key || found.own)) {
      forget(number);
      sit(found.match, mine.key);
      return;
    }
  }
  if (isOpen) {
    setTimeout(look, PAUSE);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  accept(number, { ...nameIn(form.elements.name), ...(link ? { link } : {}) }, form);
});
get("decline").addEventListener("click", async () => {
  await attempt(() => ask("POST", `/challenges/${number}/decline`));
  location.assign("/play");
});
get("withdraw").addEventListener("click", async () => {
  await attempt(() => ask("POST", `/challenges/${number}/withdraw`, { key: mine.key }));
  location.assign("/play");
});
recallName(form.elements.name);
get("links").replaceChildren(...Object.entries(mine.links).map(([role, key]) => (
  copiedLink(`Link for ${role}`, `/challenges/${number}?${new URLSearchParams({ link: key })}`))));
look();
