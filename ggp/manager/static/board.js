// Choosing moves on the board: each click on a square keeps only the moves that name it.

const PIXELS = 1.7; // per unit of a picture, if there is room
const POINTED = "[data-words], [data-lines]";

/** Show an SVG picture given as text. */
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

/** Return all words of a move except the first, which names the kind of move. */
function wordsOf(move) {
  return move.replaceAll(/[()]/g, " ").trim().split(/\s+/).slice(1);
}

/** Return the coordinates in a move, split into runs where other words or parentheses come between. */
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

/**
 * Return whether `words` follow one another in a run. If both lengths are even, look at even positions only, so that no
 * coordinate belongs to two pairs.
 */
function stands(words, run) {
  const step = words.length % 2 === 0 && run.length % 2 === 0 ? 2 : 1;
  return run.some((_, start) => start % step === 0 && words.every((word, at) => run[start + at] === word));
}

/** Join column and row into one word such as `c3`. */
function squareOf(words) {
  return words.replace(" ", "");
}

/** The relation between moves and the squares and lines of a picture that they name. */
class Naming {
  constructor(squares, legal) {
    const words = squares.flatMap(({ dataset }) => [dataset.words, dataset.lines].filter(Boolean));
    this.coordinates = new Set(words.flatMap((text) => [...text.split(/,? /), squareOf(text)]));
    this.runs = new Map(legal.map((move) => [move, runsOf(move, this.coordinates)]));
    const boxes = squares.filter(isBox); // boxes have other columns and rows than the dots between them
    this.lines = new Set(legal.filter((move) => boxes.some((box) => this.namesLine(move, box))));
    const areWhole = squares.some((square) => legal.some((move) => this.namesWhole(move, square)));
    this.areColumns = !areWhole && legal.every((move) => squares.some((square) => namesColumn(move, square)));
  }

  /** Return whether a move names a square, a line, or a line around a square. */
  names(move, square) {
    return this.areColumns ? namesColumn(move, square) : this.namesWhole(move, square);
  }

  namesWhole(move, square) {
    return this.namesLine(move, square) || (!this.lines.has(move) && this.namesPlace(move, square));
  }

  /** Return whether a move contains the words of a square and of its board. */
  namesPlace(move, { dataset: { words, board } }) {
    if (words === undefined || (board && !stands(board.split(" "), wordsOf(move)))) {
      return false;
    }
    // On nested boards, the first two of four coordinates belong to the outer board.
    const nested = [...(board?.split(" ") ?? []), ...words.split(" ")];
    return this.runs.get(move).some((run) => (
      nested.length === 4 && run.length === 4
        ? stands(nested, run)
        : stands(words.split(" "), run) || stands([squareOf(words)], run)));
  }

  /** Return whether a move names both ends of a line, or of a line around a square. */
  namesLine(move, { dataset: { lines } }) {
    const run = this.runs.get(move).flat();
    return Boolean(lines) && lines.split(", ").some((line) => {
      const ends = line.split(" ");
      return stands(ends, run) || stands([...ends.slice(2), ...ends.slice(0, 2)], run);
    });
  }
}

/** Return whether this is a square with lines around it, not a line. */
function isBox({ dataset }) {
  return dataset.words !== undefined && dataset.lines !== undefined;
}

/** Return whether a move has one word, which is the first word of a square, such as its column. */
function namesColumn(move, { dataset }) {
  const parts = wordsOf(move);
  return parts.length === 1 && parts[0] === dataset.words?.split(" ")[0];
}

/** Make all squares of a picture inactive. */
export function closeBoard(place) {
  const picture = place.querySelector("svg").cloneNode(true); // without the event listeners of its squares
  for (const square of picture.querySelectorAll(POINTED)) {
    square.classList.remove("open", "from");
    for (const name of ["role", "tabindex", "aria-label"]) {
      square.removeAttribute(name);
    }
  }
  place.replaceChildren(picture);
}

/**
 * Let the user choose a move on the board with the mouse, or with Tab and Enter.
 *
 * `narrow(moves)` is called with the moves that are left, and `play(move)` when only one is left.
 */
export function letPoint(place, legal, narrow, play) {
  let left = legal;
  const squares = [...place.querySelectorAll(POINTED)];
  place.querySelector("svg")?.setAttribute("role", "group");
  const naming = new Naming(squares, legal);

  function point(square) {
    // A box always offers its own sides: after a click on its neighbour, the line between them is not chosen yet.
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
