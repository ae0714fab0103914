// The positions of a match: each is asked for once, one at a time, and of several wanted the last one.

import { ask, attempt } from "./api.js";

const MOST_KEPT = 100;

export class Positions {
  #number;
  #show;
  #kept = new Map(); // by the turn, so that one that was taken back is not mistaken for the one in its place
  #wanted;
  #isAsking = false;

  /** `show(position)` gets the position that is wanted, or undefined until it has come. */
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
    if (this.#kept.size > MOST_KEPT) {
      this.#kept.delete(this.#kept.keys().next().value);
    }
  }
}
