//! Which tables are built next.

use heuristics::tables::{Candidate, Family};

use super::work::Steps;

/// The part of the work so far that the first tables of a family may take, as most families are
/// given up then.
const FIRST_SHARE: f64 = 0.25;
/// A family is given up when another one estimates higher by the first factor for no more than the
/// second one times its work.
const CLEARLY: f64 = 1.01;
const AS_MUCH: f64 = 2.0;

/// A family of tables, as far as it was tried.
pub(super) struct Growing {
    pub(super) family: Family,
    /// The first candidate that wasn't passed yet.
    pub(super) next: usize,
    /// The work and the score of each candidate that was built, in the order of their work.
    built: Vec<(Steps, f64)>,
}

impl Growing {
    pub(super) fn new(family: Family) -> Self {
        Self {
            family,
            next: 0,
            built: Vec::new(),
        }
    }

    /// How much work a candidate is.
    pub(super) fn work(&self, candidate: usize) -> Steps {
        self.family.candidates[candidate].work() as f64
    }

    /// The score of the largest one that was built.
    fn score(&self) -> Option<f64> {
        self.built.last().map(|(_, score)| *score)
    }

    /// Notes what is known of a candidate that was built, if it is one of this family.
    pub(super) fn built(&mut self, candidate: &Candidate, score: f64) {
        let candidates = &self.family.candidates;
        if let Some(number) = candidates.iter().position(|it| it.is_same(candidate)) {
            self.built.push((candidate.work() as f64, score));
            self.built.sort_by(|one, other| one.0.total_cmp(&other.0));
            self.next = self.next.max(number + 1);
        }
    }

    /// Passes all candidates: none of those left can be built.
    pub(super) fn give_up(&mut self) {
        self.next = self.family.candidates.len();
    }

    /// The largest candidate of no more work than this, or else the next one.
    fn pick(&self, work: Steps) -> Option<usize> {
        let rest = self.next..self.family.candidates.len();
        let first = rest.clone().next()?;
        let affordable = rest.rev().find(|i| self.work(*i) <= work);
        Some(affordable.unwrap_or(first))
    }

    /// Whether another family has said clearly more for about as much work or less.
    fn is_behind(&self, other: &Self) -> bool {
        self.built.last().is_some_and(|(work, score)| {
            let mut known = other.built.iter();
            known.any(|(less, more)| *less <= work * AS_MUCH && *more > score * CLEARLY)
        })
    }
}

/// The family and the candidate that are built next after some work: untried families while they
/// are cheap, then the best one.
pub(super) fn next(growing: &[Growing], spent: Steps) -> Option<(usize, usize)> {
    let is_behind = |it: &Growing| growing.iter().any(|other| it.is_behind(other));
    let picks: Vec<(usize, usize)> = growing
        .iter()
        .enumerate()
        .filter(|(_, it)| !is_behind(it))
        .filter_map(|(number, it)| {
            let share = match it.score() {
                None => FIRST_SHARE,
                Some(_) => 1.0,
            };
            Some((number, it.pick(spent * share)?))
        })
        .collect();
    let takes = |(number, candidate): &(usize, usize)| growing[*number].work(*candidate);
    let untried = |(number, _): &&(usize, usize)| growing[*number].score().is_none();
    let cheap = picks.iter().find(|it| untried(it) && takes(it) <= spent);
    let score = |it: &&(usize, usize)| growing[it.0].score().unwrap_or(f64::MIN);
    let best = picks
        .iter()
        .filter(|it| !untried(it))
        .max_by(|one, other| score(one).total_cmp(&score(other)));
    if cheap.is_some() || best.is_some_and(|it| takes(it) <= spent) {
        return cheap.or(best).copied();
    }
    let costly = picks.iter().filter(untried).chain(best);
    costly
        .min_by(|one, other| takes(one).total_cmp(&takes(other)))
        .copied()
}

#[cfg(test)]
mod tests {
    use heuristics::tables::families;
    use invariants::Invariants;
    use pattern_databases::Options;

    use super::*;

    /// Families of the 8-puzzle, the one whose first tables are the least work first. The first
    /// tables of it have a score, and those of all others another one.
    fn tried(score: f64, others: f64) -> Vec<Growing> {
        let text = domains::generate("sliding-tiles", &["3", "3"]).expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game without errors");
        let known = Invariants::from_goals(&game);
        let found = families(&game, &known, &Options::default(), 1 << 30, &[]);
        let mut growing: Vec<Growing> = found.into_iter().map(Growing::new).collect();
        growing.sort_by(|one, other| one.work(0).total_cmp(&other.work(0)));
        assert!(growing.len() > 2);
        for (number, it) in growing.iter_mut().enumerate() {
            let candidate = it.family.candidates[0].clone();
            it.built(&candidate, if number == 0 { score } else { others });
        }
        growing
    }

    #[test]
    fn families_that_are_behind_are_not_built_when_the_best_one_ends() {
        let mut growing = tried(10.0, 9.0);
        assert_eq!(next(&growing, 1e6).map(|(number, _)| number), Some(0));
        growing[0].give_up();
        assert_eq!(next(&growing, 1e6), None);
        // As good as the best one.
        let mut growing = tried(10.0, 9.99);
        growing[0].give_up();
        assert!(next(&growing, 1e6).is_some());
    }
}
