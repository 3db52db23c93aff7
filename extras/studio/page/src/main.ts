// The page: which view is shown, and what stands above all of them.

import { announce, append, byId, counted, h, show } from "./parts/dom";
import { address, current, type Parameters } from "./parts/route";
import { store } from "./parts/store";
import { ComposeView } from "./views/compose";
import { MachineView } from "./views/machine";
import { PlayView } from "./views/play";
import { RedundantView } from "./views/redundant";
import { rulesView } from "./views/rules";
import { runsView } from "./views/runs";
import { TextPane } from "./views/text";
import { TreeView } from "./views/tree";

interface Shown {
  /** Long work stands elsewhere. */
  worked?: () => void;
  /** Another view takes its place. */
  close?: () => void;
}

type View = [name: string, title: string, needsGame: boolean, make: (root: HTMLElement, parameters: Parameters) => Shown];

const VIEWS: View[] = [
  ["text", "Text", false, () => ({})],
  ["rules", "Rules", true, (root, parameters) => { rulesView(root, parameters); return {}; }],
  ["tree", "Search tree", true, (root, parameters) => new TreeView(root, parameters)],
  ["play", "Play", true, (root, parameters) => new PlayView(root, parameters)],
  ["redundant", "Redundant", true, (root, parameters) => new RedundantView(root, parameters)],
  ["machine", "Machine", true, (root, parameters) => new MachineView(root, parameters)],
  ["compose", "Compose", true, (root, parameters) => new ComposeView(root, parameters)],
  ["runs", "Runs", true, (root) => runsView(root)],
];

let shown: Shown = {};
let pane: TextPane;

function showView(): void {
  shown.close?.();
  const { view, parameters } = current();
  const [name, title, needsGame, make] = VIEWS.find(([it]) => it === view) ?? VIEWS[0]!;
  document.body.dataset["view"] = name;
  document.title = `${title} · ${store.name} · PSVN studio`;
  for (const link of byId("views").querySelectorAll("a")) {
    if (link.hash.split("?")[0] === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const old = byId("view");
  // A fresh element, so that nothing of the view before writes into this one.
  const root = h("div", { id: "view" });
  old.replaceWith(root);
  shown = {};
  if (name === "text") {
    if (parameters["line"]) pane.selectLine(Number(parameters["line"]));
  } else if (needsGame && !store.read?.is_game) {
    show(root, h("p", { class: "refusal" }, "The text has errors, so there is no game to look into. ",
      h("a", { href: "#text" }, "See what is wrong")));
  } else {
    shown = make(root, parameters);
    shown.worked?.();
  }
}

function showState(): void {
  const { read, findings } = store;
  const errors = findings?.findings.filter((it) => it.severity === "error").length ?? 0;
  const size = read?.is_game
    ? `${counted(read.n_variables, "variable")}, ${counted(read.n_rules, "rule")}, ${counted(read.n_goals, "goal")}`
    : errors ? counted(errors, "error") : "no game";
  const file = store.file;
  const warning = store.lost ? store.lost
    : !file ? ""
      : file.status === "missing" ? "the file was deleted or renamed"
        : file.status === "unreadable" ? "the file can't be read"
          : store.hasConflict ? "the file was changed elsewhere, too" : store.isChanged ? "not saved" : "";
  const name = store.name.split("/").at(-1) ?? "";
  show(byId("state"), h("strong", { title: store.name }, name), ` ${size}`,
    warning && [" · ", h("a", { class: "changed", href: "#text" }, warning)]);
}

function frame(): void {
  append(byId("views"), h("ul", {}, VIEWS.map(([name, title]) => h("li", {}, h("a", { href: address(name) }, title)))));
  pane = new TextPane();
  byId("text-pane").append(pane.element);
  const beside = byId("beside") as HTMLInputElement;
  beside.checked = sessionStorage.getItem("beside") === "yes";
  const arrange = (): void => {
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

async function main(): Promise<void> {
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

main().catch((error: unknown) => {
  show(byId("view"), h("p", { class: "refusal", role: "alert" }, error instanceof Error ? error.message : String(error)));
  throw error;
});
