//! Certificates of costs: plans, lower bounds on the costs of all plans, and that there is no plan.
//!
//! A certificate holds its game, so it is checked by itself. The text format is that of the
//! verified checker in `proofs/`. That one reads further kinds of certificates, which are unreadable
//! here; on all others both give the same verdict.
//!
//! A lower bound is proved by a closed list: states, each with a number g. The start has 0. Each
//! successor of a listed state is listed with no greater g than on the way through that state, or
//! the proved heuristic shows that no goal is near enough. A goal is listed only with a g of at
//! least the bound. Then each plan, followed from the start, leaves the list where it must cost too
//! much, or ends in a goal that costs enough. (For A*: Dold, Helmert, Nordström, Röger & Schindler,
//! ICAPS 2025.)
//!
//! That there is no plan is proved by a list of all states that can be reached, or of their images
//! in an abstract game: the start is listed, no goal is, and no rule leads out of the list.

mod abstraction;
mod heuristic;
mod moves;
mod prepared;
mod reader;
mod table;

use rayon::prelude::*;

use self::abstraction::{Maps, abstract_moves, abstract_tests, image};
use self::heuristic::{Group, ProvedHeuristic};
pub use self::moves::VectorFlaw;
use self::moves::{Move, fits, passes};
use self::prepared::{Prepared, Setting};
pub use self::reader::UnreadableCertificate;
use self::table::{Entries, Overflow, Packing, Table};
use crate::limits::{Limits, StopReason};

/// The number of entries after which the limits are checked again.
const ENTRIES_AT_ONCE: usize = 1024;

/// Something with its line in the file, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line<T> {
    line: usize,
    item: T,
}

/// A certificate about the costs of plans, as a file gives it. Nothing is proved yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostCertificate {
    setting: Setting,
    proof: Proof,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Proof {
    /// A plan, as numbers of rules from 0.
    Plan { cost: u64, moves: Vec<usize> },
    /// A closed list.
    ClosedList {
        bound: u64,
        groups: Vec<Group>,
        closed: Entries,
    },
    /// All states that can be reached, or their images in an abstract game.
    Exhausted { maps: Maps, listed: Entries },
}

/// What a certificate claims about its game and start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CostClaim {
    /// A plan of this cost exists.
    PlanCosts(u64),
    /// Every plan costs at least this much.
    CostsAtLeast(u64),
    /// There is no plan.
    NoPlan,
}

