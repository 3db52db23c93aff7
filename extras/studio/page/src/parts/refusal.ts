// What a view shows where there is no answer.

import { h, show } from "./dom";
import { Outdated, Refused } from "./api";

/** Do something, and say in an element why it can't be done. What is outdated is dropped. */
export async function tried(place: Element, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Outdated) return;
    if (!(error instanceof Refused)) throw error;
    show(place, refusal(error));
  }
}

export function refusal(error: Refused): HTMLElement {
  return h("p", { class: "refusal", role: "alert" }, error.message, error.hint && `. ${error.hint}`);
}
