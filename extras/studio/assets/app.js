// src/parts/dom.ts
var SVG = "http://www.w3.org/2000/svg";
function fill(element, attributes, contents) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === void 0 || value === null || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, contents);
}
function append(element, contents) {
  if (contents === null || contents === void 0 || contents === false) return;
  if (Array.isArray(contents)) {
    for (const content of contents) append(element, content);
  } else {
    element.append(typeof contents === "number" ? String(contents) : contents);
  }
}
function h(name, attributes = {}, ...contents) {
  const element = document.createElement(name);
  fill(element, attributes, contents);
  return element;
}
function svg(name, attributes = {}, ...contents) {
  const element = document.createElementNS(SVG, name);
  fill(element, attributes, contents);
  return element;
}
function show(element, ...contents) {
  element.replaceChildren();
  append(element, contents);
}
function button(text, act, attributes = {}) {
  return h("button", { type: "button", onclick: act, ...attributes }, text);
}
function field(label2, input, attributes = {}) {
  return h("label", { class: "field", ...attributes }, h("span", {}, label2), input);
}
function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}
function settled(wait, act) {
  let timer = 0;
  return (...args) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => act(...args), wait);
  };
}
function announce(text) {
  byId("said").textContent = text;
}
var counted = (n, what, many = `${what}s`) => `${n.toLocaleString("en")} ${n === 1 ? what : many}`;

// src/parts/route.ts
function current() {
  const [view = "", query = ""] = location.hash.slice(1).split("?", 2);
  return { view, parameters: Object.fromEntries(new URLSearchParams(query)) };
}
function address(view, parameters = {}) {
  const kept = Object.entries(parameters).filter(([, value]) => value !== "");
  const query = new URLSearchParams(kept).toString();
  return `#${view}${query ? `?${query}` : ""}`;
}
function go(view, parameters = {}) {
  location.hash = address(view, parameters);
}
function note(view, changes) {
  const now = current();
  if (now.view !== view) return;
  history.replaceState(null, "", address(view, { ...now.parameters, ...changes }));
}
var numbers = (text) => (text ?? "").split(".").filter((it) => /^\d+$/.test(it)).map(Number);

// src/parts/api.ts
var Refused = class extends Error {
  constructor(code, message, hint) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
  code;
  hint;
};
var Outdated = class extends Error {
};
async function request(path, init) {
  let response;
  try {
    response = await fetch(`api/${path}`, init);
  } catch {
    throw new Refused("gone", "psvn studio doesn't answer: it was ended", "start it again");
  }
  if (response.ok) return await response.json();
  let said = {};
  try {
    said = await response.json();
  } catch {
  }
  const error = said.error ?? `the server refused the request (${response.status})`;
  throw new Refused(said.code ?? "refused", error, said.hint);
}
var post = (path, body) => request(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body)
});
var fetched = (path) => request(path, {});
var cancelled = (id) => request(`jobs/${id}`, { method: "DELETE" });
async function ask(path, question) {
  const read = store.read;
  if (!read) throw new Outdated();
  const body = { game: read.game, ...question };
  let answer;
  try {
    answer = await post(path, body);
  } catch (error) {
    if (!(error instanceof Refused && error.code === "unknown-game")) throw error;
    await post("text", { text: store.readText, window: store.window });
    answer = await post(path, body);
  }
  if (answer.game !== store.read?.game) throw new Outdated();
  return answer;
}

