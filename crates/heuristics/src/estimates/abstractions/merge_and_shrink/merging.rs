//! Which two factors are merged next.

use std::cmp::Reverse;
use std::collections::HashMap;

use search::DEAD_END;

use super::factor::{Factor, Group};

/// Return the two factors to merge next, the smaller number first, unless all pairs are misfits:
/// those with a common label that leads as close as possible to the goals of both, if one of them
/// has states that aren't goals (Dräger, Finkbeiner & Podelski 2006, "Directed Model Checking with
/// Distance-Preserving Abstractions"; Sievers, Wehrle & Helmert 2014).
///
/// Of equally good pairs it is the one with the last factor that was made, and then with the last
/// but one. Factors without a common label come last.
pub(super) fn next_pair(
    factors: &[Factor],
    n_labels: usize,
    is_misfit: &dyn Fn((usize, usize)) -> bool,
) -> Option<(usize, usize)> {
    let has_aim: Vec<bool> = factors.iter().map(Factor::has_aim).collect();
    let is_possible =
        |(one, other): (usize, usize)| (has_aim[one] || has_aim[other]) && !is_misfit((one, other));
    let mut closest: HashMap<(usize, usize), u64> = HashMap::new();
    for ranks in ranks_by_label(factors, n_labels) {
        for (place, (other, other_rank)) in ranks.iter().enumerate() {
            for (one, rank) in &ranks[..place] {
                let known = closest.entry((*one, *other)).or_insert(DEAD_END);
                *known = *rank.max(other_rank).min(known);
            }
        }
    }
    let common = closest.into_iter().filter(|(pair, _)| is_possible(*pair));
    let best = common.min_by_key(|((one, other), rank)| (*rank, Reverse((*other, *one))));
    let others = (1..factors.len()).rev();
    let mut any = others.flat_map(|other| (0..other).rev().map(move |one| (one, other)));
    best.map(|(pair, _)| pair)
        .or_else(|| any.find(|pair| is_possible(*pair)))
}

/// Return, by label, its factors with the least distance to which it leads in each of them.
fn ranks_by_label(factors: &[Factor], n_labels: usize) -> Vec<Vec<(usize, u64)>> {
    let mut ranks = vec![Vec::new(); n_labels];
    for (number, factor) in factors.iter().enumerate() {
        for group in &factor.groups {
            let rank = rank(factor, group);
            for label in &group.labels {
                ranks[*label as usize].push((number, rank));
            }
        }
    }
    ranks
}

fn rank(factor: &Factor, group: &Group) -> u64 {
    let targets = group.transitions.iter();
    let distances = targets.map(|(_, target)| factor.distances[*target as usize]);
    distances.min().unwrap_or(DEAD_END)
}
