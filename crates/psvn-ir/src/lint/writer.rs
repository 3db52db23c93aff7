//! Writes rules that a text lacks like those that it has, with the names of their symbols.

use std::collections::HashMap;

use crate::game::Game;
use crate::ids::{RuleId, VarId};
use crate::rule::canonical::CanonicalRule;
use crate::rule::term::TermKind;
use crate::source::cell::CellKind;

/// Writes rules in PSVN, spelled like those of a text.
pub struct RuleWriter<'a> {
    game: &'a Game,
    /// The text with the rules; empty if the game was not read from text.
    text: &'a str,
}

impl<'a> RuleWriter<'a> {
    /// A writer for rules of a game that was read from `text`, which may be empty.
    pub fn new(game: &'a Game, text: &'a str) -> Self {
        Self { game, text }
    }

    /// Return a rule as PSVN. Its symbols have the names that rule `like` has for its own, and
    /// capital letters beyond these.
    pub fn write(&self, rule: &CanonicalRule, like: RuleId) -> String {
        let mut names = self.symbols(self.game.rule(like).source).into_iter();
        let known: Vec<&str> = names.by_ref().flatten().collect();
        let letters = ('A'..='Z').map(String::from);
        let later = (1..).map(|number| format!("X{number}"));
        let is_value = |name: &str| {
            let mut domains = self.game.domains().iter();
            domains.any(|domain| domain.lookup(name).is_some())
        };
        let mut free = known
            .iter()
            .map(|name| (*name).to_owned())
            .chain(letters.filter(|it| !known.contains(&it.as_str())))
            .chain(later)
            .filter(|name| !is_value(name));
        let sides = || rule.preconditions().iter().zip(rule.actions()).enumerate();
        // A variable that stays in its own place needs no name.
        let mut named: HashMap<VarId, String, ahash::RandomState> = HashMap::default();
        for (position, (before, after)) in sides() {
            let carried = [before, after]
                .into_iter()
                .filter_map(|it| it.as_variable());
            for var in carried.filter(|var| var.index() != position) {
                named
                    .entry(var)
                    .or_insert_with(|| free.next().unwrap_or_default());
            }
        }
        let entry = |position: usize, kind: TermKind| match kind {
            TermKind::Constant(value) => {
                let domain = self.game.domain_of(VarId::from_index(position));
                domain.value_name(value).to_owned()
            }
            TermKind::Variable(var) => named.get(&var).cloned().unwrap_or_else(|| "-".to_owned()),
        };
        let (left, right): (Vec<String>, Vec<String>) = sides()
            .map(|(position, (before, after))| {
                let stays = before == after;
                let right = if stays {
                    "-".to_owned()
                } else {
                    entry(position, after.kind())
                };
                (entry(position, before.kind()), right)
            })
            .unzip();
        let mut text = format!("{} => {}", left.join(" "), right.join(" "));
        if rule.cost() != 1 {
            text += &format!(" COST {}", rule.cost());
        }
        text
    }

    /// The names of a source rule's symbols in the text, where they are known.
    pub(super) fn symbols(&self, source: usize) -> Vec<Option<&'a str>> {
        let rule = &self.game.source_rules()[source];
        let span = rule.span.unwrap_or_default();
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let words = text
            .lines()
            .flat_map(|line| {
                let words = line.split(|c| " \t\r\u{b}\u{c}".contains(c));
                let words = words.filter(|word| !word.is_empty());
                words.take_while(|word| !word.starts_with(['#', ';']))
            })
            .filter(|word| *word != "=>");
        let mut names = Vec::new();
        for (cell, word) in rule.lhs.iter().chain(&rule.rhs).zip(words) {
            if let CellKind::Symbol(symbol) = cell.kind {
                if names.len() <= symbol.index() {
                    names.resize(symbol.index() + 1, None);
                }
                let name = word
                    .strip_prefix('*')
                    .filter(|_| cell.starred)
                    .unwrap_or(word);
                names[symbol.index()] = Some(name);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_the_text_spells_them() {
        let text = "DOMAIN d 3 0 1 a\n4 d d d d\nTile 0 1 - => 0 Tile - - COST 2\nGOAL 0 0 0 0\n";
        let game = crate::load(text).game.expect("a game without errors");
        let rule = &game.rules()[0].canonical;
        let written = RuleWriter::new(&game, text).write(rule, RuleId(0));
        assert_eq!(written, "Tile 0 1 - => 0 Tile - - COST 2");
        // Without the text, a letter that is no value: `A` is the value `a`.
        let written = RuleWriter::new(&game, "").write(rule, RuleId(0));
        assert_eq!(written, "B 0 1 - => 0 B - - COST 2");
    }
}
