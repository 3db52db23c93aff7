// What the page knows: the text, the file, what the server has read, and long work.

import { fetched, post, Refused } from "./api";
import type { Begin, FileState, Findings, Job, Read } from "./types";
import { settled } from "./dom";

type Change = "text" | "read" | "findings" | "file" | "jobs" | "lost";
type Listener = (change: Change) => void;

/** Milliseconds after the last key until a text is read. */
const PAUSE = 150;

class Store {
  name = "";
  version = "";
  text = "";
  /** The text that the page and the file had in common last. */
  base = "";
  /** The version of the file that it was; null where there was no file. */
  baseVersion: string | null = null;
  /** How lines of the file end. */
  private eol = "\n";
  /** The file; null where there is none to save to. */
  file: FileState | null = null;
  /** What the server has read, and of which text; null until then. */
  read: Read | null = null;
  readText = "";
  findings: Findings | null = null;
  jobs: Job[] = [];
  /** Why there is no answer, if the server is lost. */
  lost = "";
  readonly window = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  private listeners = new Set<Listener>();
  private readSoon = settled(PAUSE, () => void this.readNow());

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(change: Change): void {
    for (const listener of [...this.listeners]) listener(change);
  }

  get isChanged(): boolean { return this.text !== this.base; }
  get hasConflict(): boolean { return this.file !== null && (this.file.version ?? null) !== this.baseVersion; }

  async begin(): Promise<void> {
    const begin = await fetched<Begin>("file");
    this.name = begin.name;
    this.version = begin.version;
    this.take(begin);
    await this.readNow();
    const news = new EventSource("api/events");
    news.onmessage = (event: MessageEvent<string>) => {
      const said = JSON.parse(event.data) as { file: FileState | null; jobs: Job[] };
      this.setLost("");
      this.jobs = said.jobs;
      this.tell("jobs");
      void this.setFile(said.file);
    };
    news.onerror = () => this.setLost("psvn studio doesn't answer: it was ended, or this machine slept");
  }

  private setLost(why: string): void {
    if (this.lost === why) return;
    this.lost = why;
    this.tell("lost");
  }

  /** A text area has other ends of lines than some files. */
  private take(begin: Begin): void {
    this.eol = begin.text.includes("\r\n") ? "\r\n" : "\n";
    this.text = this.base = begin.text.replace(/\r\n?/g, "\n");
    this.file = begin.file;
    this.baseVersion = begin.file?.version ?? null;
  }

  /** Follow the file where nothing of the page would be lost. */
  private async setFile(file: FileState | null): Promise<void> {
    const before = JSON.stringify(this.file);
    this.file = file;
    if (file?.status === "text" && this.hasConflict && !this.isChanged) return this.reload();
    if (JSON.stringify(file) !== before) this.tell("file");
  }

  /** Take the text of the file. */
  async reload(): Promise<void> {
    this.take(await fetched<Begin>("file"));
    this.tell("file");
    this.tell("text");
    await this.readNow();
  }

  /** Keep the text of the page although the file has another one: saving will overwrite it. */
  keep(): void {
    this.baseVersion = this.file?.version ?? null;
    this.base = "\0";
    this.tell("file");
  }

  async save(): Promise<void> {
    const text = this.text;
    const lines = text.replaceAll("\n", this.eol);
    const file = await post<FileState>("save", { text: lines, base: this.baseVersion });
    this.file = file;
    this.base = text;
    this.baseVersion = file.version ?? null;
    this.tell("file");
  }

  /** The text was typed or changed. */
  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.tell("text");
    this.readSoon();
  }

  /** Have the server read the text, then say what is wrong with it. */
  async readNow(): Promise<void> {
    const text = this.text;
    try {
      const read = await post<Read>("text", { text, window: this.window });
      if (text !== this.text) return;
      const isOther = read.game !== this.read?.game;
      this.read = read;
      this.readText = text;
      if (isOther) {
        this.findings = null;
        this.tell("read");
      }
      const findings = await post<Findings>("findings", { game: read.game });
      if (this.read?.game !== findings.game) return;
      this.findings = findings;
      this.tell("findings");
    } catch (error) {
      if (error instanceof Refused) this.setLost(error.message);
      else throw error;
    }
  }

  job(kind: Job["kind"]): Job | undefined {
    return this.jobs.find((job) => job.kind === kind && job.game === this.read?.game);
  }
}

export const store = new Store();
