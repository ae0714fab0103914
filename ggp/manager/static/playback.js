// Playback of a match from the turn that is shown, at a chosen pace.

const PLAY = "M4 2v12l8-6z";
const PAUSE = "M4 2h3v12H4zM9 2h3v12H9z";

export class Playback {
  #button;
  #pace;
  #step;
  #timer;

  /** `step(isFirst)` shows the next turn and returns whether there are more. */
  constructor(button, pace, step) {
    this.#button = button;
    this.#pace = pace;
    this.#step = step;
    button.addEventListener("click", () => (this.#timer ? this.stop() : this.#go(true)));
    pace.addEventListener("change", () => {
      if (this.#timer) {
        clearTimeout(this.#timer);
        this.#wait();
      }
    });
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#label("Play the turns", PLAY);
  }

  async #go(isFirst = false) {
    this.#label("Pause", PAUSE);
    this.#wait();
    if (!this.#step(isFirst)) {
      this.stop();
    }
  }

  #wait() {
    this.#timer = setTimeout(() => this.#go(), 1000 / Number(this.#pace.value));
  }

  #label(title, shape) {
    this.#button.title = title;
    this.#button.setAttribute("aria-label", title);
    this.#button.querySelector("path").setAttribute("d", shape);
  }
}
