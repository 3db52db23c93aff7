// Long work as it runs: progress, rates, and what each bound of a search took.

import { cancelled } from "../parts/api";
import { button, h, show } from "../parts/dom";
import { tried } from "../parts/refusal";
import { store } from "../parts/store";
import type { Bound, Job, Solution } from "../parts/types";
import { NAMES, resultOf } from "../parts/work";

export function runsView(root: HTMLElement): { worked: () => void } {
  const results = new Map<number, HTMLElement>();
  const worked = (): void => {
    const jobs = store.jobs.filter((job) => job.game === store.read?.game);
    show(root, jobs.length === 0 && h("p", {}, "Nothing runs, and nothing has run for this text. Solve something under ",
      h("a", { href: "#play" }, "Play"), ", or look for ", h("a", { href: "#redundant" }, "redundant sequences"), "."),
    jobs.map((job) => run(job, results)));
  };
  worked();
  return { worked };
}

function run(job: Job, results: Map<number, HTMLElement>): HTMLElement {
  if (job.status === "done" && job.kind === "solution" && !results.has(job.id)) {
    const place = h("div");
    results.set(job.id, place);
    void tried(place, async () => show(place, bounds(await resultOf<Solution>(job))));
  }
  return h("section", {},
    h("h2", {}, NAMES[job.kind]),
    h("p", { role: "status" }, `${job.status}, ${job.seconds.toFixed(1)} s `,
      job.status === "running" && button("Stop", () => void cancelled(job.id), { class: "cancel" })),
    job.error && h("p", { class: "refusal" }, job.error),
    results.get(job.id),
    job.left_out > 0 && h("p", { class: "soft" }, `${job.left_out} earlier lines are left out`),
    h("pre", { class: "progress", tabindex: "0", "aria-label": "Progress" }, job.progress.join("\n")));
}

/** What each bound of a search took, with a bar for the nodes. */
function bounds(solution: Solution): HTMLElement {
  const { record } = solution;
  const all: Bound[] = record.bounds;
  const most = Math.max(1, ...all.map((it) => Number(it.generated)));
  const figures = `${record.solved ? `Solved at cost ${record.cost ?? 0}` : record.outcome}${solution.meaning}: `
    + `${Number(record.generated).toLocaleString("en")} nodes in ${record.seconds.toFixed(3)} s after ${record.preparation_seconds.toFixed(3)} s of preparation`;
  return h("div", {},
    h("p", {}, figures, record.heuristic && `; heuristic ${record.heuristic}`, record.heuristic_reason && ` (${record.heuristic_reason})`, "."),
    all.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Bounds" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Bound", "Generated", "Expanded", "Share"].map((it) => h("th", { scope: "col", class: "r" }, it)))),
      h("tbody", {}, all.map((it) => h("tr", {},
        h("td", { class: "r" }, it.bound), h("td", { class: "r" }, Number(it.generated).toLocaleString("en")),
        h("td", { class: "r" }, Number(it.expanded).toLocaleString("en")),
        h("td", {}, h("meter", { min: 0, max: most, value: Number(it.generated), "aria-label": `${it.generated} of ${most}` }))))))));
}
