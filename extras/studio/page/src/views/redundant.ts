// Which sequences of rules are redundant, and what replaces them.

import { ask, Refused } from "../parts/api";
import { button, counted, field, h, settled, show } from "../parts/dom";
import { describe, spelled } from "../parts/reason";
import { tried } from "../parts/refusal";
import { note, type Parameters } from "../parts/route";
import { store } from "../parts/store";
import type { Level, RedundantWord, SomeWords } from "../parts/types";
import { begin, progress, resultOf } from "../parts/work";

const PAGE = 100;

/** The length that is looked for at first: short words are most of what there is to prune. */
const LENGTH = 3;

export class RedundantView {
  private readonly length = h("input", { type: "number", min: "0", max: "20", value: String(LENGTH), id: "length" });
  private readonly seconds = h("input", { type: "number", min: "1", max: "3600", value: "30" });
  private readonly lengths: HTMLInputElement;
  private readonly filter: HTMLInputElement;
  private readonly work = h("div");
  private readonly figures = h("div");
  private readonly count = h("p", { class: "soft", role: "status" });
  private readonly body = h("tbody");
  private readonly more = h("p");
  private readonly side = h("aside", { class: "reason", "aria-live": "polite", "aria-label": "The chosen sequence" });
  private chosen: string;
  private loaded = 0;
  private shownJob = 0;

  constructor(root: HTMLElement, parameters: Parameters) {
    this.chosen = parameters["word"] ?? "";
    this.lengths = h("input", { type: "text", value: parameters["lengths"] ?? "", placeholder: "all, or 2-3", size: "8" });
    this.filter = h("input", { type: "search", value: parameters["filter"] ?? "", placeholder: "names of rules" });
    if (parameters["length"]) this.length.value = parameters["length"];
    const search = settled(150, () => {
      note("redundant", { lengths: this.lengths.value, filter: this.filter.value });
      void this.load(true);
    });
    this.lengths.addEventListener("input", search);
    this.filter.addEventListener("input", search);
    const form = h("form", { class: "controls", onsubmit: (event: Event) => {
      event.preventDefault();
      void this.analyze();
    } }, field("Compare sequences up to length", this.length), field("Seconds", this.seconds), h("button", { id: "analyze" }, "Analyze"));
    show(root, form, this.work, this.figures,
      h("div", { class: "controls" }, field("Lengths", this.lengths), field("Filter", this.filter)), this.count,
      h("div", { class: "beside" },
        h("div", { class: "grow" },
          h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Redundant sequences" }, h("table", {},
            h("thead", {}, h("tr", {}, ["Sequence", "Replaced by", "Since it", "Cost"].map((it) => h("th", { scope: "col" }, it)))),
            this.body)),
          this.more),
        this.side));
    void this.begin();
  }

  private async begin(): Promise<void> {
    const isKnown = await this.load(true);
    if (!isKnown && store.job("analysis")?.status !== "running") await this.analyze();
  }

  private analyze(): Promise<void> {
    note("redundant", { length: this.length.value });
    return tried(this.work, async () => {
      const question = { length: Number(this.length.value), seconds: Number(this.seconds.value) || 30 };
      show(this.work, progress(await begin("analyze", question)));
    });
  }

  worked(): void {
    const job = store.job("analysis");
    show(this.work, progress(job));
    if (job?.status !== "done" || this.shownJob === job.id) return;
    this.shownJob = job.id;
    void this.load(true);
    void tried(this.figures, async () => {
      const { report } = await resultOf<{ report: { levels?: Level[] } }>(job);
      show(this.figures, levels(report.levels ?? []));
    });
  }

  /** Show words; return whether they are known. */
  private async load(anew: boolean): Promise<boolean> {
    let isKnown = true;
    await tried(this.count, async () => {
      if (anew) this.loaded = 0;
      let answer: SomeWords;
      try {
        answer = await ask<SomeWords>("words",
          { lengths: this.lengths.value, filter: this.filter.value, offset: this.loaded, limit: PAGE });
      } catch (error) {
        if (!(error instanceof Refused && error.code === "not-ready")) throw error;
        isKnown = false;
        return;
      }
      if (anew) this.body.replaceChildren();
      for (const word of answer.words) this.body.append(this.row(word));
      this.loaded += answer.words.length;
      const all = counted(answer.total, "redundant sequence");
      const isFiltered = answer.matching !== answer.total;
      show(this.count, `${isFiltered ? `${answer.matching.toLocaleString("en")} of ` : ""}${all} up to length ${answer.complete_length}`,
        answer.complete_length < answer.length && ` (a limit was reached before length ${answer.length})`,
        answer.start && `, for searches from ${answer.start}`);
      const left = answer.matching - this.loaded;
      show(this.more, left > 0 && button(`Show more (${left.toLocaleString("en")} left)`, () => void this.load(false)));
      const first = this.chosen || answer.words[0]?.number;
      if (anew && first) await this.explain(Number(first));
    });
    return isKnown;
  }

  private row(word: RedundantWord): HTMLElement {
    const by = word.replaced_by[0];
    return h("tr", { "data-number": word.number, class: String(word.number) === this.chosen ? "chosen" : "" },
      h("td", {}, button(word.word.join(" "), () => void this.explain(word.number), { class: "link word" })),
      h("td", { class: "word" }, spelled(by?.word ?? [])),
      h("td", {}, by?.comes_first === "empty" ? "changes nothing" : by?.comes_first === "shorter" ? "is shorter" : "comes first"),
      h("td", { class: "r" }, `${by?.cost ?? "?"} ≤ ${word.cost ?? "?"}`));
  }

  private async explain(number: number): Promise<void> {
    this.chosen = String(number);
    note("redundant", { word: this.chosen });
    for (const row of this.body.querySelectorAll<HTMLElement>("tr")) {
      row.classList.toggle("chosen", row.dataset["number"] === this.chosen);
    }
    await tried(this.side, async () => {
      const { words } = await ask<SomeWords>("words", { number, limit: 1 });
      show(this.side, words[0] ? [h("h2", {}, "Why is it redundant?"), ...describe(words[0])] : h("p", {}, `There is no redundant sequence ${number}.`));
    });
  }
}

/** The figures of each length. */
function levels(all: Level[]): HTMLElement {
  const columns: [string, keyof Level][] = [
    ["Length", "length"], ["Composed", "composed"], ["Impossible", "impossible"], ["Redundant", "redundant"], ["Kept", "kept"],
  ];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures" }, h("table", {},
    h("thead", {}, h("tr", {}, columns.map(([it]) => h("th", { scope: "col", class: "r" }, it)))),
    h("tbody", {}, all.map((level) => h("tr", {}, columns.map(([, name]) => h("td", { class: "r" }, level[name].toLocaleString("en"))))))));
}
