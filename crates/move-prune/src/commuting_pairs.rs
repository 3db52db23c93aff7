//! Rules that can change places, as sleep sets require.

use std::sync::atomic::{AtomicBool, Ordering};

use macro_compose::{Composer, MacroRule, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId};
use rayon::prelude::*;

use crate::analysis::Admits;
use crate::generalization::closed::Closure;

/// Rules that change places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommutingPairs {
    /// The pairs (first, second), in order.
    pub pairs: Vec<(RuleId, RuleId)>,
    /// Whether some pairs may commute only in the states that [matter](Admits). If not, all do in
    /// all states.
    pub rests_on_knowledge: bool,
}

/// Find the pairs (first, second) of different rules for which "first, then second" can be carried
/// out in some state, and can be replaced by "second, then first" in all states that matter: the
/// latter is possible wherever the former is, with the same result.
///
/// Commuting is not enough if rules have preconditions: the two words must pass the full test of
/// redundancy. Costs are the same either way. Takes two compositions for each pair.
///
/// # Panics
/// When the rules don't all have `n_variables` positions.
pub fn commuting_pairs(
    n_variables: usize,
    rules: &[CanonicalRule],
    admits: Option<&dyn Admits>,
) -> CommutingPairs {
    commuting_pairs_unless(n_variables, rules, admits, &|| false).expect("nobody stops it")
}

/// Find the [commuting pairs](commuting_pairs) unless `stop`, which is called once for each rule,
/// returns true.
///
/// # Panics
/// When the rules don't all have `n_variables` positions.
pub fn commuting_pairs_unless(
    n_variables: usize,
    rules: &[CanonicalRule],
    admits: Option<&dyn Admits>,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<CommutingPairs> {
    let prepared: Vec<PreparedRule> = rules.iter().map(PreparedRule::new).collect();
    let compose = |first: &CanonicalRule, second: usize| {
        let mut composer = Composer::new(n_variables);
        // Both words cost the same, so costs are left out.
        composer.load_parts(first.preconditions(), first.actions(), 0);
        composer
            .append(&prepared[second])
            .ok()
            .map(|()| composer.to_macro_rule())
    };
    // Whether the swapped word replaces the other, and whether this needs knowledge.
    let replaces = |swapped: &MacroRule, word: &MacroRule, closure: &mut Closure| {
        if swapped.generalizes(word) {
            return Some(false);
        }
        let closed = closure.close(admits, word.preconditions(), word.actions())?;
        let known = MacroRule::from_canonical_parts(closed.preconditions, closed.actions, 0);
        (closed.is_more && swapped.generalizes(&known)).then_some(true)
    };
    let is_stopped = AtomicBool::new(false);
    let found: Vec<(RuleId, RuleId, bool)> = (0..rules.len())
        .into_par_iter()
        .take_any_while(|_| {
            let stops = stop();
            is_stopped.fetch_or(stops, Ordering::Relaxed);
            !stops
        })
        .flat_map_iter(|first| {
            let mut closure = Closure::default();
            let partners = (0..rules.len()).filter(move |second| *second != first);
            let (compose, replaces) = (&compose, &replaces);
            partners.filter_map(move |second| {
                let word = compose(&rules[first], second)?;
                let swapped = compose(&rules[second], first)?;
                let takes_knowledge = replaces(&swapped, &word, &mut closure)?;
                let ids = (RuleId::from_index(first), RuleId::from_index(second));
                Some((ids.0, ids.1, takes_knowledge))
            })
        })
        .collect();
    let pairs = CommutingPairs {
        rests_on_knowledge: found.iter().any(|(_, _, takes_knowledge)| *takes_knowledge),
        pairs: found
            .into_iter()
            .map(|(first, second, _)| (first, second))
            .collect(),
    };
    (!is_stopped.into_inner()).then_some(pairs)
}
