//! Abstraction files: `abstraction { DOMAIN { value .. } .. projection { K P .. } }`.

use std::fmt::Write;

use psvn_ir::{DomainId, Game, Value, VarId, near_miss};
use psvn_syntax::{Diagnostic, Span};

use crate::map::Abstraction;

/// A word and its place.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    span: Span,
}

impl Word<'_> {
    fn is(&self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }
}

impl Abstraction {
    /// Reads an abstraction file.
    ///
    /// In `abstraction { ... }` stands, for each domain whose values are merged, its name and in braces
    /// the image of each value, in the order of the domain; and, if variables are dropped,
    /// `projection` and in braces `K` (keep) or `P` (project away) for each variable; or `pieces` and `K` for each variable where a piece
    /// stands in the goal that is kept, `P` for the others ([`keep_pieces`](Self::keep_pieces)). `#` or `;` at the
    /// start of a word begins a comment. Case means nothing.
    ///
    /// # Errors
    /// What is wrong, with places in the text.
    pub fn from_file(game: &Game, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let words = words(text);
        let mut parser = Parser {
            game,
            words: &words,
            next: 0,
            end: Span::new(text.len(), text.len()),
            abstraction: Self::identity(game),
            seen: vec![None; game.domains().len()],
            projection: None,
            pieces: None,
            errors: Vec::new(),
        };
        parser.file();
        match parser.errors.is_empty() {
            true => Ok(parser.abstraction),
            false => Err(parser.errors),
        }
    }

    /// The abstraction as a file that [`from_file`](Self::from_file) reads.
    ///
    /// # Panics
    /// When it doesn't [fit](Self::fits) the game.
    pub fn to_file(&self, game: &Game) -> String {
        let mut text = String::from("abstraction {\n");
        for (number, domain) in game.domains().iter().enumerate() {
            let images = self.images(DomainId::from_index(number));
            if images
                .iter()
                .enumerate()
                .all(|(value, image)| image.index() == value)
            {
                continue;
            }
            let names: Vec<&str> = images
                .iter()
                .map(|image| domain.value_name(*image))
                .collect();
            let _ = writeln!(text, "  {} {{ {} }}", domain.name(), names.join(" "));
        }
        if !self.keeps_all_variables() {
            let letter = |var| match self.is_kept(VarId::from_index(var)) {
                true => "K",
                false => "P",
            };
            let letters: Vec<&str> = (0..game.n_variables()).map(letter).collect();
            let _ = writeln!(text, "  projection {{ {} }}", letters.join(" "));
        }
        if let Some(pieces) = self.pieces_at() {
            let letters: Vec<&str> = pieces
                .iter()
                .map(|kept| if *kept { "K" } else { "P" })
                .collect();
            let _ = writeln!(text, "  pieces {{ {} }}", letters.join(" "));
        }
        text.push_str("}\n");
        text
    }
}

/// The words of a text without its comments; braces are words of their own.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        match bytes[i] {
            byte if byte.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'#' | b';' => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    i += 1;
                }
                continue;
            }
            b'{' | b'}' => i += 1,
            _ => {
                while i < bytes.len()
                    && !bytes[i].is_ascii_whitespace()
                    && !matches!(bytes[i], b'{' | b'}')
                {
                    i += 1;
                }
            }
        }
        words.push(Word {
            text: &text[start..i],
            span: Span::new(start, i),
        });
    }
    words
}

struct Parser<'a, 't> {
    game: &'a Game,
    words: &'a [Word<'t>],
    next: usize,
    end: Span,
    abstraction: Abstraction,
    /// Where each domain was mapped.
    seen: Vec<Option<Span>>,
    projection: Option<Span>,
    pieces: Option<Span>,
    errors: Vec<Diagnostic>,
}

