// The list of a match's turns: moves in words, errors and percepts.

import { ask, attempt, element } from "./api.js";

const MAX_NAMED = 200; // turns per request

/** Describe the error in a role's answer, with the reason if it is known. Return "" if there was no error. */
function describeError(turn, index) {
  const error = turn.errors[index];
  if (error?.startsWith("FB ")) {
    return `, fallback: ${error.slice("FB ".length)}`;
  }
  const reason = turn.replies[index]?.fallback;
  return error ? `, error ${error}${reason ? ` (${reason})` : ""}` : "";
}

export class TurnList {
  #place;
  #number;
  #roles;
  #hides;
  #choose;
  #turns = [];
  #sight;
  #names = new WeakMap(); // the names of the moves, by turn
  #isAsking = false;

  /** `choose(number)` is called with the chosen turn. `hides` says whether the game has hidden information. */
  constructor(place, { number, roles, hides, choose }) {
    this.#place = place;
    this.#choose = choose;
    this.#number = number;
    this.#roles = roles;
    this.#hides = hides;
  }

  /** List the turns as far as `sight` allows, then fetch the names of their moves. */
  list(turns, sight) {
    this.#turns = turns;
    this.#sight = sight;
    this.#place.replaceChildren(...turns.slice(1).map((turn) => {
      const item = element("li", { "data-number": turn.number });
      const button = element("button", { type: "button", class: "plain" });
      button.addEventListener("click", () => this.#choose(turn.number));
      item.append(button);
      this.#write(turn, button);
      return item;
    }));
    if (!this.#isAsking) {
      this.#ask();
    }
  }

  mark(shown) {
    for (const item of this.#place.children) {
      item.toggleAttribute("aria-current", Number(item.dataset.number) === shown);
    }
  }

  async #ask() {
    this.#isAsking = true;
    for (let first = this.#firstUnnamed(); first > 0; first = this.#firstUnnamed()) {
      const asked = this.#turns.slice(first, first + MAX_NAMED);
      const found = await attempt(() => ask("GET", `/matches/${this.#number}/names?first=${first}`));
      if (!found) {
        break;
      }
      for (const [index, turn] of asked.entries()) {
        this.#names.set(turn, found[index]?.moves ?? []);
      }
      for (const item of this.#place.children) {
        this.#write(this.#turns[item.dataset.number], item.firstChild);
      }
    }
    this.#isAsking = false;
  }

  /** Return the first turn whose moves have no names yet, or -1 if there is none or the moves are hidden. */
  #firstUnnamed() {
    const isSeen = !this.#sight || this.#roles.includes(this.#sight);
    return isSeen ? this.#turns.findIndex((turn, index) => index > 0 && !this.#names.has(turn)) : -1;
  }

  #write(turn, button) {
    const named = this.#names.get(turn) ?? [];
    button.textContent = this.#describe(turn, turn.moves.map((move, index) => named[index] ?? move));
    button.title = turn.moves.filter(Boolean).join("  ");
  }

  /** Describe the moves of roles that had a choice or an error. If no role had a choice, describe all moves. */
  #describe(turn, moves) {
    if (this.#sight) {
      return this.#describeSeen(turn, moves);
    }
    const isChosen = (index) => (turn.replies[index]?.legal ?? 2) > 1;
    const hasChoice = moves.some((_, index) => isChosen(index));
    const isForced = !hasChoice && turn.replies.some((one) => one?.forced);
    const parts = moves.flatMap((move, index) => {
      const error = describeError(turn, index);
      if (error) {
        return [`${this.#roles[index]}: ${move}${error}`];
      }
      const who = this.#hides ? `${this.#roles[index]}: ` : ""; // there a role may move twice in a row
      return isChosen(index) || !hasChoice ? [who + move] : [];
    });
    return parts.join("  ") + (isForced ? ", forced" : "");
  }

  /** Describe a turn as one role knows it: its own move and its percepts. */
  #describeSeen(turn, moves) {
    const index = this.#roles.indexOf(this.#sight);
    if (index < 0) {
      return "not shown yet";
    }
    const seen = turn.percepts[index] ?? [];
    const error = describeError(turn, index);
    const forced = turn.replies[index]?.forced ? ", forced" : "";
    return `${moves[index]}${forced}${seen.length > 0 ? `, saw ${seen.join(" ")}` : ""}${error}`;
  }
}
