//! The facts that would have to be known for sequences to be redundant.

use std::collections::BTreeMap;

use ideal_tree::Difference;
use psvn_ir::{CanonicalRule, Equation, RuleId, Term, VarId};

use super::{Reason, Setting};
use crate::split_game::{Split, SplitGame};

/// The knowledge that a sequence lacks to be redundant in some states.
struct Wish {
    word: Vec<RuleId>,
    replacement: Vec<RuleId>,
    /// For each unknown value, the splits that would make it known.
    needs: Vec<Vec<Split>>,
    n_states: usize,
}

/// The wishes of the sequences that a machine keeps although they aren't least.
pub(super) struct Wishes {
    /// The wishes with the most states come first.
    all: Vec<Wish>,
    /// For each split, the number of states of the wishes that need it.
    votes: BTreeMap<Split, usize>,
}

impl Wishes {
    pub(super) fn of(setting: Setting<'_>, split: &SplitGame, found: &[Difference]) -> Self {
        let wishes = found.iter().filter_map(|it| wish(setting, split, it));
        let mut all: Vec<Wish> = wishes.collect();
        let mut votes: BTreeMap<Split, usize> = BTreeMap::new();
        for wish in &all {
            for split in wish.needs.iter().flatten() {
                *votes.entry(*split).or_default() += wish.n_states;
            }
        }
        all.sort_by_key(|wish| std::cmp::Reverse(wish.n_states));
        Self { all, votes }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Some splits, and the most useful splits that the first wishes need: all that a wish needs,
    /// since one value without the other may be useless. The first wish for a split is its reason.
    pub(super) fn grant(
        &self,
        n_wishes: usize,
        splits: &[Split],
        reasons: &mut BTreeMap<Split, Reason>,
    ) -> Vec<Split> {
        let mut splits = splits.to_vec();
        for wish in &self.all[..n_wishes] {
            for options in &wish.needs {
                if options.iter().any(|split| splits.contains(split)) {
                    continue;
                }
                // The first of those with the most votes.
                let most = options.iter().rev().max_by_key(|split| self.votes[*split]);
                if let Some(split) = most {
                    splits.push(*split);
                    reasons.entry(*split).or_insert_with(|| Reason {
                        split: *split,
                        word: wish.word.clone(),
                        replacement: wish.replacement.clone(),
                    });
                }
            }
        }
        splits
    }
}

/// Return the splits by which a sequence would become redundant.
fn wish(setting: Setting<'_>, split: &SplitGame, difference: &Difference) -> Option<Wish> {
    let mut needed: Vec<VarId> = Vec::new();
    let Setting { game, known, .. } = setting;
    for Equation { position, term } in split.missing_within(game, known, difference) {
        needed.push(position);
        needed.extend(term.as_variable());
    }
    needed.sort_unstable();
    needed.dedup();
    leave_out_implied(setting, split, difference, &mut needed);
    if needed.is_empty() {
        return None;
    }
    let n_variables = game.n_variables();
    let places = needed.iter();
    let needs = places.map(|position| options(n_variables, split, &difference.word, *position));
    let rules = |letters: &[RuleId]| letters.iter().map(|it| split.rule_of(it.0)).collect();
    Some(Wish {
        word: rules(&difference.word),
        replacement: rules(&difference.replacement),
        needs: needs.collect(),
        n_states: difference.n_states,
    })
}

/// Leave out positions whose values follow from those of the others.
fn leave_out_implied(
    setting: Setting<'_>,
    split: &SplitGame,
    difference: &Difference,
    needed: &mut Vec<VarId>,
) {
    let Setting { game, known, .. } = setting;
    let parts = difference.word.iter();
    let parts = parts.map(|letter| &split.game().rule(*letter).canonical);
    let Ok(word) = macro_compose::compose_all(game.n_variables(), parts) else {
        return;
    };
    let mut implied = Vec::new();
    for position in needed.clone().into_iter().rev() {
        let mut preconditions = word.preconditions().to_vec();
        for other in needed.iter().filter(|other| **other != position) {
            let value = difference.state.values()[other.index()];
            preconditions[other.index()] = Term::constant(value);
        }
        let vector = CanonicalRule::canonicalize(&preconditions, word.actions(), 0);
        known.implied(vector.preconditions(), &mut implied);
        if implied.iter().any(|(it, _)| *it == position) {
            needed.retain(|it| *it != position);
        }
    }
}

/// Return the splits by which a sequence of parts would know the initial value of a position: by
/// the position itself, or by one to which the value has been moved.
fn options(n_variables: usize, split: &SplitGame, word: &[RuleId], position: VarId) -> Vec<Split> {
    let mut options = Vec::new();
    let mut so_far = CanonicalRule::identity(n_variables);
    for letter in word {
        let value = so_far.preconditions()[position.index()];
        let part = &split.game().rule(*letter).canonical;
        for (place, term) in so_far.actions().iter().enumerate() {
            if *term != value {
                continue;
            }
            if let Some(place) = part.preconditions()[place].as_variable() {
                let option = Split {
                    rule: split.rule_of(letter.0),
                    position: place,
                };
                if !options.contains(&option) {
                    options.push(option);
                }
            }
        }
        match macro_compose::compose(&so_far, part) {
            Ok(longer) => so_far = longer,
            Err(_) => break,
        }
    }
    options
}
