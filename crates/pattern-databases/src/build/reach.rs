//! Estimates of the states that a search from the goals reaches, and of the rules that apply to
//! them: by random ranks, of which invariants admit some, and by a random walk.
//!
//! Invariants admit all states that the game has, and a search that ignores them reaches more. A
//! walk meets these, but it may stay in a small part of the states for very long.
//!
//! A random walk visits states of a graph in proportion to their degrees. So the number of states
//! follows from how often the same one is met again: sum(d) * sum(1/d) / (2 * meetings), where d
//! are the degrees of the sampled states (Katzir, Liberty & Somekh 2011, "Estimating Sizes of
//! Social Networks via Biased Sampling"). Samples that are close together on the walk are no
//! independent pair, and are left out (Hardiman & Katzir 2013, "Estimating Clustering Coefficients
//! and Size of Social Networks via Random Walk"). Steps can be undone in most games; where they
//! can't, the estimate is rougher.

use ahash::AHashMap;
use psvn_ir::random::SplitMix64;
use psvn_ir::{CanonicalRule, Game};
use search::GoalStates;

use crate::build::state_rule::StateRule;
use crate::ranking::Ranking;

/// The seed of walks.
const SEED: u64 = 20;
/// Steps between two samples: an odd number, as steps may lead from one half of the states to the
/// other. And the number of samples that are too close together to be a pair.
const GAP: u64 = 5;
const CLOSE: usize = 64;
/// The number of meetings that is enough, and that without which nothing is known.
const ENOUGH: u64 = 40;
const LEAST: u64 = 4;
/// The most samples.
const MOST_SAMPLES: usize = 1 << 16;

/// What a walk has seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The estimated number of states; `None` where too few were met again.
    pub(crate) states: Option<f64>,
    /// The mean number of rules that apply to a state.
    pub(crate) applicable: f64,
}

/// The number of random ranks that are sampled.
pub(crate) const RANKS: u128 = 400;

/// Sample random ranks. `admits` returns whether the game may have a state.
pub(crate) fn admitted(
    ranking: &Ranking,
    rules: &[&CanonicalRule],
    mut admits: impl FnMut(&[u32]) -> bool,
) -> Reach {
    let n = u64::try_from(ranking.size()).unwrap_or(u64::MAX).max(1);
    let steps = steps(rules);
    let mut random = SplitMix64::new(SEED);
    let mut state = vec![0; ranking.n_variables()];
    let (mut n_admitted, mut n_applicable) = (0, 0);
    for _ in 0..RANKS {
        ranking.unrank(random.next_u64() % n, &mut state);
        if admits(&state) {
            n_admitted += 1;
            n_applicable += steps.iter().filter(|step| step.applies(&state)).count();
        }
    }
    // The goals are states.
    let share = f64::from(n_admitted.max(1)) / RANKS as f64;
    Reach {
        states: Some(share * ranking.size() as f64),
        applicable: n_applicable as f64 / f64::from(n_admitted.max(1)),
    }
}

fn steps(rules: &[&CanonicalRule]) -> Vec<StateRule> {
    rules.iter().map(|rule| StateRule::of(rule)).collect()
}

/// Walk from a goal by backward rules, with at most `most` tests of rules. `None` where that is too
/// little to see anything.
pub(crate) fn walk(
    game: &Game,
    ranking: &Ranking,
    rules: &[&CanonicalRule],
    most: u128,
) -> Option<Reach> {
    let steps = steps(rules);
    let n_steps = u64::try_from(most / (steps.len() as u128).max(1)).unwrap_or(u64::MAX);
    if n_steps < 4 * GAP * CLOSE as u64 || steps.is_empty() {
        return None;
    }
    let goal = GoalStates::of(game).next()?;
    let goal: Vec<u32> = goal.values().iter().map(|value| value.0).collect();
    let mut random = SplitMix64::new(SEED);
    let mut state = goal.clone();
    let mut samples = Samples::default();
    // The states to which the steps lead, one after the other.
    let mut next: Vec<u32> = Vec::new();
    let width = state.len();
    for number in 0..n_steps {
        next.clear();
        for step in steps.iter().filter(|step| step.applies(&state)) {
            let at = next.len();
            next.extend_from_slice(&state);
            let after = &mut next[at..];
            step.apply(&state, after);
            if !ranking.admits(after) {
                next.truncate(at);
            }
        }
        let n_next = next.len() / width.max(1);
        if number % GAP == 0 && number >= GAP * CLOSE as u64 {
            let rank = ranking.rank_of(&state)?;
            samples.add(rank, n_next);
            if samples.meetings >= ENOUGH || samples.degrees.len() >= MOST_SAMPLES {
                break;
            }
        }
        match n_next {
            // Nothing leads on: begin again.
            0 => state.copy_from_slice(&goal),
            n => state.copy_from_slice(&next[random.below(n) * width..][..width]),
        }
    }
    samples.reach()
}

/// The states that were sampled.
#[derive(Default)]
struct Samples {
    /// By rank: the numbers of the samples with it.
    seen: AHashMap<u64, Vec<u32>>,
    /// By sample: the number of rules that apply.
    degrees: Vec<f64>,
    meetings: u64,
}

impl Samples {
    fn add(&mut self, rank: u64, degree: usize) {
        let number = self.degrees.len();
        let same = self.seen.entry(rank).or_default();
        let is_far = |earlier: &&u32| **earlier as usize + CLOSE <= number;
        self.meetings += same.iter().filter(is_far).count() as u64;
        same.push(number as u32);
        self.degrees.push(degree.max(1) as f64);
    }

    fn reach(&self) -> Option<Reach> {
        let n = self.degrees.len() as f64;
        let far = n - CLOSE as f64;
        if far < CLOSE as f64 {
            return None;
        }
        let sum: f64 = self.degrees.iter().sum();
        let inverse: f64 = self.degrees.iter().map(|degree| 1.0 / degree).sum();
        // The pairs that are far enough apart, of all pairs.
        let part = (far / n).powi(2);
        let states = sum * inverse * part / (2.0 * self.meetings.max(1) as f64);
        Some(Reach {
            states: (self.meetings >= LEAST).then_some(states),
            applicable: n / inverse,
        })
    }
}
