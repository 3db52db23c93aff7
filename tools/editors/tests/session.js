// A recorded session: what a client by the packages of the extension asks, and what is answered.
//
//     node session.js PSVN
//
// `RECORD=1` writes session.json.

const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { rpc, connected } = require("./server");

const RECORD = path.join(__dirname, "session.json");
const URI = "file:///lamps.psvn";
const TEXT = `# Two lamps
DOMAIN lamp 2 off on
2  lamp lamp
off - => on  -    LABEL first
on  - => off -    LABEL first-off
-   X => -   off  LABEL second
GOAL on onn
`;
const textDocument = { uri: URI };
const at = (line, character) => ({ textDocument, position: { line, character } });
const whole = { start: { line: 0, character: 0 }, end: { line: 7, character: 0 } };

const QUESTIONS = [
  [rpc.HoverRequest, at(3, 1)],
  [rpc.HoverRequest, at(1, 8)],
  [rpc.CompletionRequest, at(4, 1)],
  [rpc.DefinitionRequest, at(2, 4)],
  [rpc.ReferencesRequest, { ...at(1, 8), context: { includeDeclaration: true } }],
  [rpc.DocumentHighlightRequest, at(1, 14)],
  [rpc.PrepareRenameRequest, at(1, 14)],
  [rpc.RenameRequest, { ...at(1, 14), newName: "dark" }],
  [rpc.DocumentFormattingRequest, { textDocument, options: { tabSize: 4, insertSpaces: true } }],
  [rpc.DocumentSymbolRequest, { textDocument }],
  [rpc.FoldingRangeRequest, { textDocument }],
  [rpc.InlayHintRequest, { textDocument, range: whole }],
  [rpc.SemanticTokensRequest, { textDocument }],
];

(async () => {
  const server = await connected(process.argv[2]);
  const { connection } = server;
  const session = [["initialize", server.known]];
  const published = new Promise((done) =>
    connection.onNotification(rpc.PublishDiagnosticsNotification.type, done));
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: URI, languageId: "psvn", version: 1, text: TEXT },
  });
  const found = await published;
  session.push(["textDocument/publishDiagnostics", found]);
  for (const [question, params] of QUESTIONS) {
    session.push([question.method, await connection.sendRequest(question.type, params)]);
  }
  session.push([rpc.CodeActionRequest.method, await connection.sendRequest(rpc.CodeActionRequest.type, {
    textDocument, range: found.diagnostics[0].range, context: { diagnostics: found.diagnostics },
  })]);
  session.push(["exit", await server.end()]);
  // The version of the command isn't what this is about.
  delete session[0][1].serverInfo.version;
  if (process.env.RECORD) fs.writeFileSync(RECORD, JSON.stringify(session, null, 1) + "\n");
  assert.deepStrictEqual(JSON.parse(JSON.stringify(session)), JSON.parse(fs.readFileSync(RECORD, "utf8")));
  console.log(`a client has had the ${session.length} answers of the record`);
})().catch((error) => {
  console.error(error.message ?? error);
  process.exit(1);
});
