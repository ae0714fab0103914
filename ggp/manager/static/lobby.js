// The lobby: a live list of open challenges, which the user can accept or withdraw.

import { ask, attempt, element } from "./api.js";
import {
  accept, forget, known, nameIn, openRoles, pathOf, recallName, remembered, sit, termsText,
} from "./challenges.js";

const PAUSE = 2000;
const MAX_KEPT = 8;
const table = document.getElementById("lobby");
const nothing = document.getElementById("no-challenges");
const name = document.querySelector("#play [name=name]");
let shown = "";

/** Return the name of the user who accepts. Without accounts, ask for it; return null if there is none. */
function ownName() {
  if (name && !name.value.trim()) {
    name.value = window.prompt("Your name, as others see it:")?.trim() ?? "";
    if (!name.value) {
      return null;
    }
  }
  return nameIn(name);
}

function button(text, act) {
  const made = element("button", { type: "button", class: "plain", text });
  made.addEventListener("click", act);
  return made;
}

function actions(challenge) {
  const { number } = challenge;
  const { key } = known(number);
  if (challenge.match) {
    return [button("Go to match", () => {
      forget(number);
      sit(challenge.match, key);
    })];
  }
  if (challenge.own || key) {
    const path = `/challenges/${number}`;
    return [element("a", { href: path, class: "button", text: "Open" }), button("Withdraw", async () => {
      await attempt(() => ask("POST", `${path}/withdraw`, { key }));
      look();
    })];
  }
  if (!challenge.acceptable) {
    return [];
  }
  const take = button("Accept", async () => {
    const named = ownName();
    if (named) {
      await accept(number, named);
      look();
    }
  });
  const isForMe = challenge.seats.some((seat) => seat.open === "account");
  return isForMe ? [take, button("Decline", async () => {
    await attempt(() => ask("POST", `/challenges/${number}/decline`));
    look();
  })] : [take];
}

function row(challenge) {
  const made = element("tr", { "data-challenge": challenge.number });
  const acts = element("td", { class: "acts" });
  acts.append(...actions(challenge));
  const cells = [challenge.challenger, challenge.game, openRoles(challenge), termsText(challenge)];
  made.append(acts, ...cells.map((text) => element("td", { text })));
  return made;
}

/** Return the challenges that only this browser's keys reveal: those by link, and those accepted meanwhile. */
async function kept(others) {
  const numbers = remembered().filter((number) => !others.some((one) => one.number === number));
  const found = await Promise.all(numbers.slice(0, MAX_KEPT).map((number) => (
    ask("GET", pathOf(number, known(number).key)).catch((error) => {
      if (error.status === 404) {
        forget(number);
      }
    }))));
  for (const one of found.filter((other) => other && other.status !== "open" && !other.match)) {
    forget(one.number);
  }
  return found.filter((one) => one && (one.status === "open" || one.match));
}

async function look() {
  const open = await ask("GET", "/challenges").catch(() => undefined); // try again at the next call
  const found = open && [...open, ...await kept(open)];
  if (!found || JSON.stringify(found) === shown) {
    return; // do not move buttons that the user is about to press
  }
  shown = JSON.stringify(found);
  table.tBodies[0].replaceChildren(...found.map(row));
  table.hidden = found.length === 0;
  nothing.hidden = found.length > 0;
}

recallName(name);
look();
setInterval(() => document.hidden || look(), PAUSE);
