//! Parts of rules as letters: the proof that they cover the rules, and certificates for words of
//! them.

use psvn_ir::{Game, RuleId, Value, VarId};
use rayon::prelude::*;

use crate::execution::{Ground, Outcome, Unfolding};
use crate::invariants::closing::close;
use crate::invariants::{Fact, ProvedInvariants};
use crate::limits::{Limits, StopReason};
use crate::order::WordOrder;
use crate::words::{Flaw, Part, WordFailure, check_outcome, cost};

/// A part of a rule: the rule in the states where some facts hold.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RulePart {
    /// The rule.
    pub rule: RuleId,
    /// The conditions of the states where the part is used. A part without conditions is the whole
    /// rule.
    pub conditions: Vec<Fact>,
}

/// A claim that a word of parts is redundant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartCertificate<'a> {
    /// The word: the places of parts.
    pub word: &'a [u32],
    /// The *rules* that replace it.
    pub replacement: &'a [RuleId],
}

/// Why parts are not the rules of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartsFlaw {
    /// A part belongs to a rule that the game doesn't have.
    #[error("letter {} is a part of rule {}, which the game doesn't have", letter + 1, rule.0 + 1)]
    UnknownRule {
        /// The place of the part, from 0.
        letter: usize,
        /// The rule.
        rule: RuleId,
    },
    /// A part has a condition about a variable or a value that the game doesn't have.
    #[error("letter {} has a condition on a variable or value that the game doesn't have", letter + 1)]
    UnknownFact {
        /// The place of the part, from 0.
        letter: usize,
    },
    /// Two parts of a rule can be used in one state.
    #[error("letters {} and {} are parts of one rule and share a state", first + 1, second + 1)]
    Overlap {
        /// The place of one part, from 0.
        first: usize,
        /// The place of the other part.
        second: usize,
    },
    /// In some state the rule can be used, but none of its parts.
    #[error("rule {} has no part for some state with the invariants", rule.0 + 1)]
    Incomplete {
        /// The rule.
        rule: RuleId,
    },
}

/// Why parts are not proved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartsFailure {
    /// Something is wrong with them.
    #[error(transparent)]
    Flaw(#[from] PartsFlaw),
    /// The proof was given up.
    #[error("the proof was given up: {0}")]
    Stopped(StopReason),
}

/// Parts of rules that are proved to cover them: in each state with the invariants in which a rule
/// can be used, exactly one of its parts can.
#[derive(Clone, Debug)]
pub struct ProvedParts<'g> {
    game: &'g Game,
    parts: Vec<RulePart>,
}

impl<'g> ProvedParts<'g> {
    /// Prove that the parts of each rule are disjoint in all states, and complete in those with the
    /// invariants.
    ///
    /// Enumerates the values of a variable that a condition names, then of the next one, until one
    /// part is left; if none is, no state with the invariants may have these values. Takes time
    /// linear in the number of parts, of variables that their conditions name, and of values.
    ///
    /// # Errors
    /// The flaw in the parts, or a limit.
    pub fn prove(
        game: &'g Game,
        known: &ProvedInvariants,
        parts: Vec<RulePart>,
        limits: &Limits,
    ) -> Result<Self, PartsFailure> {
        let mut of_rules: Vec<Vec<usize>> = vec![Vec::new(); game.rules().len()];
        for (letter, part) in parts.iter().enumerate() {
            let of_rule = of_rules.get_mut(part.rule.index());
            let rule = part.rule;
            of_rule
                .ok_or(PartsFlaw::UnknownRule { letter, rule })?
                .push(letter);
            let exists = |fact: &Fact| {
                fact.var.index() < game.n_variables()
                    && fact.value.index() < game.domain_of(fact.var).size()
            };
            if !part.conditions.iter().all(exists) {
                return Err(PartsFlaw::UnknownFact { letter }.into());
            }
        }
        for ((rule, of_game), letters) in game.rules_with_ids().zip(&of_rules) {
            let whole = |letter: &usize| parts[*letter].conditions.is_empty();
            if let [letter] = letters.as_slice()
                && whole(letter)
            {
                continue;
            }
            let mut used = Unfolding::new(game.n_variables());
            let cover = Cover {
                game,
                known,
                parts: &parts,
                rule,
                limits,
            };
            if used.demand(&of_game.canonical) {
                cover.prove(&used, letters)?;
            }
        }
        Ok(Self { game, parts })
    }

