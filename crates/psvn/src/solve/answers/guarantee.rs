//! What a search guarantees: the one place that says what is known of solutions, found or not.
//!
//! An algorithm's promises hold for heuristics that never estimate too high, and a closed set or a
//! bound may hide a solution. Texts, data and exit codes are made from what is said here.

use search::DEAD_END;

use super::answer::{Answer, Outcome};
use crate::heuristic::PreparedHeuristic;
use crate::solve::options::SearchOptions;
use crate::text::algorithm::Algorithm;
use crate::text::units::{count, group_digits};

/// The guarantees of the searches with some options and a heuristic.
///
/// That there is no solution at all needs no admissible heuristic: such a search has left out only
/// dead ends, and those of all heuristics with a name are proved.
#[derive(Clone, Debug)]
pub(crate) struct Guarantee {
    algorithm: Algorithm,
    /// The guarantee for a solution, as the end of a sentence, with an admissible heuristic.
    quality: &'static str,
    /// The heuristic, if it may estimate too high.
    doubtful: Option<String>,
    depth: Option<u64>,
    cost_bound: Option<u64>,
}

/// A bound on every solution of a start, though none was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proved {
    /// It costs at least this much.
    CostsAtLeast(u64),
    /// It has at least this many moves.
    HasMoves(u64),
}

impl Guarantee {
    /// Return the guarantees of searches with a heuristic.
    pub(crate) fn new(options: &SearchOptions, heuristic: &PreparedHeuristic) -> Self {
        let doubtful = (!heuristic.is_admissible()).then(|| heuristic.estimate.to_string());
        Self {
            algorithm: options.algorithm,
            quality: options.quality(),
            doubtful,
            depth: options.depth,
            cost_bound: options.cost_bound,
        }
    }

    /// Return the guarantees of searches with a function that estimates, of which nothing is known.
    pub(crate) fn of_function(options: &SearchOptions) -> Self {
        Self {
            algorithm: options.algorithm,
            quality: options.quality(),
            doubtful: Some("the function".to_owned()),
            depth: options.depth,
            cost_bound: options.cost_bound,
        }
    }

    /// Return what an outcome of the search means. A bound on the cost cuts off states by their
    /// estimates, so it proves nothing if these may be too high.
    pub(super) fn outcome(&self, outcome: search::Outcome) -> Outcome {
        match outcome {
            search::Outcome::Solved(solution) => Outcome::Solved(solution),
            search::Outcome::NoSolution => Outcome::NoSolution { proof: None },
            search::Outcome::NotWithinDepth => Outcome::NotWithinDepth,
            search::Outcome::NotWithinCost if self.doubtful.is_none() => Outcome::NotWithinCost,
            search::Outcome::Stopped(reason) => Outcome::Stopped(reason),
            // Outcomes that this version doesn't know prove nothing either.
            _ => Outcome::NotFound,
        }
    }

    /// Return whether solutions are of least cost.
    pub(crate) fn is_optimal(&self) -> bool {
        self.algorithm.is_optimal() && self.doubtful.is_none()
    }

    /// Return the guarantee for a solution, as the end of a sentence; empty if there is none.
    fn quality(&self) -> String {
        match &self.doubtful {
            None => self.quality.to_owned(),
            Some(heuristic) => {
                format!(", perhaps not the least cost: {heuristic} may estimate too high")
            }
        }
    }

    /// Return what a stopped search has proved about all solutions, with a bound on their cost that
    /// the search itself or tries of heuristics have proved; `None` where it has an answer, or has
    /// proved nothing.
    pub(super) fn proved(&self, answer: &Answer, at_least: Option<u64>) -> Option<Proved> {
        if !matches!(answer.outcome, Outcome::Stopped(_)) || self.doubtful.is_some() {
            return None;
        }
        let bounds = || answer.iterations.iter().rev().map(|it| it.bound);
        let estimate = answer.heuristic_start.filter(|it| *it != DEAD_END);
        let (bound, proved): (_, fn(u64) -> Proved) = match self.algorithm {
            Algorithm::Dfid => (bounds().next(), Proved::HasMoves),
            // A bound is the least cost above the bound before.
            Algorithm::Auto | Algorithm::Ida | Algorithm::IdaTable => {
                (bounds().next().max(estimate), Proved::CostsAtLeast)
            }
            // Bounds skip costs, so the last bound that was searched completely counts.
            Algorithm::IdaCr => (
                bounds()
                    .nth(1)
                    .map(|bound| bound.saturating_add(1))
                    .max(estimate),
                Proved::CostsAtLeast,
            ),
            Algorithm::Bfs
            | Algorithm::Dfs
            | Algorithm::DfsClosed
            | Algorithm::Greedy
            | Algorithm::Beam => (None, Proved::CostsAtLeast),
            // On a disk each bound is the least f of all open states, which none exceeds that is
            // on a path of least cost. In memory there are no bounds.
            Algorithm::UniformCost => (bounds().max(), Proved::CostsAtLeast),
            Algorithm::AStar => (bounds().max().max(estimate), Proved::CostsAtLeast),
            Algorithm::Anytime
            | Algorithm::Budgeted
            | Algorithm::Bidirectional
            | Algorithm::BaeStar
            | Algorithm::Nbs
            | Algorithm::Sma
            | Algorithm::BranchAndBound
            | Algorithm::Wida
            | Algorithm::WeightedAStar => (estimate, Proved::CostsAtLeast),
        };
        let bound = match proved(0) {
            Proved::CostsAtLeast(_) => bound.max(at_least),
            Proved::HasMoves(_) => bound,
        };
        bound.filter(|it| *it > 0).map(proved)
    }

    /// Return what an outcome means, in words: for a solution, the end of a sentence.
    pub(super) fn meaning(&self, answer: &Answer) -> String {
        match &answer.outcome {
            Outcome::Solved(_) => self.quality(),
            Outcome::NoSolution { proof } => no_solution(proof.as_deref()),
            Outcome::NotWithinDepth => format!("no solution of at most {}", self.depth()),
            Outcome::NotWithinCost => format!("no solution that costs at most {}", self.cost()),
            Outcome::NotFound => match (&self.doubtful, self.cost_bound) {
                (Some(heuristic), Some(_)) => format!(
                    "no solution found that costs at most {}; {heuristic} may estimate too high",
                    self.cost()
                ),
                _ => format!(
                    "no solution found within {}; a closed set may miss one of that length",
                    self.depth()
                ),
            },
            Outcome::Stopped(reason) => match (answer.proved, answer.iterations.last()) {
                (Some(Proved::CostsAtLeast(cost)), _) => format!(
                    "not solved: {reason}; every solution costs at least {}",
                    group_digits(u128::from(cost))
                ),
                (Some(Proved::HasMoves(moves)), _) => format!(
                    "not solved: {reason}; every solution has at least {}",
                    moves_in_words(moves)
                ),
                (None, Some(last)) => {
                    format!("not solved: {reason}; the last bound was {}", last.bound)
                }
                (None, None) => format!("not solved: {reason}"),
            },
        }
    }

    fn depth(&self) -> String {
        moves_in_words(self.depth.unwrap_or(0))
    }

    fn cost(&self) -> String {
        group_digits(u128::from(self.cost_bound.unwrap_or(0)))
    }
}

/// Return in words that there is no solution, with the proof if no search proved it.
pub(super) fn no_solution(proof: Option<&str>) -> String {
    let proof = proof.map(|proof| format!(": {proof}"));
    format!("no solution exists{}", proof.unwrap_or_default())
}

fn moves_in_words(moves: u64) -> String {
    count(usize::try_from(moves).unwrap_or(usize::MAX), "move")
}
