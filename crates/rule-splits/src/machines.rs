//! Machines whose letters are rules or parts of rules.

use fsm::{Dense, Growth, Machine, WordAutomaton, growth_of_compatible_pairs_unless};
use move_prune::Analysis;
use psvn_ir::RuleId;

/// Return the machine that forbids some words, if it can be built.
pub(crate) fn forbidding(n_letters: usize, words: &[impl AsRef<[u32]>]) -> Option<Dense> {
    let n_letters = u32::try_from(n_letters).ok()?;
    WordAutomaton::forbidding(n_letters, words)
        .and_then(|automaton| automaton.build())
        .ok()
}

/// Return the asymptotic branching factor of the words that a machine allows, in which each rule
/// can be used and can follow the one before it, as far as the analysis `pairs` knows. `None` where
/// that would take more than about `most_bytes` bytes, or `stop` says that there is no time.
///
/// The letters of the machine are the rules of `pairs`: those of a game, or their parts.
pub fn growth_of_possible(
    machine: &impl Machine,
    pairs: &Analysis,
    most_bytes: usize,
    stop: &dyn Fn() -> bool,
) -> Option<Growth> {
    let letters = |rules: &[RuleId]| rules.iter().map(|rule| rule.0).collect();
    let followers = pairs.compatible_pairs();
    let first: Vec<u32> = letters(followers.first());
    let (lists, list_of) = followers.into_lists();
    let lists: Vec<Vec<u32>> = lists.iter().map(|list| letters(list)).collect();
    growth_of_compatible_pairs_unless(machine, &first, &lists, &list_of, most_bytes, stop)
        .unwrap_or(None)
}
