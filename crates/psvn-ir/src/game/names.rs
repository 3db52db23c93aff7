//! The names of games, and those of rules in texts that people write and read.
//!
//! A rule's name is its label if no other rule has it, else `LABEL#K` for the K-th rule of that
//! label. `rule_N`, the N-th rule of the game, is understood, too.

use std::collections::HashMap;

use budget::count;

use crate::{Game, RuleId, near_miss};

/// A game with its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedGame<'g> {
    /// The game.
    pub game: &'g Game,
    /// Its name.
    pub name: &'g str,
}

/// The most candidates that are listed where a label belongs to several rules.
const MAX_CANDIDATES: usize = 8;

/// Why a word doesn't name a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleNameError {
    /// There are fewer rules.
    #[error("there is no rule `{word}`: the game has {}", count(*n_rules, "rule"))]
    NoSuchNumber {
        /// The word.
        word: String,
        /// The number of rules.
        n_rules: usize,
    },
    /// Fewer rules have the label.
    #[error("there is no rule `{word}`: {} the label `{label}`", match n_rules {
        1 => "1 rule has".to_owned(),
        n => format!("{n} rules have"),
    })]
    NoSuchPlace {
        /// The word.
        word: String,
        /// The label.
        label: String,
        /// The number of rules that have it.
        n_rules: usize,
    },
    /// Several rules have the label.
    #[error("`{word}` is the label of {n_rules} rules: say which one")]
    Ambiguous {
        /// The word.
        word: String,
        /// The number of rules that have it.
        n_rules: usize,
        /// The names of the first of them.
        candidates: Vec<String>,
    },
    /// No rule has the name.
    #[error("the game has no rule called `{word}`")]
    Unknown {
        /// The word.
        word: String,
        /// A label that resembles it.
        near: Option<String>,
    },
}

impl RuleNameError {
    /// Return a hint, where there is one: which rule may be meant.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Ambiguous {
                n_rules,
                candidates,
                ..
            } => {
                let n_more = n_rules - candidates.len();
                let more = (n_more > 0).then(|| format!("and {n_more} more"));
                let candidates = candidates.iter().cloned().chain(more);
                Some(candidates.collect::<Vec<_>>().join(", "))
            }
            Self::Unknown { near, .. } => {
                let near = near.as_ref()?;
                Some(format!("did you mean `{near}`?"))
            }
            Self::NoSuchNumber { .. } | Self::NoSuchPlace { .. } => None,
        }
    }
}

/// The names of a game's rules.
pub struct RuleNames<'g> {
    game: &'g Game,
    /// By label in lower case.
    by_label: HashMap<String, Vec<RuleId>>,
    /// The place of each rule among those with its label, from 0.
    places: Vec<usize>,
}

impl<'g> RuleNames<'g> {
    /// Find the names of a game's rules.
    pub fn new(game: &'g Game) -> Self {
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

    /// Return the rules that words name.
    ///
    /// # Errors
    /// When a word names no rule, or several.
    pub fn resolve_all(&self, words: &[String]) -> Result<Vec<RuleId>, RuleNameError> {
        words.iter().map(|word| self.resolve(word)).collect()
    }

    /// Return the rule that a word names.
    ///
    /// # Errors
    /// When the word names no rule, or several.
    pub fn resolve(&self, word: &str) -> Result<RuleId, RuleNameError> {
        let labeled = self.labeled(word);
        if let [rule] = labeled {
            return Ok(*rule);
        }
        if let Some(number) = rule_number(word) {
            let n_rules = self.game.rules().len();
            return match number.checked_sub(1).filter(|index| *index < n_rules) {
                Some(index) => Ok(RuleId::from_index(index)),
                None => Err(RuleNameError::NoSuchNumber {
                    word: word.to_owned(),
                    n_rules,
                }),
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
                .ok_or_else(|| RuleNameError::NoSuchPlace {
                    word: word.to_owned(),
                    label: label.to_owned(),
                    n_rules: rules.len(),
                });
        }
        Err(self.unknown(word))
    }

    fn ambiguous(&self, word: &str, rules: &[RuleId]) -> RuleNameError {
        let candidate = |rule: &RuleId| format!("{} (rule_{})", self.name(*rule), rule.0 + 1);
        RuleNameError::Ambiguous {
            word: word.to_owned(),
            n_rules: rules.len(),
            candidates: rules.iter().take(MAX_CANDIDATES).map(candidate).collect(),
        }
    }

    fn unknown(&self, word: &str) -> RuleNameError {
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
        RuleNameError::Unknown {
            near: near.map(str::to_owned),
            word: word.to_owned(),
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

#[cfg(all(test, feature = "text"))]
mod tests {
    use super::*;

    fn game() -> Game {
        let source =
            "2  3 3\n0 - => 1 -\n1 - => 2 - LABEL up\n- 0 => - 1 LABEL UP\n0 1 => 1 0 LABEL Swap\n";
        crate::load(source).game.expect("a game without errors")
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
        let hint = |word: &str| names.resolve(word).unwrap_err().hint();
        assert_eq!(hint("UP").as_deref(), Some("up#1 (rule_2), UP#2 (rule_3)"));
        assert_eq!(hint("swpa").as_deref(), Some("did you mean `Swap`?"));
        for word in ["rule_0", "rule_5", "up#0", "up#3", "swap#2", "é", ""] {
            assert!(names.resolve(word).is_err(), "{word}");
        }
    }
}