// src/parts/store.ts
var PAUSE = 150;
var Store = class {
  name = "";
  version = "";
  text = "";
  /** The text that the page and the file had in common last. */
  base = "";
  /** The version of the file that it was; null where there was no file. */
  baseVersion = null;
  /** How lines of the file end. */
  eol = "\n";
  /** The file; null where there is none to save to. */
  file = null;
  /** What the server has read, and of which text; null until then. */
  read = null;
  readText = "";
  findings = null;
  jobs = [];
  /** Why there is no answer, if the server is lost. */
  lost = "";
  window = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  listeners = /* @__PURE__ */ new Set();
  readSoon = settled(PAUSE, () => void this.readNow());
  listen(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  tell(change) {
    for (const listener of [...this.listeners]) listener(change);
  }
  get isChanged() {
    return this.text !== this.base;
  }
  get hasConflict() {
    return this.file !== null && (this.file.version ?? null) !== this.baseVersion;
  }
  async begin() {
    const begin2 = await fetched("file");
    this.name = begin2.name;
    this.version = begin2.version;
    this.take(begin2);
    await this.readNow();
    const news = new EventSource("api/events");
    news.onmessage = (event) => {
      const said = JSON.parse(event.data);
      this.setLost("");
      this.jobs = said.jobs;
      this.tell("jobs");
      void this.setFile(said.file);
    };
    news.onerror = () => this.setLost("psvn studio doesn't answer: it was ended, or this machine slept");
  }
  setLost(why) {
    if (this.lost === why) return;
    this.lost = why;
    this.tell("lost");
  }
  /** A text area has other ends of lines than some files. */
  take(begin2) {
    this.eol = begin2.text.includes("\r\n") ? "\r\n" : "\n";
    this.text = this.base = begin2.text.replace(/\r\n?/g, "\n");
    this.file = begin2.file;
    this.baseVersion = begin2.file?.version ?? null;
  }
  /** Follow the file where nothing of the page would be lost. */
  async setFile(file) {
    const before = JSON.stringify(this.file);
    this.file = file;
    if (file?.status === "text" && this.hasConflict && !this.isChanged) return this.reload();
    if (JSON.stringify(file) !== before) this.tell("file");
  }
  /** Take the text of the file. */
  async reload() {
    this.take(await fetched("file"));
    this.tell("file");
    this.tell("text");
    await this.readNow();
  }
  /** Keep the text of the page although the file has another one: saving will overwrite it. */
  keep() {
    this.baseVersion = this.file?.version ?? null;
    this.base = "\0";
    this.tell("file");
  }
  async save() {
    const text = this.text;
    const lines = text.replaceAll("\n", this.eol);
    const file = await post("save", { text: lines, base: this.baseVersion });
    this.file = file;
    this.base = text;
    this.baseVersion = file.version ?? null;
    this.tell("file");
  }
  /** The text was typed or changed. */
  edit(text) {
    if (text === this.text) return;
    this.text = text;
    this.tell("text");
    this.readSoon();
  }
  /** Have the server read the text, then say what is wrong with it. */
  async readNow() {
    const text = this.text;
    try {
      const read = await post("text", { text, window: this.window });
      if (text !== this.text) return;
      const isOther = read.game !== this.read?.game;
      this.read = read;
      this.readText = text;
      if (isOther) {
        this.findings = null;
        this.tell("read");
      }
      const findings = await post("findings", { game: read.game });
      if (this.read?.game !== findings.game) return;
      this.findings = findings;
      this.tell("findings");
    } catch (error) {
      if (error instanceof Refused) this.setLost(error.message);
      else throw error;
    }
  }
  job(kind) {
    return this.jobs.find((job) => job.kind === kind && job.game === this.read?.game);
  }
};
var store = new Store();

// src/parts/refusal.ts
async function tried(place, act) {
  try {
    await act();
  } catch (error) {
    if (error instanceof Outdated) return;
    if (!(error instanceof Refused)) throw error;
    show(place, refusal(error));
  }
}
function refusal(error) {
  return h("p", { class: "refusal", role: "alert" }, error.message, error.hint && `. ${error.hint}`);
}

// src/parts/reason.ts
var FIRST = {
  "empty": "it needs no rule at all",
  "costs-less": "it costs less",
  "shorter": "it is shorter",
  "earlier-letter": "it is as long, and has an earlier rule of the file where the two first differ"
};
var spelled = (word) => word.length ? word.join(" ") : "nothing";
function macroRule(rule, cost) {
  return h("p", { class: "macro" }, h("code", {}, rule ?? "nothing changes"), cost !== null && ` cost ${cost}`);
}
function describe(word) {
  const by = word.replaced_by[0];
  if (!by) return [];
  const doesNothing = by.word.length === 0;
  const within = word.implied.length > 0;
  return [
    h("h3", {}, h("span", { class: "word" }, word.word.join(" ")), " is redundant"),
    h(
      "p",
      { class: "verdict" },
      doesNothing ? "It leads back to where it began: doing nothing is as good." : [
        "Instead of it, ",
        h("span", { class: "word" }, spelled(by.word)),
        " leads to the same state, and is tried on another branch."
      ]
    ),
    h(
      "dl",
      { class: "sides" },
      h("dt", {}, word.word.join(" ")),
      h("dd", {}, macroRule(word.rule, word.cost)),
      h("dt", {}, spelled(by.word)),
      h("dd", {}, macroRule(by.rule, by.cost))
    ),
    h(
      "ul",
      {},
      h("li", {}, within ? "In all states that a search can meet, it can be used wherever the other can, and leads to the same state." : "It can be used wherever the other can, and leads to the same state."),
      within && h("li", {}, `This needs ${word.implied.join(", ")}, which follows from: ${word.invariants.join("; ") || "invariants of the goal"}.`),
      by.cost !== null && word.cost !== null && h("li", {}, `It costs no more: ${by.cost} ≤ ${word.cost}.`),
      h("li", {}, `It comes first: ${FIRST[by.comes_first] ?? by.comes_first}.`)
    ),
    h(
      "p",
      { class: "links" },
      h("a", { href: address("compose", { word: word.rules.join(".") }) }, "Compose it step by step"),
      word.replacement.length > 0 && h("a", { href: address("compose", { word: word.replacement.join(".") }) }, "Compose the replacement"),
      h("a", { href: address("redundant", { word: String(word.number) }) }, "In the list of redundant sequences")
    )
  ];
}
function showReason(place, number) {
  return tried(place, async () => {
    const { words } = await ask("words", { number, limit: 1 });
    const word = words[0];
    if (word) show(place, describe(word));
  });
}

// src/parts/work.ts
async function begin(path, question) {
  const { job } = await ask(path, { ...question, window: store.window });
  return job;
}
var resultOf = (job) => fetched(`jobs/${job.id}`);
var NAMES = {
  analysis: "Looking for redundant sequences",
  explanation: "Comparing with other sequences",
  solution: "Looking for a solution"
};
var seconds = (job) => `${job.seconds.toFixed(job.seconds < 10 ? 1 : 0)} s`;
function progress(job) {
  if (!job || job.status === "done") return null;
  if (job.status === "cancelled") return h("p", { class: "work" }, `${NAMES[job.kind]}: cancelled after ${seconds(job)}.`);
  if (job.status === "failed") {
    return h("p", { class: "refusal", role: "alert" }, `${NAMES[job.kind]} failed: ${job.error ?? "no reason is known"}`);
  }
  return h(
    "div",
    { class: "work" },
    h(
      "p",
      {},
      `${NAMES[job.kind]} … ${seconds(job)} `,
      button("Cancel", () => void cancelled(job.id), { class: "cancel" })
    ),
    h("p", { class: "soft" }, job.progress.at(-1) ?? "")
  );
}

// src/views/compose.ts
var SUBCASES = {
  "1(a)": "a value meets a value: they must be equal",
  "1(b)": "the rule wants two positions equal, and both hold values: they must be equal",
  "1(c)": "the rule wants two positions equal: the unknown one becomes the value",
  "2(a)": "the rule wants a value where the sequence leaves an unknown: the unknown becomes the value",
  "2(b)": "holds already",
  "2(c)": "the rule wants two positions equal: the unknown becomes the other's value",
  "2(d)": "the rule wants two unknowns equal: one becomes the other"
};
var SHOWN = 40;
var ComposeView = class {
  word;
  filter = h("input", { type: "search", placeholder: "name, number or part" });
  list = h("div", { class: "moves" });
  steps = h("div");
  verdict = h("div", { "aria-live": "polite" });
  explaining = null;
  constructor(root, parameters) {
    this.word = numbers(parameters["word"]);
    this.filter.addEventListener("input", settled(100, () => void this.rules()));
    const last = this.word.slice(0, -1);
    show(
      root,
      h(
        "div",
        { class: "columns" },
        h(
          "section",
          { class: "picker" },
          h("h2", {}, "Rules"),
          h("p", { class: "soft" }, "Choose rules in their order."),
          field("Filter", this.filter),
          this.list
        ),
        h(
          "section",
          { class: "grow" },
          h("h2", {}, "Sequence"),
          h(
            "div",
            { class: "controls" },
            button("Remove the last", () => go("compose", { word: last.join(".") }), { disabled: this.word.length === 0 }),
            button("Clear", () => go("compose"), { disabled: this.word.length === 0 }),
            button("Is it redundant?", () => void this.explain(), { id: "explain", disabled: this.word.length === 0 })
          ),
          this.verdict,
          this.steps
        )
      )
    );
    void this.rules();
    void this.compose();
  }
  rules() {
    return tried(this.list, async () => {
      const answer = await ask("rules", { filter: this.filter.value, limit: SHOWN });
      show(
        this.list,
        answer.rules.map((rule) => button(rule.name, () => go("compose", { word: [...this.word, rule.number].join(".") }), { title: rule.rule })),
        answer.matching > SHOWN && h("p", { class: "soft" }, `${counted(answer.matching - SHOWN, "rule")} more: filter them`)
      );
    });
  }
  compose() {
    return tried(this.steps, async () => {
      if (this.word.length === 0) {
        show(this.steps, h("p", {}, "The empty sequence changes nothing."));
        return;
      }
      const { composition } = await ask("compose", { word: this.word });
      show(
        this.steps,
        h("p", { class: "word" }, composition.word.join(" ")),
        composition.valid ? h("p", { class: "macro" }, h("code", {}, composition.rule ?? ""), ` cost ${composition.cost ?? 0}`) : h("p", { class: "refusal" }, `Impossible: ${composition.reason ?? ""}`),
        (composition.trace ?? []).map(appended)
      );
    });
  }
  explain() {
    return tried(this.verdict, async () => {
      this.explaining = await begin("explain", { word: this.word });
      show(this.verdict, progress(this.explaining));
      this.worked();
    });
  }
  worked() {
    const job = store.job("explanation");
    if (!job || job.id !== this.explaining?.id) return;
    show(this.verdict, progress(job));
    if (job.status === "running") return;
    this.explaining = null;
    if (job.status !== "done") return;
    void tried(this.verdict, async () => {
      const { explained } = await resultOf(job);
      show(this.verdict, verdict(explained));
    });
  }
  /** Nobody waits for an explanation any more. */
  close() {
    if (this.explaining) void cancelled(this.explaining.id);
  }
};
function appended(step, place) {
  const last = step.steps.length - 1;
  return h(
    "section",
    { class: "step" },
    h("h3", {}, place === 0 ? "first " : "then ", h("span", { class: "word" }, step.appended)),
    step.steps.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Positions that ${step.appended} tests` }, h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["Position", "Left there", "Wanted", "Subcase", "Result"].map((it) => h("th", { scope: "col" }, it)))),
      h("tbody", {}, step.steps.map((at, i) => h(
        "tr",
        {},
        h("td", {}, at.position),
        h("td", {}, h("code", {}, at.found)),
        h("td", {}, h("code", {}, at.wanted)),
        h("td", {}, at.subcase, " ", h("span", { class: "soft" }, SUBCASES[at.subcase] ?? "")),
        h("td", {}, at.replaced ? h("code", {}, `${at.replaced} becomes ${at.by ?? ""}`) : step.rule === null && i === last ? h("strong", { class: "changed" }, "conflict") : "")
      )))
    )),
    step.rule && h("p", { class: "macro" }, h("code", {}, step.rule))
  );
}
var VERDICTS = {
  "impossible": "No state allows it.",
  "redundant": "It is redundant.",
  "contains-redundant": "A part of it is redundant.",
  "not-redundant": "It isn't redundant, and no part of it is.",
  "unknown": "The time ran out before that was known."
};
function verdict(explained) {
  const { certificate, nearest } = explained;
  return h(
    "div",
    { class: "reason" },
    h(
      "p",
      {},
      h("strong", {}, VERDICTS[explained.verdict]),
      ` ${explained.reason ?? ""}`,
      explained.verdict === "unknown" && ` Nothing up to length ${explained.analyzed_length} is.`
    ),
    certificate && [
      h(
        "p",
        {},
        h("span", { class: "word" }, certificate.redundant.word.join(" ")),
        " can be replaced by ",
        h("span", { class: "word" }, spelled(certificate.replacement.word)),
        ":"
      ),
      h(
        "dl",
        { class: "sides" },
        h("dt", {}, certificate.redundant.word.join(" ")),
        h("dd", {}, h("code", {}, certificate.redundant.rule), ` cost ${certificate.redundant.cost}`),
        h("dt", {}, spelled(certificate.replacement.word)),
        h("dd", {}, h("code", {}, certificate.replacement.rule), ` cost ${certificate.replacement.cost}`)
      ),
      h(
        "ul",
        {},
        h("li", {}, `It can be used wherever the other can, and leads to the same state${certificate.substitution.length ? `, with ${certificate.substitution.map(([one, other]) => `${one} = ${other}`).join(", ")}` : ""}.`),
        (certificate.implied?.length ?? 0) > 0 && h("li", {}, `The invariants of the goal imply ${certificate.implied?.join(", ") ?? ""}.`),
        h("li", {}, `It comes first: ${certificate.order}.`)
      )
    ],
    nearest && h("p", {}, "What comes nearest is ", h("span", { class: "word" }, spelled(nearest.word)), `, but ${nearest.failed.join("; ")}.`)
  );
}

// src/views/machine.ts
var LENGTH = 3;
var SECONDS = 10;
var [WIDTH, HEIGHT, GAP, DOWN] = [150, 52, 150, 26];
var ROOM = 18;
var MOST_ROWS = 12;
var MachineView = class {
  picture = h("div", { class: "drawing" });
  side = h("aside", { class: "reason", "aria-live": "polite", "aria-label": "The chosen state" });
  summary = h("p", { class: "soft", role: "status" });
  work = h("div");
  chosen;
  shownJob = 0;
  view = { x: 0, y: 0, scale: 1 };
  constructor(root, parameters) {
    this.chosen = parameters["state"] ? Number(parameters["state"]) : null;
    show(
      root,
      h("p", { class: "intro" }, "The machine runs beside a search and remembers just enough of the last moves to forbid redundant sequences. Choose a state to see what it forbids, and why."),
      this.work,
      this.summary,
      h(
        "div",
        { class: "beside" },
        h("div", { class: "grow" }, this.picture),
        this.side
      )
    );
    void this.load();
  }
  async load() {
    await tried(this.summary, async () => {
      try {
        const part = await ask("machine", { state: this.chosen });
        this.draw(part);
        this.describe(part);
      } catch (error) {
        if (!(error instanceof Refused && error.code === "not-ready")) throw error;
        if (store.job("analysis")?.status === "running") return;
        show(this.work, progress(await begin("analyze", { length: LENGTH, seconds: SECONDS })));
      }
    });
  }
  worked() {
    const job = store.job("analysis");
    show(this.work, progress(job));
    if (job?.status === "done" && this.shownJob !== job.id) {
      if (this.shownJob) this.chosen = null;
      this.shownJob = job.id;
      void this.load();
    }
  }
  choose(state) {
    this.chosen = state;
    note("machine", { state: String(state) });
    void this.load().then(() => this.picture.querySelector(".state.chosen")?.focus());
  }
  draw(part) {
    const notes = [
      `${counted(part.n_states, "state")}. `,
      part.is_whole ? "" : `Shown is what is near state ${part.chosen.state}. `,
      part.leaves_out ? "Arrows are left out that lead where the same move leads from the start. " : ""
    ];
    show(this.summary, notes, part.chosen.state !== part.start && button("To the start", () => this.choose(part.start)));
    const places = layOut(part.states);
    const names = new Map(part.states.map((state) => [state.state, state.words.join(" or ")]));
    const [right, bottom] = [...places.values()].reduce(([x, y], it) => [Math.max(x, it.x), Math.max(y, it.y)], [0, 0]);
    const group = svg(
      "g",
      {},
      part.arrows.map((arrow) => drawArrow(arrow, places, names, part.chosen.state)),
      part.states.map((state) => this.drawState(state, places.get(state.state), part))
    );
    const box = { width: right + WIDTH + 120, height: bottom + HEIGHT + 70 };
    const drawing = svg("svg", {
      viewBox: `-40 -45 ${box.width} ${box.height}`,
      role: "group",
      "aria-label": "The machine",
      class: "machine"
    }, svg("defs", {}, svg(
      "marker",
      { id: "head", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" },
      svg("path", { d: "M0 0L10 5L0 10z", class: "head" })
    )), group);
    this.view = { x: 0, y: 0, scale: 1 };
    show(
      this.picture,
      h(
        "div",
        { class: "controls" },
        button("+", () => this.zoom(group, 1.25), { "aria-label": "Zoom in" }),
        button("−", () => this.zoom(group, 0.8), { "aria-label": "Zoom out" }),
        button("Whole", () => {
          this.view = { x: 0, y: 0, scale: 1 };
          this.place(group);
        }),
        h("span", { class: "soft" }, "Drag to move, wheel with Ctrl to zoom.")
      ),
      drawing
    );
    this.movable(drawing, group);
  }
  place(group) {
    const { x, y, scale } = this.view;
    group.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  }
  zoom(group, factor) {
    this.view.scale = Math.min(8, Math.max(0.2, this.view.scale * factor));
    this.place(group);
  }
  movable(drawing, group) {
    let from = null;
    drawing.addEventListener("pointerdown", (event) => {
      if (!event.target.closest(".state")) from = { x: event.clientX, y: event.clientY };
    });
    drawing.addEventListener("pointermove", (event) => {
      if (!from) return;
      const units = drawing.viewBox.baseVal.width / drawing.clientWidth;
      this.view.x += (event.clientX - from.x) * units;
      this.view.y += (event.clientY - from.y) * units;
      from = { x: event.clientX, y: event.clientY };
      this.place(group);
    });
    for (const end of ["pointerup", "pointerleave"]) drawing.addEventListener(end, () => {
      from = null;
    });
    drawing.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(group, event.deltaY < 0 ? 1.1 : 0.9);
    }, { passive: false });
  }
  drawState(state, at, part) {
    const isChosen = state.state === part.chosen.state;
    const name = state.words[0] ?? `state ${state.state}`;
    const more = state.words.length > 1 ? " or others" : "";
    const forbids = state.n_forbidden ? `forbids ${counted(state.n_forbidden, "move")}` : "forbids nothing";
    const fits = (text) => text.length > 22 ? `…${text.slice(-21)}` : text;
    const choose = () => this.choose(state.state);
    return svg(
      "g",
      {
        class: ["state", isChosen && "chosen", state.state === part.start && "start"].filter(Boolean).join(" "),
        transform: `translate(${at.x} ${at.y})`,
        role: "button",
        tabindex: "0",
        "aria-label": `${name}${more}, ${forbids}`,
        "aria-pressed": String(isChosen),
        onclick: choose,
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          choose();
        }
      },
      svg("rect", { width: WIDTH, height: HEIGHT, rx: 10 }),
      // The space keeps the two lines apart where they are read aloud.
      svg("text", { x: WIDTH / 2, y: 22 }, fits(name + (more && " …")), " "),
      svg("text", { x: WIDTH / 2, y: 40, class: "small" }, forbids)
    );
  }
  describe(part) {
    const { chosen } = part;
    const reason = h("div");
    const isStart = chosen.state === part.start;
    show(
      this.side,
      h("h2", {}, isStart ? "The start" : `State ${chosen.state}`),
      isStart ? h("p", {}, "Nothing of the past matters here.") : h(
        "p",
        {},
        "It remembers that the last moves were ",
        chosen.words.slice(0, 8).map((word, i) => [i > 0 && " or ", h("span", { class: "word" }, word)]),
        chosen.n_words > 8 && `, or one of ${counted(chosen.n_words - 8, "other sequence")}`,
        "."
      ),
      chosen.n_forbidden === 0 ? h("p", {}, "It forbids nothing.") : [
        h("h3", {}, `It forbids ${counted(chosen.n_forbidden, "move")}`),
        h("ul", { class: "forbidden" }, chosen.forbidden.map((it) => h(
          "li",
          {},
          h("span", { class: "word" }, it.name),
          it.number ? [
            ", since ",
            button(it.word.join(" "), () => void showReason(reason, it.number), { class: "link word" }),
            ` = ${spelled(it.replacement)}`
          ] : ""
        )))
      ],
      reason,
      h("h3", {}, "Next states"),
      h("ul", {}, chosen.next.slice(0, 40).map((arrow) => h(
        "li",
        {},
        button(arrow.to === part.start ? "start" : `state ${arrow.to}`, () => this.choose(arrow.to), { class: "link" }),
        " by ",
        h("span", { class: "word" }, shortened(arrow.rules))
      )))
    );
  }
};
var shortened = (rules) => rules.length > 6 ? `${rules.slice(0, 5).join(", ")} and ${rules.length - 5} more` : rules.join(", ");
function layOut(states) {
  const layers = /* @__PURE__ */ new Map();
  for (const state of states) layers.set(state.layer, [...layers.get(state.layer) ?? [], state]);
  const columnsOf = (all) => Math.ceil(all.length / MOST_ROWS);
  const rowsOf = (all) => Math.ceil(all.length / columnsOf(all));
  const highest = Math.max(...[...layers.values()].map(rowsOf));
  const places = /* @__PURE__ */ new Map();
  let x = 0;
  for (const layer of [...layers.keys()].sort((one, other) => one - other)) {
    const all = layers.get(layer) ?? [];
    const [columns, rows] = [columnsOf(all), rowsOf(all)];
    all.forEach((state, i) => {
      const column = Math.floor(i / rows);
      const above = (highest - rows) * (HEIGHT + DOWN) / 2;
      places.set(state.state, { x: x + column * (WIDTH + 40), y: above + i % rows * (HEIGHT + DOWN) });
    });
    x += columns * (WIDTH + 40) - 40 + GAP;
  }
  return places;
}
function label(rules) {
  const all = rules.join(", ");
  if (all.length <= ROOM) return all;
  const first = rules[0] ?? "";
  const rest = rules.length > 1 ? `, +${rules.length - 1}` : "";
  const room = ROOM - rest.length;
  return (first.length > room ? `${first.slice(0, room - 1)}…` : first) + rest;
}
function drawArrow(arrow, places, names, chosen) {
  const from = places.get(arrow.from);
  const to = places.get(arrow.to);
  if (!from || !to) return null;
  const text = label(arrow.rules);
  const middle = (place) => ({ x: place.x + WIDTH / 2, y: place.y + HEIGHT / 2 });
  let path;
  let middleOf;
  if (arrow.from === arrow.to) {
    const x = from.x + WIDTH / 2;
    path = `M${x - 20} ${from.y}C${x - 40} ${from.y - 40} ${x + 40} ${from.y - 40} ${x + 20} ${from.y}`;
    middleOf = { x, y: from.y - 32 };
  } else if (from.x === to.x) {
    const [a, b] = [middle(from), middle(to)];
    const side = a.y < b.y ? 1 : -1;
    const x = a.x + side * WIDTH / 2;
    path = `M${x} ${a.y}C${x + side * 40} ${a.y} ${x + side * 40} ${b.y} ${x} ${b.y}`;
    middleOf = { x: x + side * 34, y: (a.y + b.y) / 2 };
  } else {
    const forward = from.x < to.x;
    const a = { x: from.x + (forward ? WIDTH : 0), y: from.y + HEIGHT / 2 + (forward ? -8 : 8) };
    const b = { x: to.x + (forward ? 0 : WIDTH), y: to.y + HEIGHT / 2 + (forward ? -8 : 8) };
    const bend = (b.x - a.x) / 2;
    path = `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`;
    middleOf = { x: a.x + bend, y: (a.y + b.y) / 2 };
  }
  const isSaid = arrow.rules.length === 1 && names.get(arrow.to) === arrow.rules[0];
  const near = arrow.from === chosen || arrow.to === chosen;
  return svg(
    "g",
    { class: near ? "arrow near" : "arrow", "aria-hidden": "true" },
    svg("path", { d: path, "marker-end": "url(#head)" }),
    !isSaid && svg("text", { x: middleOf.x, y: middleOf.y + 4 }, text)
  );
}

// src/parts/board.ts
var SIDE = 40;
function cellSize(board) {
  const longest = Math.max(1, ...board.cells.map((cell) => [...cell.sign ?? ""].length));
  return [Math.max(SIDE, longest * 11 + 12), SIDE];
}
var SIDES = 4;
function joined(board, place) {
  const piece = board.cells[place]?.piece;
  const column = place % board.columns;
  const belongs = (other, isInRow = true) => piece !== void 0 && isInRow && board.cells[other]?.piece === piece;
  return [
    belongs(place - board.columns),
    belongs(place + 1, column + 1 < board.columns),
    belongs(place + board.columns),
    belongs(place - 1, column > 0)
  ];
}
function partOfPiece(isJoined, width, height, color) {
  const inset = isJoined.map((it) => it ? -0.5 : 1.5);
  const [top, right, bottom, left] = [inset[0], width - inset[1], height - inset[2], inset[3]];
  const corners = [[left, top], [right, top], [right, bottom], [left, bottom]];
  const toNext = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  let fill2 = "";
  let line = "";
  for (let side = 0; side < SIDES; side++) {
    const next = (side + 1) % SIDES;
    const [x, y] = corners[side];
    const [toX, toY] = corners[next];
    const [aheadX, aheadY] = toNext[side];
    const [turnX, turnY] = toNext[next];
    const before = isJoined[(side + SIDES - 1) % SIDES] || isJoined[side] ? 0 : 5;
    const behind = isJoined[side] || isJoined[next] ? 0 : 5;
    const start = `${x + aheadX * before} ${y + aheadY * before}`;
    const end = `L${toX - aheadX * behind} ${toY - aheadY * behind}`;
    const turn = behind ? `Q${toX} ${toY} ${toX + turnX * behind} ${toY + turnY * behind}` : "";
    fill2 += `${fill2 ? "L" : "M"}${start}${end}${turn}`;
    if (!isJoined[side]) line += `M${start}${end}${turn}`;
  }
  return [
    svg("path", { d: `${fill2}Z`, ...color ? { fill: color, class: "inside colored" } : { class: "inside" } }),
    svg("path", { d: line, class: "line" })
  ];
}
function drawBoard(board, description, press) {
  const [width, height] = cellSize(board);
  const rows = Math.ceil(board.cells.length / board.columns);
  const picture = svg("svg", {
    class: "board",
    viewBox: `-2 -2 ${board.columns * width + 4} ${rows * height + 4}`,
    role: press ? "group" : "img",
    "aria-label": description
  });
  const cells = /* @__PURE__ */ new Map();
  board.cells.forEach((cell, place) => {
    if (cell.shown === "outside") return;
    const x = place % board.columns * width;
    const y = Math.floor(place / board.columns) * height;
    const isThing = !cell.shown;
    const sign = cell.sign ?? "";
    const isPart = joined(board, place);
    const drawn = svg(
      "g",
      { class: `cell ${cell.shown ?? "thing"}`, transform: `translate(${x} ${y})` },
      isPart.some(Boolean) ? partOfPiece(isPart, width, height, cell.color) : svg("rect", {
        x: 1.5,
        y: 1.5,
        width: width - 3,
        height: height - 3,
        rx: 5,
        ...cell.color ? { fill: cell.color, class: "colored" } : {}
      }),
      (isThing || sign !== ".") && svg("text", {
        x: width / 2,
        y: height / 2 + 6,
        class: cell.color ? "colored" : void 0
      }, sign)
    );
    if (press) {
      drawn.setAttribute("role", "button");
      drawn.setAttribute("data-place", String(place));
      const where = `row ${Math.floor(place / board.columns) + 1}, column ${place % board.columns + 1}`;
      const what = isThing ? sign : "empty";
      drawn.setAttribute("aria-label", [`${what}, ${where}`, press.name(place)].filter(Boolean).join(", "));
      drawn.addEventListener("click", () => press.act(place));
      cells.set(place, drawn);
    }
    picture.append(drawn);
  });
  if (press) walkByKeys(board.columns, cells, press);
  return picture;
}
var STEPS = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (columns) => -columns,
  ArrowDown: (columns) => columns
};
function walkByKeys(columns, cells, press) {
  for (const [place, cell] of cells) {
    cell.setAttribute("tabindex", place === [...cells.keys()][0] ? "0" : "-1");
    cell.addEventListener("keydown", (event) => {
      const key2 = event.key;
      if (key2 === "Enter" || key2 === " ") {
        event.preventDefault();
        press.act(place);
        return;
      }
      const step = STEPS[key2];
      if (!step) return;
      event.preventDefault();
      let next = place + step(columns);
      const isInRow = (at) => !key2.endsWith("Left") && !key2.endsWith("Right") || Math.floor(at / columns) === Math.floor(place / columns);
      while (next >= 0 && next <= Math.max(...cells.keys()) && !cells.has(next)) next += step(columns);
      const found = cells.get(next);
      if (!found || !isInRow(next)) return;
      for (const other of cells.values()) other.setAttribute("tabindex", "-1");
      found.setAttribute("tabindex", "0");
      found.focus();
    });
  }
}

// src/views/play.ts
var ALGORITHMS = [
  ["auto", "automatic, least cost"],
  ["ida", "IDA*, least cost"],
  ["astar", "A*, least cost"],
  ["greedy", "greedy, any solution"],
  ["bfs", "breadth first, fewest moves"]
];
var STEP = 600;
var play = null;
var playedState = () => play && play.game === store.read?.game ? play.state : void 0;
var PlayView = class {
  board = h("div", { class: "place-of-board" });
  moves = h("div", { class: "moves" });
  said = h("p", { role: "status", class: "standing" });
  solved = h("div", { class: "solution" });
  steps = h("input", { type: "number", min: "1", max: "100000", value: "30" });
  limit = h("input", { type: "number", min: "1", max: "3600", value: "30" });
  algorithm = h("select", {}, ALGORITHMS.map(([value, name]) => h("option", { value }, name)));
  text = h("input", { type: "text", spellcheck: "false", class: "wide" });
  allowed = null;
  solution = null;
  step = 0;
  timer = 0;
  shownJob = 0;
  constructor(root, parameters) {
    const starts = store.read?.starts ?? [];
    const game = store.read?.game ?? "";
    if (play?.game !== game) play = { game, state: starts[0]?.[1] ?? "", past: [] };
    if (parameters["state"]) play.state = parameters["state"];
    const form = h("form", { class: "controls", onsubmit: (event) => {
      event.preventDefault();
      this.goTo(this.text.value);
    } }, field("State", this.text, { class: "field grow" }), h("button", {}, "Show"));
    show(
      root,
      h(
        "div",
        { class: "play" },
        h(
          "div",
          { class: "left" },
          this.said,
          this.board,
          h(
            "div",
            { class: "controls" },
            button("Take back", () => this.back(), { id: "back" }),
            starts.map(([name, state]) => button(`Go to “${name}”`, () => this.goTo(state)))
          )
        ),
        h(
          "div",
          { class: "right" },
          h("h2", {}, "Moves"),
          this.moves,
          h("h2", {}, "Scramble"),
          h("div", { class: "controls" }, field("Steps", this.steps), button("Scramble", () => void this.scramble(), { id: "scramble" })),
          h("h2", {}, "Solve"),
          h(
            "div",
            { class: "controls" },
            field("Search", this.algorithm),
            field("Seconds", this.limit),
            button("Solve", () => void this.solve(), { id: "solve" })
          ),
          this.solved
        )
      ),
      form
    );
    document.addEventListener("keydown", this.onKey);
    void this.show();
  }
  close() {
    window.clearInterval(this.timer);
    document.removeEventListener("keydown", this.onKey);
  }
  /** Long work stands elsewhere. */
  worked() {
    const job = store.job("solution");
    if (!job || job.window !== store.window) return;
    if (job.status === "done") {
      if (this.shownJob === job.id) return;
      this.shownJob = job.id;
      void tried(this.solved, () => this.take(job));
    } else if (!this.solution) {
      show(this.solved, progress(job));
    }
  }
  onKey = (event) => {
    const isField = event.target instanceof Element && event.target.closest("input, select, textarea");
    if (isField || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = /^[1-9]$/.test(event.key) ? this.allowed?.moves[Number(event.key) - 1] : void 0;
    if (move) {
      event.preventDefault();
      this.make(move);
    } else if (event.key === "Backspace") {
      event.preventDefault();
      this.back();
    }
  };
  goTo(state) {
    if (!play) return;
    play.past = [];
    play.state = state.trim();
    this.drop();
    void this.show();
  }
  back() {
    const last = play?.past.pop();
    if (!play || !last) {
      announce("There is no move to take back.");
      return;
    }
    play.state = last.state;
    this.drop();
    void this.show();
  }
  make(move) {
    if (!play || !this.allowed) return;
    play.past.push({ state: this.allowed.state, move: move.name, cost: move.cost });
    play.state = move.state;
    this.drop();
    void this.show();
  }
  /** A solution is one from a state that isn't shown any more. */
  drop() {
    window.clearInterval(this.timer);
    this.solution = null;
    show(this.solved);
  }
  press(place) {
    const moves = this.movesAt(place);
    const only = moves[0];
    if (moves.length === 1 && only) {
      this.make(only);
      return;
    }
    announce(moves.length === 0 ? "No move changes this cell." : `${moves.length} moves change this cell: ${moves.slice(0, 9).map((it) => it.name).join(", ")}`);
    for (const shown2 of this.moves.querySelectorAll("button")) {
      shown2.classList.toggle("meant", moves.some((move) => String(move.rule) === shown2.dataset["rule"]));
    }
  }
  movesAt(place) {
    return this.allowed?.moves.filter((move) => move.cells.includes(place)) ?? [];
  }
  async show() {
    await tried(this.said, async () => {
      const focused = document.activeElement?.getAttribute("data-place");
      const asked = play?.state ?? "";
      const allowed = await ask("moves", { state: asked });
      if (play?.state !== asked) return;
      this.allowed = allowed;
      play.state = allowed.state;
      this.text.value = allowed.state;
      note("play", { state: allowed.state });
      const name = (place) => {
        const [only, ...others] = this.movesAt(place);
        return only && others.length === 0 ? `makes ${only.name}` : "";
      };
      show(this.board, drawBoard(allowed.board, `Board: ${allowed.state}`, { name, act: (place) => this.press(place) }));
      if (focused) this.board.querySelector(`[data-place="${focused}"]`)?.focus();
      this.showStanding(allowed);
      show(
        this.moves,
        allowed.moves.map((move, i) => button(
          [
            i < 9 && h("kbd", {}, String(i + 1)),
            move.name,
            move.cost !== 1 && h("span", { class: "soft" }, ` cost ${move.cost}`)
          ],
          () => this.make(move),
          { "data-rule": move.rule }
        )),
        allowed.moves.length === 0 && h("p", {}, "No rule can be used here."),
        allowed.left_out > 0 && h("p", { class: "soft" }, `${counted(allowed.left_out, "move")} more`)
      );
      this.worked();
    });
  }
  showStanding(allowed) {
    const past = play?.past ?? [];
    const cost = past.reduce((sum, it) => sum + it.cost, 0);
    show(
      this.said,
      allowed.is_goal && h("strong", { class: "goal" }, "A goal. "),
      past.length === 0 ? "Click a piece to move it, or choose a move." : `${counted(past.length, "move")}, cost ${cost}. Last: ${past.at(-1)?.move ?? ""}.`,
      " ",
      h("a", { href: address("tree", { start: allowed.state }) }, "Search tree from here")
    );
  }
  async scramble() {
    await tried(this.said, async () => {
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
      const walk = await ask(
        "scramble",
        { steps: Number(this.steps.value) || 30, seed, state: play?.state ?? "" }
      );
      this.goTo(walk.state);
      announce(["Scrambled.", ...walk.notes].join(" "));
    });
  }
  async solve() {
    this.drop();
    await tried(this.solved, async () => {
      const algorithm = this.algorithm.value;
      const job = await begin("solve", { start: play?.state ?? "", seconds: Number(this.limit.value) || 30, algorithm });
      if (store.job("solution")?.id !== job.id) show(this.solved, progress(job));
    });
  }
  /** Show the answer of a search, if it began where the board stands. */
  async take(job) {
    const solution = await resultOf(job);
    if (job.game !== store.read?.game || solution.record.start !== play?.state) {
      if (!this.solution) show(this.solved);
      return;
    }
    this.solution = solution;
    this.step = 0;
    const { record } = solution;
    const figures = `${record.generated.toLocaleString("en")} states generated in ${record.seconds.toFixed(2)} s`;
    if (!record.solved) {
      show(this.solved, h("p", { role: "status" }, `No solution: ${solution.meaning || record.outcome}. ${figures}.`));
      return;
    }
    const last = solution.steps.length - 1;
    const slider = h("input", { type: "range", min: "0", max: String(last), value: "0", id: "step", "aria-label": "Step of the solution" });
    const at = h("p", { id: "at-step", role: "status" });
    const picture = h("div", { class: "place-of-board" });
    const go2 = (step) => {
      this.step = Math.min(last, Math.max(0, step));
      slider.value = String(this.step);
      const shown2 = solution.steps[this.step];
      if (!shown2) return;
      show(at, `Step ${this.step} of ${last}: ${shown2.name ?? "start"}, cost ${shown2.cost}${shown2.is_goal ? ", a goal" : ""}`);
      show(picture, drawBoard(shown2.board, `Board: ${shown2.state}`));
    };
    const playing = button("Play", () => {
      if (this.timer) {
        window.clearInterval(this.timer);
        this.timer = 0;
      } else {
        if (this.step === last) go2(0);
        this.timer = window.setInterval(() => {
          go2(this.step + 1);
          if (this.step === last) playing.click();
        }, STEP);
      }
      playing.textContent = this.timer ? "Pause" : "Play";
    });
    slider.addEventListener("input", () => go2(Number(slider.value)));
    show(
      this.solved,
      h(
        "p",
        {},
        h("strong", {}, `${counted(last, "move")}, cost ${record.cost ?? 0}${solution.meaning}. `),
        `${figures}; heuristic ${record.heuristic ?? "none"}. `,
        h("a", { href: address("runs") }, "The search")
      ),
      at,
      h(
        "div",
        { class: "controls slider" },
        button("|◀", () => go2(0), { "aria-label": "First step" }),
        button("◀", () => go2(this.step - 1), { "aria-label": "Step back" }),
        slider,
        button("▶", () => go2(this.step + 1), { "aria-label": "Step forward", id: "forward" }),
        button("▶|", () => go2(last), { "aria-label": "Last step" }),
        playing
      ),
      picture,
      h("details", {}, h("summary", {}, "All moves"), h("p", { class: "word" }, solution.steps.slice(1).map((it) => it.name).join(" ")))
    );
    go2(0);
  }
};

// src/views/redundant.ts
var PAGE = 100;
var LENGTH2 = 3;
var RedundantView = class {
  length = h("input", { type: "number", min: "0", max: "20", value: String(LENGTH2), id: "length" });
  seconds = h("input", { type: "number", min: "1", max: "3600", value: "30" });
  lengths;
  filter;
  work = h("div");
  figures = h("div");
  count = h("p", { class: "soft", role: "status" });
  body = h("tbody");
  more = h("p");
  side = h("aside", { class: "reason", "aria-live": "polite", "aria-label": "The chosen sequence" });
  chosen;
  loaded = 0;
  shownJob = 0;
  constructor(root, parameters) {
    this.chosen = parameters["word"] ?? "";
    this.lengths = h("input", { type: "text", value: parameters["lengths"] ?? "", placeholder: "all, or 2-3", size: "8" });
    this.filter = h("input", { type: "search", value: parameters["filter"] ?? "", placeholder: "names of rules" });
    if (parameters["length"]) this.length.value = parameters["length"];
    const search = settled(150, () => {
      note("redundant", { lengths: this.lengths.value, filter: this.filter.value });
      void this.load(true);
    });
    this.lengths.addEventListener("input", search);
    this.filter.addEventListener("input", search);
    const form = h("form", { class: "controls", onsubmit: (event) => {
      event.preventDefault();
      void this.analyze();
    } }, field("Compare sequences up to length", this.length), field("Seconds", this.seconds), h("button", { id: "analyze" }, "Analyze"));
    show(
      root,
      form,
      this.work,
      this.figures,
      h("div", { class: "controls" }, field("Lengths", this.lengths), field("Filter", this.filter)),
      this.count,
      h(
        "div",
        { class: "beside" },
        h(
          "div",
          { class: "grow" },
          h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Redundant sequences" }, h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ["Sequence", "Replaced by", "Since it", "Cost"].map((it) => h("th", { scope: "col" }, it)))),
            this.body
          )),
          this.more
        ),
        this.side
      )
    );
    void this.begin();
  }
  async begin() {
    const isKnown = await this.load(true);
    if (!isKnown && store.job("analysis")?.status !== "running") await this.analyze();
  }
  analyze() {
    note("redundant", { length: this.length.value });
    return tried(this.work, async () => {
      const question = { length: Number(this.length.value), seconds: Number(this.seconds.value) || 30 };
      show(this.work, progress(await begin("analyze", question)));
    });
  }
  worked() {
    const job = store.job("analysis");
    show(this.work, progress(job));
    if (job?.status !== "done" || this.shownJob === job.id) return;
    this.shownJob = job.id;
    void this.load(true);
    void tried(this.figures, async () => {
      const { report } = await resultOf(job);
      show(this.figures, levels(report.levels ?? []));
    });
  }
  /** Show words; return whether they are known. */
  async load(anew) {
    let isKnown = true;
    await tried(this.count, async () => {
      if (anew) this.loaded = 0;
      let answer;
      try {
        answer = await ask(
          "words",
          { lengths: this.lengths.value, filter: this.filter.value, offset: this.loaded, limit: PAGE }
        );
      } catch (error) {
        if (!(error instanceof Refused && error.code === "not-ready")) throw error;
        isKnown = false;
        return;
      }
      if (anew) this.body.replaceChildren();
      for (const word of answer.words) this.body.append(this.row(word));
      this.loaded += answer.words.length;
      const all = counted(answer.total, "redundant sequence");
      const isFiltered = answer.matching !== answer.total;
      show(
        this.count,
        `${isFiltered ? `${answer.matching.toLocaleString("en")} of ` : ""}${all} up to length ${answer.complete_length}`,
        answer.complete_length < answer.length && ` (a limit was reached before length ${answer.length})`,
        answer.start && `, for searches from ${answer.start}`
      );
      const left = answer.matching - this.loaded;
      show(this.more, left > 0 && button(`Show more (${left.toLocaleString("en")} left)`, () => void this.load(false)));
      const first = this.chosen || answer.words[0]?.number;
      if (anew && first) await this.explain(Number(first));
    });
    return isKnown;
  }
  row(word) {
    const by = word.replaced_by[0];
    return h(
      "tr",
      { "data-number": word.number, class: String(word.number) === this.chosen ? "chosen" : "" },
      h("td", {}, button(word.word.join(" "), () => void this.explain(word.number), { class: "link word" })),
      h("td", { class: "word" }, spelled(by?.word ?? [])),
      h("td", {}, by?.comes_first === "empty" ? "changes nothing" : by?.comes_first === "shorter" ? "is shorter" : "comes first"),
      h("td", { class: "r" }, `${by?.cost ?? "?"} ≤ ${word.cost ?? "?"}`)
    );
  }
  async explain(number) {
    this.chosen = String(number);
    note("redundant", { word: this.chosen });
    for (const row2 of this.body.querySelectorAll("tr")) {
      row2.classList.toggle("chosen", row2.dataset["number"] === this.chosen);
    }
    await tried(this.side, async () => {
      const { words } = await ask("words", { number, limit: 1 });
      show(this.side, words[0] ? [h("h2", {}, "Why is it redundant?"), ...describe(words[0])] : h("p", {}, `There is no redundant sequence ${number}.`));
    });
  }
};
function levels(all) {
  const columns = [
    ["Length", "length"],
    ["Composed", "composed"],
    ["Impossible", "impossible"],
    ["Redundant", "redundant"],
    ["Kept", "kept"]
  ];
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures" }, h(
    "table",
    {},
    h("thead", {}, h("tr", {}, columns.map(([it]) => h("th", { scope: "col", class: "r" }, it)))),
    h("tbody", {}, all.map((level) => h("tr", {}, columns.map(([, name]) => h("td", { class: "r" }, level[name].toLocaleString("en"))))))
  ));
}

// src/views/rules.ts
var PAGE2 = 100;
function rulesView(root, parameters) {
  const filter = h("input", { type: "search", value: parameters["filter"] ?? "", placeholder: "name, number or part" });
  const count = h("p", { class: "soft", role: "status" });
  const body = h("tbody");
  const more = h("p");
  let shown2 = 0;
  const load = () => tried(count, async () => {
    const answer = await ask("rules", { filter: filter.value, offset: shown2, limit: PAGE2 });
    if (shown2 === 0) body.replaceChildren();
    for (const rule of answer.rules) body.append(row(rule));
    shown2 += answer.rules.length;
    const all = counted(answer.total, "rule");
    show(count, filter.value ? `${answer.matching.toLocaleString("en")} of ${all}` : all);
    show(more, shown2 < answer.matching && button(
      `Show more (${(answer.matching - shown2).toLocaleString("en")} left)`,
      () => void load()
    ));
  });
  filter.addEventListener("input", settled(100, () => {
    shown2 = 0;
    note("rules", { filter: filter.value });
    void load();
  }));
  show(
    root,
    h("div", { class: "controls" }, field("Filter", filter)),
    count,
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rules" },
      h(
        "table",
        {},
        h("thead", {}, h(
          "tr",
          {},
          ["", "Name", "Cost", "Canonical form", "Undone by", "Line", "Text"].map((it, i) => h("th", { scope: "col", class: i === 0 || i === 2 || i === 5 ? "r" : "" }, it || h("abbr", { title: "number" }, "#")))
        )),
        body
      )
    ),
    more
  );
  void load();
}
function row(rule) {
  const inverse = rule.inverse_number ? h("a", { href: address("rules", { filter: String(rule.inverse ?? "") }) }, rule.inverse) : rule.one_to_one ? "none" : "none, loses values";
  return h(
    "tr",
    {},
    h("td", { class: "r" }, rule.number),
    h(
      "th",
      { scope: "row" },
      rule.name,
      rule.duplicate_of && h("span", { class: "soft" }, ` same as ${rule.duplicate_of}`)
    ),
    h("td", { class: "r" }, rule.cost),
    h("td", { class: "form" }, h("code", {}, rule.rule)),
    h("td", {}, inverse),
    h("td", { class: "r" }, rule.line ? h("a", { href: address("text", { line: String(rule.line) }) }, String(rule.line)) : ""),
    h("td", { class: "form" }, h("code", {}, rule.source))
  );
}

// src/views/runs.ts
function runsView(root) {
  const results = /* @__PURE__ */ new Map();
  const worked = () => {
    const jobs = store.jobs.filter((job) => job.game === store.read?.game);
    show(
      root,
      jobs.length === 0 && h(
        "p",
        {},
        "Nothing runs, and nothing has run for this text. Solve something under ",
        h("a", { href: "#play" }, "Play"),
        ", or look for ",
        h("a", { href: "#redundant" }, "redundant sequences"),
        "."
      ),
      jobs.map((job) => run(job, results))
    );
  };
  worked();
  return { worked };
}
function run(job, results) {
  if (job.status === "done" && job.kind === "solution" && !results.has(job.id)) {
    const place = h("div");
    results.set(job.id, place);
    void tried(place, async () => show(place, bounds(await resultOf(job))));
  }
  return h(
    "section",
    {},
    h("h2", {}, NAMES[job.kind]),
    h(
      "p",
      { role: "status" },
      `${job.status}, ${job.seconds.toFixed(1)} s `,
      job.status === "running" && button("Stop", () => void cancelled(job.id), { class: "cancel" })
    ),
    job.error && h("p", { class: "refusal" }, job.error),
    results.get(job.id),
    job.left_out > 0 && h("p", { class: "soft" }, `${job.left_out} earlier lines are left out`),
    h("pre", { class: "progress", tabindex: "0", "aria-label": "Progress" }, job.progress.join("\n"))
  );
}
function bounds(solution) {
  const { record } = solution;
  const all = record.bounds;
  const most = Math.max(1, ...all.map((it) => Number(it.generated)));
  const figures = `${record.solved ? `Solved at cost ${record.cost ?? 0}` : record.outcome}${solution.meaning}: ${Number(record.generated).toLocaleString("en")} nodes in ${record.seconds.toFixed(3)} s after ${record.preparation_seconds.toFixed(3)} s of preparation`;
  return h(
    "div",
    {},
    h("p", {}, figures, record.heuristic && `; heuristic ${record.heuristic}`, record.heuristic_reason && ` (${record.heuristic_reason})`, "."),
    all.length > 0 && h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Bounds" }, h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["Bound", "Generated", "Expanded", "Share"].map((it) => h("th", { scope: "col", class: "r" }, it)))),
      h("tbody", {}, all.map((it) => h(
        "tr",
        {},
        h("td", { class: "r" }, it.bound),
        h("td", { class: "r" }, Number(it.generated).toLocaleString("en")),
        h("td", { class: "r" }, Number(it.expanded).toLocaleString("en")),
        h("td", {}, h("meter", { min: 0, max: most, value: Number(it.generated), "aria-label": `${it.generated} of ${most}` }))
      )))
    ))
  );
}

// src/parts/editor.ts
var LINE = 20;
var MORE = 20;
var Editor = class {
  element;
  area;
  gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  marks = h("div", { class: "marks", "aria-hidden": "true" });
  findings = [];
  /** Where each line begins. */
  starts = [0];
  constructor(text, label2, changed, moved) {
    this.area = h("textarea", {
      class: "source",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      "aria-label": label2,
      "aria-describedby": "findings-count"
    });
    this.area.value = text;
    this.area.addEventListener("input", () => {
      this.findings = [];
      this.measure();
      changed(this.area.value);
    });
    this.area.addEventListener("scroll", () => this.draw());
    const tell = () => moved(this.area.selectionStart);
    for (const event of ["keyup", "click"]) this.area.addEventListener(event, tell);
    this.element = h("div", { class: "editor" }, this.gutter, h("div", { class: "sheet" }, this.marks, this.area));
    new ResizeObserver(() => this.draw()).observe(this.area);
    this.measure();
  }
  set(text) {
    if (text === this.area.value) return;
    const at = this.area.selectionStart;
    this.area.value = text;
    this.area.setSelectionRange(at, at);
    this.findings = [];
    this.measure();
  }
  mark(findings) {
    this.findings = findings;
    this.draw();
  }
  /** Make changes such that undo takes them back. */
  change(edits) {
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
  select(start, end) {
    this.area.focus();
    this.area.setSelectionRange(start, end);
    const line = this.lineOf(start);
    this.area.scrollTop = Math.max(0, line * LINE - this.area.clientHeight / 3);
    this.draw();
  }
  selectLine(line) {
    const start = this.starts[Math.min(line, this.starts.length) - 1] ?? 0;
    const end = this.starts[line];
    this.select(start, end === void 0 ? this.area.value.length : end - 1);
  }
  lineOf(offset) {
    let low = 0;
    let high = this.starts.length;
    while (low + 1 < high) {
      const middle = low + high >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low;
  }
  measure() {
    const text = this.area.value;
    this.starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
    this.draw();
  }
  /** Draw the numbers and marks of the lines that are seen. */
  draw() {
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    const first = Math.max(0, Math.floor(scrollTop / LINE) - MORE);
    const last = Math.min(this.starts.length, Math.ceil((scrollTop + clientHeight) / LINE) + MORE);
    const severities = /* @__PURE__ */ new Map();
    for (const { line, severity } of this.findings) {
      if (severities.get(line) !== "error") severities.set(line, severity);
    }
    const lines = [];
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
    const contents = [];
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
};

// src/views/text.ts
var MOST = 200;
var TextPane = class {
  element;
  editor;
  list = h("div", { class: "findings" });
  meaning = h("div", { class: "meaning", role: "status" });
  bar = h("div", { class: "filebar" });
  constructor() {
    const explain = settled(250, (offset) => void this.explain(offset));
    this.editor = new Editor(store.text, "The text of the game", (text) => store.edit(text), explain);
    this.element = h(
      "section",
      { class: "text", "aria-label": "Text" },
      this.bar,
      this.editor.element,
      this.list,
      this.meaning
    );
    store.listen((change) => {
      if (change === "text") this.editor.set(store.text);
      if (change === "findings" || change === "read") this.showFindings();
      if (change === "text" || change === "file" || change === "lost") this.showFile();
    });
    this.showFindings();
    this.showFile();
  }
  selectLine(line) {
    this.editor.selectLine(line);
  }
  async save() {
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
  choices() {
    const take = button(
      store.file?.status === "text" ? "Take the file's text" : "Drop my changes",
      () => void store.reload()
    );
    const keep = button("Keep mine", () => store.keep());
    return store.file?.status === "text" ? [take, keep] : [keep];
  }
  showFile() {
    const { file } = store;
    if (!file) {
      show(this.bar, h("p", { class: "soft" }, `${store.name} has no file: copy the text to keep it.`));
      return;
    }
    const saving = button("Save", () => void this.save(), { class: "save", title: "Ctrl+S" });
    if (store.hasConflict) {
      const what = file.status === "missing" ? "The file was deleted or renamed." : file.status === "unreadable" ? `The file can't be read: ${file.problem ?? ""}.` : "The file was changed elsewhere, and so was the text here.";
      show(this.bar, h("p", { class: "refusal", role: "alert" }, `${what} `, this.choices()));
      return;
    }
    const isMissing = file.status === "missing";
    const state = isMissing ? "not saved: there is no such file, and saving makes one" : store.isChanged ? "changed, not saved" : "saved";
    show(this.bar, h(
      "p",
      {},
      h("span", { class: store.isChanged ? "changed" : "soft" }, `${store.name}: ${state} `),
      (store.isChanged || isMissing) && saving
    ));
  }
  showFindings() {
    const { findings } = store;
    if (!findings) {
      show(this.list, h("p", { class: "soft", id: "findings-count" }, "Looking for mistakes …"));
      return;
    }
    const all = findings.findings;
    this.editor.mark(all);
    const errors = all.filter((it) => it.severity === "error").length;
    const summary = all.length === 0 ? "No errors and no warnings." : `${counted(errors, "error")}, ${counted(all.length - errors, "warning")}.`;
    const fixAll = findings.fix_all;
    show(
      this.list,
      h(
        "p",
        { id: "findings-count", role: "status" },
        summary,
        " ",
        fixAll && this.fixButton(fixAll)
      ),
      h("ol", {}, all.slice(0, MOST).map((it) => this.finding(it, findings.codes[it.code]))),
      all.length > MOST && h("p", { class: "soft" }, `${counted(all.length - MOST, "finding")} more`)
    );
  }
  fixButton(fix) {
    return button(fix.title, () => {
      this.editor.change(fix.edits);
      announce(`${fix.title}: done.`);
    }, { class: "fix", title: fix.certain ? "There is one answer" : "This is likely what was meant" });
  }
  finding(it, meaning) {
    const [first = "", ...rest] = it.message.split("\n");
    return h(
      "li",
      { class: it.severity },
      h(
        "p",
        {},
        h("span", { class: "severity" }, it.severity),
        " ",
        button(`line ${it.line}`, () => this.editor.select(it.start, it.end), { class: "link" }),
        ` ${first} `,
        h("code", {}, it.code)
      ),
      rest.map((line) => h("p", { class: "hint" }, line)),
      it.related.map((other) => h(
        "p",
        { class: "hint" },
        button(`line ${other.line}`, () => this.editor.selectLine(other.line), { class: "link" }),
        ` ${other.text}`
      )),
      it.fixes.length > 0 && h("p", {}, it.fixes.map((fix) => this.fixButton(fix))),
      meaning && h("details", {}, h("summary", {}, `What ${it.code} means`), h("p", {}, meaning))
    );
  }
  /** Say what the place of the cursor means. */
  async explain(offset) {
    if (store.text !== store.readText) return;
    try {
      const { text } = await ask("hover", { offset });
      show(this.meaning, text ? marked(text) : null);
    } catch (error) {
      if (!(error instanceof Outdated || error instanceof Refused)) throw error;
    }
  }
};
function marked(text) {
  const inline = (line) => line.split("`").map((part, i) => i % 2 ? h("code", {}, part) : part.replaceAll("**", ""));
  return text.split(/\n\n+/).map((block) => {
    if (block.trim() === "---") return h("hr");
    const lines = block.split("\n").filter((line) => !line.startsWith("```"));
    return block.startsWith("```") ? h("pre", {}, lines.join("\n")) : h("p", {}, lines.map((line, i) => [i > 0 && h("br"), ...inline(line.replace(/^[-*] /, "• "))]));
  });
}

