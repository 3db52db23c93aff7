//! The names of rules on the command line and in output.
//!
//! A rule's name is its label if no other rule has it, else `LABEL#K` for the K-th rule of that
//! label. On the command line it is also `rule_N`, the N-th rule that `psvn show` lists.

use std::collections::HashMap;

use psvn_ir::{RuleId, near_miss};

use crate::error::Error;
use crate::text::{Task, message};

/// The most candidates that are listed where a label belongs to several rules.
const MAX_CANDIDATES: usize = 8;

/// The names of a game's rules.
pub struct RuleNames<'g> {
    game: &'g psvn_ir::Game,
    /// By label in lower case.
    by_label: HashMap<String, Vec<RuleId>>,
    /// The place of each rule among those with its label, from 0.
    places: Vec<usize>,
}

impl<'g> RuleNames<'g> {
    /// Find the names of a game's rules.
    pub fn new(game: &'g psvn_ir::Game) -> Self {
        let mut by_label: HashMap<String, Vec<RuleId>> = HashMap::new();
        let mut places = Vec::with_capacity(game.rules().len());
        for (id, rule) in game.rules_with_ids() {
            let rules = by_label.entry(rule.label.to_ascii_lowercase()).or_default();
            places.push(rules.len());
            rules.push(id);
        }
        Self {
            game,
            by_label,
            places,
        }
    }

    /// Return the rules with a label, in any case.
    pub fn labeled(&self, label: &str) -> &[RuleId] {
        self.by_label
            .get(&label.to_ascii_lowercase())
            .map_or(&[], Vec::as_slice)
    }

    /// Return the name of a rule.
    pub fn name(&self, id: RuleId) -> String {
        let label = &self.game.rule(id).label;
        if self.labeled(label).len() == 1 {
            label.to_string()
        } else {
            format!("{label}#{}", self.places[id.index()] + 1)
        }
    }

    /// Return the names of some rules.
    pub fn names(&self, rules: &[RuleId]) -> Vec<String> {
        rules.iter().map(|rule| self.name(*rule)).collect()
    }

    /// Return a sequence of rules as text; the empty sequence has a word.
    pub fn word(&self, rules: &[RuleId]) -> String {
        if rules.is_empty() {
            "(no rule at all)".to_owned()
        } else {
            self.names(rules).join(" ")
        }
    }

    /// Return the rules that the words of a command line name.
    ///
    /// # Errors
    /// When a word names no rule, or several.
    pub fn resolve_all(&self, words: &[String]) -> Result<Vec<RuleId>, Error> {
        words.iter().map(|word| self.resolve(word)).collect()
    }

    /// Return the rule that a word names.
    ///
    /// # Errors
    /// When the word names no rule, or several.
    pub fn resolve(&self, word: &str) -> Result<RuleId, Error> {
        let labeled = self.labeled(word);
        if let [rule] = labeled {
            return Ok(*rule);
        }
        if let Some(number) = rule_number(word) {
            let n_rules = self.game.rules().len();
            return match number.checked_sub(1).filter(|index| *index < n_rules) {
                Some(index) => Ok(RuleId::from_index(index)),
                None => Err(Error::usage(format!(
                    "there is no rule `{word}`: the game has {}",
                    crate::text::units::count(n_rules, "rule")
                ))),
            };
        }
        if !labeled.is_empty() {
            return Err(self.ambiguous(word, labeled));
        }
        if let Some((label, place)) = word.rsplit_once('#')
            && let Ok(place) = place.parse::<usize>()
            && !self.labeled(label).is_empty()
        {
            let rules = self.labeled(label);
            return place
                .checked_sub(1)
                .and_then(|index| rules.get(index))
                .copied()
                .ok_or_else(|| {
                    Error::usage(format!(
                        "there is no rule `{word}`: {} the label `{label}`",
                        match rules.len() {
                            1 => "1 rule has".to_owned(),
                            n => format!("{n} rules have"),
                        }
                    ))
                });
        }
        Err(self.unknown(word))
    }

    fn ambiguous(&self, word: &str, rules: &[RuleId]) -> Error {
        let mut candidates: Vec<String> = rules
            .iter()
            .take(MAX_CANDIDATES)
            .map(|rule| format!("{} (rule_{})", self.name(*rule), rule.0 + 1))
            .collect();
        if rules.len() > MAX_CANDIDATES {
            candidates.push(format!("and {} more", rules.len() - MAX_CANDIDATES));
        }
        Error::usage(format!(
            "`{word}` is the label of {} rules: say which one",
            rules.len()
        ))
        .with_hint(candidates.join(", "))
    }

    fn unknown(&self, word: &str) -> Error {
        let failure = Error::usage(format!("the game has no rule called `{word}`"));
        let labels = || self.game.rules().iter().map(|rule| &*rule.label);
        let near = near_miss(word, labels()).or_else(|| {
            let word = word.to_ascii_lowercase();
            labels()
                .map(|label| {
                    let similarity = strsim::jaro_winkler(&word, &label.to_ascii_lowercase());
                    (similarity, label)
                })
                .filter(|(similarity, _)| *similarity >= 0.85)
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, label)| label)
        });
        match near {
            Some(near) => failure.with_hint(format!("did you mean `{near}`?")),
            None => failure.with_hint(message![Task::ListRules, " the rules"]),
        }
    }
}

/// N, if a word is `rule_N`.
fn rule_number(word: &str) -> Option<usize> {
    let digits = word
        .get(..5)
        .filter(|start| start.eq_ignore_ascii_case("rule_"));
    digits.and_then(|_| word[5..].parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> psvn_ir::Game {
        let source =
            "2  3 3\n0 - => 1 -\n1 - => 2 - LABEL up\n- 0 => - 1 LABEL UP\n0 1 => 1 0 LABEL Swap\n";
        psvn_ir::load(source).game.unwrap()
    }

    #[test]
    fn labels_win_where_they_are_unique() {
        let game = game();
        let names = RuleNames::new(&game);
        assert_eq!(names.resolve("swap").unwrap(), RuleId(3));
        assert_eq!(names.resolve("RULE_1").unwrap(), RuleId(0));
        assert_eq!(names.resolve("rule_4").unwrap(), RuleId(3));
        assert_eq!(names.resolve("Up#2").unwrap(), RuleId(2));
        let all: Vec<String> = (0..4).map(|i| names.name(RuleId(i))).collect();
        assert_eq!(all, ["rule_1", "up#1", "UP#2", "Swap"]);
        for (i, name) in all.iter().enumerate() {
            assert_eq!(names.resolve(name).unwrap().index(), i);
        }
    }

    #[test]
    fn what_is_not_clear_is_refused_with_candidates() {
        let game = game();
        let names = RuleNames::new(&game);
        let hint = |word: &str| {
            names
                .resolve(word)
                .unwrap_err()
                .hint()
                .map(ToString::to_string)
        };
        assert_eq!(hint("UP").as_deref(), Some("up#1 (rule_2), UP#2 (rule_3)"));
        assert_eq!(hint("swpa").as_deref(), Some("did you mean `Swap`?"));
        for word in ["rule_0", "rule_5", "up#0", "up#3", "swap#2", "é", ""] {
            assert!(names.resolve(word).is_err(), "{word}");
        }
    }
}
