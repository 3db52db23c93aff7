//! The game to check, with facts that several lints need.

pub(crate) mod named_values;

use psvn_ir::lint::{RuleTitles, RuleWriter};
use psvn_ir::{Game, Relations, Rule, RuleId};
use psvn_syntax::{Diagnostic, Span};

use crate::Effort;

/// A game with the relations between its rules.
pub(crate) struct Subject<'g> {
    pub(crate) game: &'g Game,
    pub(crate) relations: Relations,
    pub(crate) effort: Effort,
    /// Writes rules like those of the game's text.
    pub(crate) writer: RuleWriter<'g>,
    titles: RuleTitles<'g>,
}

impl<'g> Subject<'g> {
    pub(crate) fn new(game: &'g Game, text: &'g str, effort: Effort) -> Self {
        Self {
            game,
            effort,
            writer: RuleWriter::new(game, text),
            relations: Relations::of(game),
            titles: RuleTitles::new(game),
        }
    }

    pub(crate) fn n_rules(&self) -> usize {
        self.game.rules().len()
    }

    /// Return the name of a rule for messages.
    pub(crate) fn title(&self, rule: RuleId) -> String {
        self.titles.title(rule)
    }

    /// Return the place of a rule in the file.
    pub(crate) fn span(&self, rule: &Rule) -> Option<Span> {
        self.game.source_rules()[rule.source].span
    }

    /// Make a warning at a rule.
    pub(crate) fn warn_at(
        &self,
        rule: RuleId,
        code: &'static str,
        message: impl Into<String>,
        at_caret: impl Into<String>,
    ) -> Diagnostic {
        let span = self.span(self.game.rule(rule));
        Diagnostic::warning(code, message).at_maybe(span, at_caret)
    }

    /// For each variable, the number of rules that mention it: test it, change it or use its value
    /// elsewhere.
    pub(crate) fn mentions(&self) -> Vec<u32> {
        let mut mentions = vec![0; self.game.n_variables()];
        for rule in self.game.rules() {
            for (position, touched) in touched(rule).into_iter().enumerate() {
                mentions[position] += u32::from(touched);
            }
        }
        mentions
    }
}

/// For each position, whether the rule tests it, changes it, or uses its value elsewhere.
pub(crate) fn touched(rule: &Rule) -> Vec<bool> {
    let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
    let mut touched = vec![false; p.len()];
    for (position, (before, after)) in p.iter().zip(a).enumerate() {
        if before.is_own_variable(position) && before == after {
            continue;
        }
        touched[position] = true;
        for var in [before, after]
            .into_iter()
            .filter_map(|term| term.as_variable())
        {
            touched[var.index()] = true;
        }
    }
    touched
}

/// `1 rule`, `2 rules`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
