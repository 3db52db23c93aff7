// The machine that forbids redundant sequences: what each state remembers and forbids, and why.

import { ask, Refused } from "../parts/api";
import { button, counted, h, show, svg } from "../parts/dom";
import { spelled, showReason } from "../parts/reason";
import { tried } from "../parts/refusal";
import { note, type Parameters } from "../parts/route";
import { store } from "../parts/store";
import type { Arrow, MachinePart, MachineState } from "../parts/types";
import { begin, progress } from "../parts/work";

const LENGTH = 3;
const SECONDS = 10;

/** The size of a state and of the gaps between layers and states, in units of the drawing. */
const [WIDTH, HEIGHT, GAP, DOWN] = [150, 52, 150, 26];

/** The most characters of the label of an arrow. */
const ROOM = 18;

/** The most states of a column; a layer with more has several. */
const MOST_ROWS = 12;

interface Place { x: number; y: number }

export class MachineView {
  private readonly picture = h("div", { class: "drawing" });
  private readonly side = h("aside", { class: "reason", "aria-live": "polite", "aria-label": "The chosen state" });
  private readonly summary = h("p", { class: "soft", role: "status" });
  private readonly work = h("div");
  private chosen: number | null;
  private shownJob = 0;
  private view = { x: 0, y: 0, scale: 1 };

  constructor(root: HTMLElement, parameters: Parameters) {
    this.chosen = parameters["state"] ? Number(parameters["state"]) : null;
    show(root,
      h("p", { class: "intro" }, "The machine runs beside a search and remembers just enough of the last moves to forbid redundant sequences. Choose a state to see what it forbids, and why."),
      this.work, this.summary,
      h("div", { class: "beside" },
        h("div", { class: "grow" }, this.picture), this.side));
    void this.load();
  }

  private async load(): Promise<void> {
    await tried(this.summary, async () => {
      try {
        const part = await ask<MachinePart>("machine", { state: this.chosen });
        this.draw(part);
        this.describe(part);
      } catch (error) {
        if (!(error instanceof Refused && error.code === "not-ready")) throw error;
        if (store.job("analysis")?.status === "running") return;
        show(this.work, progress(await begin("analyze", { length: LENGTH, seconds: SECONDS })));
      }
    });
  }

  worked(): void {
    const job = store.job("analysis");
    show(this.work, progress(job));
    if (job?.status === "done" && this.shownJob !== job.id) {
      if (this.shownJob) this.chosen = null;
      this.shownJob = job.id;
      void this.load();
    }
  }

  private choose(state: number): void {
    this.chosen = state;
    note("machine", { state: String(state) });
    void this.load().then(() => this.picture.querySelector<SVGElement>(".state.chosen")?.focus());
  }

