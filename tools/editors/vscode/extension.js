// Starts `psvn lsp` when a file in PSVN is opened. All answers come from it.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

async function activate() {
  const command = vscode.workspace.getConfiguration("psvn").get("command", "psvn");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("psvn", "PSVN", server, {
    documentSelector: [{ language: "psvn" }],
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `${command} can't be started: ${error.message}. The setting "psvn.command" says where it is.`,
    );
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
