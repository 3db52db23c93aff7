//! Proposes the rule that would undo another, written like the rules of the file.

use super::writer::RuleWriter;
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
    writer: RuleWriter<'a>,
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
            writer: RuleWriter::new(game, text),
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
            return Some(Self::quoted(&self.writer.write(&inverse, id)));
        }
        let names = self.writer.symbols(rule.source);
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
        Some(Self::quoted(&text))
    }

    /// A proposed rule for a message; described in words if it is long.
    fn quoted(text: &str) -> String {
        if text.chars().count() > LONGEST {
            "this one with its sides exchanged".to_owned()
        } else {
            format!("`{text}`")
        }
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
