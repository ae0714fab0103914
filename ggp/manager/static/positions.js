// The positions of a match. Each is fetched once, one at a time; if several are wanted, only the last one.

import { ask, attempt } from "./api.js";

const MAX_KEPT = 100;

export class Positions {
  #number;
  #show;
  #kept = new Map(); // by the turn object, because a number may stand for a turn that was taken back
  #wanted;
  #isAsking = false;

  /** `show(position)` is called with the wanted position, or with undefined until it has arrived. */
  constructor(number, show) {
    this.#number = number;
    this.#show = show;
  }

  want(turn) {
    this.#wanted = turn;
    this.#show(this.#kept.get(turn));
    if (!this.#isAsking) {
      this.#ask();
    }
  }

  async #ask() {
    this.#isAsking = true;
    while (this.#wanted && !this.#kept.has(this.#wanted)) {
      const turn = this.#wanted;
      const found = await attempt(() => ask("GET", `/matches/${this.#number}/positions/${turn.number}`));
      if (found) {
        this.#keep(turn, found);
      }
      if (this.#wanted === turn) {
        this.#wanted = undefined;
        this.#show(found);
      }
    }
    this.#isAsking = false;
  }

  #keep(turn, position) {
    this.#kept.set(turn, position);
    if (this.#kept.size > MAX_KEPT) {
      this.#kept.delete(this.#kept.keys().next().value);
    }
  }
}