// src/views/tree.ts
var LENGTH3 = 3;
var SECONDS2 = 10;
var FEW = 8;
var key = (path) => path.join(".");
var TreeView = class {
  outline = h("div", { class: "outline", role: "tree", "aria-label": "Search tree" });
  side = h("aside", { class: "reason", "aria-live": "polite", "aria-label": "The chosen node" });
  work = h("div");
  length = h("input", { type: "number", min: "0", max: "20", value: String(LENGTH3) });
  heuristic = h("select", {});
  startField = h("input", { type: "text", spellcheck: "false", class: "wide" });
  start;
  root = null;
  /** The path of the chosen node. */
  chosen;
  opened;
  prunedUpTo = null;
  shownJob = 0;
  asks = 0;
  /** Whether the heuristics are known, so that nodes can be asked for. */
  isReady = false;
  constructor(place, parameters) {
    const starts = store.read?.starts ?? [];
    this.start = parameters["start"] ?? playedState() ?? starts[0]?.[1] ?? "";
    this.chosen = parameters["node"] ?? "";
    this.opened = new Set((parameters["open"] ?? "").split(",").filter(Boolean));
    this.startField.value = this.start;
    const form = h(
      "form",
      { class: "controls", onsubmit: (event) => {
        event.preventDefault();
        this.start = this.startField.value.trim();
        this.reset();
      } },
      field("Start", this.startField, { class: "field grow" }),
      h("button", {}, "Show"),
      starts.map(([name, state]) => button(`From “${name}”`, () => {
        this.start = this.startField.value = state;
        this.reset();
      }))
    );
    const cutting = h("form", { class: "controls", onsubmit: (event) => {
      event.preventDefault();
      void this.analyze(Number(this.length.value), null);
    } }, field("Heuristic h", this.heuristic), field("Cut redundant sequences up to length", this.length), h("button", {}, "Cut"));
    this.heuristic.addEventListener("change", () => {
      note("tree", { h: this.heuristic.value });
      void this.load();
    });
    this.outline.addEventListener("keydown", (event) => this.onKey(event));
    show(
      place,
      h(
        "p",
        { class: "intro" },
        "Each line is a move and the state that it leads to. ",
        h("span", { class: "cut-sample" }, "Struck out"),
        " branches are cut, since another branch leads to the same state at no more cost: choose one to see why."
      ),
      form,
      cutting,
      this.work,
      h("div", { class: "beside" }, this.outline, this.side)
    );
    void this.begin(parameters["h"]);
  }
  async begin(heuristic) {
    await tried(this.outline, async () => {
      const found = await ask("heuristics", { start: this.start });
      show(this.heuristic, found.all.map((it) => h("option", { value: it.name, title: it.summary }, it.name)));
      this.heuristic.value = heuristic ?? found.usual;
      await this.known();
      this.isReady = true;
      await this.load();
    });
  }
  /** Have redundant words looked for, unless they are known. */
  async known() {
    try {
      const words = await ask("words", { limit: 0 });
      this.length.value = String(words.length);
    } catch {
      const job = store.job("analysis");
      if (job?.status !== "running") await this.analyze(LENGTH3, null);
    }
  }
  async analyze(length, start) {
    await tried(this.work, async () => {
      show(this.work, progress(await begin("analyze", { length, seconds: SECONDS2, start })));
    });
  }
  worked() {
    const job = store.job("analysis");
    show(this.work, progress(job));
    if (job?.status === "done" && this.shownJob !== job.id) {
      this.shownJob = job.id;
      if (this.isReady) void this.load();
    }
  }
  reset() {
    this.opened.clear();
    this.chosen = "";
    note("tree", { start: this.start, open: "", node: "" });
    void this.load();
  }
  /** Unfold what is open anew, from the root. */
  async load() {
    const asked = ++this.asks;
    await tried(this.outline, async () => {
      const root = await this.unfold({
        path: [],
        name: "start",
        node: { state: "", board: { columns: 1, cells: [] }, is_goal: false, g: 0, h: null },
        cut: void 0,
        parent: null,
        children: null,
        isOpen: true,
        leftOut: 0
      });
      const isFirst = this.opened.size === 0;
      const most = (root.children?.length ?? 0) <= FEW ? FEW : 1;
      const openBelow = async (node, depth) => {
        for (const [place, child] of (node.children ?? []).entries()) {
          const isWanted = isFirst ? depth < 1 && place < most && !child.cut && !child.node.is_goal : this.opened.has(key(child.path));
          if (!isWanted) continue;
          await this.unfold(child);
          this.opened.add(key(child.path));
          await openBelow(child, depth + 1);
        }
      };
      await openBelow(root, 0);
      if (asked !== this.asks) return;
      this.root = root;
      if (!this.find(this.chosen) || !this.chosen) this.chosen = key(this.firstCut(root)?.path ?? []);
      this.draw();
      this.explain();
    });
  }
  async unfold(node) {
    const answer = await ask("children", { start: this.start, path: node.path, heuristic: this.heuristic.value });
    this.prunedUpTo = answer.pruned_up_to;
    if (node.path.length === 0) {
      node.node = answer;
      this.start = this.startField.value = answer.state;
      if (answer.breach) {
        show(this.work, h(
          "p",
          { class: "refusal" },
          `Nothing is cut: this start isn't one for which the redundant sequences were found (${answer.breach}). `,
          button("Find those for this start", () => void this.analyze(Number(this.length.value), this.start))
        ));
      }
    }
    node.isOpen = true;
    node.leftOut = answer.left_out;
    node.children = answer.children.map((child) => ({
      path: [...node.path, child.rule],
      name: child.name,
      node: child,
      cut: child.cut,
      parent: node,
      children: null,
      isOpen: false,
      leftOut: 0
    }));
    return node;
  }
  *shownNodes(node = this.root) {
    if (!node) return;
    yield node;
    if (node.isOpen) for (const child of node.children ?? []) yield* this.shownNodes(child);
  }
  find(path) {
    return [...this.shownNodes()].find((it) => key(it.path) === path);
  }
  firstCut(root) {
    return [...this.shownNodes(root)].find((it) => it.cut);
  }
  draw() {
    const had = this.outline.contains(document.activeElement);
    const first = /* @__PURE__ */ new Map();
    const lines = [];
    for (const node of this.shownNodes()) {
      const before = node.cut ? void 0 : first.get(node.node.state);
      if (!before && !node.cut) first.set(node.node.state, node);
      lines.push(this.line(node, before));
      if (node.isOpen && node.leftOut > 0) {
        lines.push(h("p", { class: "soft left-out" }, `${counted(node.leftOut, "move")} more of ${node.name}`));
      }
    }
    show(this.outline, lines);
    if (had) this.outline.querySelector("[tabindex='0']")?.focus();
  }
  line(node, before) {
    const { node: at, cut } = node;
    const path = key(node.path);
    const isChosen = path === this.chosen;
    const folding = !cut && !at.is_goal || node.path.length === 0;
    const estimate = at.h === null ? "dead end" : `g ${at.g} + h ${at.h} = f ${at.g + at.h}`;
    const line = h(
      "div",
      {
        role: "treeitem",
        class: ["node", cut && "cut", before && "known", at.is_goal && "goal", isChosen && "chosen"].filter(Boolean).join(" "),
        "aria-level": node.path.length + 1,
        "aria-selected": String(isChosen),
        tabindex: isChosen ? "0" : "-1",
        "aria-expanded": folding ? String(node.isOpen) : void 0,
        "data-path": path,
        onclick: () => this.choose(node)
      },
      folding ? h("span", { class: "fold", "aria-hidden": "true", onclick: (event) => {
        event.stopPropagation();
        void this.toggle(node);
      } }, node.isOpen ? "▾" : "▸") : h("span", { class: "fold", "aria-hidden": "true" }, cut ? "✂" : ""),
      drawBoard(at.board, at.state),
      h(
        "span",
        { class: "what" },
        h("span", { class: "name" }, node.name),
        " ",
        h("span", { class: "figures" }, estimate),
        " ",
        at.is_goal && h("strong", {}, "goal "),
        cut && h("span", { class: "why" }, `cut: ${cut.word.join(" ")} = ${spelled(cut.replacement)}`),
        before && h("span", { class: "why" }, before.path.length ? `the same state as after ${this.pathName(before)}` : "the same state as the start")
      )
    );
    line.style.setProperty("--level", String(Math.min(node.path.length, 12)));
    return line;
  }
  pathName(node) {
    const names = [];
    for (let at = node; at?.parent; at = at.parent) names.unshift(at.name);
    return names.join(" ");
  }
  async toggle(node) {
    await tried(this.side, async () => {
      if (node.isOpen) {
        node.isOpen = false;
        for (const path of [...this.opened]) {
          if (path === key(node.path) || path.startsWith(`${key(node.path)}.`)) this.opened.delete(path);
        }
      } else {
        if (!node.children) await this.unfold(node);
        node.isOpen = true;
        this.opened.add(key(node.path));
      }
      note("tree", { open: [...this.opened].join(","), start: this.start });
      this.draw();
    });
  }
  choose(node) {
    this.chosen = key(node.path);
    note("tree", { node: this.chosen, start: this.start, h: this.heuristic.value, open: [...this.opened].join(",") });
    this.draw();
    this.outline.querySelector("[tabindex='0']")?.focus();
    this.explain();
  }
  /** Say what there is to say about the chosen node. */
  explain() {
    const node = this.find(this.chosen);
    if (!node) return show(this.side);
    const word = node.path;
    if (node.cut) {
      const place = h("div");
      show(this.side, h("h2", {}, "Why is this branch cut?"), place);
      void showReason(place, node.cut.number);
      return;
    }
    const { node: at } = node;
    const depth = this.prunedUpTo;
    show(
      this.side,
      h("h2", {}, node.path.length ? this.pathName(node) : "The start"),
      at.is_goal && h("p", {}, h("strong", { class: "goal" }, "A goal.")),
      h(
        "p",
        {},
        `Cost so far g = ${at.g}. `,
        at.h === null ? "No goal can be reached from here." : `The heuristic ${this.heuristic.value} estimates h = ${at.h} more, so f = ${at.g + at.h}.`
      ),
      h("p", {}, depth === null ? "Redundant sequences are being looked for." : node.path.length ? `No redundant sequence of up to ${depth} rules ends here, so this branch is searched.` : ""),
      h("p", { class: "state" }, h("code", {}, at.state)),
      h(
        "p",
        { class: "links" },
        h("a", { href: address("play", { state: at.state }) }, "Play from here"),
        word.length > 0 && h("a", { href: address("compose", { word: word.join(".") }) }, "Compose the moves up to here")
      )
    );
  }
  onKey(event) {
    const node = this.find(this.chosen);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = [...this.shownNodes()];
    const at = all.indexOf(node);
    const steps = {
      ArrowDown: () => this.chooseAt(all[at + 1]),
      ArrowUp: () => this.chooseAt(all[at - 1]),
      Home: () => this.chooseAt(all[0]),
      End: () => this.chooseAt(all.at(-1)),
      ArrowRight: () => {
        if (node.isOpen) this.chooseAt(node.children?.[0]);
        else if (!node.cut) void this.toggle(node);
      },
      ArrowLeft: () => {
        if (node.isOpen && node.path.length) void this.toggle(node);
        else this.chooseAt(node.parent ?? void 0);
      },
      Enter: () => {
        if (!node.cut) void this.toggle(node);
      },
      " ": () => {
        if (!node.cut) void this.toggle(node);
      }
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }
  chooseAt(node) {
    if (node) this.choose(node);
  }
};

// src/main.ts
var VIEWS = [
  ["text", "Text", false, () => ({})],
  ["rules", "Rules", true, (root, parameters) => {
    rulesView(root, parameters);
    return {};
  }],
  ["tree", "Search tree", true, (root, parameters) => new TreeView(root, parameters)],
  ["play", "Play", true, (root, parameters) => new PlayView(root, parameters)],
  ["redundant", "Redundant", true, (root, parameters) => new RedundantView(root, parameters)],
  ["machine", "Machine", true, (root, parameters) => new MachineView(root, parameters)],
  ["compose", "Compose", true, (root, parameters) => new ComposeView(root, parameters)],
  ["runs", "Runs", true, (root) => runsView(root)]
];
var shown = {};
var pane;
function showView() {
  shown.close?.();
  const { view, parameters } = current();
  const [name, title, needsGame, make] = VIEWS.find(([it]) => it === view) ?? VIEWS[0];
  document.body.dataset["view"] = name;
  document.title = `${title} · ${store.name} · PSVN studio`;
  for (const link of byId("views").querySelectorAll("a")) {
    if (link.hash.split("?")[0] === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const old = byId("view");
  const root = h("div", { id: "view" });
  old.replaceWith(root);
  shown = {};
  if (name === "text") {
    if (parameters["line"]) pane.selectLine(Number(parameters["line"]));
  } else if (needsGame && !store.read?.is_game) {
    show(root, h(
      "p",
      { class: "refusal" },
      "The text has errors, so there is no game to look into. ",
      h("a", { href: "#text" }, "See what is wrong")
    ));
  } else {
    shown = make(root, parameters);
    shown.worked?.();
  }
}
function showState() {
  const { read, findings } = store;
  const errors = findings?.findings.filter((it) => it.severity === "error").length ?? 0;
  const size = read?.is_game ? `${counted(read.n_variables, "variable")}, ${counted(read.n_rules, "rule")}, ${counted(read.n_goals, "goal")}` : errors ? counted(errors, "error") : "no game";
  const file = store.file;
  const warning = store.lost ? store.lost : !file ? "" : file.status === "missing" ? "the file was deleted or renamed" : file.status === "unreadable" ? "the file can't be read" : store.hasConflict ? "the file was changed elsewhere, too" : store.isChanged ? "not saved" : "";
  const name = store.name.split("/").at(-1) ?? "";
  show(
    byId("state"),
    h("strong", { title: store.name }, name),
    ` ${size}`,
    warning && [" · ", h("a", { class: "changed", href: "#text" }, warning)]
  );
}
function frame() {
  append(byId("views"), h("ul", {}, VIEWS.map(([name, title]) => h("li", {}, h("a", { href: address(name) }, title)))));
  pane = new TextPane();
  byId("text-pane").append(pane.element);
  const beside = byId("beside");
  beside.checked = sessionStorage.getItem("beside") === "yes";
  const arrange = () => {
    document.body.classList.toggle("with-text", beside.checked);
    sessionStorage.setItem("beside", beside.checked ? "yes" : "no");
  };
  beside.addEventListener("change", arrange);
  arrange();
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      void pane.save();
    }
  });
  window.addEventListener("beforeunload", (event) => {
    if (store.isChanged && store.file) event.preventDefault();
  });
}
async function main() {
  await store.begin();
  frame();
  if (!current().view) {
    history.replaceState(null, "", address(store.read?.is_game ? "tree" : "text"));
  }
  showState();
  showView();
  window.addEventListener("hashchange", showView);
  store.listen((change) => {
    showState();
    if (change === "read") {
      if (current().view !== "text") showView();
      announce(store.read?.is_game ? "The game was read." : "The text has errors.");
    }
    if (change === "jobs") shown.worked?.();
  });
}
main().catch((error) => {
  show(byId("view"), h("p", { class: "refusal", role: "alert" }, error instanceof Error ? error.message : String(error)));
  throw error;
});
