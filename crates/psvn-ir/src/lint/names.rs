//! The names of rules in messages.

use std::collections::HashMap;

use crate::game::Game;
use crate::ids::RuleId;

/// Names rules in messages.
pub struct RuleTitles<'a> {
    game: &'a Game,
    label_counts: HashMap<&'a str, usize, ahash::RandomState>,
}

impl<'a> RuleTitles<'a> {
    /// The titles of a game's rules.
    pub fn new(game: &'a Game) -> Self {
        let mut label_counts: HashMap<&str, usize, ahash::RandomState> = HashMap::default();
        for rule in game.rules() {
            *label_counts.entry(&rule.label).or_insert(0) += 1;
        }
        Self { game, label_counts }
    }

    /// Return the rule's label, with its number if several rules share the label.
    pub fn title(&self, id: RuleId) -> String {
        let label = &*self.game.rule(id).label;
        if self.label_counts[label] > 1 {
            format!("rule {} (`{label}`)", id.0 + 1)
        } else {
            format!("rule `{label}`")
        }
    }
}
