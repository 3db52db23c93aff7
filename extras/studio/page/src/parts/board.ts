// States as boards.

import { svg } from "./dom";
import type { Board } from "./types";

const SIDE = 40;

export interface Press {
  /** What the cell at a place does, for those who can't see it; nothing if it does nothing. */
  name: (place: number) => string;
  act: (place: number) => void;
}

/** The width and height of a cell: as wide as the longest sign needs. */
function cellSize(board: Board): [number, number] {
  const longest = Math.max(1, ...board.cells.map((cell) => [...cell.sign ?? ""].length));
  return [Math.max(SIDE, longest * 11 + 12), SIDE];
}

/** The four sides of a cell, clockwise from the top. */
const SIDES = 4;

/** On which sides of a place the next cell belongs to the same piece. */
function joined(board: Board, place: number): boolean[] {
  const piece = board.cells[place]?.piece;
  const column = place % board.columns;
  const belongs = (other: number, isInRow = true): boolean =>
    piece !== undefined && isInRow && board.cells[other]?.piece === piece;
  return [
    belongs(place - board.columns), belongs(place + 1, column + 1 < board.columns),
    belongs(place + board.columns), belongs(place - 1, column > 0),
  ];
}

/**
 * The shape of a cell of a piece, without a line where the next cell belongs to it: what is filled,
 * and the line around it.
 */
function partOfPiece(isJoined: boolean[], width: number, height: number, color: string | undefined): SVGElement[] {
  // A little more than its half of the gap, so that no seam is seen.
  const inset = isJoined.map((it) => it ? -0.5 : 1.5);
  const [top, right, bottom, left] = [inset[0]!, width - inset[1]!, height - inset[2]!, inset[3]!];
  const corners: [number, number][] = [[left, top], [right, top], [right, bottom], [left, bottom]];
  const toNext: [number, number][] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  let fill = "";
  let line = "";
  for (let side = 0; side < SIDES; side++) {
    // From the corner before a side to the one behind it, which is round between two free sides.
    const next = (side + 1) % SIDES;
    const [x, y] = corners[side]!;
    const [toX, toY] = corners[next]!;
    const [aheadX, aheadY] = toNext[side]!;
    const [turnX, turnY] = toNext[next]!;
    const before = isJoined[(side + SIDES - 1) % SIDES] || isJoined[side] ? 0 : 5;
    const behind = isJoined[side] || isJoined[next] ? 0 : 5;
    const start = `${x + aheadX * before} ${y + aheadY * before}`;
    const end = `L${toX - aheadX * behind} ${toY - aheadY * behind}`;
    const turn = behind ? `Q${toX} ${toY} ${toX + turnX * behind} ${toY + turnY * behind}` : "";
    fill += `${fill ? "L" : "M"}${start}${end}${turn}`;
    if (!isJoined[side]) line += `M${start}${end}${turn}`;
  }
  return [
    svg("path", { d: `${fill}Z`, ...(color ? { fill: color, class: "inside colored" } : { class: "inside" }) }),
    svg("path", { d: line, class: "line" }),
  ];
}

/** Draw a board. With `press`, its cells are buttons, and arrow keys go from one to the next. */
export function drawBoard(board: Board, description: string, press?: Press): SVGSVGElement {
  const [width, height] = cellSize(board);
  const rows = Math.ceil(board.cells.length / board.columns);
  const picture = svg("svg", {
    class: "board",
    viewBox: `-2 -2 ${board.columns * width + 4} ${rows * height + 4}`,
    role: press ? "group" : "img",
    "aria-label": description,
  });
  const cells = new Map<number, SVGGElement>();
  board.cells.forEach((cell, place) => {
    if (cell.shown === "outside") return;
    const x = (place % board.columns) * width;
    const y = Math.floor(place / board.columns) * height;
    const isThing = !cell.shown;
    const sign = cell.sign ?? "";
    const isPart = joined(board, place);
    const drawn = svg("g", { class: `cell ${cell.shown ?? "thing"}`, transform: `translate(${x} ${y})` },
      isPart.some(Boolean) ? partOfPiece(isPart, width, height, cell.color) : svg("rect", {
        x: 1.5, y: 1.5, width: width - 3, height: height - 3, rx: 5,
        ...(cell.color ? { fill: cell.color, class: "colored" } : {}),
      }),
      (isThing || sign !== ".") && svg("text", {
        x: width / 2, y: height / 2 + 6, class: cell.color ? "colored" : undefined,
      }, sign));
    if (press) {
      drawn.setAttribute("role", "button");
      drawn.setAttribute("data-place", String(place));
      const where = `row ${Math.floor(place / board.columns) + 1}, column ${(place % board.columns) + 1}`;
      const what = isThing ? sign : "empty";
      drawn.setAttribute("aria-label", [`${what}, ${where}`, press.name(place)].filter(Boolean).join(", "));
      drawn.addEventListener("click", () => press.act(place));
      cells.set(place, drawn);
    }
    picture.append(drawn);
  });
  if (press) walkByKeys(board.columns, cells, press);
  return picture;
}

const STEPS: Record<string, (columns: number) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns,
};

function walkByKeys(columns: number, cells: Map<number, SVGGElement>, press: Press): void {
  for (const [place, cell] of cells) {
    cell.setAttribute("tabindex", place === [...cells.keys()][0] ? "0" : "-1");
    cell.addEventListener("keydown", (event) => {
      const key = event.key;
      if (key === "Enter" || key === " ") {
        event.preventDefault();
        press.act(place);
        return;
      }
      const step = STEPS[key];
      if (!step) return;
      event.preventDefault();
      let next = place + step(columns);
      const isInRow = (at: number): boolean =>
        !key.endsWith("Left") && !key.endsWith("Right") || Math.floor(at / columns) === Math.floor(place / columns);
      while (next >= 0 && next <= Math.max(...cells.keys()) && !cells.has(next)) next += step(columns);
      const found = cells.get(next);
      if (!found || !isInRow(next)) return;
      for (const other of cells.values()) other.setAttribute("tabindex", "-1");
      found.setAttribute("tabindex", "0");
      found.focus();
    });
  }
}
