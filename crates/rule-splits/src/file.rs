//! Parts of rules and their sequences, as machine files hold them.

use fsm::{CertifiedWord, RulePart, SplitReason};
use psvn_ir::{Equation, Game, RuleId, Term, Value, VarId};

use crate::analysis::SplitWord;
use crate::choice::Reason;
use crate::split_game::{Letter, SplitError, SplitGame};

impl SplitGame {
    /// Make the game whose rules are the parts of a machine file, listed for each rule of `game`.
    /// Whether they are disjoint and complete isn't checked.
    ///
    /// # Errors
    /// When they belong to other rules, or have a condition that isn't a value of the game or
    /// contradicts the rule.
    pub fn of_parts(game: &Game, parts: &[Vec<RulePart>]) -> Result<Self, SplitError> {
        if parts.len() != game.rules().len() {
            return Err(SplitError::OtherRules);
        }
        let mut letters = Vec::new();
        for ((rule, _), of_rule) in game.rules_with_ids().zip(parts) {
            let conditions = of_rule.iter().map(|part| &part.conditions);
            letters.extend(conditions.map(|conditions| Letter {
                rule,
                conditions: conditions.iter().map(equation).collect(),
            }));
        }
        Self::of_letters(game, letters)
    }

    /// Return the parts of each rule.
    pub fn parts(&self) -> Vec<Vec<RulePart>> {
        let rules = 0..self.n_unsplit_rules();
        let letters_of = |rule| {
            let letters = self.letters_of(RuleId::from_index(rule));
            &self.letters()[letters.start as usize..letters.end as usize]
        };
        rules
            .map(|rule| letters_of(rule).iter().map(part).collect())
            .collect()
    }
}

fn equation((position, value): &(u32, u32)) -> Equation {
    Equation {
        position: VarId(*position),
        term: Term::constant(Value::from_index(*value as usize)),
    }
}

fn part(letter: &Letter) -> RulePart {
    let conditions = letter.conditions.iter().filter_map(|condition| {
        let value = condition.term.as_constant()?.index();
        let value = u32::try_from(value).expect("values have numbers of 32 bits");
        Some((condition.position.0, value))
    });
    RulePart {
        conditions: conditions.collect(),
    }
}

fn letters(word: &[RuleId]) -> Box<[u32]> {
    word.iter().map(|rule| rule.0).collect()
}

impl From<&SplitWord> for CertifiedWord {
    fn from(found: &SplitWord) -> Self {
        Self::new(found.word.clone(), letters(&found.replacement))
    }
}

impl From<&Reason> for SplitReason {
    fn from(reason: &Reason) -> Self {
        Self {
            rule: reason.split.rule.0,
            position: reason.split.position.0,
            word: letters(&reason.word),
            replacement: letters(&reason.replacement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_game::Split;

    #[test]
    fn parts_come_back_from_a_file() {
        let game = psvn_ir::load("2  3 2\n- 0 => - 1\n- 1 => - 0\nGOAL 0 0").game;
        let game = game.expect("a game");
        let split = Split {
            rule: RuleId(0),
            position: VarId(0),
        };
        let split = SplitGame::new(&game, &[split], &|_| true, 100).unwrap();
        let parts = split.parts();
        let conditions: Vec<Vec<&[(u32, u32)]>> = parts
            .iter()
            .map(|of_rule| of_rule.iter().map(|part| &*part.conditions).collect())
            .collect();
        assert_eq!(
            conditions,
            [vec![&[(0, 0)][..], &[(0, 1)], &[(0, 2)]], vec![&[][..]]]
        );
        let read = SplitGame::of_parts(&game, &parts).unwrap();
        assert_eq!(read.letters(), split.letters());
        assert_eq!(read.game().rules().len(), 4);
        let of_others = SplitGame::of_parts(&game, &parts[1..]);
        assert_eq!(of_others.unwrap_err(), SplitError::OtherRules);
    }
}
