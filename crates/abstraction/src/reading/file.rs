//! Abstractions as text: `abstraction { DOMAIN { value .. } .. projection { K P .. } }`.

use std::fmt::Write;

use psvn_ir::{DomainId, Game, Value, VarId};
use psvn_syntax::ast::{AbstractionDecl, DomainMapping, Name};
use psvn_syntax::{Diagnostic, Span, parse_abstraction};

use super::lookup;
use crate::map::Abstraction;

impl Abstraction {
    /// Read an abstraction file, which holds one `abstraction { ... }` block.
    ///
    /// For each domain whose values are merged, the block has its name and in braces the image of
    /// each value, in the order of the domain. If variables are dropped, it has `projection` and in
    /// braces `K` (keep) or `P` (project away) for each variable. If pieces are chosen, it has
    /// `pieces` and in braces `K` for each variable where the goal has a kept piece, `P` for the
    /// others ([`keep_pieces`](Self::keep_pieces)). `#` or `;` at the start of a word begins a
    /// comment. Case is ignored.
    ///
    /// # Errors
    /// All errors, with places in the text.
    pub fn from_file(game: &Game, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let parsed = parse_abstraction(text);
        match parsed.abstraction {
            Some(block) if !parsed.diagnostics.iter().any(Diagnostic::is_error) => {
                Self::from_block(game, &block)
            }
            _ => Err(parsed.diagnostics),
        }
    }

    /// Return the abstraction that a block of a game's text, or of a file, describes.
    ///
    /// # Errors
    /// All parts that don't fit the game, with places in the text of the block.
    pub fn from_block(game: &Game, block: &AbstractionDecl) -> Result<Self, Vec<Diagnostic>> {
        let mut lowering = Lowering {
            game,
            abstraction: Self::identity(game),
            seen: vec![None; game.domains().len()],
            errors: Vec::new(),
        };
        for mapping in &block.mappings {
            lowering.map(mapping);
        }
        if let Some(projection) = &block.projection {
            let keep: Vec<bool> = projection.keep.iter().map(|(keep, _)| *keep).collect();
            if lowering.is_for_each_variable("projection", projection.span, keep.len()) {
                let abstraction = lowering.abstraction.clone();
                lowering.abstraction = abstraction.project(|var| keep[var.index()]);
            }
        }
        if let Some(pieces) = &block.pieces {
            match lookup::find_domain(game, &pieces.name.text) {
                Some(_) => lowering.map(&DomainMapping {
                    span: pieces.span,
                    domain: pieces.name.clone(),
                    values: pieces.letters.clone(),
                }),
                None => lowering.keep_pieces(&pieces.name, &pieces.letters),
            }
        }
        if lowering.errors.is_empty() {
            Ok(lowering.abstraction)
        } else {
            Err(lowering.errors)
        }
    }

    /// Return the abstraction as a file that [`from_file`](Self::from_file) reads.
    ///
    /// # Panics
    /// If it doesn't [fit](Self::fits) the game.
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
            let letter = |var| {
                if self.is_kept(VarId::from_index(var)) {
                    "K"
                } else {
                    "P"
                }
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

/// The translation of a block for a game.
struct Lowering<'a> {
    game: &'a Game,
    abstraction: Abstraction,
    /// The place of each domain's map.
    seen: Vec<Option<Span>>,
    errors: Vec<Diagnostic>,
}

impl Lowering<'_> {
    fn map(&mut self, mapping: &DomainMapping) {
        let name = &mapping.domain;
        let label = "neither a domain nor `projection` nor `pieces`";
        let id = match lookup::domain(self.game, &name.text, name.span, label) {
            Ok(id) => id,
            Err(error) => return self.errors.push(*error),
        };
        if let Some(first) = self.seen[id.index()] {
            let message = format!("`{}` occurs twice here", name.text);
            let found = Diagnostic::error("duplicate-entry", message);
            let found = found.at(name.span, "the second time");
            self.errors.push(found.also(first, "the first time"));
            return;
        }
        self.seen[id.index()] = Some(name.span);
        let domain = self.game.domain(id);
        if mapping.values.len() != domain.size() {
            let message = format!(
                "`{}` needs {} images, one for each value, and {} are given",
                name.text,
                domain.size(),
                mapping.values.len()
            );
            let found = Diagnostic::error("wrong-mapping-length", message);
            let label = format!("{} entries", mapping.values.len());
            self.errors.push(found.at(name.span, label));
            return;
        }
        let mut images: Vec<Value> = Vec::with_capacity(mapping.values.len());
        for entry in &mapping.values {
            match lookup::value(domain, &entry.text, entry.span) {
                Ok(value) => images.push(value),
                Err(error) => self.errors.push(*error),
            }
        }
        if images.len() == domain.size() {
            let abstraction = self.abstraction.clone();
            self.abstraction = abstraction.with_images(id, &images);
        }
    }

