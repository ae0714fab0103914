// The notice that another account wants to play. It appears on every page of a user with an account.

import { ask } from "./api.js";

const PAUSE = 10_000;
const place = document.getElementById("challenged");

async function look() {
  const found = await ask("GET", "/challenges").catch(() => []); // try again at the next call
  const names = found.filter((one) => one.acceptable && one.seats.some((seat) => seat.open === "account"))
    .map((one) => one.challenger);
  const text = names.length ? `${names.join(", ")} ${names.length > 1 ? "want" : "wants"} to play with you` : "";
  if (place.textContent !== text) {
    place.textContent = text;
    place.parentElement.hidden = text === "";
  }
}

look();
setInterval(() => document.hidden || look(), PAUSE);
