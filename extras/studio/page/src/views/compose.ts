// Sequences of rules: the macro-rule after each step, and how it comes about.

import { ask, cancelled } from "../parts/api";
import { button, counted, field, h, settled, show } from "../parts/dom";
import { spelled } from "../parts/reason";
import { tried } from "../parts/refusal";
import { go, numbers, type Parameters } from "../parts/route";
import { store } from "../parts/store";
import type { Appended, Composition, Explained, Job, SomeRules } from "../parts/types";
import { begin, progress, resultOf } from "../parts/work";

/** What happens in each of the subcases of Burch & Holte 2011. */
const SUBCASES: Record<string, string> = {
  "1(a)": "a value meets a value: they must be equal",
  "1(b)": "the rule wants two positions equal, and both hold values: they must be equal",
  "1(c)": "the rule wants two positions equal: the unknown one becomes the value",
  "2(a)": "the rule wants a value where the sequence leaves an unknown: the unknown becomes the value",
  "2(b)": "holds already",
  "2(c)": "the rule wants two positions equal: the unknown becomes the other's value",
  "2(d)": "the rule wants two unknowns equal: one becomes the other",
};

const SHOWN = 40;

export class ComposeView {
  private readonly word: number[];
  private readonly filter = h("input", { type: "search", placeholder: "name, number or part" });
  private readonly list = h("div", { class: "moves" });
  private readonly steps = h("div");
  private readonly verdict = h("div", { "aria-live": "polite" });
  private explaining: Job | null = null;

  constructor(root: HTMLElement, parameters: Parameters) {
    this.word = numbers(parameters["word"]);
    this.filter.addEventListener("input", settled(100, () => void this.rules()));
    const last = this.word.slice(0, -1);
    show(root,
      h("div", { class: "columns" },
        h("section", { class: "picker" },
          h("h2", {}, "Rules"),
          h("p", { class: "soft" }, "Choose rules in their order."),
          field("Filter", this.filter), this.list),
        h("section", { class: "grow" },
          h("h2", {}, "Sequence"),
          h("div", { class: "controls" },
            button("Remove the last", () => go("compose", { word: last.join(".") }), { disabled: this.word.length === 0 }),
            button("Clear", () => go("compose"), { disabled: this.word.length === 0 }),
            button("Is it redundant?", () => void this.explain(), { id: "explain", disabled: this.word.length === 0 })),
          this.verdict, this.steps)));
    void this.rules();
    void this.compose();
  }

  private rules(): Promise<void> {
    return tried(this.list, async () => {
      const answer = await ask<SomeRules>("rules", { filter: this.filter.value, limit: SHOWN });
      show(this.list,
        answer.rules.map((rule) => button(rule.name, () =>
          go("compose", { word: [...this.word, rule.number].join(".") }), { title: rule.rule })),
        answer.matching > SHOWN && h("p", { class: "soft" }, `${counted(answer.matching - SHOWN, "rule")} more: filter them`));
    });
  }

  private compose(): Promise<void> {
    return tried(this.steps, async () => {
      if (this.word.length === 0) {
        show(this.steps, h("p", {}, "The empty sequence changes nothing."));
        return;
      }
      const { composition } = await ask<{ game: string; composition: Composition }>("compose", { word: this.word });
      show(this.steps,
        h("p", { class: "word" }, composition.word.join(" ")),
        composition.valid
          ? h("p", { class: "macro" }, h("code", {}, composition.rule ?? ""), ` cost ${composition.cost ?? 0}`)
          : h("p", { class: "refusal" }, `Impossible: ${composition.reason ?? ""}`),
        (composition.trace ?? []).map(appended));
    });
  }

  private explain(): Promise<void> {
    return tried(this.verdict, async () => {
      this.explaining = await begin("explain", { word: this.word });
      show(this.verdict, progress(this.explaining));
      this.worked();
    });
  }

  worked(): void {
    const job = store.job("explanation");
    if (!job || job.id !== this.explaining?.id) return;
    show(this.verdict, progress(job));
    if (job.status === "running") return;
    this.explaining = null;
    if (job.status !== "done") return;
    void tried(this.verdict, async () => {
      const { explained } = await resultOf<{ explained: Explained }>(job);
      show(this.verdict, verdict(explained));
    });
  }

  /** Nobody waits for an explanation any more. */
  close(): void {
    if (this.explaining) void cancelled(this.explaining.id);
  }
}

function appended(step: Appended, place: number): HTMLElement {
  const last = step.steps.length - 1;
  return h("section", { class: "step" },
    h("h3", {}, place === 0 ? "first " : "then ", h("span", { class: "word" }, step.appended)),
    step.steps.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Positions that ${step.appended} tests` }, h("table", {},
      h("thead", {}, h("tr", {}, ["Position", "Left there", "Wanted", "Subcase", "Result"].map((it) => h("th", { scope: "col" }, it)))),
      h("tbody", {}, step.steps.map((at, i) => h("tr", {},
        h("td", {}, at.position), h("td", {}, h("code", {}, at.found)), h("td", {}, h("code", {}, at.wanted)),
        h("td", {}, at.subcase, " ", h("span", { class: "soft" }, SUBCASES[at.subcase] ?? "")),
        h("td", {}, at.replaced ? h("code", {}, `${at.replaced} becomes ${at.by ?? ""}`)
          : step.rule === null && i === last ? h("strong", { class: "changed" }, "conflict") : "")))))),
    step.rule && h("p", { class: "macro" }, h("code", {}, step.rule)));
}

const VERDICTS: Record<Explained["verdict"], string> = {
  "impossible": "No state allows it.",
  "redundant": "It is redundant.",
  "contains-redundant": "A part of it is redundant.",
  "not-redundant": "It isn't redundant, and no part of it is.",
  "unknown": "The time ran out before that was known.",
};

function verdict(explained: Explained): HTMLElement {
  const { certificate, nearest } = explained;
  return h("div", { class: "reason" },
    h("p", {}, h("strong", {}, VERDICTS[explained.verdict]), ` ${explained.reason ?? ""}`,
      explained.verdict === "unknown" && ` Nothing up to length ${explained.analyzed_length} is.`),
    certificate && [
      h("p", {}, h("span", { class: "word" }, certificate.redundant.word.join(" ")), " can be replaced by ",
        h("span", { class: "word" }, spelled(certificate.replacement.word)), ":"),
      h("dl", { class: "sides" },
        h("dt", {}, certificate.redundant.word.join(" ")), h("dd", {}, h("code", {}, certificate.redundant.rule), ` cost ${certificate.redundant.cost}`),
        h("dt", {}, spelled(certificate.replacement.word)), h("dd", {}, h("code", {}, certificate.replacement.rule), ` cost ${certificate.replacement.cost}`)),
      h("ul", {},
        h("li", {}, `It can be used wherever the other can, and leads to the same state${certificate.substitution.length
          ? `, with ${certificate.substitution.map(([one, other]) => `${one} = ${other}`).join(", ")}` : ""}.`),
        (certificate.implied?.length ?? 0) > 0 && h("li", {}, `The invariants of the goal imply ${certificate.implied?.join(", ") ?? ""}.`),
        h("li", {}, `It comes first: ${certificate.order}.`)),
    ],
    nearest && h("p", {}, "What comes nearest is ", h("span", { class: "word" }, spelled(nearest.word)), `, but ${nearest.failed.join("; ")}.`));
}

