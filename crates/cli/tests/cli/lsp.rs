//! `psvn lsp`: a client that speaks with it as an editor does, and others that don't.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::{psvn, run_with_input};

const URI: &str = "file:///lamps.psvn";

const LAMPS: &str = "\
DOMAIN lamp 2 off on
2  lamp lamp
off - => on  -    LABEL first
on  - => off -    LABEL first-off
-   X => -   off  LABEL second
GOAL on on
";

/// A client.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_requests: i32,
    /// What the server sent beside answers.
    notes: Vec<Value>,
}

impl Client {
    fn start() -> Self {
        let mut child = psvn(&["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            n_requests: 0,
            notes: Vec::new(),
        }
    }

    /// A client that is known to the server, and the result of that.
    fn known(encodings: &Value) -> (Self, Value) {
        let mut client = Self::start();
        let capabilities = json!({
            "general": { "positionEncodings": encodings },
            "textDocument": {
                "hover": { "contentFormat": ["markdown", "plaintext"] },
                "publishDiagnostics": { "relatedInformation": true },
            },
        });
        let result = client.ask(
            "initialize",
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities }),
        );
        client.tell("initialized", json!({}));
        (client, result)
    }

    fn send(&mut self, message: &Value) {
        let message = message.to_string();
        self.send_raw(&format!(
            "Content-Length: {}\r\n\r\n{message}",
            message.len()
        ));
    }

    fn send_raw(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The next message.
    fn receive(&mut self) -> Value {
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        let length = header.trim().strip_prefix("Content-Length: ");
        let length = length.unwrap_or_else(|| panic!("a header, not {header:?}"));
        let mut content = vec![0; 2 + length.parse::<usize>().unwrap()];
        self.output.read_exact(&mut content).unwrap();
        let message: Value = serde_json::from_slice(&content).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    /// The whole answer to a request. Notifications that come before it are kept.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["method"].is_string() {
                self.notes.push(message);
                continue;
            }
            assert_eq!(message["id"], id, "{message}");
            return message;
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The code and message of an error.
    fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let answer = self.answer(method, params);
        let error = &answer["error"];
        let message = error["message"].as_str().unwrap_or_default().to_owned();
        (error["code"].as_i64().unwrap(), message)
    }

    fn open(&mut self, text: &str) {
        let document = json!({ "uri": URI, "languageId": "psvn", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// The findings about a version of the document.
    fn findings(&mut self, version: Value) -> Vec<Value> {
        loop {
            let note = match self.notes.pop() {
                Some(note) => note,
                None => self.receive(),
            };
            assert_eq!(note["method"], "textDocument/publishDiagnostics", "{note}");
            let params = &note["params"];
            if params["version"] == version {
                assert_eq!(params["uri"], URI);
                return params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    /// Ask about a place.
    fn ask_at(&mut self, method: &str, line: u32, character: u32) -> Value {
        self.ask(method, at(line, character))
    }

    /// End the server, and return its exit status and what it wrote on standard error.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "nothing is left");
        let output = self.child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }
}

fn document() -> Value {
    json!({ "uri": URI })
}

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": document(), "position": position(line, character) })
}

fn position(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

fn range(from: (u32, u32), to: (u32, u32)) -> Value {
    json!({ "start": position(from.0, from.1), "end": position(to.0, to.1) })
}

/// A text of one byte a character after some changes, as an editor makes them.
fn applied(text: &str, edits: &Value) -> String {
    let offset = |place: &Value| {
        let number = |name: &str| place[name].as_u64().unwrap() as usize;
        let lines = text.split_inclusive('\n').take(number("line"));
        lines.map(str::len).sum::<usize>() + number("character")
    };
    let mut changed = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        let part = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        changed.replace_range(part, edit["newText"].as_str().unwrap());
    }
    changed
}

#[test]
fn an_editor_is_answered() {
    let (mut client, offer) = Client::known(&json!(["utf-16"]));
    assert_eq!(offer["serverInfo"]["name"], "psvn");
    assert_eq!(offer["capabilities"]["positionEncoding"], "utf-16");
    client.open(LAMPS);
    let findings = client.findings(json!(1));
    let codes: Vec<&str> = findings
        .iter()
        .filter_map(|it| it["code"].as_str())
        .collect();
    assert_eq!(codes, ["unused-symbol", "goal-never-produced"]);
    assert_eq!(findings[0]["severity"], 2);
    assert_eq!(findings[0]["source"], "psvn");

    let hover = client.ask_at("textDocument/hover", 2, 20);
    assert_eq!(hover["contents"]["kind"], "markdown");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("<off x2> -> <on x2>"), "{text}");
    assert_eq!(hover["range"], range((2, 18), (2, 23)));
    assert!(client.ask_at("textDocument/hover", 7, 0).is_null());

    let found = client.ask_at("textDocument/completion", 4, 12);
    let words: Vec<&str> = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["label"].as_str().unwrap())
        .collect();
    assert_eq!(words, ["X", "off", "on", "-"]);
    assert_eq!(
        found["items"][0]["textEdit"]["range"],
        range((4, 12), (4, 12))
    );

    let definition = client.ask_at("textDocument/definition", 3, 0);
    assert_eq!(
        definition,
        json!({ "uri": URI, "range": range((0, 18), (0, 20)) })
    );
    let mut asked = at(3, 0);
    asked["context"] = json!({ "includeDeclaration": false });
    let references = client.ask("textDocument/references", asked);
    assert_eq!(references.as_array().unwrap().len(), 4);
    let highlights = client.ask_at("textDocument/documentHighlight", 3, 0);
    assert_eq!(highlights.as_array().unwrap().len(), 5);

    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": document() }),
    );
    let names: Vec<&str> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| symbol["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "lamp",
            "2 variables",
            "first",
            "first-off",
            "second",
            "GOAL"
        ]
    );
    let hints = client.ask(
        "textDocument/inlayHint",
        json!({ "textDocument": document(), "range": range((2, 0), (3, 0)) }),
    );
    assert_eq!(hints[0]["label"], "rule 1");
    assert_eq!(hints.as_array().unwrap().len(), 1);
    let tokens = client.ask(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": document() }),
    );
    // `DOMAIN` is a keyword, and `lamp` declares a type behind it.
    let tokens = tokens["data"].as_array().unwrap();
    assert_eq!(
        tokens[..10],
        [0, 0, 6, 0, 0, 0, 7, 4, 3, 1].map(|it| json!(it))
    );
    let foldings = client.ask(
        "textDocument/foldingRange",
        json!({ "textDocument": document() }),
    );
    assert_eq!(foldings, json!([]));
    assert!(client.ask("shutdown", Value::Null).is_null());
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn names_are_changed_and_texts_are_laid_out() {
    let (mut client, _) = Client::known(&json!(null));
    client.open(LAMPS);
    let prepared = client.ask_at("textDocument/prepareRename", 2, 1);
    assert_eq!(
        prepared,
        json!({ "range": range((2, 0), (2, 3)), "placeholder": "off" })
    );
    let mut asked = at(2, 1);
    asked["newName"] = json!("dark");
    let renamed = client.ask("textDocument/rename", asked.clone());
    let edits = renamed["changes"][URI].as_array().unwrap();
    let places: Vec<&Value> = edits.iter().map(|edit| &edit["range"]["start"]).collect();
    let expected = [(0, 14), (2, 0), (3, 9), (4, 13)].map(|(line, it)| position(line, it));
    assert_eq!(places, expected.iter().collect::<Vec<_>>());
    asked["newName"] = json!("ON");
    let (code, message) = client.refused("textDocument/rename", asked);
    assert_eq!(
        (code, message.as_str()),
        (-32803, "`ON` is a value of domain `lamp` already")
    );
    let (code, _) = client.refused("textDocument/prepareRename", at(2, 6));
    assert_eq!(code, -32803);

    let options = json!({ "tabSize": 4, "insertSpaces": true });
    let asked = json!({ "textDocument": document(), "options": options });
    let edits = client.ask("textDocument/formatting", asked.clone());
    let formatted = run_with_input(&["fmt", "-"], LAMPS.as_bytes()).stdout;
    assert_eq!(applied(LAMPS, &edits), formatted);
    assert!(!edits.as_array().unwrap().is_empty());

    // Of a text with errors nothing is known.
    let change = json!({ "text": "2 2 2\n0 => 1 1\n" });
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [change] }),
    );
    assert!(client.ask("textDocument/formatting", asked).is_null());
    // The server may find the errors before or after it answers.
    assert_eq!(client.findings(json!(2)).len(), 1);
    client.ask("shutdown", Value::Null);
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn changes_bring_errors_and_actions_settle_them() {
    let (mut client, offer) = Client::known(&json!(["utf-32", "utf-8", "utf-16"]));
    assert_eq!(offer["capabilities"]["positionEncoding"], "utf-8");
    client.open(&format!("# é\n{LAMPS}"));
    assert_eq!(client.findings(json!(1)).len(), 2);
    let change = |version: i32, changes: Value| json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": changes });
    // Two changes at once: the second counts in the text after the first.
    let changes = json!([
        { "range": range((0, 0), (0, 4)), "text": "# two lines\n# é" },
        { "range": range((4, 6), (4, 8)), "text": "=" },
    ]);
    client.tell("textDocument/didChange", change(2, changes));
    let findings = client.findings(json!(2));
    assert_eq!(findings[0]["code"], "misspelled-arrow", "{findings:#?}");
    assert_eq!(findings[0]["severity"], 1);
    let place = findings[0]["range"].clone();
    assert_eq!(place, range((4, 6), (4, 7)));
    let asked = |only: Value| {
        json!({
            "textDocument": document(),
            "range": place,
            "context": { "diagnostics": [findings[0]], "only": only },
        })
    };
    let actions = client.ask("textDocument/codeAction", asked(Value::Null));
    let actions = actions.as_array().unwrap();
    assert_eq!(actions[0]["title"], "Replace `=` by `=>`");
    assert_eq!(actions[0]["kind"], "quickfix");
    assert_eq!(actions[0]["isPreferred"], true);
    assert_eq!(actions[0]["diagnostics"][0]["code"], "misspelled-arrow");
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!(edit, &json!({ "range": place, "newText": "=>" }));
    let all = client.ask("textDocument/codeAction", asked(json!(["source"])));
    assert_eq!(all[0]["kind"], "source.fixAll");
    assert_eq!(all.as_array().unwrap().len(), 1);

    client.tell(
        "textDocument/didChange",
        change(3, json!([{ "range": place, "text": "=>" }])),
    );
    assert_eq!(client.findings(json!(3)).len(), 2);
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": document() }),
    );
    assert_eq!(client.findings(Value::Null), Vec::<Value>::new());
    let (code, message) = client.refused("textDocument/hover", at(0, 0));
    assert_eq!(
        (code, message.as_str()),
        (-32602, "`file:///lamps.psvn` isn't open")
    );
    client.ask("shutdown", Value::Null);
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn the_order_of_the_protocol_is_kept() {
    let mut client = Client::start();
    assert_eq!(client.refused("textDocument/hover", at(0, 0)).0, -32002);
    client.open(LAMPS);
    let (code, message) = client.refused("initialize", json!({ "capabilities": 3 }));
    assert_eq!(code, -32602, "{message}");
    client.ask(
        "initialize",
        json!({ "processId": null, "rootUri": null, "capabilities": {} }),
    );
    client.tell("initialized", json!({}));
    assert_eq!(
        client
            .refused("initialize", json!({ "capabilities": {} }))
            .0,
        -32600
    );
    // What was opened too early isn't open.
    assert_eq!(client.refused("textDocument/hover", at(0, 0)).0, -32602);
    assert_eq!(
        client
            .refused("textDocument/hover", json!({ "position": 3 }))
            .0,
        -32602
    );
    assert_eq!(client.refused("psvn/unknown", json!([1])).0, -32601);
    client.tell("psvn/unknown", json!([1]));
    client.tell("textDocument/didOpen", json!({ "textDocument": 7 }));
    client.tell("textDocument/didChange", json!({ "contentChanges": [] }));
    // A request whose cancellation has arrived isn't answered by a result; one that was answered
    // before that is.
    let hover =
        json!({ "jsonrpc": "2.0", "id": "h", "method": "textDocument/hover", "params": at(0, 0) });
    let cancel = json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": "h" } });
    let both: String = [&hover, &cancel]
        .map(ToString::to_string)
        .map(|text| format!("Content-Length: {}\r\n\r\n{text}", text.len()))
        .concat();
    client.send_raw(&both);
    let answer = client.receive();
    assert_eq!(answer["id"], "h");
    let code = answer["error"]["code"].as_i64().unwrap();
    assert!([-32800, -32602].contains(&code), "{answer}");
    client.ask("shutdown", Value::Null);
    assert_eq!(client.refused("textDocument/hover", at(0, 0)).0, -32600);
    client.tell("exit", Value::Null);
    let (status, stderr) = client.end();
    assert_eq!(status, Some(0), "{stderr}");
}

