//! Abstractions as scripts: lines `map DOMAIN FROM TO` and `project DOMAIN|K`.

use psvn_ir::{DomainId, Game, Value, VarId};
use psvn_syntax::{Diagnostic, Span};

use super::lookup;
use crate::map::Abstraction;

impl Abstraction {
    /// Read a script of commands, one per line, as accepted by the abstractor of psvn2c:
    ///
    /// - `map DOMAIN FROM TO` merges the value FROM into TO: all values that are mapped to FROM so
    ///   far are mapped to the present image of TO;
    /// - `project K` drops variable K, counted from 1;
    /// - `project DOMAIN` drops all variables of a domain.
    ///
    /// `#` or `;` at the start of a word begins a comment. Case is ignored.
    ///
    /// # Errors
    /// All errors, with places in the text.
    pub fn from_script(game: &Game, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut script = Script {
            game,
            images: game
                .domains()
                .iter()
                .map(|domain| (0..domain.size()).map(Value::from_index).collect())
                .collect(),
            kept: vec![true; game.n_variables()],
            errors: Vec::new(),
        };
        for line in lines(text) {
            script.command(&line);
        }
        if !script.errors.is_empty() {
            return Err(script.errors);
        }
        let mut abstraction = Self::identity(game);
        for (number, images) in script.images.iter().enumerate() {
            abstraction = abstraction.with_images(DomainId::from_index(number), images);
        }
        let kept = script.kept;
        Ok(abstraction.project(|var| kept[var.index()]))
    }

    /// Read a file that holds either one `abstraction { ... }` block
    /// ([`from_file`](Self::from_file)) or a script ([`from_script`](Self::from_script)), depending
    /// on its first word.
    ///
    /// # Errors
    /// All errors, with places in the text.
    pub fn from_file_or_script(game: &Game, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let first = lines(text).find_map(|line| line.first().copied());
        let is_command = |word: &str| {
            let is = |command| word.eq_ignore_ascii_case(command);
            is("map") || is("project")
        };
        match first {
            Some(word) if is_command(word.text) => Self::from_script(game, text),
            _ => Self::from_file(game, text),
        }
    }
}

/// A word of a script.
#[derive(Clone, Copy, Debug)]
struct Word<'t> {
    text: &'t str,
    span: Span,
}

/// Iterate over the words of each line, without comments.
fn lines(text: &str) -> impl Iterator<Item = Vec<Word<'_>>> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let begin = *start;
        *start += line.len();
        let words = line.split_ascii_whitespace();
        let words = words.take_while(|word| !word.starts_with(['#', ';']));
        Some(
            words
                .map(|word| {
                    let offset = begin + (word.as_ptr() as usize - line.as_ptr() as usize);
                    Word {
                        text: word,
                        span: Span {
                            start: offset,
                            end: offset + word.len(),
                        },
                    }
                })
                .collect(),
        )
    })
}

struct Script<'g> {
    game: &'g Game,
    /// By domain: the image of each value.
    images: Vec<Vec<Value>>,
    /// By variable.
    kept: Vec<bool>,
    errors: Vec<Diagnostic>,
}

