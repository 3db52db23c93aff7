//! Redundant sequences of the parts of rules.

use std::collections::HashMap;

use ahash::RandomState;
use budget::{Limits, StopReason, Watch};
use macro_compose::{Composer, PreparedRule, compose_all};
use move_prune::{Admits, Analysis};
use psvn_ir::{CanonicalRule, Equation, Game, RuleId};

use crate::closed::closed;
use crate::generalizers::Generalizers;
use crate::split_game::SplitGame;

/// A composition takes about as long as this many comparisons.
const STEPS_OF_COMPOSITION: u64 = 20;

/// A redundant sequence of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitWord {
    /// The sequence, as rules of the split game.
    pub word: Box<[u32]>,
    /// The rules of the game that replace it: they come before the sequence of the rules that its
    /// letters are parts of, cost no more, can be used wherever the sequence can, and lead to the
    /// same state.
    pub replacement: Box<[RuleId]>,
}

/// What an analysis of parts finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitAnalysis {
    /// The redundant sequences. None contains another one.
    pub redundant: Vec<SplitWord>,
    /// For each length from 1 on, the number of sequences that are kept.
    pub kept: Vec<usize>,
    /// The work that was done, in comparisons.
    pub steps: u64,
}

/// Find the redundant sequences of parts of rules, of the lengths and in the order of an analysis
/// of the game's rules. Where nothing is split, these are the analysis's own.
///
/// `rule_order` and `known` are those of the analysis. As there, sequences are stored as written
/// and compared with all that is known of the states that allow them. [`Limits::nodes`] is the
/// greatest number of comparisons; memory isn't limited.
///
/// # Errors
/// When a limit stops it.
///
/// # Panics
/// When the analysis is of another game.
pub fn analyze(
    game: &Game,
    split: &SplitGame,
    of_rules: &Analysis,
    rule_order: Option<&[RuleId]>,
    known: &dyn Admits,
    limits: &Limits,
) -> Result<SplitAnalysis, StopReason> {
    let watch = Watch::new(limits.clone());
    let generalizers = Generalizers::of(game, of_rules, rule_order);
    let letters: Vec<PreparedRule> = split
        .game()
        .rules()
        .iter()
        .map(|rule| PreparedRule::new(&rule.canonical))
        .collect();
    // Known already, perhaps by more than is compared here.
    let found_before: HashMap<&[RuleId], &[RuleId], RandomState> = of_rules
        .redundant
        .iter()
        .map(|it| (&*it.word, &*it.replacement))
        .collect();
    let all_letters: Vec<u32> = (0..).take(letters.len()).collect();
    let mut composer = Composer::new(game.n_variables());
    let mut implied = Vec::new();
    let mut found = SplitAnalysis::default();
    let mut before: Vec<(Box<[u32]>, CanonicalRule)> =
        vec![(Box::default(), CanonicalRule::identity(game.n_variables()))];
    for length in 1..=of_rules.max_length {
        let mut kept = Vec::new();
        for (start, so_far) in &before {
            // The letters behind which the word without its first letter is kept. Words are sorted.
            let rest = start.get(1..).unwrap_or_default();
            let from = before.partition_point(|it| length > 1 && it.0[..rest.len()] < *rest);
            let kept_rests = before[from..]
                .iter()
                .take_while(|it| length > 1 && it.0[..rest.len()] == *rest)
                .filter_map(|it| it.0.last());
            let first_letters = if length == 1 { &all_letters[..] } else { &[] };
            for letter in first_letters.iter().chain(kept_rests).copied() {
                let rule = &letters[letter as usize];
                let mut word = start.to_vec();
                word.push(letter);
                watch.check(found.steps, 0)?;
                found.steps += STEPS_OF_COMPOSITION;
                composer.load(so_far);
                let is_possible = composer.append(rule).is_ok()
                    && known.admits(composer.preconditions())
                    && known.implied(composer.preconditions(), &mut implied);
                if !is_possible {
                    continue;
                }
                let whole = composer.to_macro_rule();
                let rules: Vec<RuleId> = word.iter().map(|it| split.rule_of(*it)).collect();
                let key = generalizers.key(&rules, whole.cost());
                let replacement = match found_before.get(&*rules) {
                    Some(replacement) => Some(*replacement),
                    None if implied.is_empty() => {
                        generalizers.replacement(&whole, &key, &mut found.steps)
                    }
                    None => {
                        let closed = closed(&whole, &implied);
                        generalizers.replacement(&closed, &key, &mut found.steps)
                    }
                };
                match replacement {
                    Some(replacement) => found.redundant.push(SplitWord {
                        word: word.into(),
                        replacement: replacement.into(),
                    }),
                    None => kept.push((word.into(), whole)),
                }
            }
        }
        found.kept.push(kept.len());
        if kept.is_empty() {
            break;
        }
        before = kept;
    }
    Ok(found)
}

/// What must hold beside the preconditions of a sequence, and what follows from them, for another
/// sequence to replace it. Nothing if it never does.
///
/// # Panics
/// When the game doesn't have a rule.
pub fn missing(
    game: &Game,
    known: &dyn Admits,
    word: &[RuleId],
    replacement: &[RuleId],
) -> Vec<Equation> {
    let rules = |word: &[RuleId]| {
        let rules = word.iter().map(|it| &game.rule(*it).canonical);
        compose_all(game.n_variables(), rules).ok()
    };
    let (Some(word), Some(replacement)) = (rules(word), rules(replacement)) else {
        return Vec::new();
    };
    let mut implied = Vec::new();
    if !known.implied(word.preconditions(), &mut implied) {
        return Vec::new();
    }
    let missing = replacement.equations_to_generalize(&closed(&word, &implied));
    missing.unwrap_or_default()
}