#[test]
fn what_is_no_message_is_refused_and_the_next_one_is_answered() {
    let (mut client, _) = Client::known(&json!(null));
    for (wrong, code) in [
        ("{]", -32700),
        ("[]", -32600),
        ("{\"id\":1.5}", -32600),
        ("\u{0}", -32700),
    ] {
        client.send_raw(&format!("Content-Length: {}\r\n\r\n{wrong}", wrong.len()));
        let answer = client.receive();
        assert_eq!(answer["error"]["code"], code, "{wrong}: {answer}");
        assert!(answer["id"].is_null());
    }
    let nested = "[".repeat(100_000);
    client.send_raw(&format!("Content-Length: {}\r\n\r\n{nested}", nested.len()));
    assert_eq!(client.receive()["error"]["code"], -32700);
    assert!(client.ask("shutdown", Value::Null).is_null());
    client.tell("exit", Value::Null);
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn clients_that_dont_speak_the_protocol_end_the_server() {
    for (input, expected) in [
        ("hello\n", "the client sent `hello` in place of a header"),
        ("\r\n\r\n", "a header without `Content-Length`"),
        (
            "Content-Length: 18446744073709551615\r\n\r\n",
            "bytes at once, and the limit is",
        ),
        ("Content-Length: 400\r\n\r\n{", "end within one of them"),
        ("Content-Length: -1\r\n\r\n{", "in place of a header"),
        ("\u{0}\u{1}\u{2}", "end within one of them"),
    ] {
        let ran = run_with_input(&["lsp"], input.as_bytes());
        assert_eq!(ran.status, Some(3), "{input:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{input:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{input:?}");
    }
}

#[test]
fn an_abrupt_end_has_its_status() {
    // Nothing at all, and `exit` without `shutdown`.
    assert_eq!(run_with_input(&["lsp"], b"").status, Some(1));
    let (mut client, _) = Client::known(&json!(null));
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), (Some(1), String::new()));
    let (mut client, _) = Client::known(&json!(null));
    client.open(LAMPS);
    client.findings(json!(1));
    assert_eq!(client.end(), (Some(1), String::new()));
}

#[test]
fn a_file_of_another_format_has_one_finding() {
    let (mut client, _) = Client::known(&json!(null));
    client.open("begin_version\n3\nend_version\n");
    let findings = client.findings(json!(1));
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0]["code"], "unread-format");
    let message = findings[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("this is a SAS+ file, not PSVN"),
        "{message}"
    );
    assert!(client.ask_at("textDocument/hover", 0, 0).is_null());
    assert_eq!(
        client.ask_at("textDocument/completion", 0, 0)["items"],
        json!([])
    );
    client.tell("exit", Value::Null);
    assert_eq!(client.end().0, Some(1));
}
