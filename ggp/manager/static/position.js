// A position of the rules in the editor, with its picture and the moves that lead to it.

import { ask, element, tell, withName } from "./api.js";
import { letPoint, showPicture } from "./board.js";

const TO_THE_END = 1000; // turns at random
const ARROW = 40; // pixels of a select that are not available to its text
const pen = document.createElement("canvas").getContext("2d");

/** Let the user walk through a game. `rules()` returns its text, and `moved` is called with each position. */
export function letWalk(part, rules, moved) {
  const form = part.querySelector("form");
  const [board, note] = [part.querySelector(".board"), part.querySelector(".note")];
  const [rows, turns, facts] = [part.querySelector("tbody"), part.querySelector(".turns"), part.querySelector("pre")];
  let line = []; // the joint moves, including those after the position that is shown
  let at = 0; // number of joint moves before the position that is shown
  let text; // the rules of the position that is shown
  let position;
  let asked = 0;
  let isBusy = false;

  const button = (name) => form.querySelector(`[name=${name}]`);
  const turnsMade = () => (at === 0 ? "In the first position" : `After ${at} turn${at === 1 ? "" : "s"}`);

  /** Return the note about the position. */
  function said() {
    if (position.terminal) {
      return `${turnsMade()} the game is over.`;
    }
    const stuck = Object.keys(position.legal).filter((role) => position.legal[role].length === 0);
    return stuck.length > 0 ? `${turnsMade()} ${stuck.join(", ")} has no legal move, and the game is not over.` : `${turnsMade()}.`;
  }

  /** Return the moves of a role: a select, its only move, or a dash. */
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

  /** Show the chosen move below the select if the select is too narrow for it. */
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

  /** Show the position after `moves` and then `random` turns of random moves. */
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
      tell("The rules have changed. The game starts again.");
      await go([]);
      return;
    }
    if (wrong && position && wanted === text) {
      tell(wrong); // for example too many requests; the position on the page is still correct
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

  /** Return the chosen joint move, or null if a role has no legal move. */
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
    /** Refresh the position after a change of the text. */
    look: () => go(line.slice(0, at)),
  };
}
