// Elements, made without markup: texts of a game never become elements.

type Content = Node | string | number | null | undefined | false | Content[];
type Attributes = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, contents: Content[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, contents);
}

export function append(element: Element, contents: Content): void {
  if (contents === null || contents === undefined || contents === false) return;
  if (Array.isArray(contents)) {
    for (const content of contents) append(element, content);
  } else {
    element.append(typeof contents === "number" ? String(contents) : contents);
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...contents: Content[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, contents);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  name: K, attributes: Attributes = {}, ...contents: Content[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, contents);
  return element;
}

export function show(element: Element, ...contents: Content[]): void {
  element.replaceChildren();
  append(element, contents);
}

export function button(text: Content, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: act, ...attributes }, text);
}

/** A field with its label. */
export function field(label: string, input: HTMLElement, attributes: Attributes = {}): HTMLLabelElement {
  return h("label", { class: "field", ...attributes }, h("span", {}, label), input);
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/** Call a function once nothing has happened for some milliseconds. */
export function settled<A extends unknown[]>(wait: number, act: (...args: A) => void): (...args: A) => void {
  let timer = 0;
  return (...args) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => act(...args), wait);
  };
}

/** Say something to those who listen to the page. */
export function announce(text: string): void {
  byId("said").textContent = text;
}

export const counted = (n: number, what: string, many = `${what}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? what : many}`;
