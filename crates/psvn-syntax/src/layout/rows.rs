//! Rules, goals and blocks where counting alone decides.

use super::{Layout, Previous};
use crate::layout::token::Role;
use crate::text::keyword::Keyword;

impl<'source> Layout<'source, '_> {
    /// Read everything behind the declarations.
    pub(super) fn items(&mut self) {
        while self.position < self.words.len() {
            let start = self.position;
            let mark = self.out.len();
            if self.rule_fits(start, self.n_variables) {
                self.position = self.emit_rule(start);
                self.previous = Some(Previous { start, mark });
            } else if self.goal_fits(start, self.n_variables) {
                self.position = self.emit_goal(start);
                self.previous = Some(Previous { start, mark });
            } else if self.block_fits(start) {
                self.position = self.block(start, start + 1);
                self.previous = None;
            } else {
                self.position = self.repair(start);
                self.previous = None;
            }
            debug_assert!(self.position > start || self.previous.is_none());
        }
    }

    /// Whether an item, or the end, is at `at` if the game has `n` variables.
    pub(super) fn item_fits(&self, at: usize, n: usize) -> bool {
        at == self.words.len()
            || self.rule_fits(at, n)
            || self.goal_fits(at, n)
            || self.block_fits(at)
    }

    /// Whether `n` entries, an arrow and `n` entries are at `at`.
    pub(super) fn rule_fits(&self, at: usize, n: usize) -> bool {
        let arrow = at.saturating_add(n);
        let rhs = arrow.saturating_add(1);
        self.words.is_arrow(arrow)
            && self.words.is_plain(at, arrow)
            && self.words.is_plain(rhs, rhs.saturating_add(n))
    }

    /// Whether `GOAL` and `n` entries are at `at`.
    pub(super) fn goal_fits(&self, at: usize, n: usize) -> bool {
        self.words.is(at, Keyword::Goal) && self.words.is_plain(at + 1, (at + 1).saturating_add(n))
    }

    fn block_fits(&self, at: usize) -> bool {
        self.words.is(at, Keyword::Abstraction) && self.words.text(at + 1) == "{"
    }

    /// Emit the rule that fits at `start`; return the place behind it.
    pub(super) fn emit_rule(&mut self, start: usize) -> usize {
        let arrow = start + self.n_variables;
        let end = arrow + 1 + self.n_variables;
        self.emit(Role::RuleStart, start);
        self.emit_row(start, arrow);
        self.emit(Role::Arrow, arrow);
        self.emit_row(arrow + 1, end);
        self.emit_attributes(end)
    }

    /// Emit the goal that fits at `start`; return the place behind it.
    pub(super) fn emit_goal(&mut self, start: usize) -> usize {
        let end = start + 1 + self.n_variables;
        self.emit(Role::Goal, start);
        self.emit_row(start + 1, end);
        end
    }

    /// Emit `LABEL name` and `COST number`; return the place behind them.
    fn emit_attributes(&mut self, mut at: usize) -> usize {
        while let Some(keyword) = self.attribute(at) {
            self.emit(keyword, at);
            at += 1;
            if at == self.words.len() || self.words.is_arrow(at) {
                break;
            }
            self.emit(Role::Word, at);
            at += 1;
        }
        at
    }

    /// Where the attributes that begin at `at` end, without emitting them.
    pub(super) fn skip_attributes(&self, mut at: usize) -> usize {
        while self.attribute(at).is_some() {
            at += 1;
            if at == self.words.len() || self.words.is_arrow(at) {
                break;
            }
            at += 1;
        }
        at
    }

    /// The keyword at `at`, behind a right-hand side, if it is one there.
    ///
    /// A rule may also begin with a value called `LABEL` or `COST`. The word counts as such a value
    /// when it begins a line that holds the rule's whole left-hand side.
    fn attribute(&self, at: usize) -> Option<Role> {
        let token = if self.words.is(at, Keyword::Label) {
            Role::Label
        } else if self.words.is(at, Keyword::Cost) {
            Role::Cost
        } else {
            return None;
        };
        let begins_rule = self.words.is_first(at)
            && self.words.line_of(at.saturating_add(self.n_variables)) == at
            && self.rule_fits(at, self.n_variables);
        (!begins_rule).then_some(token)
    }
}
