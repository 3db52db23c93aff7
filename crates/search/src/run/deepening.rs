//! Iterative deepening: rounds of searches within a bound that is raised after each.
//!
//! This loop serves every walker and every kind of bound; a walker implements [`Rounds`].

use crate::heuristic::weight::Weight;
use crate::run::budgeted;
use crate::run::limits::{StopReason, Watch};
use crate::run::options::Part;
use crate::run::report::{LevelCount, Outcome, Solution, SolveReport, Totals, without_empty_end};
use crate::walk::outcome::End;
use crate::walk::threshold::Frontier;

/// How the bound is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Raise {
    /// To the least estimated total cost above the last bound: IDA\*.
    ToLeast,
    /// So far that about this many times as many nodes are expanded as in the last round: IDA\*_CR.
    By(Weight),
    /// Never: search everything within this cost once, for the best solution.
    Never(u64),
    /// As [`ToLeast`](Self::ToLeast), in parts.
    InParts(Part),
    /// By one move at a time, up to this depth.
    ByMoves(u64),
    /// So far that the nodes grow by a factor, which budgets ensure: budgeted tree search.
    Budgeted,
}

impl Raise {
    /// Return whether a round continues after a solution, to find a better one.
    pub(crate) fn seeks_best(self) -> bool {
        matches!(self, Raise::By(_) | Raise::Never(_))
    }
}

/// The result of a round.
pub(crate) struct Round {
    pub(crate) end: Result<(), StopReason>,
    /// The totals, without the root.
    pub(crate) counts: Totals,
    /// The counts by depth with the root; empty if they were not kept.
    pub(crate) levels: Vec<LevelCount>,
    pub(crate) overflow: bool,
    /// The rules of the best solution, which is the first one unless the round sought the best.
    pub(crate) found: Option<Vec<u32>>,
    pub(crate) frontier: Frontier,
}

impl Round {
    /// Make the round of a walk that counts by depth, with the best solution that it found on the
    /// way.
    pub(crate) fn of_walk(
        end: End,
        best: Option<Vec<u32>>,
        levels: &[LevelCount],
        overflow: bool,
        frontier: Frontier,
    ) -> Self {
        let levels = without_empty_end(levels);
        let (end, found) = match end {
            End::Exhausted => (Ok(()), best),
            End::Goal(rules) => (Ok(()), Some(rules)),
            End::Stopped(reason) => (Err(reason), best),
        };
        let mut counts = Totals::default();
        levels.iter().for_each(|level| counts.add(level));
        // The root is not a child.
        counts.generated = counts.generated.saturating_sub(1);
        Self {
            end,
            counts,
            levels,
            overflow,
            found,
            frontier,
        }
    }

    /// Make the round of a root that isn't expanded.
    pub(crate) fn of_root(frontier: Frontier) -> Self {
        Self::of_walk(End::Exhausted, None, &[LevelCount::ROOT], false, frontier)
    }
}

/// A walker that searches the tree below one start within a bound, any number of times.
pub(crate) trait Rounds {
    /// Return the greatest bound that a round may have.
    fn max_bound(&self) -> u64;

    /// Search all paths within a bound on estimated total cost, or on the number of moves.
    /// `frontier` receives the nodes above the bound. With `best`, find the best solution;
    /// otherwise the first one.
    ///
    /// # Errors
    /// When a limit is reached before the walk begins.
    fn round(
        &mut self,
        bound: u64,
        best: bool,
        frontier: Frontier,
        watch: &mut Watch<'_, '_>,
    ) -> Result<Round, StopReason>;
}

/// Raise the bound until there is a solution or a proof that there is none. `first` is the first
/// bound: a depth, or the estimated total cost of the start, which isn't a dead end. Bounds are
/// reported in parts of `part`.
pub(crate) fn deepen(
    rounds: &mut dyn Rounds,
    game: &psvn_ir::Game,
    first: u64,
    part: u64,
    raise: Raise,
    report: &mut SolveReport,
    watch: &mut Watch<'_, '_>,
) -> Outcome {
    if raise == Raise::Budgeted {
        return budgeted::search(rounds, game, first, report, watch);
    }
    let mut pace = Pace::default();
    let max_bound = rounds.max_bound();
    let mut bound = match raise {
        Raise::Never(bound) => bound.min(max_bound),
        Raise::InParts(of) => first
            .max(of.first_bound.saturating_mul(part))
            .min(max_bound),
        Raise::ToLeast | Raise::By(_) | Raise::ByMoves(_) | Raise::Budgeted => first,
    };
    loop {
        let _span = tracing::debug_span!("bound", bound = bound / part).entered();
        watch.bound = bound / part;
        let frontier = match raise {
            Raise::By(_) => Frontier::counted(bound),
            _ => Frontier::least(),
        };
        let round = match rounds.round(bound, raise.seeks_best(), frontier, watch) {
            Ok(round) => round,
            Err(reason) => return Outcome::Stopped(reason),
        };
        counted(&round, bound / part, report);
        let found = round.found.map(|rules| Solution::of_rules(game, rules));
        match (round.end, found) {
            (Ok(()), Some(solution)) => return Outcome::Solved(solution),
            (Err(reason), best_so_far) => {
                report.best_so_far = best_so_far;
                return Outcome::Stopped(reason);
            }
            (Ok(()), None) => {}
        }
        let wanted = match raise {
            Raise::By(growth) => pace.wanted(growth, &round.counts),
            _ => 0.0,
        };
        match round.frontier.next_bound(wanted) {
            None if !round.overflow => return Outcome::NoSolution,
            _ if matches!(raise, Raise::Never(_)) => return Outcome::NotWithinCost,
            _ if raise == Raise::ByMoves(bound) => return Outcome::NotWithinDepth,
            None => return Outcome::Stopped(StopReason::CostOverflow),
            Some(next) => {
                // Above the greatest bound only the least total is known, if any.
                let next = if next > max_bound {
                    round.frontier.next_bound(0.0).unwrap_or(next)
                } else {
                    next
                };
                if next > max_bound {
                    return Outcome::Stopped(StopReason::CostOverflow);
                }
                pace.admitted = round.frontier.admitted(next);
                bound = next;
                if let Raise::InParts(of) = raise
                    && report.totals.generated > u128::from(of.pause_above)
                {
                    report.next_bound = Some(next / part);
                    return Outcome::Stopped(StopReason::Nodes);
                }
            }
        }
    }
}

/// Add the counts of a round to a report.
pub(super) fn counted(round: &Round, bound: u64, report: &mut SolveReport) {
    if round.levels.is_empty() {
        report.add_totals(bound, &round.counts);
    } else {
        report.add_iteration(bound, &round.levels);
    }
}

/// An estimate of how many nodes a raised bound adds.
///
/// Sarkar et al. 1991 admit as many nodes above the last bound as the next round shall add. But
/// each admitted node has a subtree; the rounds so far show how large these are.
#[derive(Debug, Default)]
struct Pace {
    /// The nodes expanded in the last round.
    expanded: f64,
    /// The nodes above that bound that were admitted after the round.
    admitted: u64,
}

impl Pace {
    /// Return how many nodes to admit after a round with these counts.
    fn wanted(&mut self, growth: Weight, counts: &Totals) -> f64 {
        let before = std::mem::replace(&mut self.expanded, counts.expanded as f64);
        // Each admitted node adds at least itself.
        let each = match self.admitted {
            0 => 1.0,
            admitted => ((self.expanded - before) / admitted as f64).max(1.0),
        };
        let growth = f64::from(growth.numerator()) / f64::from(growth.denominator());
        (growth - 1.0) * self.expanded.max(1.0) / each
    }
}