/// Why a claim isn't proved by its certificate. Lines count from 1, all other numbers here from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum CostFlaw {
    /// A rule or a goal makes no sense in the game.
    #[error("line {line}: {flaw}")]
    Vector {
        /// The line.
        line: usize,
        /// The flaw.
        flaw: VectorFlaw,
    },
    /// A state has values that its domains don't have, or another number of values.
    #[error("line {line}: the state doesn't fit the domains")]
    OutsideDomains {
        /// The line.
        line: usize,
    },
    /// A move of the plan is no rule of the game.
    #[error("move {}: there is no such rule", step + 1)]
    UnknownRule {
        /// The move.
        step: usize,
    },
    /// A move of the plan can't be made.
    #[error("move {}: rule {} doesn't apply", step + 1, rule + 1)]
    Inapplicable {
        /// The move.
        step: usize,
        /// The rule.
        rule: usize,
    },
    /// The plan doesn't end in a goal.
    #[error("the plan doesn't lead to a goal")]
    NoGoal,
    /// The plan has another cost.
    #[error("the plan costs {cost}, not {claimed}")]
    CostDiffers {
        /// The cost that the certificate claims.
        claimed: u64,
        /// The cost of the plan.
        cost: u64,
    },
    /// A payer is no variable.
    #[error("line {line}: a payer of this group isn't a variable")]
    Payer {
        /// The line at which the group begins.
        line: usize,
    },
    /// The tables of a group charge more for a rule than it costs.
    #[error("line {line}: the tables of this group together charge more for rule {} than it costs", rule + 1)]
    Charges {
        /// The line at which the group begins.
        line: usize,
        /// The rule.
        rule: usize,
    },
    /// An abstract goal has an estimate.
    #[error("line {line}: a goal has an estimate above 0")]
    EstimateOfGoal {
        /// The line of the entry.
        line: usize,
    },
    /// An estimate falls by more than a move costs.
    #[error("line {line}: an abstract move lowers this estimate by more than its cost")]
    Estimate {
        /// The line of the entry.
        line: usize,
    },
    /// The start is neither listed with g = 0 nor far enough from all goals.
    #[error("the start isn't listed with g = 0")]
    Start,
    /// A goal is listed with a g below the bound.
    #[error("line {line}: a goal with g = {g}, which is below the bound")]
    GoalBelowBound {
        /// The line of the entry.
        line: usize,
        /// Its g.
        g: u64,
    },
    /// A successor may be on a plan that costs less than the bound.
    #[error(
        "line {line}: rule {} leads to a state that isn't listed with g <= {g}, and its estimate \
         doesn't reach the bound",
        rule + 1
    )]
    Successor {
        /// The line of the state before.
        line: usize,
        /// The rule.
        rule: usize,
        /// The g of the successor on this way.
        g: u64,
    },
    /// The start isn't listed.
    #[error("the start isn't listed")]
    StartNotListed,
    /// A goal is listed as a state that can be reached.
    #[error("line {line}: a goal is listed")]
    GoalListed {
        /// The line of the entry.
        line: usize,
    },
    /// A listed state has a successor that isn't listed.
    #[error("line {line}: rule {} leads to a state that isn't listed", rule + 1)]
    SuccessorNotListed {
        /// The line of the state before.
        line: usize,
        /// The rule.
        rule: usize,
    },
    /// A number is too large for both checkers.
    #[error("a number exceeds 2^62 - 1")]
    TooLarge,
}

