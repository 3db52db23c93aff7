// The search tree from a start, unfolded by hand: what each node costs, and why branches are cut.

import { ask } from "../parts/api";
import { drawBoard } from "../parts/board";
import { button, counted, field, h, show } from "../parts/dom";
import { spelled, showReason } from "../parts/reason";
import { tried } from "../parts/refusal";
import { address, note, type Parameters } from "../parts/route";
import { store } from "../parts/store";
import type { Child, Heuristics, SomeWords, TreeNode, Unfolded } from "../parts/types";
import { begin, progress } from "../parts/work";
import { playedState } from "./play";

/** The length of words that are looked for at first, and how long at most. */
const LENGTH = 3;
const SECONDS = 10;

/** With at most so many moves, all of them are unfolded at first. */
const FEW = 8;

interface Node {
  path: number[];
  name: string;
  node: TreeNode;
  cut: Child["cut"];
  parent: Node | null;
  children: Node[] | null;
  isOpen: boolean;
  leftOut: number;
}

const key = (path: number[]): string => path.join(".");

export class TreeView {
  private readonly outline = h("div", { class: "outline", role: "tree", "aria-label": "Search tree" });
  private readonly side = h("aside", { class: "reason", "aria-live": "polite", "aria-label": "The chosen node" });
  private readonly work = h("div");
  private readonly length = h("input", { type: "number", min: "0", max: "20", value: String(LENGTH) });
  private readonly heuristic = h("select", {});
  private readonly startField = h("input", { type: "text", spellcheck: "false", class: "wide" });
  private start: string;
  private root: Node | null = null;
  /** The path of the chosen node. */
  private chosen: string;
  private readonly opened: Set<string>;
  private prunedUpTo: number | null = null;
  private shownJob = 0;
  private asks = 0;
  /** Whether the heuristics are known, so that nodes can be asked for. */
  private isReady = false;

  constructor(place: HTMLElement, parameters: Parameters) {
    const starts = store.read?.starts ?? [];
    this.start = parameters["start"] ?? playedState() ?? starts[0]?.[1] ?? "";
    this.chosen = parameters["node"] ?? "";
    this.opened = new Set((parameters["open"] ?? "").split(",").filter(Boolean));
    this.startField.value = this.start;
    const form = h("form", { class: "controls", onsubmit: (event: Event) => {
      event.preventDefault();
      this.start = this.startField.value.trim();
      this.reset();
    } }, field("Start", this.startField, { class: "field grow" }), h("button", {}, "Show"),
    starts.map(([name, state]) => button(`From “${name}”`, () => {
      this.start = this.startField.value = state;
      this.reset();
    })));
    const cutting = h("form", { class: "controls", onsubmit: (event: Event) => {
      event.preventDefault();
      void this.analyze(Number(this.length.value), null);
    } }, field("Heuristic h", this.heuristic), field("Cut redundant sequences up to length", this.length), h("button", {}, "Cut"));
    this.heuristic.addEventListener("change", () => {
      note("tree", { h: this.heuristic.value });
      void this.load();
    });
    this.outline.addEventListener("keydown", (event) => this.onKey(event));
    show(place,
      h("p", { class: "intro" }, "Each line is a move and the state that it leads to. ",
        h("span", { class: "cut-sample" }, "Struck out"), " branches are cut, since another branch leads to the same state at no more cost: choose one to see why."),
      form, cutting, this.work,
      h("div", { class: "beside" }, this.outline, this.side));
    void this.begin(parameters["h"]);
  }

  private async begin(heuristic: string | undefined): Promise<void> {
    await tried(this.outline, async () => {
      const found = await ask<Heuristics>("heuristics", { start: this.start });
      show(this.heuristic, found.all.map((it) => h("option", { value: it.name, title: it.summary }, it.name)));
      this.heuristic.value = heuristic ?? found.usual;
      await this.known();
      this.isReady = true;
      await this.load();
    });
  }

  /** Have redundant words looked for, unless they are known. */
  private async known(): Promise<void> {
    try {
      const words = await ask<SomeWords>("words", { limit: 0 });
      this.length.value = String(words.length);
    } catch {
      const job = store.job("analysis");
      if (job?.status !== "running") await this.analyze(LENGTH, null);
    }
  }

  private async analyze(length: number, start: string | null): Promise<void> {
    await tried(this.work, async () => {
      show(this.work, progress(await begin("analyze", { length, seconds: SECONDS, start })));
    });
  }