  private draw(part: MachinePart): void {
    const notes = [
      `${counted(part.n_states, "state")}. `,
      part.is_whole ? "" : `Shown is what is near state ${part.chosen.state}. `,
      part.leaves_out ? "Arrows are left out that lead where the same move leads from the start. " : "",
    ];
    show(this.summary, notes, part.chosen.state !== part.start && button("To the start", () => this.choose(part.start)));
    const places = layOut(part.states);
    const names = new Map(part.states.map((state) => [state.state, state.words.join(" or ")]));
    const [right, bottom] = [...places.values()].reduce(([x, y], it) => [Math.max(x, it.x), Math.max(y, it.y)], [0, 0]);
    const group = svg("g", {},
      part.arrows.map((arrow) => drawArrow(arrow, places, names, part.chosen.state)),
      part.states.map((state) => this.drawState(state, places.get(state.state)!, part)));
    const box = { width: right + WIDTH + 120, height: bottom + HEIGHT + 70 };
    const drawing = svg("svg", {
      viewBox: `-40 -45 ${box.width} ${box.height}`, role: "group", "aria-label": "The machine", class: "machine",
    }, svg("defs", {}, svg("marker", { id: "head", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
      svg("path", { d: "M0 0L10 5L0 10z", class: "head" }))), group);
    this.view = { x: 0, y: 0, scale: 1 };
    show(this.picture,
      h("div", { class: "controls" },
        button("+", () => this.zoom(group, 1.25), { "aria-label": "Zoom in" }),
        button("−", () => this.zoom(group, 0.8), { "aria-label": "Zoom out" }),
        button("Whole", () => {
          this.view = { x: 0, y: 0, scale: 1 };
          this.place(group);
        }),
        h("span", { class: "soft" }, "Drag to move, wheel with Ctrl to zoom.")),
      drawing);
    this.movable(drawing, group);
  }

  private place(group: SVGGElement): void {
    const { x, y, scale } = this.view;
    group.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }

  private zoom(group: SVGGElement, factor: number): void {
    this.view.scale = Math.min(8, Math.max(0.2, this.view.scale * factor));
    this.place(group);
  }

  private movable(drawing: SVGSVGElement, group: SVGGElement): void {
    let from: { x: number; y: number } | null = null;
    drawing.addEventListener("pointerdown", (event) => {
      if (!(event.target as Element).closest(".state")) from = { x: event.clientX, y: event.clientY };
    });
    drawing.addEventListener("pointermove", (event) => {
      if (!from) return;
      const units = drawing.viewBox.baseVal.width / drawing.clientWidth;
      this.view.x += (event.clientX - from.x) * units;
      this.view.y += (event.clientY - from.y) * units;
      from = { x: event.clientX, y: event.clientY };
      this.place(group);
    });
    for (const end of ["pointerup", "pointerleave"]) drawing.addEventListener(end, () => { from = null; });
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(group, event.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
  }

  private drawState(state: MachineState, at: Place, part: MachinePart): SVGGElement {
    const isChosen = state.state === part.chosen.state;
    const name = state.words[0] ?? `state ${state.state}`;
    const more = state.words.length > 1 ? " or others" : "";
    const forbids = state.n_forbidden ? `forbids ${counted(state.n_forbidden, "move")}` : "forbids nothing";
    const fits = (text: string): string => text.length > 22 ? `…${text.slice(-21)}` : text;
    const choose = (): void => this.choose(state.state);
    return svg("g", {
      class: ["state", isChosen && "chosen", state.state === part.start && "start"].filter(Boolean).join(" "),
      transform: `translate(${at.x} ${at.y})`, role: "button", tabindex: "0",
      "aria-label": `${name}${more}, ${forbids}`, "aria-pressed": String(isChosen), onclick: choose,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      },
    },
    svg("rect", { width: WIDTH, height: HEIGHT, rx: 10 }),
    // The space keeps the two lines apart where they are read aloud.
    svg("text", { x: WIDTH / 2, y: 22 }, fits(name + (more && " …")), " "),
    svg("text", { x: WIDTH / 2, y: 40, class: "small" }, forbids));
  }

  private describe(part: MachinePart): void {
    const { chosen } = part;
    const reason = h("div");
    const isStart = chosen.state === part.start;
    show(this.side,
      h("h2", {}, isStart ? "The start" : `State ${chosen.state}`),
      isStart ? h("p", {}, "Nothing of the past matters here.")
        : h("p", {}, "It remembers that the last moves were ",
          chosen.words.slice(0, 8).map((word, i) => [i > 0 && " or ", h("span", { class: "word" }, word)]),
          chosen.n_words > 8 && `, or one of ${counted(chosen.n_words - 8, "other sequence")}`, "."),
      chosen.n_forbidden === 0 ? h("p", {}, "It forbids nothing.")
        : [h("h3", {}, `It forbids ${counted(chosen.n_forbidden, "move")}`),
          h("ul", { class: "forbidden" }, chosen.forbidden.map((it) => h("li", {},
            h("span", { class: "word" }, it.name),
            it.number ? [", since ", button(it.word.join(" "), () => void showReason(reason, it.number!), { class: "link word" }),
              ` = ${spelled(it.replacement)}`] : "")))],
      reason,
      h("h3", {}, "Next states"),
      h("ul", {}, chosen.next.slice(0, 40).map((arrow) => h("li", {},
        button(arrow.to === part.start ? "start" : `state ${arrow.to}`, () => this.choose(arrow.to), { class: "link" }),
        " by ", h("span", { class: "word" }, shortened(arrow.rules))))));
  }
}

const shortened = (rules: string[]): string =>
  rules.length > 6 ? `${rules.slice(0, 5).join(", ")} and ${rules.length - 5} more` : rules.join(", ");

/** Layers by the length of what a state remembers, from left to right. */
function layOut(states: MachineState[]): Map<number, Place> {
  const layers = new Map<number, MachineState[]>();
  for (const state of states) layers.set(state.layer, [...layers.get(state.layer) ?? [], state]);
  const columnsOf = (all: MachineState[]): number => Math.ceil(all.length / MOST_ROWS);
  const rowsOf = (all: MachineState[]): number => Math.ceil(all.length / columnsOf(all));
  const highest = Math.max(...[...layers.values()].map(rowsOf));
  const places = new Map<number, Place>();
  let x = 0;
  for (const layer of [...layers.keys()].sort((one, other) => one - other)) {
    const all = layers.get(layer) ?? [];
    const [columns, rows] = [columnsOf(all), rowsOf(all)];
    all.forEach((state, i) => {
      const column = Math.floor(i / rows);
      const above = ((highest - rows) * (HEIGHT + DOWN)) / 2;
      places.set(state.state, { x: x + column * (WIDTH + 40), y: above + (i % rows) * (HEIGHT + DOWN) });
    });
    x += columns * (WIDTH + 40) - 40 + GAP;
  }
  return places;
}

/** As many rules as there is room for between two layers. */
function label(rules: string[]): string {
  const all = rules.join(", ");
  if (all.length <= ROOM) return all;
  const first = rules[0] ?? "";
  const rest = rules.length > 1 ? `, +${rules.length - 1}` : "";
  const room = ROOM - rest.length;
  return (first.length > room ? `${first.slice(0, room - 1)}…` : first) + rest;
}

function drawArrow(
  arrow: Arrow, places: Map<number, Place>, names: Map<number, string>, chosen: number,
): SVGElement | null {
  const from = places.get(arrow.from);
  const to = places.get(arrow.to);
  if (!from || !to) return null;
  const text = label(arrow.rules);
  const middle = (place: Place): Place => ({ x: place.x + WIDTH / 2, y: place.y + HEIGHT / 2 });
  let path: string;
  let middleOf: Place;
  if (arrow.from === arrow.to) {
    const x = from.x + WIDTH / 2;
    path = `M${x - 20} ${from.y}C${x - 40} ${from.y - 40} ${x + 40} ${from.y - 40} ${x + 20} ${from.y}`;
    middleOf = { x, y: from.y - 32 };
  } else if (from.x === to.x) {
    const [a, b] = [middle(from), middle(to)];
    const side = a.y < b.y ? 1 : -1;
    const x = a.x + side * WIDTH / 2;
    path = `M${x} ${a.y}C${x + side * 40} ${a.y} ${x + side * 40} ${b.y} ${x} ${b.y}`;
    middleOf = { x: x + side * 34, y: (a.y + b.y) / 2 };
  } else {
    const forward = from.x < to.x;
    const a = { x: from.x + (forward ? WIDTH : 0), y: from.y + HEIGHT / 2 + (forward ? -8 : 8) };
    const b = { x: to.x + (forward ? 0 : WIDTH), y: to.y + HEIGHT / 2 + (forward ? -8 : 8) };
    const bend = (b.x - a.x) / 2;
    path = `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`;
    middleOf = { x: a.x + bend, y: (a.y + b.y) / 2 };
  }
  // A state that remembers nothing but this move says so itself.
  const isSaid = arrow.rules.length === 1 && names.get(arrow.to) === arrow.rules[0];
  const near = arrow.from === chosen || arrow.to === chosen;
  return svg("g", { class: near ? "arrow near" : "arrow", "aria-hidden": "true" },
    svg("path", { d: path, "marker-end": "url(#head)" }),
    !isSaid && svg("text", { x: middleOf.x, y: middleOf.y + 4 }, text));
}
