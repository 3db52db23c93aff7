//! Certificates for words of operators.

use psvn_ir::{Game, RuleId, Value};
use rayon::prelude::*;

use crate::execution::{Ground, Unfolding, apply};
use crate::invariants::ProvedInvariants;
use crate::invariants::assumptions::Assumptions;
use crate::invariants::closing::{close, within};
use crate::labels::Operators;
use crate::limits::{Limits, StopReason};
use crate::pairs::successions::Successions;
use crate::words::{Certificate, Flaw, Part, check_replaces, cost};

/// The number of sequences carried out between two checks of the limits.
const STEPS_BETWEEN_CHECKS: usize = 4096;

/// A claim that a word of operators is redundant: each of its instances can be replaced by an
/// instance of one of the earlier words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LabelCertificate<'a> {
    /// The word, as letters of operators.
    pub word: &'a [u32],
    /// Words before it. A word learned by the method of Taylor and Korf has exactly one.
    pub replacements: &'a [&'a [u32]],
}

/// Why no instance of a certain word can replace an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Obstacle {
    /// No rules of these operators can be used wherever the instance can.
    Inapplicable,
    /// They can be, but lead elsewhere.
    LeadsElsewhere,
    /// They lead to the same state, and cost more.
    CostsMore,
}

impl std::fmt::Display for Obstacle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Obstacle::Inapplicable => "it can't be used everywhere",
            Obstacle::LeadsElsewhere => "it leads elsewhere",
            Obstacle::CostsMore => "it costs more",
        })
    }
}

/// A flaw in a certificate for a word of operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelFlaw {
    /// A letter that isn't an operator.
    #[error("the {part} has the letter {letter}, which isn't an operator")]
    UnknownLetter {
        /// The word or the replacement that contains it.
        part: Part,
        /// The letter.
        letter: u32,
    },
    /// A replacement doesn't come before the word.
    #[error("replacement {} doesn't come before the word in the order", replacement + 1)]
    NotBefore {
        /// Its place among the word's replacements, from 0.
        replacement: usize,
    },
    /// The word has no instance, as far as the invariants show. It is impossible, which is not the
    /// same as redundant. A search from states with these invariants loses nothing if it is
    /// forbidden.
    #[error(
        "the word is impossible, not redundant: no rules with these labels can follow each other"
    )]
    Impossible,
    /// No instance of the replacements can replace this instance.
    #[error("the instance {} has no replacement: {obstacle}", numbers(instance))]
    Irreplaceable {
        /// The instance.
        instance: Vec<RuleId>,
        /// The obstacle for the nearest replacement.
        obstacle: Obstacle,
    },
    /// A listed sequence of rules belongs to another word.
    #[error("{} isn't an instance of the word", numbers(instance))]
    NoInstance {
        /// The sequence.
        instance: Vec<RuleId>,
    },
    /// The replacement of an instance is wrong.
    #[error("the instance {}: {flaw}", numbers(instance))]
    Instance {
        /// The instance.
        instance: Vec<RuleId>,
        /// The flaw of its replacement.
        flaw: Flaw,
    },
    /// An instance that isn't listed.
    #[error("the instance {} has no replacement in the list", numbers(instance))]
    Unlisted {
        /// The instance.
        instance: Vec<RuleId>,
    },
    /// A limit was reached.
    #[error("it was not checked to the end: {0}")]
    Stopped(#[from] StopReason),
}

/// Rules by their numbers, from 1.
fn numbers(rules: &[RuleId]) -> String {
    let numbers: Vec<String> = rules.iter().map(|rule| (rule.0 + 1).to_string()).collect();
    numbers.join(" ")
}

/// The first invalid certificate of several for words of operators.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("certificate {}: {flaw}", index + 1)]
pub struct LabelFailure {
    /// The place of the certificate, from 0.
    pub index: usize,
    /// Its flaw.
    pub flaw: LabelFlaw,
}

/// Checks certificates for words of operators.
///
/// ```
/// use checker::{LabelCertificate, LabelWords, Limits, Operators, ProvedInvariants};
///
/// // A walk along a line: left after right is as good as nothing.
/// let game = psvn_ir::load("
///     1  3
///     0 => 1  LABEL right  1 => 2  LABEL right
///     1 => 0  LABEL left   2 => 1  LABEL left
///     GOAL 0
/// ").game.expect("a game without errors");
/// let limits = Limits::default();
/// let operators = Operators::by_label(&game, &["right", "left"])?;
/// let known = ProvedInvariants::none(&game);
/// let words = LabelWords::new(&game, &operators, &known, &limits)?;
/// let certificate = LabelCertificate { word: &[0, 1], replacements: &[&[]] };
/// assert_eq!(words.check(certificate), Ok(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LabelWords<'a> {
    game: &'a Game,
    operators: &'a Operators,
    known: &'a ProvedInvariants,
    successions: Successions,
    /// For each rule, the constants that it tests for.
    constants: Vec<Vec<(usize, Value)>>,
    limits: &'a Limits,
}