/// Why a certificate isn't accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CostFailure {
    /// It doesn't prove its claim.
    #[error(transparent)]
    Flaw(#[from] CostFlaw),
    /// The check was given up.
    #[error("the check was given up: {0}")]
    Stopped(#[from] StopReason),
}

impl From<Overflow> for CostFailure {
    fn from(_: Overflow) -> Self {
        CostFlaw::TooLarge.into()
    }
}

impl CostCertificate {
    /// Return what the certificate claims.
    pub fn claim(&self) -> CostClaim {
        match self.proof {
            Proof::Plan { cost, .. } => CostClaim::PlanCosts(cost),
            Proof::ClosedList { bound, .. } => CostClaim::CostsAtLeast(bound),
            Proof::Exhausted { .. } => CostClaim::NoPlan,
        }
    }

    /// Return the number of states of its closed list, and of the entries of its tables; 0 for a
    /// plan.
    pub fn n_entries(&self) -> (usize, usize) {
        match &self.proof {
            Proof::Plan { .. } => (0, 0),
            Proof::Exhausted { listed, .. } => (listed.len(), 0),
            Proof::ClosedList { groups, closed, .. } => {
                let patterns = groups.iter().flat_map(|group| &group.patterns);
                (closed.len(), patterns.map(|it| it.estimates.len()).sum())
            }
        }
    }

    /// Check that the certificate proves its claim.
    ///
    /// Takes O(m r (n + log m)) steps for m entries of lists and tables, r rules and n variables,
    /// on all threads of the current pool.
    ///
    /// # Errors
    /// The first flaw, or the limit that was reached.
    pub fn check(&self, limits: &Limits) -> Result<(), CostFailure> {
        let game = self.setting.prepare()?;
        match &self.proof {
            Proof::Plan { cost, moves } => Ok(game.check_plan(moves, *cost)?),
            Proof::ClosedList {
                bound,
                groups,
                closed,
            } => {
                let packing = Packing::of(&self.setting.domains);
                let list = ClosedList {
                    heuristic: ProvedHeuristic::prove(&game, groups, packing, limits)?,
                    table: Table::new(closed, packing)?,
                    game,
                    bound: *bound,
                };
                list.check(closed, limits)
            }
            Proof::Exhausted { maps, listed } => check_exhausted(
                &game,
                maps,
                listed,
                Packing::of(&self.setting.domains),
                limits,
            ),
        }
    }
}

/// Check all entries, on all threads.
fn for_all(
    n_entries: usize,
    limits: &Limits,
    check: impl Fn(usize) -> Result<(), CostFailure> + Sync,
) -> Result<(), CostFailure> {
    let check = |index: usize| {
        if index.is_multiple_of(ENTRIES_AT_ONCE) {
            limits.check()?;
        }
        check(index)
    };
    let failures = (0..n_entries).into_par_iter().map(check);
    failures.find_map_first(Result::err).map_or(Ok(()), Err)
}

/// Check that a list has the image of the start, no image of a goal, and with each abstract state
/// all its successors.
fn check_exhausted(
    game: &Prepared<'_>,
    maps: &Maps,
    listed: &Entries,
    packing: Packing,
    limits: &Limits,
) -> Result<(), CostFailure> {
    let table = Table::new(listed, packing)?;
    let abstracted = |it| abstract_moves(game.domains, maps, it, 0);
    let moves: Vec<Vec<Move>> = game.moves.iter().map(abstracted).collect();
    let goals: Vec<_> = game
        .goals
        .iter()
        .map(|it| abstract_tests(maps, it))
        .collect();
    if table.find(&image(maps, game.start))?.is_none() {
        return Err(CostFlaw::StartNotListed.into());
    }
    for_all(listed.len(), limits, |index| {
        let (state, line) = (listed.state(index), listed.lines[index] as usize);
        if goals.iter().any(|tests| passes(tests, state)) {
            return Err(CostFlaw::GoalListed { line }.into());
        }
        for (rule, parts) in moves.iter().enumerate() {
            for next in parts.iter().filter_map(|it| it.carry_out(state)) {
                if table.find(&next)?.is_none() {
                    return Err(CostFlaw::SuccessorNotListed { line, rule }.into());
                }
            }
        }
        Ok(())
    })
}

struct ClosedList<'c> {
    game: Prepared<'c>,
    heuristic: ProvedHeuristic<'c>,
    table: Table<'c>,
    bound: u64,
}

impl ClosedList<'_> {
    fn check(&self, closed: &Entries, limits: &Limits) -> Result<(), CostFailure> {
        if !self.is_covered(self.game.start, 0)? {
            return Err(CostFlaw::Start.into());
        }
        for_all(closed.len(), limits, |index| {
            let line = closed.lines[index] as usize;
            self.check_entry(closed.state(index), closed.numbers[index], line)
        })
    }

    fn check_entry(&self, state: &[u32], g: u64, line: usize) -> Result<(), CostFailure> {
        if !fits(self.game.domains, state) {
            return Err(CostFlaw::OutsideDomains { line }.into());
        }
        if g < self.bound && self.game.is_goal(state) {
            return Err(CostFlaw::GoalBelowBound { line, g }.into());
        }
        for (rule, it) in self.game.moves.iter().enumerate() {
            let g = g + it.cost;
            if let Some(next) = it.carry_out(state)
                && !self.is_covered(&next, g)?
            {
                return Err(CostFlaw::Successor { line, rule, g }.into());
            }
        }
        Ok(())
    }

    /// Whether no plan through this state, reached at cost g, needs another proof than that of the
    /// list and the heuristic.
    fn is_covered(&self, state: &[u32], g: u64) -> Result<bool, Overflow> {
        if g >= self.bound || self.table.find(state)?.is_some_and(|listed| listed <= g) {
            return Ok(true);
        }
        Ok(g + self.heuristic.estimate(state)? >= self.bound)
    }
}
