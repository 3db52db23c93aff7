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

/** What joins a cell to the next ones to the right and below that belong to the same piece. */
function joints(board: Board, place: number, width: number, height: number): SVGElement[] {
  const cell = board.cells[place];
  if (cell?.piece === undefined) return [];
  const isJoined = (other: number): boolean => board.cells[other]?.piece === cell.piece;
  const fill = { class: cell.color ? "colored joint" : "joint", ...(cell.color ? { fill: cell.color } : {}) };
  const isLast = (place + 1) % board.columns === 0;
  return [
    ...!isLast && isJoined(place + 1) ? [svg("rect", { ...fill, x: width - 4, y: 3, width: 8, height: height - 6 })] : [],
    ...isJoined(place + board.columns) ? [svg("rect", { ...fill, x: 3, y: height - 4, width: width - 6, height: 8 })] : [],
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
    const drawn = svg("g", { class: `cell ${cell.shown ?? "thing"}`, transform: `translate(${x} ${y})` },
      svg("rect", {
        x: 1.5, y: 1.5, width: width - 3, height: height - 3, rx: 5,
        ...(cell.color ? { fill: cell.color, class: "colored" } : {}),
      }),
      joints(board, place, width, height),
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