/// A sequence of rules, carried out on unknown values.
struct Instance<'a> {
    rules: &'a [RuleId],
    unfolding: &'a Unfolding,
}

impl<'a> LabelWords<'a> {
    /// Make a checker for states with these invariants. It first tests which rules can follow
    /// which.
    ///
    /// # Errors
    /// When a limit is reached.
    ///
    /// # Panics
    /// When the operators or the invariants belong to another game.
    pub fn new(
        game: &'a Game,
        operators: &'a Operators,
        known: &'a ProvedInvariants,
        limits: &'a Limits,
    ) -> Result<Self, StopReason> {
        let n_rules = game.rules().len();
        assert_eq!(operators.letters().len(), n_rules, "operators of the game");
        let constants = game.rules().iter().map(|rule| {
            let tests = rule.canonical.preconditions().iter().enumerate();
            tests
                .filter_map(|(position, term)| Some((position, term.as_constant()?)))
                .collect()
        });
        Ok(Self {
            game,
            operators,
            known,
            successions: Successions::of_rules(game, known, limits)?,
            constants: constants.collect(),
            limits,
        })
    }

    /// Check that each instance of a word can be replaced by an instance of one of the earlier
    /// words. Return the number of instances.
    ///
    /// Searches for replacements: on the most general state that allows the instance, the operators
    /// of an earlier word are carried out in all possible ways. Takes time proportional to the
    /// number of instances of the word's beginnings, times that of the earlier words.
    ///
    /// # Errors
    /// The first flaw.
    pub fn check(&self, certificate: LabelCertificate<'_>) -> Result<usize, LabelFlaw> {
        let LabelCertificate { word, replacements } = certificate;
        self.check_letters(Part::Word, word)?;
        for (place, replacement) in replacements.iter().enumerate() {
            self.check_letters(Part::Replacement, replacement)?;
            if !is_before(replacement, word) {
                return Err(LabelFlaw::NotBefore { replacement: place });
            }
        }
        self.for_each_instance(word, &mut |instance| {
            let (start, end) = (instance.unfolding.start(), instance.unfolding.end());
            let Err(obstacle) = self.find_replacement(instance, (&start, &end), replacements)
            else {
                return Ok(());
            };
            let irreplaceable = |obstacle| LabelFlaw::Irreplaceable {
                instance: instance.rules.to_vec(),
                obstacle,
            };
            if self.known.is_empty() {
                return Err(irreplaceable(obstacle));
            }
            match close(self.known, &start) {
                // No state with the invariants allows it.
                None => Ok(()),
                Some(start) => {
                    let end = within(&start, &end);
                    self.find_replacement(instance, (&start, &end), replacements)
                        .map_err(irreplaceable)
                }
            }
        })
    }

    /// Search for words of these operators that lead from one state to another.
    fn find_replacement(
        &self,
        instance: &Instance<'_>,
        (start, end): (&[Ground], &[Ground]),
        replacements: &[&[u32]],
    ) -> Result<(), Obstacle> {
        let search = Search {
            checker: self,
            end,
            cost: cost(self.game, instance.rules),
        };
        let mut obstacle = Obstacle::Inapplicable;
        for replacement in replacements {
            match search.replace(start, replacement, 0) {
                Ok(()) => return Ok(()),
                Err(other) => obstacle = obstacle.max(other),
            }
        }
        Err(obstacle)
    }

