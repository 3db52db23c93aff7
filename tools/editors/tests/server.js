// `psvn lsp` as the packages of the extension speak with it.

const { spawn } = require("child_process");
const rpc = require("vscode-languageserver-protocol/node");

/** What a client by these packages can do, as far as the server looks. */
const CAPABILITIES = {
  textDocument: {
    hover: { contentFormat: ["markdown", "plaintext"] },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source.fixAll"] } },
    },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    semanticTokens: {
      requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"],
    },
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

/** A connection to a server that knows its client, and what the server can do. */
async function connected(psvn) {
  const child = spawn(psvn, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((done) => child.on("exit", done));
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  connection.listen();
  const params = { processId: process.pid, rootUri: null, capabilities: CAPABILITIES };
  const known = await connection.sendRequest(rpc.InitializeRequest.type, params);
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  const end = async () => {
    await connection.sendRequest(rpc.ShutdownRequest.type);
    await connection.sendNotification(rpc.ExitNotification.type);
    return ended;
  };
  return { connection, known, end };
}

module.exports = { rpc, connected };
