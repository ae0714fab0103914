// The chart of the value that each player expected in each turn.

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 360;
const HEIGHT = 140;
const LEFT = 28;

function node(name, attributes, text) {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

/** Draw a line with an edge, so that white and black lines are visible on every background. */
function line(points, colour) {
  const drawn = node("g", {});
  drawn.append(node("polyline", { points, class: "edge" }), node("polyline", { points, class: "line", stroke: colour }));
  return drawn;
}

/** Draw a line in the role's colour for each role whose player reported values. Return whether there is one. */
export function drawChart(place, turns, roles, shown, colours) {
  const last = Math.max(1, turns.length - 1);
  const x = (turn) => LEFT + ((WIDTH - LEFT - 4) * turn) / last;
  const y = (value) => 6 + ((HEIGHT - 24) * (100 - value)) / 100;
  const picture = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Expected goals over the turns" });
  for (const value of [0, 50, 100]) {
    picture.append(node("line", { x1: LEFT, x2: WIDTH - 4, y1: y(value), y2: y(value), class: "grid" }));
    picture.append(node("text", { x: LEFT - 4, y: y(value) + 4, class: "label end" }, value));
  }
  picture.append(node("line", { x1: x(shown), x2: x(shown), y1: 6, y2: HEIGHT - 18, class: "now" }));
  roles.forEach((role, index) => {
    const points = turns
      .filter((turn) => typeof turn.replies[index]?.thoughts?.value === "number")
      .map((turn) => `${x(turn.number)},${y(turn.replies[index].thoughts.value)}`);
    if (points.length > 0) {
      picture.append(line(points.join(" "), colours[index]));
      const start = LEFT + 80 * index;
      picture.append(line(`${start},${HEIGHT - 7} ${start + 12},${HEIGHT - 7}`, colours[index]));
      picture.append(node("text", { x: start + 16, y: HEIGHT - 4, class: "label" }, role));
    }
  });
  place.replaceChildren(picture);
  return picture.querySelector("polyline") !== null;
}
