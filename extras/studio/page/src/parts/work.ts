// Long work: beginning it, its progress, and the button that cancels it.

import { ask, cancelled, fetched } from "./api";
import { button, h } from "./dom";
import { store } from "./store";
import type { Job } from "./types";

export async function begin(path: string, question: object): Promise<Job> {
  const { job } = await ask<{ game: string; job: Job }>(path, { ...question, window: store.window });
  return job;
}

export const resultOf = <T>(job: Job): Promise<T> => fetched<T>(`jobs/${job.id}`);

export const NAMES = {
  analysis: "Looking for redundant sequences",
  explanation: "Comparing with other sequences",
  solution: "Looking for a solution",
};

const seconds = (job: Job): string => `${job.seconds.toFixed(job.seconds < 10 ? 1 : 0)} s`;

/** Where a piece of work stands; nothing once it is done. */
export function progress(job: Job | undefined): HTMLElement | null {
  if (!job || job.status === "done") return null;
  if (job.status === "cancelled") return h("p", { class: "work" }, `${NAMES[job.kind]}: cancelled after ${seconds(job)}.`);
  if (job.status === "failed") {
    return h("p", { class: "refusal", role: "alert" }, `${NAMES[job.kind]} failed: ${job.error ?? "no reason is known"}`);
  }
  return h("div", { class: "work" },
    h("p", {}, `${NAMES[job.kind]} … ${seconds(job)} `,
      button("Cancel", () => void cancelled(job.id), { class: "cancel" })),
    h("p", { class: "soft" }, job.progress.at(-1) ?? ""));
}
