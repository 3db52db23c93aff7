//! The analysis by rule: all sequences up to a length.

mod breadth;
mod buckets;
mod compatible_pairs;
pub(crate) mod extension;
pub(crate) mod follow;
mod forecast;
mod kernel;
pub(crate) mod options;
mod result;
pub(crate) mod shared_words;

use budget::{Progress, StopReason};
use psvn_ir::{CanonicalRule, Game, RuleId, VarId};

use crate::analysis::extension::{cost_the_same, costs_fit};
use crate::generalization::demands::KeySpace;
use crate::relevance::rules_without_effect_on;
use crate::words::order::Order;

pub use compatible_pairs::CompatiblePairs;
pub use forecast::{Forecast, Forecaster};
pub use options::{Admits, Options};
pub(crate) use result::Found;
pub use result::{Analysis, Level, RedundantWord};

/// Find the redundant words of a game's rules, as [`analyze`] does. The states that two sequences
/// lead to may differ in the variables that are `ignored`.
///
/// # Panics
/// When the game has no such variable, or a rule order doesn't name each rule once.
pub fn analyze_game(
    game: &Game,
    ignored: &[VarId],
    options: &Options<'_>,
    progress: impl FnMut(&Progress),
) -> Analysis {
    let rules = game.rules().iter().map(|rule| rule.canonical.clone());
    let mut rules: Vec<CanonicalRule> = rules.collect();
    if !ignored.is_empty() {
        rules = rules_without_effect_on(&rules, ignored);
    }
    analyze(game.n_variables(), &rules, options, progress)
}

/// Find all redundant words up to a length that contain no other redundant word.
///
/// `rules` are compared in the given order, or in the order of the options. Time and memory grow
/// with the number of kept words; see the crate's documentation. Runs on the threads of the current
/// rayon pool; the result is bit-identical for any number of threads.
///
/// A game that is [too large](StopReason::TooLarge) is not analyzed: the result says that it
/// [stopped](Analysis::stopped) at length 0.
///
/// # Panics
/// When the rules don't all have `n_variables` positions, or when a rule order doesn't name each
/// rule once.
pub fn analyze(
    n_variables: usize,
    rules: &[CanonicalRule],
    options: &Options<'_>,
    mut progress: impl FnMut(&Progress),
) -> Analysis {
    let ordered: Option<Vec<CanonicalRule>> = options.rule_order.map(|order| {
        check_order(order, rules.len());
        order
            .iter()
            .map(|rule| rules[rule.index()].clone())
            .collect()
    });
    let rules = ordered.as_deref().unwrap_or(rules);
    let order = match options.order {
        Order::CostLengthLexicographic if cost_the_same(rules) => Order::LengthLexicographic,
        order => order,
    };
    let search = match order {
        Order::LengthLexicographic => breadth::search,
        Order::CostLengthLexicographic | Order::Cost => buckets::search,
    };
    let keys = KeySpace::of(n_variables, rules);
    let mut found = match keys.filter(|_| costs_fit(rules, options.max_length)) {
        Some(keys) => search(n_variables, rules, keys, options, &mut progress),
        None => Found {
            stopped: (options.max_length > 0).then_some(StopReason::TooLarge),
            ..Found::default()
        },
    };
    if let Some(order) = options.rule_order {
        let rename = |letter: &mut RuleId| *letter = order[letter.index()];
        found.kept.rename_letters(rename);
        for RedundantWord { word, replacement } in &mut found.redundant {
            word.iter_mut().chain(replacement).for_each(rename);
        }
    }
    Analysis {
        n_rules: rules.len(),
        order,
        max_length: found.max_length,
        stopped: found.stopped,
        complete_below: found.complete_below,
        levels: found.levels,
        kept: found.kept,
        redundant: found.redundant,
        rests_on_knowledge: found.rests_on_knowledge,
    }
}

fn check_order(order: &[RuleId], n_rules: usize) {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    let all = (0..n_rules).map(RuleId::from_index);
    assert!(
        sorted.into_iter().eq(all),
        "a rule order names each rule once"
    );
}
