// A text area with numbers of lines and marks. Only what is seen is drawn, so that texts of
// thousands of lines stay quick. The browser's own text area keeps undo, spelling and screen readers.

import { h, show } from "./dom";
import type { Edit, Finding } from "./types";

const LINE = 20;
/** Lines that are drawn above and below what is seen. */
const MORE = 20;

export class Editor {
  readonly element: HTMLElement;
  readonly area: HTMLTextAreaElement;
  private readonly gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  private readonly marks = h("div", { class: "marks", "aria-hidden": "true" });
  private findings: Finding[] = [];
  /** Where each line begins. */
  private starts: number[] = [0];

  constructor(text: string, label: string, changed: (text: string) => void, moved: (offset: number) => void) {
    this.area = h("textarea", {
      class: "source", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      "aria-label": label, "aria-describedby": "findings-count",
    });
    this.area.value = text;
    this.area.addEventListener("input", () => {
      // Marks of the old text would stand at wrong places.
      this.findings = [];
      this.measure();
      changed(this.area.value);
    });
    this.area.addEventListener("scroll", () => this.draw());
    const tell = (): void => moved(this.area.selectionStart);
    for (const event of ["keyup", "click"]) this.area.addEventListener(event, tell);
    this.element = h("div", { class: "editor" }, this.gutter, h("div", { class: "sheet" }, this.marks, this.area));
    new ResizeObserver(() => this.draw()).observe(this.area);
    this.measure();
  }

  set(text: string): void {
    if (text === this.area.value) return;
    const at = this.area.selectionStart;
    this.area.value = text;
    this.area.setSelectionRange(at, at);
    this.findings = [];
    this.measure();
  }

  mark(findings: Finding[]): void {
    this.findings = findings;
    this.draw();
  }

  /** Make changes such that undo takes them back. */
  change(edits: Edit[]): void {
    this.area.focus();
    for (const edit of [...edits].sort((one, other) => other.start - one.start)) {
      this.area.setSelectionRange(edit.start, edit.end);
      const command = edit.text === "" ? "delete" : "insertText";
      if (!document.execCommand(command, false, edit.text)) {
        this.area.setRangeText(edit.text, edit.start, edit.end, "end");
        this.area.dispatchEvent(new Event("input"));
      }
    }
  }

  /** Select a part of the text, and scroll there. */
  select(start: number, end: number): void {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const line = this.lineOf(start);
    this.area.scrollTop = Math.max(0, line * LINE - this.area.clientHeight / 3);
    this.draw();
  }

  selectLine(line: number): void {
    const start = this.starts[Math.min(line, this.starts.length) - 1] ?? 0;
    const end = this.starts[line];
    this.select(start, end === undefined ? this.area.value.length : end - 1);
  }

  private lineOf(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low + 1 < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }

  private measure(): void {
    const text = this.area.value;
    this.starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
    this.draw();
  }

  /** Draw the numbers and marks of the lines that are seen. */
  private draw(): void {
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    const first = Math.max(0, Math.floor(scrollTop / LINE) - MORE);
    const last = Math.min(this.starts.length, Math.ceil((scrollTop + clientHeight) / LINE) + MORE);
    const severities = new Map<number, string>();
    for (const { line, severity } of this.findings) {
      if (severities.get(line) !== "error") severities.set(line, severity);
    }
    const lines: HTMLElement[] = [];
    for (let line = first; line < last; line++) {
      const number = h("div", { class: severities.get(line + 1) ?? "" }, String(line + 1));
      number.style.top = `${line * LINE - scrollTop + 8}px`;
      lines.push(number);
    }
    show(this.gutter, lines);
    const [from, to] = [this.starts[first] ?? 0, this.starts[last] ?? this.area.value.length];
    const seen = this.findings.filter((it) => it.start <= to && it.end >= from);
    const parts = seen.sort((one, other) => one.start - other.start);
    const text = this.area.value;
    const contents: (string | HTMLElement)[] = [];
    let at = from;
    for (const finding of parts) {
      const start = Math.max(at, finding.start);
      const end = Math.min(to, Math.max(finding.end, finding.start + 1));
      if (end <= start) continue;
      contents.push(text.slice(at, start));
      contents.push(h("span", { class: `mark ${finding.severity}` }, text.slice(start, end)));
      at = end;
    }
    contents.push(text.slice(at, to));
    const drawn = h("div", {}, contents);
    drawn.style.transform = `translate(${-scrollLeft}px, ${first * LINE - scrollTop}px)`;
    show(this.marks, drawn);
  }
}
