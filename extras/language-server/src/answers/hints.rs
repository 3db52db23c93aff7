//! Remarks within the text: the numbers of rules and of variables.

use psvn_syntax::Span;
use psvn_syntax::ast::Item;

use super::describe::numbers;
use crate::document::Document;

/// A remark that an editor shows within the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The offset at which it stands.
    pub offset: usize,
    /// Its text.
    pub text: String,
    /// More about it, as Markdown.
    pub more: Option<String>,
    /// Whether it stands in front of a word, not behind one.
    pub is_before: bool,
}

impl Document {
    /// Return the remarks in a part of the text: behind each rule its number, which messages and
    /// results name, or its numbers where it stands for several; before the domain of each variable
    /// the number of the variable.
    pub fn hints(&self, part: Span) -> Vec<Hint> {
        let is_inside = |offset: usize| part.start <= offset && offset <= part.end;
        let variables = self.file().variables.iter();
        let names = variables.flat_map(|declared| declared.domains.iter().enumerate());
        let mut hints: Vec<Hint> = names
            .filter(|(_, name)| is_inside(name.span.start))
            .map(|(variable, name)| Hint {
                offset: name.span.start,
                text: format!("x{}:", variable + 1),
                more: None,
                is_before: true,
            })
            .collect();
        let Some(game) = self.game() else {
            return hints;
        };
        let rules = self.file().items.iter().filter_map(|item| match item {
            Item::Rule(rule) => Some(rule),
            Item::Goal(_) | Item::Abstraction(_) => None,
        });
        for (source, rule) in rules.enumerate() {
            if !is_inside(rule.span.end) {
                continue;
            }
            let instances = self.instances(game, source);
            if instances.is_empty() {
                continue;
            }
            let canonical = &game
                .rule(psvn_ir::RuleId::from_index(instances.start))
                .canonical;
            hints.push(Hint {
                offset: rule.span.end,
                text: numbers(&instances),
                more: Some(format!("`{}`", game.format_rule(canonical))),
                is_before: false,
            });
        }
        hints
    }
}
