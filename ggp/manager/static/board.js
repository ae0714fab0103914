// Moves by pointing at the board: each place that is pointed at leaves the moves that name it.

const PIXELS = 1.7; // of a unit of pictures, where there is room
const POINTED = "[data-words], [data-lines]";

/** Shows a picture that came as text. */
export function showPicture(place, svg) {
  if (!svg) {
    place.replaceChildren();
    return;
  }
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  const picture = document.importNode(parsed.documentElement, true);
  picture.setAttribute("width", PIXELS * picture.viewBox.baseVal.width);
  place.replaceChildren(picture);
}

/** The words of a move but the first, which says what kind of move it is. */
function wordsOf(move) {
  return move.replaceAll(/[()]/g, " ").trim().split(/\s+/).slice(1);
}

/** The coordinates of a move, in parts without other words and parentheses between. */
function runsOf(move, coordinates) {
  const runs = [[]];
  for (const word of move.match(/[()]|[^\s()]+/g).slice(move.startsWith("(") ? 2 : 1)) {
    if (coordinates.has(word)) {
      runs.at(-1).push(word);
    } else {
      runs.push([]);
    }
  }
  return runs;
}

/** Whether words stand one behind the other; of an even number of coordinates none is in two pairs. */
function stands(words, run) {
  const step = words.length % 2 === 0 && run.length % 2 === 0 ? 2 : 1;
  return run.some((_, start) => start % step === 0 && words.every((word, at) => run[start + at] === word));
}

/** Column and row as one word, `c3`. */
function squareOf(words) {
  return words.replace(" ", "");
}

/** What moves name of the places and lines of a picture. */
class Naming {
  constructor(squares, legal) {
    const words = squares.flatMap(({ dataset }) => [dataset.words, dataset.lines].filter(Boolean));
    this.coordinates = new Set(words.flatMap((text) => [...text.split(/,? /), squareOf(text)]));
    this.runs = new Map(legal.map((move) => [move, runsOf(move, this.coordinates)]));
    const boxes = squares.filter(isBox); // their columns and rows are others than those of the dots between them
    this.lines = new Set(legal.filter((move) => boxes.some((box) => this.namesLine(move, box))));
    const areWhole = squares.some((square) => legal.some((move) => this.namesWhole(move, square)));
    this.areColumns = !areWhole && legal.every((move) => squares.some((square) => namesColumn(move, square)));
  }

  /** Whether a move names a place or a line, or a line around a place. */
  names(move, square) {
    return this.areColumns ? namesColumn(move, square) : this.namesWhole(move, square);
  }

  namesWhole(move, square) {
    return this.namesLine(move, square) || (!this.lines.has(move) && this.namesPlace(move, square));
  }

  /** Whether the words of a place, and those of its board, stand in a move. */
  namesPlace(move, { dataset: { words, board } }) {
    if (words === undefined || (board && !stands(board.split(" "), wordsOf(move)))) {
      return false;
    }
    // Of a board within a board the first two coordinates of four are its own.
    const nested = [...(board?.split(" ") ?? []), ...words.split(" ")];
    return this.runs.get(move).some((run) => (
      nested.length === 4 && run.length === 4
        ? stands(nested, run)
        : stands(words.split(" "), run) || stands([squareOf(words)], run)));
  }

  /** Whether a move names both ends of a line, or of one around a place. */
  namesLine(move, { dataset: { lines } }) {
    const run = this.runs.get(move).flat();
    return Boolean(lines) && lines.split(", ").some((line) => {
      const ends = line.split(" ");
      return stands(ends, run) || stands([...ends.slice(2), ...ends.slice(0, 2)], run);
    });
  }
}

/** Whether a place has lines around it, rather than being one. */
function isBox({ dataset }) {
  return dataset.words !== undefined && dataset.lines !== undefined;
}

/** Whether a move has one word, the first one of a place, such as its column. */
function namesColumn(move, { dataset }) {
  const parts = wordsOf(move);
  return parts.length === 1 && parts[0] === dataset.words?.split(" ")[0];
}

/** Lets nobody point at anything in a picture. */
export function closeBoard(place) {
  const picture = place.querySelector("svg").cloneNode(true); // without what listens to its squares
  for (const square of picture.querySelectorAll(POINTED)) {
    square.classList.remove("open", "from");
    for (const name of ["role", "tabindex", "aria-label"]) {
      square.removeAttribute(name);
    }
  }
  place.replaceChildren(picture);
}

/**
 * Lets somebody point at moves, with the mouse or by Tab and Enter.
 *
 * `narrow(moves)` is told which moves are left; `play(move)` is called when it is but one.
 */
export function letPoint(place, legal, narrow, play) {
  let left = legal;
  const squares = [...place.querySelectorAll(POINTED)];
  place.querySelector("svg")?.setAttribute("role", "group");
  const naming = new Naming(squares, legal);

  function point(square) {
    // A box offers its own sides, also after another one: nobody has chosen the line between them.
    const found = isBox(square) ? [] : left.filter((move) => naming.names(move, square));
    const again = found.length > 0 ? found : legal.filter((move) => naming.names(move, square));
    if (again.length === 1) {
      play(again[0]);
    } else if (again.length > 0 && (again.length !== left.length || again.some((move) => !left.includes(move)))) {
      left = again;
      offer(square);
    } else {
      left = legal;
      offer();
    }
  }

  function offer(from) {
    for (const square of squares) {
      const isOpen = left.some((move) => naming.names(move, square));
      square.classList.toggle("open", isOpen);
      square.classList.toggle("from", square === from);
      if (isOpen) {
        square.setAttribute("role", "button");
        square.setAttribute("tabindex", "0");
        square.setAttribute("aria-label", square.querySelector("title").textContent);
      } else {
        for (const name of ["role", "tabindex", "aria-label"]) {
          square.removeAttribute(name);
        }
      }
    }
    narrow(left);
  }

  for (const square of squares) {
    square.addEventListener("click", (event) => {
      event.stopPropagation();
      point(square);
    });
    square.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        point(square);
      } else if (event.key === "Escape") {
        left = legal;
        offer();
      }
    });
  }
  offer();
}