impl<'t> Parser<'_, 't> {
    fn take(&mut self) -> Option<Word<'t>> {
        let word = self.words.get(self.next).copied();
        self.next += usize::from(word.is_some());
        word
    }

    fn expect(&mut self, wanted: &str, what: &str) -> bool {
        match self.take() {
            Some(word) if word.is(wanted) => true,
            found => {
                let span = found.map_or(self.end, |word| word.span);
                let diagnostic = Diagnostic::error("abstraction-syntax", what)
                    .at(span, format!("`{wanted}` is expected here"));
                self.errors.push(diagnostic.hint(
                    "the form is `abstraction { DOMAIN { image of each value } projection { K P .. } }`",
                ));
                false
            }
        }
    }

    fn file(&mut self) {
        let what = "an abstraction file begins with `abstraction {`";
        if !self.expect("abstraction", what) || !self.expect("{", what) {
            return;
        }
        loop {
            match self.take() {
                Some(word) if word.text == "}" => break,
                Some(word) => {
                    if !self.block(word) {
                        return;
                    }
                }
                None => {
                    self.next = self.words.len();
                    self.expect("}", "the file ends before the abstraction does");
                    return;
                }
            }
        }
        if let Some(word) = self.take() {
            let found =
                Diagnostic::error("abstraction-syntax", "more follows behind the abstraction");
            self.errors.push(found.at(word.span, "this is too much"));
        }
    }

    /// A domain or the projection. `false` when what follows makes no sense any more.
    fn block(&mut self, name: Word<'t>) -> bool {
        if !self.expect("{", &format!("`{}` is not followed by braces", name.text)) {
            return false;
        }
        let first = self.next;
        while self.next < self.words.len() && !matches!(self.words[self.next].text, "}" | "{") {
            self.next += 1;
        }
        let entries = &self.words[first..self.next];
        if !self.expect(
            "}",
            &format!("the braces behind `{}` are not closed", name.text),
        ) {
            return false;
        }
        let domain = self
            .game
            .domains()
            .iter()
            .position(|domain| name.is(domain.name()));
        match domain {
            Some(domain) => self.images(DomainId::from_index(domain), name, entries),
            None if name.is("projection") => self.project(name, entries),
            None if name.is("pieces") => self.keep(name, entries),
            None => {
                let names: Vec<String> = self
                    .game
                    .domains()
                    .iter()
                    .map(|domain| domain.name().to_owned())
                    .collect();
                let mut found = Diagnostic::error(
                    "unknown-domain",
                    format!("the game has no domain `{}`", name.text),
                )
                .at(name.span, "neither a domain nor `projection`");
                if let Some(near) = near_miss(name.text, &names) {
                    found = found.hint(format!("did you mean `{near}`?"));
                }
                self.errors.push(found);
            }
        }
        true
    }

    fn again(&mut self, first: Option<Span>, name: Word<'_>) -> bool {
        let Some(first) = first else { return false };
        let message = format!("`{}` stands here twice", name.text);
        let found = Diagnostic::error("duplicate-entry", message).at(name.span, "the second time");
        self.errors.push(found.also(first, "the first time"));
        true
    }

    fn check_length(&mut self, name: Word<'_>, found: usize, expected: usize, what: &str) -> bool {
        if found == expected {
            return true;
        }
        let message = format!(
            "`{}` needs {expected} {what}, and {found} are given",
            name.text
        );
        self.errors.push(
            Diagnostic::error("wrong-length", message).at(name.span, format!("{found} entries")),
        );
        false
    }

    fn images(&mut self, id: DomainId, name: Word<'_>, entries: &[Word<'_>]) {
        if self.again(self.seen[id.index()], name) {
            return;
        }
        self.seen[id.index()] = Some(name.span);
        let domain = self.game.domain(id);
        if !self.check_length(
            name,
            entries.len(),
            domain.size(),
            "images, one for each value",
        ) {
            return;
        }
        let mut images: Vec<Value> = Vec::with_capacity(entries.len());
        for entry in entries {
            match domain.lookup(entry.text) {
                Some(value) => images.push(value),
                None => {
                    let message =
                        format!("`{}` is no value of domain `{}`", entry.text, domain.name());
                    let mut found =
                        Diagnostic::error("unknown-value", message).at(entry.span, "no such value");
                    if let Some(near) = near_miss(entry.text, domain.values()) {
                        found = found.hint(format!("did you mean `{near}`?"));
                    }
                    self.errors.push(found);
                }
            }
        }
        if images.len() == domain.size() {
            let abstraction = self.abstraction.clone();
            self.abstraction = abstraction.with_images(id, &images);
        }
    }

    /// Letters K and P, one for each variable: where K stands.
    fn letters(&mut self, name: Word<'_>, entries: &[Word<'_>]) -> Option<Vec<bool>> {
        let n = self.game.n_variables();
        if !self.check_length(name, entries.len(), n, "letters, one for each variable") {
            return None;
        }
        for entry in entries
            .iter()
            .filter(|entry| !entry.is("K") && !entry.is("P"))
        {
            let message = format!("`{}` is neither K (keep) nor P (project away)", entry.text);
            let found = Diagnostic::error("projection-letter", message);
            self.errors.push(found.at(entry.span, "K or P is expected"));
        }
        Some(entries.iter().map(|entry| entry.is("K")).collect())
    }

    fn project(&mut self, name: Word<'_>, entries: &[Word<'_>]) {
        if self.again(self.projection, name) {
            return;
        }
        self.projection = Some(name.span);
        if let Some(kept) = self.letters(name, entries) {
            let abstraction = self.abstraction.clone();
            self.abstraction = abstraction.project(|var| kept[var.index()]);
        }
    }

    fn keep(&mut self, name: Word<'_>, entries: &[Word<'_>]) {
        if self.again(self.pieces, name) {
            return;
        }
        self.pieces = Some(name.span);
        let Some(kept) = self.letters(name, entries) else {
            return;
        };
        let kept = kept.iter().enumerate().filter(|(_, kept)| **kept);
        let vars: Vec<VarId> = kept.map(|(var, _)| VarId::from_index(var)).collect();
        match self.abstraction.clone().keep_pieces(self.game, &vars) {
            Ok(abstraction) => self.abstraction = abstraction,
            Err(error) => {
                let found = Diagnostic::error("no-such-pieces", error.to_string());
                self.errors.push(found.at(name.span, "these are no pieces"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let text = "DOMAIN tile 4 a b c d\n4 tile tile 2 2\na X - - => X a - -";
        psvn_ir::load(text).game.expect("a game")
    }

    #[test]
    fn a_file_is_read_and_written() {
        let game = game();
        let text = "# comment\nABSTRACTION {\n tile{a B b b} ; more\n projection { k K P K } }";
        let read = Abstraction::from_file(&game, text).expect("no mistakes");
        assert_eq!(read.image(DomainId(0), Value(3)), Value(1));
        assert!(!read.is_kept(VarId(2)) && read.is_kept(VarId(3)));
        let written = read.to_file(&game);
        assert_eq!(
            written,
            "abstraction {\n  tile { a b b b }\n  projection { K K P K }\n}\n"
        );
        assert_eq!(Abstraction::from_file(&game, &written), Ok(read));
        let identity = Abstraction::identity(&game);
        let written = identity.to_file(&game);
        assert_eq!(Abstraction::from_file(&game, &written), Ok(identity));
    }

    #[test]
    fn mistakes_have_places() {
        let game = game();
        let found = |text: &str| -> Vec<(&'static str, String)> {
            let errors = Abstraction::from_file(&game, text).expect_err("a mistake");
            let place = |d: &Diagnostic| {
                let span = d.primary.as_ref().expect("a place").span;
                (d.code, text[span.start..span.end].to_owned())
            };
            errors.iter().map(place).collect()
        };
        assert_eq!(found(""), [("abstraction-syntax", String::new())]);
        assert_eq!(
            found("abstraction { tile { a b"),
            [("abstraction-syntax", String::new())]
        );
        assert_eq!(
            found("abstraction { tile { a b x c } tiles { } projection { K K K } }"),
            [
                ("unknown-value", "x".to_owned()),
                ("unknown-domain", "tiles".to_owned()),
                ("wrong-length", "projection".to_owned())
            ]
        );
        assert_eq!(
            found("abstraction { tile { a a a a } tile { a a a a } } }"),
            [
                ("duplicate-entry", "tile".to_owned()),
                ("abstraction-syntax", "}".to_owned())
            ]
        );
        assert_eq!(
            found("abstraction { projection { K K Q P } }"),
            [("projection-letter", "Q".to_owned())]
        );
        for cut in 0..40 {
            let text = "abstraction { tile { a a a a } projection { K P K P } }";
            let _ = Abstraction::from_file(&game, &text[..cut]).expect_err("cut off");
        }
    }
}
