// The list of a match's turns: the moves in words, errors, and what roles saw.

import { ask, attempt, element } from "./api.js";

const MOST_NAMED = 200; // turns for one answer

/** What was wrong with a role's answer, and why where that is known; empty if nothing was. */
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
  #names = new WeakMap(); // of the moves, by turn
  #isAsking = false;

  /** `choose(number)` is called with the turn that is chosen; `hides` says whether roles see only a part. */
  constructor(place, { number, roles, hides, choose }) {
    this.#place = place;
    this.#choose = choose;
    this.#number = number;
    this.#roles = roles;
    this.#hides = hides;
  }

  /** Lists turns, as far as `sight` goes, and then names their moves. */
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
      const asked = this.#turns.slice(first, first + MOST_NAMED);
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

  /** The number of the first turn whose moves have no names yet; -1 if there is none, or if none is seen. */
  #firstUnnamed() {
    const isSeen = !this.#sight || this.#roles.includes(this.#sight);
    return isSeen ? this.#turns.findIndex((turn, index) => index > 0 && !this.#names.has(turn)) : -1;
  }

  #write(turn, button) {
    const named = this.#names.get(turn) ?? [];
    button.textContent = this.#describe(turn, turn.moves.map((move, index) => named[index] ?? move));
    button.title = turn.moves.filter(Boolean).join("  ");
  }

  /** The moves of those who had a choice, or whose answer was wrong; all of them where nobody had a choice. */
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
      const who = this.#hides ? `${this.#roles[index]}: ` : ""; // there somebody may move twice in a row
      return isChosen(index) || !hasChoice ? [who + move] : [];
    });
    return parts.join("  ") + (isForced ? ", forced" : "");
  }

  /** A turn as one role knows it: its own move and what it saw. */
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
