// A state as a board: moves by mouse and keys, scrambles, and solutions.

import { ask } from "../parts/api";
import { drawBoard } from "../parts/board";
import { announce, button, counted, field, h, show } from "../parts/dom";
import { tried } from "../parts/refusal";
import { address, note, type Parameters } from "../parts/route";
import { store } from "../parts/store";
import type { Allowed, Job, Move, Solution } from "../parts/types";
import { begin, progress, resultOf } from "../parts/work";

const ALGORITHMS: [string, string][] = [
  ["auto", "automatic, least cost"],
  ["ida", "IDA*, least cost"],
  ["astar", "A*, least cost"],
  ["greedy", "greedy, any solution"],
  ["bfs", "breadth first, fewest moves"],
];

/** Milliseconds of a step of a solution that is played. */
const STEP = 600;

/** Where the play of a text stands, also while another view is shown. */
interface Play { game: string; state: string; past: { state: string; move: string; cost: number }[] }
let play: Play | null = null;

/** The state that is shown, for other views. */
export const playedState = (): string | undefined =>
  play && play.game === store.read?.game ? play.state : undefined;

export class PlayView {
  private readonly board = h("div", { class: "place-of-board" });
  private readonly moves = h("div", { class: "moves" });
  private readonly said = h("p", { role: "status", class: "standing" });
  private readonly solved = h("div", { class: "solution" });
  private readonly steps = h("input", { type: "number", min: "1", max: "100000", value: "30" });
  private readonly limit = h("input", { type: "number", min: "1", max: "3600", value: "30" });
  private readonly algorithm = h("select", {}, ALGORITHMS.map(([value, name]) => h("option", { value }, name)));
  private readonly text = h("input", { type: "text", spellcheck: "false", class: "wide" });
  private allowed: Allowed | null = null;
  private solution: Solution | null = null;
  private step = 0;
  private timer = 0;
  private shownJob = 0;

  constructor(root: HTMLElement, parameters: Parameters) {
    const starts = store.read?.starts ?? [];
    const game = store.read?.game ?? "";
    if (play?.game !== game) play = { game, state: starts[0]?.[1] ?? "", past: [] };
    if (parameters["state"]) play.state = parameters["state"];
    const form = h("form", { class: "controls", onsubmit: (event: Event) => {
      event.preventDefault();
      this.goTo(this.text.value);
    } }, field("State", this.text, { class: "field grow" }), h("button", {}, "Show"));
    show(root,
      h("div", { class: "play" },
        h("div", { class: "left" }, this.said, this.board,
          h("div", { class: "controls" },
            button("Take back", () => this.back(), { id: "back" }),
            starts.map(([name, state]) => button(`Go to “${name}”`, () => this.goTo(state))))),
        h("div", { class: "right" },
          h("h2", {}, "Moves"), this.moves,
          h("h2", {}, "Scramble"),
          h("div", { class: "controls" }, field("Steps", this.steps), button("Scramble", () => void this.scramble(), { id: "scramble" })),
          h("h2", {}, "Solve"),
          h("div", { class: "controls" }, field("Search", this.algorithm), field("Seconds", this.limit),
            button("Solve", () => void this.solve(), { id: "solve" })),
          this.solved)),
      form);
    document.addEventListener("keydown", this.onKey);
    void this.show();
  }

  close(): void {
    window.clearInterval(this.timer);
    document.removeEventListener("keydown", this.onKey);
  }

  /** Long work stands elsewhere. */
  worked(): void {
    const job = store.job("solution");
    if (!job || job.window !== store.window) return;
    if (job.status === "done") {
      if (this.shownJob === job.id) return;
      this.shownJob = job.id;
      void tried(this.solved, () => this.take(job));
    } else if (!this.solution) {
      show(this.solved, progress(job));
    }
  }

  private onKey = (event: KeyboardEvent): void => {
    const isField = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = /^[1-9]$/.test(event.key) ? this.allowed?.moves[Number(event.key) - 1] : undefined;
    if (move) {
      event.preventDefault();
      this.make(move);
    } else if (event.key === "Backspace") {
      event.preventDefault();
      this.back();
    }
  };

  private goTo(state: string): void {
    if (!play) return;
    play.past = [];
    play.state = state.trim();
    this.drop();
    void this.show();
  }

  private back(): void {
    const last = play?.past.pop();
    if (!play || !last) {
      announce("There is no move to take back.");
      return;
    }
    play.state = last.state;
    this.drop();
    void this.show();
  }

  private make(move: Move): void {
    if (!play || !this.allowed) return;
    play.past.push({ state: this.allowed.state, move: move.name, cost: move.cost });
    play.state = move.state;
    this.drop();
    void this.show();
  }

  /** A solution is one from a state that isn't shown any more. */
  private drop(): void {
    window.clearInterval(this.timer);
    this.solution = null;
    show(this.solved);
  }

  private press(place: number): void {
    const moves = this.movesAt(place);
    const only = moves[0];
    if (moves.length === 1 && only) {
      this.make(only);
      return;
    }
    announce(moves.length === 0 ? "No move changes this cell."
      : `${moves.length} moves change this cell: ${moves.slice(0, 9).map((it) => it.name).join(", ")}`);
    for (const shown of this.moves.querySelectorAll<HTMLElement>("button")) {
      shown.classList.toggle("meant", moves.some((move) => String(move.rule) === shown.dataset["rule"]));
    }
  }

