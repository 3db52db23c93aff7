// Why a sequence of rules is redundant.

import { ask } from "./api";
import { h, show } from "./dom";
import { tried } from "./refusal";
import { address } from "./route";
import type { RedundantWord, SomeWords } from "./types";

const FIRST: Record<string, string> = {
  "empty": "it needs no rule at all",
  "costs-less": "it costs less",
  "shorter": "it is shorter",
  "earlier-letter": "it is as long, and has an earlier rule of the file where the two first differ",
};

export const spelled = (word: string[]): string => word.length ? word.join(" ") : "nothing";

/** A macro-rule with its cost. */
function macroRule(rule: string | null, cost: number | null): HTMLElement {
  return h("p", { class: "macro" }, h("code", {}, rule ?? "nothing changes"), cost !== null && ` cost ${cost}`);
}

export function describe(word: RedundantWord): HTMLElement[] {
  const by = word.replaced_by[0];
  if (!by) return [];
  const doesNothing = by.word.length === 0;
  const within = word.implied.length > 0;
  return [
    h("h3", {}, h("span", { class: "word" }, word.word.join(" ")), " is redundant"),
    h("p", { class: "verdict" },
      doesNothing ? "It leads back to where it began: doing nothing is as good."
        : ["Instead of it, ", h("span", { class: "word" }, spelled(by.word)),
          " leads to the same state, and is tried on another branch."]),
    h("dl", { class: "sides" },
      h("dt", {}, word.word.join(" ")), h("dd", {}, macroRule(word.rule, word.cost)),
      h("dt", {}, spelled(by.word)), h("dd", {}, macroRule(by.rule, by.cost))),
    h("ul", {},
      h("li", {}, within ? "In all states that a search can meet, it can be used wherever the other can, and leads to the same state."
        : "It can be used wherever the other can, and leads to the same state."),
      within && h("li", {}, `This needs ${word.implied.join(", ")}, which follows from: ${word.invariants.join("; ") || "invariants of the goal"}.`),
      by.cost !== null && word.cost !== null && h("li", {}, `It costs no more: ${by.cost} ≤ ${word.cost}.`),
      h("li", {}, `It comes first: ${FIRST[by.comes_first] ?? by.comes_first}.`)),
    h("p", { class: "links" },
      h("a", { href: address("compose", { word: word.rules.join(".") }) }, "Compose it step by step"),
      word.replacement.length > 0
        && h("a", { href: address("compose", { word: word.replacement.join(".") }) }, "Compose the replacement"),
      h("a", { href: address("redundant", { word: String(word.number) }) }, "In the list of redundant sequences")),
  ];
}

/** Show why the redundant word of a number is one. */
export function showReason(place: Element, number: number): Promise<void> {
  return tried(place, async () => {
    const { words } = await ask<SomeWords>("words", { number, limit: 1 });
    const word = words[0];
    if (word) show(place, describe(word));
  });
}
