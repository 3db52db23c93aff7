// The rules of the game, as a table.

import { ask } from "../parts/api";
import { button, counted, field, h, settled, show } from "../parts/dom";
import { tried } from "../parts/refusal";
import { address, note, type Parameters } from "../parts/route";
import type { Rule, SomeRules } from "../parts/types";

const PAGE = 100;

export function rulesView(root: HTMLElement, parameters: Parameters): void {
  const filter = h("input", { type: "search", value: parameters["filter"] ?? "", placeholder: "name, number or part" });
  const count = h("p", { class: "soft", role: "status" });
  const body = h("tbody");
  const more = h("p");
  let shown = 0;

  const load = (): Promise<void> => tried(count, async () => {
    const answer = await ask<SomeRules>("rules", { filter: filter.value, offset: shown, limit: PAGE });
    if (shown === 0) body.replaceChildren();
    for (const rule of answer.rules) body.append(row(rule));
    shown += answer.rules.length;
    const all = counted(answer.total, "rule");
    show(count, filter.value ? `${answer.matching.toLocaleString("en")} of ${all}` : all);
    show(more, shown < answer.matching && button(`Show more (${(answer.matching - shown).toLocaleString("en")} left)`,
      () => void load()));
  });
  filter.addEventListener("input", settled(100, () => {
    shown = 0;
    note("rules", { filter: filter.value });
    void load();
  }));
  show(root,
    h("div", { class: "controls" }, field("Filter", filter)), count,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rules" },
      h("table", {},
        h("thead", {}, h("tr", {},
          ["", "Name", "Cost", "Canonical form", "Undone by", "Line", "Text"].map((it, i) =>
            h("th", { scope: "col", class: i === 0 || i === 2 || i === 5 ? "r" : "" }, it || h("abbr", { title: "number" }, "#"))))),
        body)),
    more);
  void load();
}

function row(rule: Rule): HTMLElement {
  const inverse = rule.inverse_number
    ? h("a", { href: address("rules", { filter: String(rule.inverse ?? "") }) }, rule.inverse)
    : rule.one_to_one ? "none" : "none, loses values";
  return h("tr", {},
    h("td", { class: "r" }, rule.number),
    h("th", { scope: "row" }, rule.name,
      rule.duplicate_of && h("span", { class: "soft" }, ` same as ${rule.duplicate_of}`)),
    h("td", { class: "r" }, rule.cost),
    h("td", { class: "form" }, h("code", {}, rule.rule)),
    h("td", {}, inverse),
    h("td", { class: "r" }, rule.line ? h("a", { href: address("text", { line: String(rule.line) }) }, String(rule.line)) : ""),
    h("td", { class: "form" }, h("code", {}, rule.source)));
}
