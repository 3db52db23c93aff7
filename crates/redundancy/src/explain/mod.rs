//! Why a sequence is redundant, impossible, or neither.

mod composition;
mod nearest;
mod operators;
mod parts;
mod reading;

use budget::{StopReason, count};
use invariants::Invariants;
use move_prune::Analysis;
use psvn_ir::{CanonicalRule, Game, RuleId, RuleNames};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::composition::{compose, trace};
use crate::known::close_within;
use crate::{Error, macro_rules};

pub use self::composition::{Appended, Composition, CompositionStep};
pub use self::nearest::Nearest;
pub use self::operators::{OperatorInstance, OperatorsExplained, resolve_operators};
pub use self::reading::{Reading, ReadingOfParts, ReadingStep, read_word};

/// The verdict on a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WordVerdict {
    /// It can't be carried out from any state.
    Impossible,
    /// An earlier sequence replaces it.
    Redundant,
    /// A part of it is redundant.
    ContainsRedundant,
    /// Neither it nor any part of it is redundant.
    NotRedundant,
    /// The analysis stopped too early to say.
    Unknown,
}

/// Analyzes a game, so that a sequence of rules can be explained.
pub trait Analyzer {
    /// Compare sequences up to a length, in all states or in those with some invariants.
    fn analyze(&self, max_length: usize, known: Option<&Invariants>) -> Analysis;

    /// Find the invariants of the goal, if any hold there.
    fn of_goals(&self) -> Option<Invariants>;

    /// Return whether to stop looking for the sequence that comes nearest.
    fn is_interrupted(&self) -> bool;
}

/// Why a sequence of rules is redundant, impossible, or neither.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct RulesExplained {
    /// The names of the rules.
    pub word: Vec<String>,
    /// `impossible`, `redundant`, `contains-redundant`, `not-redundant` or `unknown`.
    pub verdict: WordVerdict,
    /// Why the sequence is impossible; `None` otherwise.
    pub reason: Option<String>,
    /// The cost of the sequence.
    pub cost: Option<u64>,
    /// The macro-rule that it makes, as text.
    pub rule: Option<String>,
    /// The replacement of the redundant part, and the reason.
    pub certificate: Option<Certificate>,
    /// The sequence that comes nearest to replacing one that nothing replaces.
    pub nearest: Option<Nearest>,
    /// How a machine reads the sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    /// The compositions of the sequence and then of its replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub traces: Option<Vec<Vec<Appended>>>,
    /// Whether no state with the invariants of the goal allows it, although some state does.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub impossible_within: bool,
    /// The length up to which sequences were compared, in rules.
    pub analyzed_length: usize,
    /// The limit that stopped the analysis, where it stopped too early to say.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// Why a sequence, or a part of one, is redundant.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Certificate {
    /// Where the redundant part begins in the sequence, from 1.
    pub start: usize,
    /// The redundant part.
    pub redundant: CertifiedSide,
    /// The replacement.
    pub replacement: CertifiedSide,
    /// Unknowns of the replacement, each with its term in the redundant part.
    pub substitution: Vec<(String, String)>,
    /// Why the replacement comes first in the order.
    pub order: String,
    /// The values that the invariants of the goal imply beside the preconditions of the redundant
    /// part, where the replacement needs them: it holds in states with those invariants.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub implied: Vec<String>,
}

/// A side of a certificate.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct CertifiedSide {
    /// The rules.
    pub word: Vec<String>,
    /// Their cost.
    pub cost: u64,
    /// The macro-rule that they make.
    pub rule: String,
}

/// A redundant sequence and its replacement.
type Replaced = (Vec<RuleId>, Vec<RuleId>);

