// A position of rules in the making, with its picture, walked to by moves.

import { ask, element, tell, withName } from "./api.js";
import { letPoint, showPicture } from "./board.js";

const TO_THE_END = 1000; // turns at random
const ARROW = 40; // pixels of a choice that its text has not
const pen = document.createElement("canvas").getContext("2d");

/** A walk through a game; `rules` gives its text, and `moved` hears of each position. */
export function letWalk(part, rules, moved) {
  const form = part.querySelector("form");
  const [board, note] = [part.querySelector(".board"), part.querySelector(".note")];
  const [rows, turns, facts] = [part.querySelector("tbody"), part.querySelector(".turns"), part.querySelector("pre")];
  let line = []; // the joint moves, also those after the position that is shown
  let at = 0; // the number of those before it
  let text; // by which it is shown
  let position;
  let asked = 0;
  let isBusy = false;

  const button = (name) => form.querySelector(`[name=${name}]`);
  const turnsMade = () => (at === 0 ? "In the first position" : `After ${at} turn${at === 1 ? "" : "s"}`);

  /** What there is to say of a position. */
  function said() {
    if (position.terminal) {
      return `${turnsMade()} the game is over.`;
    }
    const stuck = Object.keys(position.legal).filter((role) => position.legal[role].length === 0);
    return stuck.length > 0 ? `${turnsMade()} ${stuck.join(", ")} has no legal move, and the game is not over.` : `${turnsMade()}.`;
  }

  /** What a role may do: a choice, its only move, or that there is none. */
  function choice(role) {
    const moves = position.legal[role];
    if (moves.length < 2) {
      return element("span", { text: moves.length > 0 ? named(role, moves[0]) : "-" });
    }
    const [made, select] = [element("span"), element("select", { name: role, "aria-label": `Move of ${role}` })];
    made.append(select, element("span", { class: "quiet", "aria-hidden": "true" }));
    select.addEventListener("change", () => tellWhole(select));
    offer(select, moves);
    return made;
  }

  function offer(select, moves) {
    select.replaceChildren(...moves.map((move) => element("option", { value: move, text: named(select.name, move) })));
    tellWhole(select);
  }

  /** Tells the chosen move below, where the choice is too narrow to show all of it. */
  function tellWhole(select) {
    const text = select.selectedOptions[0].text;
    pen.font = getComputedStyle(select).font;
    select.nextSibling.textContent = pen.measureText(text).width + ARROW > select.clientWidth ? text : "";
  }

  function named(role, move) {
    return withName(move, position.readable[role][position.legal[role].indexOf(move)]);
  }

  function row(role) {
    const made = element("tr");
    const goal = position.goals[role] ?? (position.terminal ? "none" : "");
    const cells = [choice(role), element("span", { text: goal })];
    const seen = position.percepts[role];
    if (seen) {
      cells.push(element("span", { text: seen.join(" ") || "nothing" }));
    }
    made.append(element("th", { scope: "row", text: role }), ...cells.map((cell) => {
      const place = element("td");
      place.append(cell);
      return place;
    }));
    return made;
  }

  function show() {
    const wasThere = board.contains(document.activeElement);
    note.classList.remove("bad");
    note.textContent = said();
    showPicture(board, position.svg);
    rows.replaceChildren(...Object.keys(position.legal).map(row));
    rows.querySelectorAll("select").forEach(tellWhole);
    part.querySelector(".saw").hidden = Object.keys(position.percepts).length === 0;
    facts.textContent = position.facts.join("\n");
    turns.replaceChildren(...line.map((joint, index) => {
      const item = element("li");
      const way = element("button", { type: "button", class: "plain", text: joint.join("  ") });
      way.addEventListener("click", () => go(line.slice(0, index + 1)));
      item.append(way);
      if (index + 1 === at) {
        item.setAttribute("aria-current", "step");
      }
      return item;
    }));
    const current = turns.querySelector("[aria-current]");
    turns.scrollTop = current ? current.offsetTop - turns.offsetTop - turns.clientHeight / 2 : 0;
    const [role, ...others] = position.deciding;
    if (role && others.length === 0 && chosen()) {
      const select = rows.querySelector("select");
      letPoint(board, position.legal[role], (left) => offer(select, left), (move) => {
        offer(select, [move]);
        form.requestSubmit();
      });
    }
    if (wasThere) {
      board.querySelector("[tabindex]")?.focus();
    }
  }

  function allow() {
    const mayGoOn = Boolean(position) && chosen() !== null;
    for (const name of ["play", "random", "end"]) {
      button(name).disabled = !mayGoOn;
    }
    button("back").disabled = button("first").disabled = !position || at === 0;
  }

  function fail(message) {
    position = undefined;
    note.classList.add("bad");
    note.textContent = message;
    for (const place of [board, rows, turns, facts]) {
      place.replaceChildren();
    }
  }

  /** Shows the position after moves, and after so many more at random. */
  async function go(moves, random = 0) {
    const turn = ++asked;
    const wanted = rules();
    isBusy = true;
    let found;
    let wrong;
    try {
      found = await ask("POST", "/rules/position", { text: wanted, moves, random, picture: true });
    } catch (error) {
      wrong = error.message;
    }
    if (turn !== asked) {
      return;
    }
    isBusy = false;
    if (wrong && moves.length > 0 && wanted !== text) {
      tell("The rules have changed: the game begins again.");
      await go([]);
      return;
    }
    if (wrong && position && wanted === text) {
      tell(wrong); // such as that too many ask at once; what is shown is true still
      return;
    }
    if (wrong) {
      fail(wrong);
    } else {
      const isOnLine = wanted === text && found.moves.every((joint, index) => String(joint) === String(line[index]));
      position = found;
      at = found.moves.length;
      line = isOnLine ? line : found.moves;
      show();
    }
    text = wanted;
    allow();
    moved(position);
  }

  /** What is chosen for each role; null where somebody can do nothing. */
  function chosen() {
    const picked = Object.entries(position?.legal ?? {}).map(([role, moves]) => (
      [...rows.querySelectorAll("select")].find((select) => select.name === role)?.value ?? moves[0]
    ));
    return picked.length > 0 && picked.every(Boolean) ? picked : null;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const joint = chosen();
    if (joint && !isBusy) {
      go([...line.slice(0, at), joint]);
    }
  });
  for (const [name, act] of [
    ["first", () => go([])],
    ["back", () => go(line.slice(0, at - 1))],
    ["random", () => go(line.slice(0, at), 1)],
    ["end", () => go(line.slice(0, at), TO_THE_END)],
  ]) {
    button(name).addEventListener("click", () => isBusy || act());
  }
  return {
    moves: () => line.slice(0, at),
    next: chosen,
    /** Looks again where the text has changed, as far as the game goes on by it. */
    look: () => go(line.slice(0, at)),
  };
}
