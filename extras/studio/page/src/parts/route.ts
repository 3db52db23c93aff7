// Addresses of views: `#view?name=value&..`, which can be kept, and which back and forward go through.

export type Parameters = Record<string, string>;
export interface Route { view: string; parameters: Parameters }

export function current(): Route {
  const [view = "", query = ""] = location.hash.slice(1).split("?", 2);
  return { view, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

export function address(view: string, parameters: Parameters = {}): string {
  const kept = Object.entries(parameters).filter(([, value]) => value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#${view}${query ? `?${query}` : ""}`;
}

/** Go somewhere, as by a link. */
export function go(view: string, parameters: Parameters = {}): void {
  location.hash = address(view, parameters);
}

/** Note where things stand within a view, without another step back and without showing it anew. */
export function note(view: string, changes: Parameters): void {
  const now = current();
  if (now.view !== view) return;
  history.replaceState(null, "", address(view, { ...now.parameters, ...changes }));
}

export const numbers = (text: string | undefined): number[] =>
  (text ?? "").split(".").filter((it) => /^\d+$/.test(it)).map(Number);