impl Script<'_> {
    fn command(&mut self, words: &[Word<'_>]) {
        let Some((command, operands)) = words.split_first() else {
            return;
        };
        match (command.text.to_ascii_lowercase().as_str(), operands) {
            ("map", [domain, from, to]) => self.map(*domain, *from, *to),
            ("project", [what]) => self.project(*what),
            ("map", _) => self.wrong(*command, "`map` takes a domain and two of its values"),
            ("project", _) => self.wrong(*command, "`project` takes a variable or a domain"),
            (other, _) => {
                let message = format!("`{other}` isn't a command of an abstraction script");
                self.wrong(*command, &message);
            }
        }
    }

    fn wrong(&mut self, at: Word<'_>, message: &str) {
        let found = Diagnostic::error("bad-script-line", message).at(
            at.span,
            "the commands are `map DOMAIN FROM TO`, `project K` and `project DOMAIN`",
        );
        self.errors.push(found);
    }

    fn map(&mut self, domain: Word<'_>, from: Word<'_>, to: Word<'_>) {
        let game = self.game;
        let found = lookup::domain(game, domain.text, domain.span, "no domain of this game");
        let Some(id) = self.noted(found) else {
            return;
        };
        let values = [from, to].map(|word| lookup::value(game.domain(id), word.text, word.span));
        let [Some(from), Some(to)] = values.map(|found| self.noted(found)) else {
            return;
        };
        let images = &mut self.images[id.index()];
        let (old, new) = (images[from.index()], images[to.index()]);
        for image in images.iter_mut().filter(|image| **image == old) {
            *image = new;
        }
    }

    fn project(&mut self, what: Word<'_>) {
        if let Ok(number) = what.text.parse::<usize>() {
            match number.checked_sub(1).and_then(|i| self.kept.get_mut(i)) {
                Some(kept) => *kept = false,
                None => {
                    let n = self.game.n_variables();
                    let message = format!("there is no variable {number}");
                    let found = Diagnostic::error("bad-projection", message)
                        .at(what.span, format!("the game has the variables 1 to {n}"));
                    self.errors.push(found);
                }
            }
            return;
        }
        let label = "neither a domain nor the number of a variable";
        let found = lookup::domain(self.game, what.text, what.span, label);
        let Some(id) = self.noted(found) else {
            return;
        };
        for (i, kept) in self.kept.iter_mut().enumerate() {
            *kept &= self.game.variables()[VarId::from_index(i).index()] != id;
        }
    }

    /// Return the result, or record the error.
    fn noted<T>(&mut self, found: Result<T, Box<Diagnostic>>) -> Option<T> {
        found.map_err(|error| self.errors.push(*error)).ok()
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
    fn a_script_says_what_a_block_says() {
        let game = game();
        let script = "# d and c are one\nMAP tile d c ; so\n\nmap TILE c b\nproject 3\n";
        let block = "abstraction { tile { a b b b } projection { K K P K } }";
        let by_block = Abstraction::from_file(&game, block);
        assert_eq!(Abstraction::from_script(&game, script), by_block);
        for text in [script, block] {
            assert_eq!(Abstraction::from_file_or_script(&game, text), by_block);
        }
        let by_domain = Abstraction::from_script(&game, "project tile").expect("no mistakes");
        let kept: Vec<bool> = (0..4).map(|i| by_domain.is_kept(VarId(i))).collect();
        assert_eq!(kept, [false, false, true, true]);
    }

    /// A value that has become another one no longer exists: values mapped to it get its image.
    #[test]
    fn commands_build_on_those_before() {
        let game = game();
        let read = Abstraction::from_script(&game, "map tile a b\nmap tile c a\nmap tile b d");
        let read = read.expect("no mistakes");
        let images = read.images(DomainId(0));
        assert_eq!(images, [Value(3), Value(3), Value(3), Value(3)]);
    }

    #[test]
    fn mistakes_have_places() {
        let game = game();
        let found = |text: &str| -> Vec<(&'static str, String)> {
            let errors = Abstraction::from_script(&game, text).expect_err("a mistake");
            let place = |d: &Diagnostic| {
                let span = d.primary.as_ref().map(|label| label.span);
                let place = span.map(|span| text[span.start..span.end].to_owned());
                (d.code, place.unwrap_or_default())
            };
            errors.iter().map(place).collect()
        };
        assert_eq!(
            found("map tile a x\n  map tyle a b\nproject 5\nproject tyle\nproject 0\n"),
            [
                ("unknown-value", "x".to_owned()),
                ("unknown-domain", "tyle".to_owned()),
                ("bad-projection", "5".to_owned()),
                ("unknown-domain", "tyle".to_owned()),
                ("bad-projection", "0".to_owned()),
            ]
        );
        assert_eq!(
            found("map tile a\nproject\nmerge tile a b"),
            [
                ("bad-script-line", "map".to_owned()),
                ("bad-script-line", "project".to_owned()),
                ("bad-script-line", "merge".to_owned()),
            ]
        );
    }
}