    /// Return the number of parts, which are the letters of words.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Return whether there are no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Check certificates on all threads of the current rayon pool, like
    /// [`find_flaws`](crate::find_flaws), or with invariants like
    /// [`find_flaws_within`](crate::find_flaws_within). Words are compared as the words of the
    /// rules that their letters are parts of. Return those that fail, in order.
    ///
    /// The parts must be complete in the states for which redundancy is claimed.
    pub fn find_flaws<'a>(
        &self,
        known: Option<&ProvedInvariants>,
        certificates: &[PartCertificate<'_>],
        order: impl Into<WordOrder<'a>>,
    ) -> Vec<WordFailure> {
        let order = order.into();
        let failure = |(index, certificate): (usize, &PartCertificate<'_>)| {
            let flaw = self.check(known, *certificate, order).err()?;
            Some(WordFailure { index, flaw })
        };
        let checks = certificates.par_iter().enumerate();
        checks.filter_map(failure).collect()
    }

    fn check(
        &self,
        known: Option<&ProvedInvariants>,
        PartCertificate { word, replacement }: PartCertificate<'_>,
        order: WordOrder<'_>,
    ) -> Result<(), Flaw> {
        let n_rules = self.game.rules().len();
        let mut rules = Vec::with_capacity(word.len());
        for letter in word {
            let part = self.parts.get(*letter as usize);
            let unknown = Flaw::UnknownRule {
                part: Part::Word,
                rule: RuleId(*letter),
            };
            rules.push(part.ok_or(unknown)?.rule);
        }
        if let Some(&rule) = replacement.iter().find(|rule| rule.index() >= n_rules) {
            let part = Part::Replacement;
            return Err(Flaw::UnknownRule { part, rule });
        }
        for (part, rules) in [(Part::Word, &*rules), (Part::Replacement, replacement)] {
            if let Some(&rule) = rules.iter().find(|rule| !order.knows(**rule)) {
                return Err(Flaw::Unranked { part, rule });
            }
        }
        let costs = [cost(self.game, &rules), cost(self.game, replacement)];
        if costs[1] > costs[0] {
            return Err(Flaw::CostsMore {
                word: costs[0],
                replacement: costs[1],
            });
        }
        if !order.is_before((replacement, costs[1]), (&rules, costs[0])) {
            return Err(Flaw::NotBefore);
        }
        let mut unfolding = Unfolding::new(self.game.n_variables());
        for (step, letter) in word.iter().enumerate() {
            let part = &self.parts[*letter as usize];
            let rule = &self.game.rule(part.rule).canonical;
            if !suppose_all(&mut unfolding, &part.conditions) || !unfolding.append(rule) {
                return Err(Flaw::Impossible { step });
            }
        }
        let outcome = Outcome {
            start: unfolding.start(),
            end: unfolding.end(),
        };
        check_outcome(self.game, known, &outcome, replacement)
    }
}

fn suppose_all(unfolding: &mut Unfolding, conditions: &[Fact]) -> bool {
    conditions
        .iter()
        .all(|fact| unfolding.suppose(fact.var.index(), fact.value))
}

/// The parts of one rule.
struct Cover<'a> {
    game: &'a Game,
    known: &'a ProvedInvariants,
    parts: &'a [RulePart],
    rule: RuleId,
    limits: &'a Limits,
}

impl Cover<'_> {
    /// Prove that in each state that agrees with the suppositions exactly one of the letters can be
    /// used.
    fn prove(&self, supposed: &Unfolding, letters: &[usize]) -> Result<(), PartsFailure> {
        self.limits.check().map_err(PartsFailure::Stopped)?;
        let can_be_used = |letter: &&usize| {
            let conditions = &self.parts[**letter].conditions;
            suppose_all(&mut supposed.clone(), conditions)
        };
        let letters: Vec<usize> = letters.iter().filter(can_be_used).copied().collect();
        // A variable whose value isn't known, and that a condition names.
        let open = |letter: usize| -> Option<VarId> {
            let mut conditions = self.parts[letter].conditions.iter();
            let is_open = |var: VarId| matches!(supposed.held(var.index()), Ground::Unknown(_));
            conditions.find(|it| is_open(it.var)).map(|it| it.var)
        };
        let Some(&first) = letters.first() else {
            return match close(self.known, &supposed.start()) {
                None => Ok(()),
                Some(_) => Err(PartsFlaw::Incomplete { rule: self.rule }.into()),
            };
        };
        // A letter that can be used in all of these states must be the only one.
        if let Some(&all) = letters.iter().find(|letter| open(**letter).is_none()) {
            return match letters.iter().find(|letter| **letter != all) {
                None => Ok(()),
                Some(&other) => Err(PartsFlaw::Overlap {
                    first: all.min(other),
                    second: all.max(other),
                }
                .into()),
            };
        }
        let var = open(first).unwrap_or(VarId(0));
        for value in 0..self.game.domain_of(var).size() {
            let mut supposed = supposed.clone();
            if supposed.suppose(var.index(), Value::from_index(value)) {
                self.prove(&supposed, &letters)?;
            }
        }
        Ok(())
    }
}
