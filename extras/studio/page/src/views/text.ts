// The text: an editor, what is wrong, and what the place of the cursor means.

import { ask, Outdated, Refused } from "../parts/api";
import { announce, button, counted, h, settled, show } from "../parts/dom";
import { Editor } from "../parts/editor";
import { store } from "../parts/store";
import type { Finding, Fix } from "../parts/types";

/** The most findings that are listed. */
const MOST = 200;

export class TextPane {
  readonly element: HTMLElement;
  private readonly editor: Editor;
  private readonly list = h("div", { class: "findings" });
  private readonly meaning = h("div", { class: "meaning", role: "status" });
  private readonly bar = h("div", { class: "filebar" });

  constructor() {
    const explain = settled(250, (offset: number) => void this.explain(offset));
    this.editor = new Editor(store.text, "The text of the game", (text) => store.edit(text), explain);
    this.element = h("section", { class: "text", "aria-label": "Text" },
      this.bar, this.editor.element, this.list, this.meaning);
    store.listen((change) => {
      if (change === "text") this.editor.set(store.text);
      if (change === "findings" || change === "read") this.showFindings();
      if (change === "text" || change === "file" || change === "lost") this.showFile();
    });
    this.showFindings();
    this.showFile();
  }

  selectLine(line: number): void {
    this.editor.selectLine(line);
  }

  async save(): Promise<void> {
    if (!store.file) {
      announce("There is no file to save to.");
      return;
    }
    try {
      await store.save();
      announce("Saved.");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      show(this.bar, h("p", { class: "refusal", role: "alert" }, `Not saved: ${error.message}. `, this.choices()));
    }
  }

  private choices(): HTMLElement[] {
    const take = button(store.file?.status === "text" ? "Take the file's text" : "Drop my changes",
      () => void store.reload());
    const keep = button("Keep mine", () => store.keep());
    return store.file?.status === "text" ? [take, keep] : [keep];
  }

  private showFile(): void {
    const { file } = store;
    if (!file) {
      show(this.bar, h("p", { class: "soft" }, `${store.name} has no file: copy the text to keep it.`));
      return;
    }
    const saving = button("Save", () => void this.save(), { class: "save", title: "Ctrl+S" });
    if (store.hasConflict) {
      const what = file.status === "missing" ? "The file was deleted or renamed."
        : file.status === "unreadable" ? `The file can't be read: ${file.problem ?? ""}.`
          : "The file was changed elsewhere, and so was the text here.";
      show(this.bar, h("p", { class: "refusal", role: "alert" }, `${what} `, this.choices()));
      return;
    }
    const isMissing = file.status === "missing";
    const state = isMissing ? "not saved: there is no such file, and saving makes one"
      : store.isChanged ? "changed, not saved" : "saved";
    show(this.bar, h("p", {}, h("span", { class: store.isChanged ? "changed" : "soft" }, `${store.name}: ${state} `),
      (store.isChanged || isMissing) && saving));
  }

  private showFindings(): void {
    const { findings } = store;
    if (!findings) {
      show(this.list, h("p", { class: "soft", id: "findings-count" }, "Looking for mistakes …"));
      return;
    }
    const all = findings.findings;
    this.editor.mark(all);
    const errors = all.filter((it) => it.severity === "error").length;
    const summary = all.length === 0 ? "No errors and no warnings."
      : `${counted(errors, "error")}, ${counted(all.length - errors, "warning")}.`;
    const fixAll = findings.fix_all;
    show(this.list,
      h("p", { id: "findings-count", role: "status" }, summary, " ",
        fixAll && this.fixButton(fixAll)),
      h("ol", {}, all.slice(0, MOST).map((it) => this.finding(it, findings.codes[it.code]))),
      all.length > MOST && h("p", { class: "soft" }, `${counted(all.length - MOST, "finding")} more`));
  }

  private fixButton(fix: Fix): HTMLElement {
    return button(fix.title, () => {
      this.editor.change(fix.edits);
      announce(`${fix.title}: done.`);
    }, { class: "fix", title: fix.certain ? "There is one answer" : "This is likely what was meant" });
  }

  private finding(it: Finding, meaning: string | undefined): HTMLElement {
    const [first = "", ...rest] = it.message.split("\n");
    return h("li", { class: it.severity },
      h("p", {},
        h("span", { class: "severity" }, it.severity), " ",
        button(`line ${it.line}`, () => this.editor.select(it.start, it.end), { class: "link" }),
        ` ${first} `, h("code", {}, it.code)),
      rest.map((line) => h("p", { class: "hint" }, line)),
      it.related.map((other) => h("p", { class: "hint" },
        button(`line ${other.line}`, () => this.editor.selectLine(other.line), { class: "link" }), ` ${other.text}`)),
      it.fixes.length > 0 && h("p", {}, it.fixes.map((fix) => this.fixButton(fix))),
      meaning && h("details", {}, h("summary", {}, `What ${it.code} means`), h("p", {}, meaning)));
  }

  /** Say what the place of the cursor means. */
  private async explain(offset: number): Promise<void> {
    if (store.text !== store.readText) return;
    try {
      const { text } = await ask<{ game: string; text: string | null }>("hover", { offset });
      show(this.meaning, text ? marked(text) : null);
    } catch (error) {
      if (!(error instanceof Outdated || error instanceof Refused)) throw error;
    }
  }
}

/** The little Markdown of descriptions: paragraphs, lists, rules, and `code`. */
function marked(text: string): HTMLElement[] {
  const inline = (line: string): (string | HTMLElement)[] =>
    line.split("`").map((part, i) => i % 2 ? h("code", {}, part) : part.replaceAll("**", ""));
  return text.split(/\n\n+/).map((block) => {
    if (block.trim() === "---") return h("hr");
    const lines = block.split("\n").filter((line) => !line.startsWith("```"));
    return block.startsWith("```") ? h("pre", {}, lines.join("\n"))
      : h("p", {}, lines.map((line, i) => [i > 0 && h("br"), ...inline(line.replace(/^[-*] /, "• "))]));
  });
}
