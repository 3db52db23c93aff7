//! Proposes the rule that would undo another one, written like the rules of the file.

use crate::game::Game;
use crate::ids::{RuleId, VarId};
use crate::rule::canonical::CanonicalRule;
use crate::source::cell::{Cell, CellKind};
use crate::source::expand::instances;

/// The most characters of a proposed rule. A longer one would fill the screen.
const LONGEST: usize = 240;
/// The most instances of a proposed rule.
const MOST_INSTANCES: usize = 1_000;
/// The most terms that the search for narrower inverses compares, for the whole game.
const BUDGET: usize = 20_000_000;

/// Finds the rules that would undo others, fully or in part.
pub(super) struct Inverses<'a> {
    game: &'a Game,
    /// The text with the rules; empty if the game was not read from text.
    text: &'a str,
    /// For each position the rules that change it.
    changing: Vec<Vec<RuleId>>,
    budget: usize,
}

impl<'a> Inverses<'a> {
    pub(super) fn new(game: &'a Game, text: &'a str) -> Self {
        let mut changing = vec![Vec::new(); game.n_variables()];
        for (id, rule) in game.rules_with_ids() {
            for (position, _) in rule.canonical.changes() {
                changing[position.index()].push(id);
            }
        }
        Self {
            game,
            text,
            changing,
            budget: BUDGET,
        }
    }

    /// A rule that undoes this one in some, but not all, of the states that it leads to.
    pub(super) fn narrower(&mut self, id: RuleId) -> Option<RuleId> {
        let inverse = self.game.rule(id).canonical.inverse()?;
        for (position, _) in inverse.changes() {
            for other in &self.changing[position.index()] {
                self.budget = self.budget.checked_sub(self.game.n_variables())?;
                let canonical = &self.game.rule(*other).canonical;
                if inverse.generalizes(canonical) {
                    return Some(*other);
                }
            }
        }
        None
    }

    /// The text of the rule that undoes this one; `None` if there can be none.
    pub(super) fn text(&self, id: RuleId) -> Option<String> {
        let rule = self.game.rule(id);
        let inverse = rule.canonical.inverse()?;
        let source = &self.game.source_rules()[rule.source];
        let mut backward = source.backward();
        // Starred entries vouch for facts that are unknown in the other direction.
        for cell in backward.lhs.iter_mut().chain(&mut backward.rhs) {
            cell.starred = false;
        }
        let size = |var: VarId| self.game.domain_of(var).size();
        let made = instances(
            std::slice::from_ref(&backward),
            size,
            MOST_INSTANCES,
            &|| false,
        )
        .ok()?;
        if !made.iter().any(|made| made.canonical.generalizes(&inverse)) {
            return Some(format!("`{}`", self.game.format_rule(&inverse)));
        }
        let names = self.names(rule.source);
        let side = |cells: &[Cell]| -> String {
            let words = cells.iter().enumerate().map(|(i, cell)| match cell.kind {
                CellKind::Dash => "-".to_owned(),
                CellKind::Constant(value) => {
                    let domain = self.game.domain_of(VarId::from_index(i));
                    domain.value_name(value).to_owned()
                }
                CellKind::Symbol(symbol) => match names.get(symbol.index()) {
                    Some(Some(name)) => (*name).to_owned(),
                    _ => format!("X{}", symbol.0 + 1),
                },
            });
            words.collect::<Vec<_>>().join(" ")
        };
        let mut text = format!("{} => {}", side(&backward.lhs), side(&backward.rhs));
        if rule.canonical.cost() != 1 {
            text += &format!(" COST {}", rule.canonical.cost());
        }
        Some(if text.chars().count() > LONGEST {
            "this one with its sides exchanged".to_owned()
        } else {
            format!("`{text}`")
        })
    }

    /// The names of a rule's symbols in the text.
    fn names(&self, source: usize) -> Vec<Option<&'a str>> {
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

/// Return the first variable whose value is lost by a rule.
pub(super) fn lost_variable(rule: &CanonicalRule) -> Option<VarId> {
    let mut kept = vec![false; rule.n_variables()];
    for var in rule.actions().iter().filter_map(|term| term.as_variable()) {
        kept[var.index()] = true;
    }
    rule.preconditions()
        .iter()
        .filter_map(|term| term.as_variable())
        .find(|var| !kept[var.index()])
}
