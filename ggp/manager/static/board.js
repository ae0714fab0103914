// Moves by pointing at the board: each place that is pointed at leaves the moves that name it.

const PIXELS = 1.7; // of a unit of pictures, where there is room

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

/** Whether a move names a place: its words stand in it one behind the other. */
function namesWhole(move, square) {
  const parts = wordsOf(move);
  const stands = (words) => parts.some((_, start) => words.every((word, at) => parts[start + at] === word));
  const board = square.dataset.board;
  return stands(square.dataset.words.split(" ")) && (!board || stands(board.split(" ")));
}

/** Whether a move has one word, the first one of a place, such as its column. */
function namesColumn(move, square) {
  const parts = wordsOf(move);
  return parts.length === 1 && parts[0] === square.dataset.words.split(" ")[0];
}

/** Lets nobody point at anything in a picture. */
export function closeBoard(place) {
  const picture = place.querySelector("svg").cloneNode(true); // without what listens to its squares
  for (const square of picture.querySelectorAll("[data-words]")) {
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
  const squares = [...place.querySelectorAll("[data-words]")];
  place.querySelector("svg")?.setAttribute("role", "group");
  const areWhole = squares.some((square) => legal.some((move) => namesWhole(move, square)));
  const areColumns = !areWhole && legal.every((move) => squares.some((square) => namesColumn(move, square)));
  const names = areColumns ? namesColumn : namesWhole;

  function point(square) {
    const found = left.filter((move) => names(move, square));
    const again = found.length > 0 ? found : legal.filter((move) => names(move, square));
    if (again.length === 1) {
      play(again[0]);
    } else if (again.length > 0 && again.length < left.length) {
      left = again;
      offer(square);
    } else {
      left = legal;
      offer();
    }
  }

  function offer(from) {
    for (const square of squares) {
      const isOpen = left.some((move) => names(move, square));
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