  worked(): void {
    const job = store.job("analysis");
    show(this.work, progress(job));
    if (job?.status === "done" && this.shownJob !== job.id) {
      this.shownJob = job.id;
      if (this.isReady) void this.load();
    }
  }

  private reset(): void {
    this.opened.clear();
    this.chosen = "";
    note("tree", { start: this.start, open: "", node: "" });
    void this.load();
  }

  /** Unfold what is open anew, from the root. */
  private async load(): Promise<void> {
    const asked = ++this.asks;
    await tried(this.outline, async () => {
      const root: Node = await this.unfold({
        path: [], name: "start", node: { state: "", board: { columns: 1, cells: [] }, is_goal: false, g: 0, h: null },
        cut: undefined, parent: null, children: null, isOpen: true, leftOut: 0,
      });
      const isFirst = this.opened.size === 0;
      // Two levels show what is cut; where there are many moves, one of them is enough.
      const most = (root.children?.length ?? 0) <= FEW ? FEW : 1;
      const openBelow = async (node: Node, depth: number): Promise<void> => {
        for (const [place, child] of (node.children ?? []).entries()) {
          const isWanted = isFirst ? depth < 1 && place < most && !child.cut && !child.node.is_goal : this.opened.has(key(child.path));
          if (!isWanted) continue;
          await this.unfold(child);
          this.opened.add(key(child.path));
          await openBelow(child, depth + 1);
        }
      };
      await openBelow(root, 0);
      if (asked !== this.asks) return;
      this.root = root;
      if (!this.find(this.chosen) || !this.chosen) this.chosen = key(this.firstCut(root)?.path ?? []);
      this.draw();
      this.explain();
    });
  }

  private async unfold(node: Node): Promise<Node> {
    const answer = await ask<Unfolded>("children", { start: this.start, path: node.path, heuristic: this.heuristic.value });
    this.prunedUpTo = answer.pruned_up_to;
    if (node.path.length === 0) {
      node.node = answer;
      this.start = this.startField.value = answer.state;
      if (answer.breach) {
        show(this.work, h("p", { class: "refusal" },
          `Nothing is cut: this start isn't one for which the redundant sequences were found (${answer.breach}). `,
          button("Find those for this start", () => void this.analyze(Number(this.length.value), this.start))));
      }
    }
    node.isOpen = true;
    node.leftOut = answer.left_out;
    node.children = answer.children.map((child) => ({
      path: [...node.path, child.rule], name: child.name, node: child, cut: child.cut, parent: node,
      children: null, isOpen: false, leftOut: 0,
    }));
    return node;
  }

  private *shownNodes(node = this.root): Generator<Node> {
    if (!node) return;
    yield node;
    if (node.isOpen) for (const child of node.children ?? []) yield* this.shownNodes(child);
  }

  private find(path: string): Node | undefined {
    return [...this.shownNodes()].find((it) => key(it.path) === path);
  }

  private firstCut(root: Node): Node | undefined {
    return [...this.shownNodes(root)].find((it) => it.cut);
  }

  private draw(): void {
    const had = this.outline.contains(document.activeElement);
    const first = new Map<string, Node>();
    const lines: HTMLElement[] = [];
    for (const node of this.shownNodes()) {
      const before = node.cut ? undefined : first.get(node.node.state);
      if (!before && !node.cut) first.set(node.node.state, node);
      lines.push(this.line(node, before));
      if (node.isOpen && node.leftOut > 0) {
        lines.push(h("p", { class: "soft left-out" }, `${counted(node.leftOut, "move")} more of ${node.name}`));
      }
    }
    show(this.outline, lines);
    if (had) this.outline.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }

  private line(node: Node, before: Node | undefined): HTMLElement {
    const { node: at, cut } = node;
    const path = key(node.path);
    const isChosen = path === this.chosen;
    const folding = !cut && !at.is_goal || node.path.length === 0;
    const estimate = at.h === null ? "dead end" : `g ${at.g} + h ${at.h} = f ${at.g + at.h}`;
    const line = h("div", {
      role: "treeitem", class: ["node", cut && "cut", before && "known", at.is_goal && "goal", isChosen && "chosen"].filter(Boolean).join(" "),
      "aria-level": node.path.length + 1, "aria-selected": String(isChosen), tabindex: isChosen ? "0" : "-1",
      "aria-expanded": folding ? String(node.isOpen) : undefined, "data-path": path,
      onclick: () => this.choose(node),
    },
    folding ? h("span", { class: "fold", "aria-hidden": "true", onclick: (event: Event) => {
      event.stopPropagation();
      void this.toggle(node);
    } }, node.isOpen ? "▾" : "▸") : h("span", { class: "fold", "aria-hidden": "true" }, cut ? "✂" : ""),
    drawBoard(at.board, at.state),
    h("span", { class: "what" },
      h("span", { class: "name" }, node.name), " ",
      h("span", { class: "figures" }, estimate), " ",
      at.is_goal && h("strong", {}, "goal "),
      cut && h("span", { class: "why" }, `cut: ${cut.word.join(" ")} = ${spelled(cut.replacement)}`),
      before && h("span", { class: "why" }, before.path.length ? `the same state as after ${this.pathName(before)}` : "the same state as the start")));
    line.style.setProperty("--level", String(Math.min(node.path.length, 12)));
    return line;
  }

  private pathName(node: Node): string {
    const names: string[] = [];
    for (let at: Node | null = node; at?.parent; at = at.parent) names.unshift(at.name);
    return names.join(" ");
  }

  private async toggle(node: Node): Promise<void> {
    await tried(this.side, async () => {
      if (node.isOpen) {
        node.isOpen = false;
        for (const path of [...this.opened]) {
          if (path === key(node.path) || path.startsWith(`${key(node.path)}.`)) this.opened.delete(path);
        }
      } else {
        if (!node.children) await this.unfold(node);
        node.isOpen = true;
        this.opened.add(key(node.path));
      }
      note("tree", { open: [...this.opened].join(","), start: this.start });
      this.draw();
    });
  }

  private choose(node: Node): void {
    this.chosen = key(node.path);
    note("tree", { node: this.chosen, start: this.start, h: this.heuristic.value, open: [...this.opened].join(",") });
    this.draw();
    this.outline.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    this.explain();
  }

  /** Say what there is to say about the chosen node. */
  private explain(): void {
    const node = this.find(this.chosen);
    if (!node) return show(this.side);
    const word = node.path;
    if (node.cut) {
      const place = h("div");
      show(this.side, h("h2", {}, "Why is this branch cut?"), place);
      void showReason(place, node.cut.number);
      return;
    }
    const { node: at } = node;
    const depth = this.prunedUpTo;
    show(this.side,
      h("h2", {}, node.path.length ? this.pathName(node) : "The start"),
      at.is_goal && h("p", {}, h("strong", { class: "goal" }, "A goal.")),
      h("p", {}, `Cost so far g = ${at.g}. `,
        at.h === null ? "No goal can be reached from here." : `The heuristic ${this.heuristic.value} estimates h = ${at.h} more, so f = ${at.g + at.h}.`),
      h("p", {}, depth === null ? "Redundant sequences are being looked for." :
        node.path.length ? `No redundant sequence of up to ${depth} rules ends here, so this branch is searched.` : ""),
      h("p", { class: "state" }, h("code", {}, at.state)),
      h("p", { class: "links" },
        h("a", { href: address("play", { state: at.state }) }, "Play from here"),
        word.length > 0 && h("a", { href: address("compose", { word: word.join(".") }) }, "Compose the moves up to here")));
  }

  private onKey(event: KeyboardEvent): void {
    const node = this.find(this.chosen);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...this.shownNodes()];
    const at = all.indexOf(node);
    const steps: Record<string, () => void> = {
      ArrowDown: () => this.chooseAt(all[at + 1]),
      ArrowUp: () => this.chooseAt(all[at - 1]),
      Home: () => this.chooseAt(all[0]),
      End: () => this.chooseAt(all.at(-1)),
      ArrowRight: () => {
        if (node.isOpen) this.chooseAt(node.children?.[0]);
        else if (!node.cut) void this.toggle(node);
      },
      ArrowLeft: () => {
        if (node.isOpen && node.path.length) void this.toggle(node);
        else this.chooseAt(node.parent ?? undefined);
      },
      Enter: () => { if (!node.cut) void this.toggle(node); },
      " ": () => { if (!node.cut) void this.toggle(node); },
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }

  private chooseAt(node: Node | undefined): void {
    if (node) this.choose(node);
  }
}

