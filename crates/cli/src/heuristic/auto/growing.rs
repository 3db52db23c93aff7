//! Which tables are built next.

use heuristics::tables::{Candidate, Family};

/// The part of the time spent so far that the first tables of a family may take, as most families are given up then.
const FIRST_SHARE: f64 = 0.25;

/// A family of tables, as far as it was tried.
pub(super) struct Growing {
    pub(super) family: Family,
    /// The first candidate that wasn't passed yet.
    pub(super) next: usize,
    /// The score of the last one that was built.
    pub(super) score: Option<f64>,
}

impl Growing {
    pub(super) fn new(family: Family) -> Self {
        Self {
            family,
            next: 0,
            score: None,
        }
    }

    /// How long a candidate takes to build at a rate of ranks a second.
    pub(super) fn seconds(&self, candidate: usize, rate: f64) -> f64 {
        self.family.candidates[candidate].ranks() as f64 / rate
    }

    /// Notes what is known of a candidate that was built, if it is one of this family.
    pub(super) fn built(&mut self, candidate: &Candidate, score: f64) {
        let candidates = &self.family.candidates;
        if let Some(number) = candidates.iter().position(|it| it.is_same(candidate)) {
            self.score = Some(score);
            self.next = self.next.max(number + 1);
        }
    }

    /// Passes all candidates: none of those left can be built.
    pub(super) fn give_up(&mut self) {
        self.next = self.family.candidates.len();
    }

    /// The largest candidate that can be built in a time, or else the next one.
    fn pick(&self, seconds: f64, rate: f64) -> Option<usize> {
        let rest = self.next..self.family.candidates.len();
        let first = rest.clone().next()?;
        let affordable = rest.rev().find(|i| self.seconds(*i, rate) <= seconds);
        Some(affordable.unwrap_or(first))
    }
}

/// The family and the candidate that are built next: untried families while they are cheap, then the best one.
pub(super) fn next(growing: &[Growing], seconds: f64, rate: f64) -> Option<(usize, usize)> {
    let picks: Vec<(usize, usize)> = growing
        .iter()
        .enumerate()
        .filter_map(|(number, it)| {
            let share = if it.score.is_none() { FIRST_SHARE } else { 1.0 };
            Some((number, it.pick(seconds * share, rate)?))
        })
        .collect();
    let takes = |(number, candidate): &(usize, usize)| growing[*number].seconds(*candidate, rate);
    let untried = |(number, _): &&(usize, usize)| growing[*number].score.is_none();
    let cheap = picks.iter().find(|it| untried(it) && takes(it) <= seconds);
    let score = |it: &&(usize, usize)| growing[it.0].score.unwrap_or(f64::MIN);
    let best = picks
        .iter()
        .filter(|it| !untried(it))
        .max_by(|one, other| score(one).total_cmp(&score(other)));
    if cheap.is_some() || best.is_some_and(|it| takes(it) <= seconds) {
        return cheap.or(best).copied();
    }
    let dear = picks.iter().filter(untried).chain(best);
    dear.min_by(|one, other| takes(one).total_cmp(&takes(other)))
        .copied()
}