    /// Check that there are as many letters as variables; report an error if not.
    fn is_for_each_variable(&mut self, name: &str, span: Span, found: usize) -> bool {
        let expected = self.game.n_variables();
        if found != expected {
            let message = format!(
                "`{name}` needs {expected} letters, one for each variable, and {found} are given"
            );
            let error = Diagnostic::error("wrong-projection-length", message);
            self.errors.push(error.at(span, format!("{found} entries")));
        }
        found == expected
    }

    fn keep_pieces(&mut self, name: &Name, letters: &[Name]) {
        if !self.is_for_each_variable("pieces", name.span, letters.len()) {
            return;
        }
        let n_errors = self.errors.len();
        let mut kept = Vec::new();
        for (var, letter) in letters.iter().enumerate() {
            match letter.text.as_str() {
                "K" | "k" => kept.push(VarId::from_index(var)),
                "P" | "p" => {}
                other => {
                    let message = format!("`{other}` is neither K nor P");
                    let found = Diagnostic::error("bad-projection", message);
                    self.errors.push(found.at(letter.span, "K or P expected"));
                }
            }
        }
        if self.errors.len() > n_errors {
            return;
        }
        match self.abstraction.clone().keep_pieces(self.game, &kept) {
            Ok(abstraction) => self.abstraction = abstraction,
            Err(error) => {
                let found = Diagnostic::error("no-such-pieces", error.to_string());
                self.errors.push(found.at(name.span, "these aren't pieces"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "DOMAIN tile 4 a b c d\n4 tile tile 2 2\na X - - => X a - -";

    fn game() -> Game {
        psvn_ir::load(GAME).game.expect("a game")
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
                let span = d.primary.as_ref().map(|label| label.span);
                let place = span.map(|span| text[span.start..span.end].to_owned());
                (d.code, place.unwrap_or_default())
            };
            errors.iter().map(place).collect()
        };
        assert_eq!(found(""), [("empty-file", String::new())]);
        assert_eq!(
            found("abstraction { tile { a b"),
            [("unclosed-brace", "{".to_owned())]
        );
        assert_eq!(
            found("abstraction { tile { a b x c } tiles { } projection { K K K } }"),
            [
                ("unknown-value", "x".to_owned()),
                ("unknown-domain", "tiles".to_owned()),
                ("wrong-projection-length", "projection { K K K }".to_owned())
            ]
        );
        assert_eq!(
            found("abstraction { tile { a a a a } tile { a a a a } }"),
            [("duplicate-entry", "tile".to_owned())]
        );
        assert_eq!(
            found("abstraction { tile { a a a a } } }"),
            [("unexpected-text", "}".to_owned())]
        );
        for section in ["projection", "pieces"] {
            assert_eq!(
                found(&format!("abstraction {{ {section} {{ K K Q P }} }}")),
                [("bad-projection", "Q".to_owned())]
            );
        }
        for cut in 0..40 {
            let text = "abstraction { tile { a a a a } projection { K P K P } }";
            let _ = Abstraction::from_file(&game, &text[..cut]).expect_err("cut off");
        }
    }

    /// Blocks in typical handwriting, and as `psvn fmt` writes them.
    const BLOCKS: [(&str, &str); 4] = [
        ("abstraction { }", "abstraction{}"),
        (
            "abstraction { tile { a b b b } }",
            "ABSTRACTION {TILE{A B B B}}",
        ),
        (
            "abstraction { tile { a a c c } projection { K K P P } }",
            "abstraction {\n projection{k K p P}\n tile{a a c c} }",
        ),
        (
            "abstraction { projection { P K K K } }",
            "# dropped\nabstraction{projection{P K K K}\n; end\n}",
        ),
    ];

    #[test]
    fn blocks_mean_the_same_in_a_file_and_in_a_game() {
        let game = game();
        for (spaced, glued) in BLOCKS {
            let read = Abstraction::from_file(&game, spaced).expect("no mistakes");
            assert_eq!(
                Abstraction::from_file(&game, glued),
                Ok(read.clone()),
                "{glued}"
            );
            let text = format!("{GAME}\n{spaced}\n");
            let parsed = psvn_syntax::parse(&text);
            assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
            let block = parsed.file.items.iter().find_map(|item| match item {
                psvn_syntax::ast::Item::Abstraction(block) => Some(block),
                _ => None,
            });
            let block = block.expect("the block");
            assert_eq!(Abstraction::from_block(&game, block), Ok(read));
        }
    }

    #[test]
    fn a_domain_may_be_called_pieces() {
        let text = "DOMAIN pieces 2 a b\n1 pieces\na => b";
        let game = psvn_ir::load(text).game.expect("a game");
        let merged = Abstraction::from_file(&game, "abstraction { pieces { a a } }");
        assert_eq!(
            merged.map(|it| it.image(DomainId(0), Value(1))),
            Ok(Value(0))
        );
    }
}
