// Questions to the server. An answer names the text that it is about, and is dropped if that isn't
// the text of the page any more.

import { store } from "./store";

export class Refused extends Error {
  constructor(readonly code: string, message: string, readonly hint: string | undefined) {
    super(message);
  }
}

/** The text has changed since the question was asked: nobody waits for the answer. */
export class Outdated extends Error {}

async function request<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/${path}`, init);
  } catch {
    throw new Refused("gone", "psvn studio doesn't answer: it was ended", "start it again");
  }
  if (response.ok) return await response.json() as T;
  let said: { code?: string; error?: string; hint?: string } = {};
  try {
    said = await response.json() as typeof said;
  } catch {
    // Not every refusal has words.
  }
  const error = said.error ?? `the server refused the request (${response.status})`;
  throw new Refused(said.code ?? "refused", error, said.hint);
}

export const post = <T>(path: string, body: unknown): Promise<T> =>
  request<T>(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

export const fetched = <T>(path: string): Promise<T> => request<T>(path, {});
export const cancelled = (id: number): Promise<unknown> => request(`jobs/${id}`, { method: "DELETE" });

/** Ask about the text of the page. A server that has forgotten it gets it again. */
export async function ask<T extends { game: string }>(path: string, question: object): Promise<T> {
  const read = store.read;
  if (!read) throw new Outdated();
  const body = { game: read.game, ...question };
  let answer: T;
  try {
    answer = await post<T>(path, body);
  } catch (error) {
    if (!(error instanceof Refused && error.code === "unknown-game")) throw error;
    await post("text", { text: store.readText, window: store.window });
    answer = await post<T>(path, body);
  }
  if (answer.game !== store.read?.game) throw new Outdated();
  return answer;
}
