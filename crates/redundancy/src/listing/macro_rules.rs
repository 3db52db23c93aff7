//! The macro-rules of words and of their replacements.

use fsm::RulePart;
use macro_compose::compose_all;
use psvn_ir::{CanonicalRule, Game, VarId};

use crate::Error;
use crate::ignored;
use crate::parts::split_game;

/// The rules of which words and replacements consist.
pub(super) struct MacroRules<'g> {
    game: &'g Game,
    /// The letters of replacements.
    rules: Vec<CanonicalRule>,
    /// The letters of words, where they are parts of rules.
    parts: Option<Vec<CanonicalRule>>,
    /// The variables on which no goal depends, and the rules without their effects on these, where
    /// words were compared so.
    for_goals: Option<(Vec<VarId>, Vec<CanonicalRule>)>,
}

impl<'g> MacroRules<'g> {
    /// The rules of a machine's letters, by what the machine assumes.
    ///
    /// # Errors
    /// When the parts aren't those of the game's rules.
    pub(super) fn new(
        game: &'g Game,
        parts: &[Vec<RulePart>],
        assumptions: &[String],
    ) -> Result<Self, Error> {
        let canonical = |game: &Game| -> Vec<CanonicalRule> {
            let rules = game.rules().iter();
            rules.map(|rule| rule.canonical.clone()).collect()
        };
        let rules = canonical(game);
        let split = split_game(game, parts)?;
        let mut ignored = ignored::variables_in(assumptions);
        ignored.retain(|var| var.index() < game.n_variables());
        let for_goals = (split.is_none() && !ignored.is_empty()).then(|| {
            let without = move_prune::rules_without_effect_on(&rules, &ignored);
            (ignored, without)
        });
        Ok(Self {
            game,
            parts: split.map(|split| canonical(split.game())),
            rules,
            for_goals,
        })
    }

    /// Return the macro-rule of a word; `None` if no state allows it.
    pub(super) fn of_word(&self, word: &[u32]) -> Option<CanonicalRule> {
        self.compose(self.of_letters(), word)
    }

    /// Return the macro-rule of a replacement; `None` if no state allows it.
    pub(super) fn of_rules(&self, word: &[u32]) -> Option<CanonicalRule> {
        self.compose(&self.rules, word)
    }

    /// Return the cost of a word.
    pub(super) fn cost_of_word(&self, word: &[u32]) -> u64 {
        cost(self.of_letters(), word)
    }

    /// Return the cost of a replacement.
    pub(super) fn cost_of_rules(&self, word: &[u32]) -> u64 {
        cost(&self.rules, word)
    }

    /// Return the macro-rules of a replacement and of a word without their effects on variables
    /// on which no goal depends, where words were compared so.
    pub(super) fn for_goals(
        &self,
        replacement: &[u32],
        word: &[u32],
    ) -> Option<(CanonicalRule, CanonicalRule)> {
        let (_, rules) = self.for_goals.as_ref()?;
        self.compose(rules, replacement)
            .zip(self.compose(rules, word))
    }

    /// Return the variables, from 1, that two words may change although no goal depends on them.
    pub(super) fn ignored_effects(&self, replacement: &[u32], word: &[u32]) -> Vec<usize> {
        let changes = |var: VarId| {
            let mut letters = replacement.iter().chain(word);
            letters.any(|letter| {
                let rule = &self.rules[*letter as usize];
                rule.preconditions()[var.index()] != rule.actions()[var.index()]
            })
        };
        let ignored = self.for_goals.iter().flat_map(|(ignored, _)| ignored);
        let changed = ignored.filter(|var| changes(**var));
        changed.map(|var| var.index() + 1).collect()
    }

    /// Return a macro-rule as text.
    pub(super) fn format(&self, rule: Option<&CanonicalRule>) -> Option<String> {
        rule.map(|rule| self.game.format_rule(rule))
    }

    fn of_letters(&self) -> &[CanonicalRule] {
        self.parts.as_ref().unwrap_or(&self.rules)
    }

    fn compose(&self, rules: &[CanonicalRule], word: &[u32]) -> Option<CanonicalRule> {
        let rules = word.iter().map(|letter| &rules[*letter as usize]);
        compose_all(self.game.n_variables(), rules).ok()
    }
}

fn cost(rules: &[CanonicalRule], word: &[u32]) -> u64 {
    let costs = word.iter().map(|letter| rules[*letter as usize].cost());
    costs.fold(0, u64::saturating_add)
}
