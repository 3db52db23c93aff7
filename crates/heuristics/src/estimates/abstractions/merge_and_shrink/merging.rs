//! Which two factors are merged next.

use std::collections::HashMap;

use search::DEAD_END;

use super::factor::{Factor, Group};

/// Return the two factors to merge next, the smaller number first, of at least two: those with a
/// common label that leads as close as possible to the goals of both, if one of them has states
/// that aren't goals (Dräger, Finkbeiner & Podelski 2006, "Directed Model Checking with
/// Distance-Preserving Abstractions"; Sievers, Wehrle & Helmert 2014).
///
/// Of equally good pairs it is the one with the last factor that was made, and then with the last
/// but one.
pub(super) fn next_pair(factors: &[Factor], n_labels: usize) -> (usize, usize) {
    let has_aim: Vec<bool> = factors.iter().map(Factor::has_aim).collect();
    let mut closest: HashMap<(u32, u32), u64> = HashMap::new();
    let mut note = |one: u32, other: u32, distance: u64| {
        if has_aim[one as usize] || has_aim[other as usize] {
            let known = closest.entry((one, other)).or_insert(DEAD_END);
            *known = distance.min(*known);
        }
    };
    for ranks in ranks_by_label(factors, n_labels) {
        for (place, (other, other_rank)) in ranks.iter().enumerate() {
            for (one, rank) in &ranks[..place] {
                note(*one, *other, *rank.max(other_rank));
            }
        }
    }
    let last = factors.len() as u32 - 1;
    // Without a common label it is any pair with an aim.
    let aim = has_aim.iter().rposition(|has_aim| *has_aim);
    let aim = aim.unwrap_or(0) as u32;
    let any = if aim == last { last - 1 } else { last };
    closest
        .entry((aim.min(any), aim.max(any)))
        .or_insert(DEAD_END);
    let best = closest
        .into_iter()
        .min_by_key(|((one, other), distance)| (*distance, last - other, last - one));
    let (one, other) = best.map_or((last - 1, last), |(pair, _)| pair);
    (one as usize, other as usize)
}

/// Return, by label, its factors with the least distance to which it leads in each of them.
fn ranks_by_label(factors: &[Factor], n_labels: usize) -> Vec<Vec<(u32, u64)>> {
    let mut ranks = vec![Vec::new(); n_labels];
    for (number, factor) in (0..).zip(factors) {
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