impl RulesExplained {
    /// Find out why a sequence of rules is redundant, impossible, or neither: analyze the game up
    /// to the length of the sequence, or less if a redundant part shows earlier.
    ///
    /// # Errors
    /// When a certificate turns out to be wrong.
    pub fn find(
        game: &Game,
        word: &[RuleId],
        with_trace: bool,
        analyzer: &dyn Analyzer,
    ) -> Result<Self, Error> {
        let names = RuleNames::new(game);
        let mut explained = Self {
            word: names.names(word),
            verdict: WordVerdict::Impossible,
            reason: None,
            cost: None,
            rule: None,
            certificate: None,
            nearest: None,
            reading: None,
            traces: None,
            impossible_within: false,
            analyzed_length: 0,
            stopped: None,
        };
        let mut traced = vec![word.to_vec()];
        match compose(game, word) {
            Err(invalid) => {
                explained.reason = Some(macro_rules::invalid(game, &names, word, &invalid));
            }
            Ok(rule) => {
                explained.cost = Some(rule.cost());
                explained.rule = Some(game.format_rule(&rule));
                let mut pair = explained.look_for_redundancy(game, &names, word, None, analyzer)?;
                if explained.verdict == WordVerdict::NotRedundant {
                    let known = analyzer.of_goals();
                    let known = known.unwrap_or_else(|| Invariants::none(game));
                    explained.impossible_within = !known.admits(rule.preconditions());
                    if !known.is_empty() && !explained.impossible_within {
                        let within = Some(&known);
                        pair =
                            explained.look_for_redundancy(game, &names, word, within, analyzer)?;
                    }
                    if explained.verdict == WordVerdict::NotRedundant {
                        let stop = || analyzer.is_interrupted();
                        explained.nearest = nearest::find(game, word, &rule, &known, stop);
                    }
                }
                if let Some((redundant, replacement)) = pair {
                    traced = vec![redundant, replacement];
                }
            }
        }
        if with_trace {
            let traces = traced.iter().map(|word| trace(game, &names, word));
            explained.traces = Some(traces.collect());
        }
        Ok(explained)
    }

    /// Analyze the game to length 1, 2 and so on, until a redundant part of the sequence shows: in
    /// all states, or in those with some invariants. Most of the time goes to the last length, so
    /// starting again for each costs little.
    ///
    /// Return the redundant part and its replacement.
    fn look_for_redundancy(
        &mut self,
        game: &Game,
        names: &RuleNames<'_>,
        word: &[RuleId],
        known: Option<&Invariants>,
        analyzer: &dyn Analyzer,
    ) -> Result<Option<Replaced>, Error> {
        for length in 1..=word.len() {
            let analysis = analyzer.analyze(length, known);
            self.analyzed_length = analysis.max_length;
            for redundant in &analysis.redundant {
                let part = &*redundant.word;
                let Some(start) = word.windows(part.len()).position(|window| window == part) else {
                    continue;
                };
                self.verdict = if part.len() == word.len() {
                    WordVerdict::Redundant
                } else {
                    WordVerdict::ContainsRedundant
                };
                let replacement = &redundant.replacement;
                let certificate = Certificate::of(game, names, start, part, replacement, known)?;
                self.certificate = Some(certificate);
                return Ok(Some((part.to_vec(), replacement.to_vec())));
            }
            if let Some(reason) = analysis.stopped {
                self.verdict = WordVerdict::Unknown;
                self.stopped = Some(reason);
                return Ok(None);
            }
        }
        self.verdict = WordVerdict::NotRedundant;
        Ok(None)
    }
}

impl Certificate {
    fn of(
        game: &Game,
        names: &RuleNames<'_>,
        start: usize,
        redundant: &[RuleId],
        replacement: &[RuleId],
        known: Option<&Invariants>,
    ) -> Result<Self, Error> {
        let broken = || {
            Error::wrong(format!(
                "the certificate for {} does not hold; this is a mistake in psvn",
                names.word(redundant)
            ))
        };
        let general = compose(game, replacement).map_err(|_| broken())?;
        let special = compose(game, redundant).map_err(|_| broken())?;
        let mut implied = Vec::new();
        let mut matched = special.clone();
        if !general.makes_redundant(&special) {
            let within = known.and_then(|known| close_within(game, known, &special));
            (matched, implied) = within.ok_or_else(broken)?;
            if !general.makes_redundant(&matched) {
                return Err(broken());
            }
        }
        let entry = |word: &[RuleId], rule: &CanonicalRule| CertifiedSide {
            word: names.names(word),
            cost: rule.cost(),
            rule: game.format_rule(rule),
        };
        Ok(Self {
            start: start + 1,
            substitution: macro_rules::substitution(game, &general, &matched),
            implied,
            order: order(names, replacement, redundant),
            redundant: entry(redundant, &special),
            replacement: entry(replacement, &general),
        })
    }
}

/// Why one word comes before another: it is shorter, or its rule comes earlier where they first
/// differ.
fn order(names: &RuleNames<'_>, first: &[RuleId], second: &[RuleId]) -> String {
    if first.len() < second.len() {
        return match first.len() {
            0 => "it needs no rule at all".to_owned(),
            n => format!(
                "it is shorter: {n} instead of {}",
                count(second.len(), "rule")
            ),
        };
    }
    match first.iter().zip(second).find(|(a, b)| a != b) {
        Some((a, b)) => format!(
            "it is as long, and {} (rule {}) comes before {} (rule {}) in the file",
            names.name(*a),
            a.0 + 1,
            names.name(*b),
            b.0 + 1
        ),
        None => "it is the same".to_owned(),
    }
}
