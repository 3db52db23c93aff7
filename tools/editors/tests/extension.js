// The extension, as it is packed, is started in the place of VS Code: it must load what is in it, and
// start the command of the setting.
//
//     node extension.js PSVN FOLDER

const assert = require("assert");
const child_process = require("child_process");
const Module = require("module");
const path = require("path");

const [psvn, folder] = process.argv.slice(2);

/** Stands for whatever VS Code has that nobody asks about here. */
const anything = () => new Proxy(function () {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "" : name === "then" ? undefined : anything()),
  apply: () => anything(),
  construct: () => anything(),
});

const said = [];
const vscode = new Proxy({
  version: "1.91.0",
  env: { appName: "Visual Studio Code", language: "en" },
  workspace: new Proxy({ getConfiguration: () => ({ get: () => psvn }) }, {
    get: (known, name) => known[name] ?? anything(),
  }),
  window: new Proxy({ showErrorMessage: (text) => said.push(text) }, {
    get: (known, name) => known[name] ?? anything(),
  }),
}, { get: (known, name) => known[name] ?? anything() });

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === "vscode" ? vscode : load.call(this, name, ...rest);
};

const started = [];
const { spawn } = child_process;
child_process.spawn = (command, words, ...rest) => {
  started.push([command, ...words]);
  return spawn(command, words, ...rest);
};

(async () => {
  const { main } = require(path.resolve(folder, "package.json"));
  const extension = require(path.resolve(folder, main));
  await extension.activate();
  assert.deepStrictEqual(said, []);
  assert.deepStrictEqual(started, [[psvn, "lsp", "--stdio"]]);
  await extension.deactivate();
  console.log("the extension starts the server of the command and stops it");
})().catch((error) => {
  console.error(error);
  process.exit(1);
});
