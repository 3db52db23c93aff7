//! Rules that change places: what sleep sets need to know.

use macro_compose::{Composer, PreparedRule};
use psvn_ir::{CanonicalRule, RuleId};
use rayon::prelude::*;

/// The pairs (first, second) of different rules for which "first, then second" can be carried out
/// in some state, and can always be replaced by "second, then first": the latter is possible
/// wherever the former is, with the same result.
///
/// Commuting is not enough where rules have preconditions: the two words must pass the full test of
/// redundancy. Costs are the same either way. Takes two compositions for each pair.
///
/// # Panics
/// When the rules don't all have `n_variables` positions.
pub fn commuting_pairs(n_variables: usize, rules: &[CanonicalRule]) -> Vec<(RuleId, RuleId)> {
    let prepared: Vec<PreparedRule> = rules.iter().map(PreparedRule::new).collect();
    let compose = |first: &CanonicalRule, second: usize| {
        let mut composer = Composer::new(n_variables);
        // The costs of the two words are equal, so they are left out.
        composer.load_parts(first.preconditions(), first.actions(), 0);
        composer
            .append(&prepared[second])
            .ok()
            .map(|()| composer.to_macro_rule())
    };
    (0..rules.len())
        .into_par_iter()
        .flat_map_iter(|first| {
            let partners = (0..rules.len()).filter(move |second| *second != first);
            let compose = &compose;
            partners.filter_map(move |second| {
                let word = compose(&rules[first], second)?;
                let swapped = compose(&rules[second], first)?;
                let replaces = swapped.generalizes(&word);
                replaces.then(|| (RuleId::from_index(first), RuleId::from_index(second)))
            })
        })
        .collect()
}