  private movesAt(place: number): Move[] {
    return this.allowed?.moves.filter((move) => move.cells.includes(place)) ?? [];
  }

  private async show(): Promise<void> {
    await tried(this.said, async () => {
      const focused = document.activeElement?.getAttribute("data-place");
      const asked = play?.state ?? "";
      const allowed = await ask<Allowed>("moves", { state: asked });
      if (play?.state !== asked) return;
      this.allowed = allowed;
      play.state = allowed.state;
      this.text.value = allowed.state;
      note("play", { state: allowed.state });
      const name = (place: number): string => {
        const [only, ...others] = this.movesAt(place);
        return only && others.length === 0 ? `makes ${only.name}` : "";
      };
      show(this.board, drawBoard(allowed.board, `Board: ${allowed.state}`, { name, act: (place) => this.press(place) }));
      if (focused) this.board.querySelector<SVGElement>(`[data-place="${focused}"]`)?.focus();
      this.showStanding(allowed);
      show(this.moves,
        allowed.moves.map((move, i) => button([i < 9 && h("kbd", {}, String(i + 1)), move.name,
          move.cost !== 1 && h("span", { class: "soft" }, ` cost ${move.cost}`)],
        () => this.make(move), { "data-rule": move.rule })),
        allowed.moves.length === 0 && h("p", {}, "No rule can be used here."),
        allowed.left_out > 0 && h("p", { class: "soft" }, `${counted(allowed.left_out, "move")} more`));
      this.worked();
    });
  }

  private showStanding(allowed: Allowed): void {
    const past = play?.past ?? [];
    const cost = past.reduce((sum, it) => sum + it.cost, 0);
    show(this.said,
      allowed.is_goal && h("strong", { class: "goal" }, "A goal. "),
      past.length === 0 ? "Click a piece to move it, or choose a move."
        : `${counted(past.length, "move")}, cost ${cost}. Last: ${past.at(-1)?.move ?? ""}.`,
      " ", h("a", { href: address("tree", { start: allowed.state }) }, "Search tree from here"));
  }

  private async scramble(): Promise<void> {
    await tried(this.said, async () => {
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
      const walk = await ask<{ game: string; state: string; notes: string[] }>("scramble",
        { steps: Number(this.steps.value) || 30, seed, state: play?.state ?? "" });
      this.goTo(walk.state);
      announce(["Scrambled.", ...walk.notes].join(" "));
    });
  }

  private async solve(): Promise<void> {
    this.drop();
    await tried(this.solved, async () => {
      const algorithm = this.algorithm.value;
      const job = await begin("solve", { start: play?.state ?? "", seconds: Number(this.limit.value) || 30, algorithm });
      if (store.job("solution")?.id !== job.id) show(this.solved, progress(job));
    });
  }

  /** Show the answer of a search, if it began where the board stands. */
  private async take(job: Job): Promise<void> {
    const solution = await resultOf<Solution>(job);
    if (job.game !== store.read?.game || solution.record.start !== play?.state) {
      if (!this.solution) show(this.solved);
      return;
    }
    this.solution = solution;
    this.step = 0;
    const { record } = solution;
    const figures = `${record.generated.toLocaleString("en")} states generated in ${record.seconds.toFixed(2)} s`;
    if (!record.solved) {
      show(this.solved, h("p", { role: "status" }, `No solution: ${solution.meaning || record.outcome}. ${figures}.`));
      return;
    }
    const last = solution.steps.length - 1;
    const slider = h("input", { type: "range", min: "0", max: String(last), value: "0", id: "step", "aria-label": "Step of the solution" });
    const at = h("p", { id: "at-step", role: "status" });
    const picture = h("div", { class: "place-of-board" });
    const go = (step: number): void => {
      this.step = Math.min(last, Math.max(0, step));
      slider.value = String(this.step);
      const shown = solution.steps[this.step];
      if (!shown) return;
      show(at, `Step ${this.step} of ${last}: ${shown.name ?? "start"}, cost ${shown.cost}${shown.is_goal ? ", a goal" : ""}`);
      show(picture, drawBoard(shown.board, `Board: ${shown.state}`));
    };
    const playing = button("Play", () => {
      if (this.timer) {
        window.clearInterval(this.timer);
        this.timer = 0;
      } else {
        if (this.step === last) go(0);
        this.timer = window.setInterval(() => {
          go(this.step + 1);
          if (this.step === last) playing.click();
        }, STEP);
      }
      playing.textContent = this.timer ? "Pause" : "Play";
    });
    slider.addEventListener("input", () => go(Number(slider.value)));
    show(this.solved,
      h("p", {}, h("strong", {}, `${counted(last, "move")}, cost ${record.cost ?? 0}${solution.meaning}. `), `${figures}; heuristic ${record.heuristic ?? "none"}. `,
        h("a", { href: address("runs") }, "The search")),
      at,
      h("div", { class: "controls slider" },
        button("|◀", () => go(0), { "aria-label": "First step" }), button("◀", () => go(this.step - 1), { "aria-label": "Step back" }),
        slider,
        button("▶", () => go(this.step + 1), { "aria-label": "Step forward", id: "forward" }), button("▶|", () => go(last), { "aria-label": "Last step" }),
        playing),
      picture,
      h("details", {}, h("summary", {}, "All moves"), h("p", { class: "word" }, solution.steps.slice(1).map((it) => it.name).join(" "))));
    go(0);
  }
}
