//! What commands write as JSON has the fields that `psvn schema` describes, and no others.

use serde_json::Value;

use crate::json::json;
use crate::run;

/// The schema of a document.
struct Described<'a> {
    whole: &'a Value,
    /// What doesn't fit, by the names that lead to it.
    flaws: Vec<String>,
}

impl Described<'_> {
    /// Note what of a value doesn't fit a shape, which is whole only with the shapes beside it.
    fn check(&mut self, path: &str, value: &Value, shape: &Value) {
        if let Some(name) = shape["$ref"].as_str() {
            let name = name.strip_prefix("#/$defs/").expect("a definition");
            return self.check(path, value, &self.whole["$defs"][name]);
        }
        if let Some(choices) = shape["anyOf"].as_array().or(shape["oneOf"].as_array()) {
            let fits = |choice: &Value| {
                let mut tried = Described {
                    whole: self.whole,
                    flaws: Vec::new(),
                };
                tried.check(path, value, choice);
                tried.flaws.is_empty()
            };
            if !choices.iter().any(fits) && shape["properties"].is_null() {
                self.flaws.push(format!("{path}: none of the choices"));
            }
        }
        if !is_one_of(value, &shape["type"]) {
            self.flaws.push(format!("{path}: {value}"));
        }
        for (number, item) in value.as_array().into_iter().flatten().enumerate() {
            self.check(&format!("{path}[{number}]"), item, &shape["items"]);
        }
        if let (Some(fields), Some(known)) = (value.as_object(), shape["properties"].as_object()) {
            for (name, field) in fields {
                match known.get(name) {
                    Some(shape) => self.check(&format!("{path}.{name}"), field, shape),
                    None => self.flaws.push(format!("{path}.{name}: not described")),
                }
            }
            let required = shape["required"].as_array().into_iter().flatten();
            let missing = required.filter(|it| !fields.contains_key(it.as_str().expect("a name")));
            self.flaws
                .extend(missing.map(|name| format!("{path}.{name}: missing")));
        }
    }
}

fn is_one_of(value: &Value, kinds: &Value) -> bool {
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        kind => panic!("no kind of JSON: {kind}"),
    };
    match kinds {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().expect("a kind"))),
        _ => true,
    }
}

/// The commands of documents, and words with bars between them that write one.
const CASES: [(&str, &str); 17] = [
    ("check", "check|gen:hanoi:3:3"),
    ("check --explain", "check|--explain|all"),
    ("show", "show|gen:sliding-tiles:2:3"),
    ("compose", "compose|gen:arrow:6|R4-00|R1-11|--trace"),
    (
        "analyze",
        "analyze|gen:topspin:6:3|-L|3|--ideal|--split|all",
    ),
    ("explain", "explain|gen:arrow:6|R2-00|R4-00|R1-11"),
    ("tree", "tree|gen:sliding-tiles:2:3|-L|0,2|-d|5"),
    ("explore", "explore|gen:sliding-tiles:2:3"),
    (
        "solve",
        "solve|gen:sliding-tiles:3:3|--start|8 7 6 0 4 1 2 5 3|--prune|2|--heuristic|auto|\
         --stats|--show-states|--explain",
    ),
    ("apply", "apply|gen:sliding-tiles:2:2|--start|0 1 2 3|R"),
    ("gen-instances", "gen-instances|gen:pancake:5|-n|1"),
    (
        "pdb",
        "pdb|gen:sliding-tiles:2:3|--pattern|keep 0-2|--check",
    ),
    (
        "pdb --size",
        "pdb|gen:sliding-tiles:2:3|--pattern|keep 0-2|--size",
    ),
    ("abstract", "abstract|gen:hanoi:3:3|--pattern|keep 0"),
    ("gen --list", "gen|--list"),
    ("play", "play|gen:tic-tac-toe"),
    ("play --tree", "play|gen:tic-tac-toe|--tree|text|--depth|2"),
];

#[test]
fn json_has_the_fields_that_are_described() {
    let schemas = run(&["schema", "--format", "json"]).stdout;
    let schemas: Value = serde_json::from_str(&schemas).expect("JSON");
    let schema = |command: &str| {
        let documents = schemas.as_array().expect("a list").iter();
        let mut documents = documents.filter(|it| it["command"] == command);
        documents.next().expect("a schema")["schema"].clone()
    };
    let mut flaws = Vec::new();
    for (command, words) in CASES {
        let schema = schema(command);
        let mut described = Described {
            whole: &schema,
            flaws: Vec::new(),
        };
        let words: Vec<&str> = words.split('|').collect();
        let (_, value) = json(&words);
        described.check(command, &value, &schema);
        flaws.extend(described.flaws);
    }
    assert_eq!(flaws, [""; 0]);
}

#[test]
fn a_command_without_json_is_refused() {
    let ran = run(&["schema", "fmt"]);
    assert_eq!(ran.status, Some(2));
    assert!(
        ran.stderr.contains("`psvn fmt` writes no JSON"),
        "{}",
        ran.stderr
    );
}
