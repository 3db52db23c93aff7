//! JSON in which each value has its place.

use psvn_syntax::{Diagnostic, Span};

/// The greatest depth of nested values.
const MOST_DEPTH: usize = 64;

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) value: Json,
    pub(super) span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// `null`, `true` or `false`.
    Word,
    Number(f64),
    Text(String),
    List(Vec<Node>),
    /// Names in the order of the text.
    Object(Vec<(String, Span, Node)>),
}

impl Node {
    /// The member of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Node> {
        match &self.value {
            Json::Object(members) => members
                .iter()
                .find(|(it, ..)| it == name)
                .map(|(.., node)| node),
            _ => None,
        }
    }
}

/// Read a text that is one value.
pub(super) fn parse(text: &str) -> Result<Node, Box<Diagnostic>> {
    let mut reader = Reader { text, at: 0 };
    let node = reader.value(0)?;
    reader.space();
    if reader.at == text.len() {
        Ok(node)
    } else {
        Err(reader.wrong("the file continues after its end"))
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, message: &str) -> Box<Diagnostic> {
        let next = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        let span = Span::new(self.at, self.at + next);
        Box::new(Diagnostic::error("json-syntax", message).at(span, "here"))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Skip a sign, with the white space in front of it.
    fn take(&mut self, sign: u8) -> bool {
        self.space();
        let is_there = self.peek() == Some(sign);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self, depth: usize) -> Result<Node, Box<Diagnostic>> {
        self.space();
        if depth > MOST_DEPTH {
            return Err(self.wrong("values are nested too deeply"));
        }
        let start = self.at;
        let value = match self.peek() {
            None => return Err(self.wrong("the file ends, but a value is expected")),
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Json::Text(self.text()?),
            Some(_) => self.bare()?,
        };
        Ok(Node {
            value,
            span: Span::new(start, self.at),
        })
    }

    fn object(&mut self, depth: usize) -> Result<Json, Box<Diagnostic>> {
        self.at += 1;
        let mut members = Vec::new();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("expected a name in quotes"));
            }
            let start = self.at;
            let name = self.text()?;
            let span = Span::new(start, self.at);
            if !self.take(b':') {
                return Err(self.wrong("expected `:` after the name"));
            }
            members.push((name, span, self.value(depth + 1)?));
            if self.take(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return Err(self.wrong("expected `,` or `}`"));
            }
        }
    }

    fn list(&mut self, depth: usize) -> Result<Json, Box<Diagnostic>> {
        self.at += 1;
        let mut nodes = Vec::new();
        if self.take(b']') {
            return Ok(Json::List(nodes));
        }
        loop {
            nodes.push(self.value(depth + 1)?);
            if self.take(b']') {
                return Ok(Json::List(nodes));
            }
            if !self.take(b',') {
                return Err(self.wrong("expected `,` or `]`"));
            }
        }
    }

    /// A text in quotes.
    fn text(&mut self) -> Result<String, Box<Diagnostic>> {
        self.at += 1;
        let mut found = String::new();
        loop {
            let Some(next) = self.text[self.at..].chars().next() else {
                return Err(self.wrong("the file ends within quotes"));
            };
            match next {
                '"' => {
                    self.at += 1;
                    return Ok(found);
                }
                '\\' => found.push(self.escape()?),
                c if c < ' ' => return Err(self.wrong("a line ends within quotes")),
                c => {
                    found.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Box<Diagnostic>> {
        let rest = &self.text[self.at + 1..];
        let (c, length) = match rest.bytes().next() {
            Some(b'n') => ('\n', 1),
            Some(b't') => ('\t', 1),
            Some(b'r') => ('\r', 1),
            Some(b'b') => ('\u{8}', 1),
            Some(b'f') => ('\u{c}', 1),
            Some(c @ (b'"' | b'\\' | b'/')) => (char::from(c), 1),
            Some(b'u') => {
                let code = rest
                    .get(1..5)
                    .and_then(|hex| u32::from_str_radix(hex, 16).ok());
                // Surrogate halves encode characters that no move name contains.
                let Some(code) = code else {
                    return Err(self.wrong("expected four hexadecimal digits"));
                };
                (
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                    5,
                )
            }
            _ => return Err(self.wrong("there is no such escape")),
        };
        self.at += 1 + length;
        Ok(c)
    }

    /// A number, or one of the words of JSON.
    fn bare(&mut self) -> Result<Json, Box<Diagnostic>> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
        let word = &rest[..end.unwrap_or(rest.len())];
        let is_number = word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let value = match (word, word.parse::<f64>()) {
            ("null" | "true" | "false", _) => Json::Word,
            (_, Ok(number)) if is_number => Json::Number(number),
            _ => return Err(self.wrong("expected a value")),
        };
        self.at += word.len();
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let text = r#" {"a\n\u0041": [1, -2.5, {}], "b": null} "#;
        let node = parse(text).expect("it is right");
        let list = node.get("a\nA").expect("a member");
        assert_eq!(&text[list.span.start..list.span.end], "[1, -2.5, {}]");
        let Json::List(nodes) = &list.value else {
            panic!("a list")
        };
        assert_eq!(nodes[1].value, Json::Number(-2.5));
        assert_eq!(node.get("b").map(|it| &it.value), Some(&Json::Word));
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, at) in [
            ("", 0),
            ("{", 1),
            ("[1,]", 3),
            ("[1 2]", 3),
            ("{\"a\" 1}", 5),
            ("1 1", 2),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(
                error.primary.as_ref().map(|it| it.span.start),
                Some(at),
                "{text}"
            );
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
