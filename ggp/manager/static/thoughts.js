// What the players reported about their search in one turn: value, expected line, and visits of each move.

import { element } from "./api.js";

const MAX_MOVES = 8;

/** Show the search details of a turn. */
export function showThoughts(place, turn, roles) {
  const told = turn.replies
    .map((reply, index) => ({ role: roles[index], ...reply }))
    .filter((reply) => reply.thoughts && (reply.fallback || Object.keys(reply.thoughts).length > 0));
  if (told.length === 0) {
    place.replaceChildren(element("p", { class: "quiet", text: "No search details for this turn." }));
    return;
  }
  place.replaceChildren(...told.map(describe));
}

function describe(reply) {
  const box = element("section", { class: "thoughts" });
  const { thoughts } = reply;
  const head = [`${reply.role}: ${reply.seconds.toFixed(1)} s`];
  if (typeof thoughts.value === "number") {
    head.push(`expects ${Math.round(thoughts.value)}`);
  }
  if (Array.isArray(thoughts.machine_iterations)) {
    const rounds = thoughts.machine_iterations.map((number) => number.toLocaleString("en"));
    head.push(`${rounds.length} ${rounds.length === 1 ? "machine" : "machines"}: ${rounds.join(" + ")} iterations`);
  }
  if (thoughts.reasoner) {
    head.push(thoughts.reasoner);
  }
  if (reply.fallback) {
    head.push(reply.fallback);
  }
  if (!thoughts.moves) {  // searches of this program have moves; other players report figures of their own
    head.push(...own(thoughts));
  }
  box.append(element("p", { text: head.join(", ") }));
  if (Array.isArray(thoughts.line) && thoughts.line.length > 0) {
    box.append(element("p", { class: "quiet", text: `Expected line: ${thoughts.line.map(joint).join(" → ")}` }));
  }
  if (Array.isArray(thoughts.moves)) {
    box.append(bars(thoughts.moves));
  }
  return box;
}

/** Return the other figures that a player reported, such as `games 40`. */
function own(thoughts) {
  const plain = ["number", "string", "boolean"];
  return Object.entries(thoughts)
    .filter(([name, value]) => plain.includes(typeof value) && name !== "value" && name !== "reasoner")
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value.toLocaleString("en")}`);
}

function joint(moves) {
  return Array.isArray(moves) ? moves.join(" ") : String(moves);
}

function bars(moves) {
  const most = Math.max(1, ...moves.map((move) => move.visits ?? 0));
  const table = element("table", { class: "bars" });
  for (const move of moves.slice(0, MAX_MOVES)) {
    const row = element("tr");
    const meter = element("meter", { min: 0, max: most, value: move.visits ?? 0, title: `${move.visits} visits` });
    const cell = element("td");
    cell.append(meter);
    row.append(element("td", { text: move.move }), cell, element("td", { class: "number", text: Math.round(move.value ?? 0) }));
    table.append(row);
  }
  return table;
}