    /// Check certificates, on all threads of the current rayon pool. Return those that
    /// [`check`](Self::check) rejects, in order.
    pub fn find_flaws(&self, certificates: &[LabelCertificate<'_>]) -> Vec<LabelFailure> {
        let failure = |(index, certificate): (usize, &LabelCertificate<'_>)| {
            let flaw = self.check(*certificate).err()?;
            Some(LabelFailure { index, flaw })
        };
        let checks = certificates.par_iter().enumerate();
        checks.filter_map(failure).collect()
    }

    /// Check that each instance of a word is listed with a valid replacement. Return the number of
    /// instances. The list may contain instances that the invariants rule out.
    ///
    /// # Errors
    /// The first flaw.
    pub fn check_instances(
        &self,
        word: &[u32],
        listed: &[Certificate<'_>],
    ) -> Result<usize, LabelFlaw> {
        self.check_letters(Part::Word, word)?;
        let mut sequences = Vec::with_capacity(listed.len());
        for certificate in listed {
            let instance = certificate.word;
            let wrong = |flaw| LabelFlaw::Instance {
                instance: instance.to_vec(),
                flaw,
            };
            for (part, rules) in [
                (Part::Word, instance),
                (Part::Replacement, certificate.replacement),
            ] {
                let n_rules = self.game.rules().len();
                if let Some(&rule) = rules.iter().find(|rule| rule.index() >= n_rules) {
                    return Err(wrong(Flaw::UnknownRule { part, rule }));
                }
            }
            if self.operators.word(instance) != word {
                let instance = instance.to_vec();
                return Err(LabelFlaw::NoInstance { instance });
            }
            if !is_before(&self.operators.word(certificate.replacement), word) {
                return Err(wrong(Flaw::NotBefore));
            }
            check_replaces(
                self.game,
                Some(self.known),
                instance,
                certificate.replacement,
            )
            .map_err(wrong)?;
            sequences.push(instance);
        }
        sequences.sort_unstable();
        self.for_each_instance(
            word,
            &mut |instance| match sequences.binary_search(&instance.rules) {
                Ok(_) => Ok(()),
                Err(_) if close(self.known, &instance.unfolding.start()).is_none() => Ok(()),
                Err(_) => Err(LabelFlaw::Unlisted {
                    instance: instance.rules.to_vec(),
                }),
            },
        )
    }

    fn check_letters(&self, part: Part, word: &[u32]) -> Result<(), LabelFlaw> {
        let n_letters = self.operators.len();
        match word.iter().find(|letter| **letter as usize >= n_letters) {
            Some(&letter) => Err(LabelFlaw::UnknownLetter { part, letter }),
            None => Ok(()),
        }
    }

    /// Visit all instances of a word, and return their number.
    fn for_each_instance(
        &self,
        word: &[u32],
        visitor: &mut dyn FnMut(&Instance<'_>) -> Result<(), LabelFlaw>,
    ) -> Result<usize, LabelFlaw> {
        let n_variables = self.game.n_variables();
        let mut walk = Walk {
            checker: self,
            word,
            rules: Vec::with_capacity(word.len()),
            assumptions: Assumptions::new(self.known, n_variables),
            n_steps: 0,
            n_instances: 0,
            visitor,
        };
        walk.descend(&Unfolding::new(n_variables))?;
        match walk.n_instances {
            0 => Err(LabelFlaw::Impossible),
            n_instances => Ok(n_instances),
        }
    }
}

/// Whether a word of operators comes before another.
fn is_before(a: &[u32], b: &[u32]) -> bool {
    (a.len(), a) < (b.len(), b)
}

/// A walk through the instances of a word's beginnings.
struct Walk<'a, 'v> {
    checker: &'a LabelWords<'a>,
    word: &'a [u32],
    rules: Vec<RuleId>,
    assumptions: Assumptions<'a>,
    n_steps: usize,
    n_instances: usize,
    visitor: &'v mut dyn FnMut(&Instance<'_>) -> Result<(), LabelFlaw>,
}

impl Walk<'_, '_> {
    fn descend(&mut self, so_far: &Unfolding) -> Result<(), LabelFlaw> {
        let Some(letter) = self.word.get(self.rules.len()) else {
            self.n_instances += 1;
            return (self.visitor)(&Instance {
                rules: &self.rules,
                unfolding: so_far,
            });
        };
        let LabelWords {
            game,
            operators,
            successions,
            limits,
            ..
        } = self.checker;
        let last = self.rules.last().map(|rule| rule.0);
        for rule in operators.rules(*letter) {
            if !successions.is_possible(last, rule.0) {
                continue;
            }
            if self.n_steps.is_multiple_of(STEPS_BETWEEN_CHECKS) {
                limits.check()?;
            }
            self.n_steps += 1;
            let mut longer = so_far.clone();
            if longer.append(&game.rule(*rule).canonical) && self.assumptions.admit(&longer.start())
            {
                self.rules.push(*rule);
                self.descend(&longer)?;
                self.rules.pop();
            }
        }
        Ok(())
    }
}

/// A search for a replacement of an instance.
struct Search<'a> {
    checker: &'a LabelWords<'a>,
    /// The state that the instance leads to.
    end: &'a [Ground],
    cost: u128,
}

impl Search<'_> {
    /// Search for rules of these operators that lead from a state to the instance's end.
    fn replace(&self, state: &[Ground], word: &[u32], so_far: u128) -> Result<(), Obstacle> {
        let Some((letter, rest)) = word.split_first() else {
            return match state == self.end {
                false => Err(Obstacle::LeadsElsewhere),
                true if so_far > self.cost => Err(Obstacle::CostsMore),
                true => Ok(()),
            };
        };
        let mut obstacle = Obstacle::Inapplicable;
        for rule in self.checker.operators.rules(*letter) {
            // Most rules of an operator fail by a constant.
            let mut constants = self.checker.constants[rule.index()].iter();
            if constants.any(|(position, wanted)| state[*position] != Ground::Value(*wanted)) {
                continue;
            }
            let rule = &self.checker.game.rule(*rule).canonical;
            if let Ok(next) = apply(rule, state) {
                match self.replace(&next, rest, so_far + u128::from(rule.cost())) {
                    Ok(()) => return Ok(()),
                    Err(other) => obstacle = obstacle.max(other),
                }
            }
        }
        Err(obstacle)
    }
}
