//! The fields of a JSON document, as text.

use serde_json::Value;

/// A field of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// The names that lead to it, with dots between them, and `[]` behind the name of a list.
    pub(super) path: String,
    /// The kinds of its values.
    pub(super) kind: String,
    /// Its meaning.
    pub(super) meaning: String,
}

/// List the fields of a document, each before its own fields.
pub(super) fn fields(schema: &Value) -> Vec<Field> {
    let mut reader = Reader {
        schema,
        entered: Vec::new(),
        fields: Vec::new(),
    };
    reader.read("", schema);
    reader.fields
}

struct Reader<'a> {
    schema: &'a Value,
    /// The names of the definitions around the current one. A shape may hold itself.
    entered: Vec<&'a str>,
    fields: Vec<Field>,
}

impl<'a> Reader<'a> {
    /// Add the fields below a shape.
    fn read(&mut self, path: &str, shape: &'a Value) {
        if let Some(name) = definition(shape) {
            if !self.entered.contains(&name) {
                self.entered.push(name);
                self.read(path, &self.schema["$defs"][name]);
                self.entered.pop();
            }
            return;
        }
        if !shape["items"].is_null() {
            self.read(&format!("{path}[]"), &shape["items"]);
        }
        for choice in choices(shape) {
            self.read(path, choice);
        }
        for (name, field) in shape["properties"].as_object().into_iter().flatten() {
            let path = if path.is_empty() {
                name.clone()
            } else {
                format!("{path}.{name}")
            };
            let meaning = field["description"].as_str().unwrap_or_default();
            self.fields.push(Field {
                kind: self.kind(field),
                meaning: meaning.to_owned(),
                path: path.clone(),
            });
            self.read(&path, field);
        }
    }

    /// The kinds of values of a shape, in words.
    fn kind(&self, shape: &Value) -> String {
        if let Some(name) = definition(shape) {
            return self.kind(&self.schema["$defs"][name]);
        }
        let mut kinds: Vec<String> = match &shape["type"] {
            Value::String(kind) => vec![self.named(kind, shape)],
            Value::Array(kinds) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                kinds.map(|kind| self.named(kind, shape)).collect()
            }
            _ => choices(shape).map(|it| self.kind(it)).collect(),
        };
        kinds.dedup();
        kinds.join(" or ")
    }

    fn named(&self, kind: &str, shape: &Value) -> String {
        match kind {
            "string" => "text".to_owned(),
            "boolean" => "true or false".to_owned(),
            "array" if shape["items"].is_null() => "list".to_owned(),
            "array" => format!("list of {}", self.kind(&shape["items"])),
            kind => kind.to_owned(),
        }
    }
}

/// The name of the definition that a shape refers to.
pub(super) fn definition(shape: &Value) -> Option<&str> {
    shape["$ref"].as_str()?.strip_prefix("#/$defs/")
}

/// The shapes of which a value has one, or all.
fn choices(shape: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf", "allOf"]
        .into_iter()
        .filter_map(|key| shape[key].as_array())
        .flatten()
}
