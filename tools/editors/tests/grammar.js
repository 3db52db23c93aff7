// The grammar, which colors words before the server has answered, compared with the kinds that the
// server gives to all words of many games.
//
//     node grammar.js PSVN FOLDER

const assert = require("assert");
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const { rpc, connected } = require("./server");

const [psvn, folder] = process.argv.slice(2);
const CORPUS = path.join(__dirname, "../../../crates/lint/tests/corpus/clean");
const BUILT_IN = ["sliding-tiles:3:3", "pancake:5", "topspin:6:3", "hanoi:3:4", "blocks:4", "arrow:5", "rubik:2:fixed"];

/** What the grammar may say of a word of that kind; "" is nothing. */
const SCOPES = {
  comment: ["comment.line.number-sign.psvn"],
  keyword: ["keyword.declaration.psvn", "keyword.other.psvn"],
  operator: ["keyword.operator.arrow.psvn", "keyword.operator.psvn"],
  number: ["constant.numeric.psvn"],
  function: ["entity.name.function.psvn"],
  // Names are known to the server alone, but where they are declared. Values may be digits.
  type: ["entity.name.type.psvn", "constant.numeric.psvn", ""],
  enumMember: ["constant.numeric.psvn", ""],
  variable: ["constant.numeric.psvn", ""],
};

async function grammarOf() {
  const wasm = require.resolve("vscode-oniguruma/release/onig.wasm");
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(
      fs.readFileSync(path.join(folder, "syntaxes/psvn.tmLanguage.json"), "utf8"), "psvn.json"),
  });
  return registry.loadGrammar("source.psvn");
}

/** The scope of each character of a line, without that of the file. */
function scopesOf(grammar, line, stack) {
  const found = grammar.tokenizeLine(line, stack);
  const scopes = [];
  for (const token of found.tokens) {
    const scope = token.scopes.slice(1).at(-1) ?? "";
    for (let at = token.startIndex; at < token.endIndex; at++) scopes[at] = scope;
  }
  return [scopes, found.ruleStack];
}

async function compare(grammar, server, name, text) {
  const uri = `file:///${encodeURIComponent(name)}`;
  await server.connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "psvn", version: 1, text },
  });
  const { data } = await server.connection.sendRequest(rpc.SemanticTokensRequest.type, { textDocument: { uri } });
  const kinds = server.known.capabilities.semanticTokensProvider.legend.tokenTypes;
  let stack = textmate.INITIAL;
  const rows = text.split("\n");
  const lines = rows.map((line) => {
    const [scopes, next] = scopesOf(grammar, line, stack);
    stack = next;
    return scopes;
  });
  let [line, column] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [down, right, length, kind] = data.slice(at, at + 4);
    [line, column] = down ? [line + down, right] : [line, column + right];
    const word = rows[line].slice(column, column + length);
    // In comments that declare something the server knows values, too.
    const declared = /(^|\s)[#;]/.test(rows[line].slice(0, column)) ? SCOPES.comment : [];
    for (const scope of lines[line].slice(column, column + length)) {
      assert([...SCOPES[kinds[kind]], ...declared].includes(scope),
        `${name}:${line + 1}: ${kinds[kind]} ${word} is ${scope || "nothing"} to the grammar`);
    }
  }
  return data.length / 5;
}

(async () => {
  const games = fs.readdirSync(CORPUS).filter((name) => name.endsWith(".psvn"))
    .map((name) => [name, fs.readFileSync(path.join(CORPUS, name), "utf8")]);
  for (const game of BUILT_IN) {
    games.push([game, execFileSync(psvn, ["gen", ...game.split(":")], { encoding: "utf8" })]);
  }
  const grammar = await grammarOf();
  const server = await connected(psvn);
  let words = 0;
  for (const [name, text] of games) words += await compare(grammar, server, name, text);
  assert.strictEqual(await server.end(), 0);
  assert(words > 5000, `${words} words`);
  console.log(`the grammar agrees with the server on ${words} words of ${games.length} games`);
})().catch((error) => {
  console.error(error.message ?? error);
  process.exit(1);
});
