//! A check on all states of a small game whether estimates are ever too high.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use budget::{Limits, Watch};
use psvn_ir::{Game, State};

use super::by_width;
use super::error::BlockError;
use super::heuristic::{AnyHeuristic, BlockHeuristic, Failed, estimates, with_erased};
use super::moves::Moves;
use super::rows::Rows;
use crate::game::cell::Cell;
use crate::game::compiled::check_state;
use crate::heuristic::DEAD_END;
use crate::run::limits::StopReason;

/// The number of states that are estimated at once.
const BATCH: usize = 4096;

/// The number of states that are made between two checks of the limits.
const BETWEEN_CHECKS: usize = 1 << 10;

/// The result of comparing estimates with least costs.
///
/// `W` describes a state whose estimate is too high.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ComparedEstimates<W = WrongEstimate> {
    /// The states that the start leads to, all of which were estimated.
    pub states: u64,
    /// Those among them from which a goal can be reached.
    pub solvable: u64,
    /// Whether no estimate is greater than the least cost to a goal.
    pub admissible: bool,
    /// Whether goal states have the estimate 0, and no rule lowers an estimate by more than it
    /// costs.
    pub consistent: bool,
    /// The states whose estimate is too high.
    pub too_high: u64,
    /// The rules that lower an estimate by more than they cost, counted for each state.
    pub inconsistent_steps: u64,
    /// The state whose estimate is too high by most.
    pub worst: Option<W>,
    /// The mean of the estimates of solvable states, except those taken for dead ends.
    pub mean_estimate: f64,
    /// The mean of the least costs of the same states.
    pub mean_cost: f64,
}

impl<W> ComparedEstimates<W> {
    /// Describe the worst state in another form.
    pub fn map_worst<V>(self, describe: impl FnOnce(W) -> V) -> ComparedEstimates<V> {
        ComparedEstimates {
            states: self.states,
            solvable: self.solvable,
            admissible: self.admissible,
            consistent: self.consistent,
            too_high: self.too_high,
            inconsistent_steps: self.inconsistent_steps,
            worst: self.worst.map(describe),
            mean_estimate: self.mean_estimate,
            mean_cost: self.mean_cost,
        }
    }
}

/// An estimate that is too high.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongEstimate {
    /// The state.
    pub state: State,
    /// Its estimate; [`DEAD_END`] if it was taken for a dead end.
    pub estimate: u64,
    /// The least cost from it to a goal.
    pub cost: u64,
}

/// Compare estimates with the least costs to a goal, for all states that a start leads to.
///
/// The limits hold for finding the states, and [`Limits::nodes`] is the greatest number of them.
///
/// # Errors
/// When the start is not a state of the game, a limit is reached, or the heuristic fails.
pub fn compare_estimates<H: BlockHeuristic + ?Sized>(
    game: &Game,
    start: &State,
    heuristic: &mut H,
    limits: &Limits,
) -> Result<ComparedEstimates, BlockError<H::Error>> {
    with_erased(heuristic, |heuristic| {
        compare_with(game, start, heuristic, limits)
    })
}

fn compare_with(
    game: &Game,
    start: &State,
    heuristic: &mut AnyHeuristic<'_>,
    limits: &Limits,
) -> Result<ComparedEstimates, BlockError<Failed>> {
    let variables = game.variables().iter();
    check_state(variables.map(|id| game.domain(*id).size()), start.values())?;
    by_width!(game, C => {
        let space = Space::<C>::from(game, start, limits).map_err(BlockError::Stopped)?;
        space.check(heuristic)
    })
}

/// All states that a start leads to, with the steps between them.
struct Space<C> {
    rows: Rows<C>,
    moves: Moves<C>,
    /// Each step's target, source and cost, in the order in which states were expanded.
    steps: Vec<(u32, u32, u64)>,
}

impl<C: Cell> Space<C> {
    fn from(game: &Game, start: &State, limits: &Limits) -> Result<Self, StopReason> {
        let mut moves = Moves::<C>::new(game);
        let mut rows = Rows::new(moves.n_variables());
        rows.insert(&Moves::row(start));
        let watch = Watch::new(limits.clone());
        let most = limits.nodes.unwrap_or(u64::MAX);
        let (mut steps, mut child, mut rules) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        while at < rows.len() {
            if at % BETWEEN_CHECKS == 0 {
                let bytes = rows.bytes() + steps.capacity() * size_of::<(u32, u32, u64)>();
                watch.check_resources(bytes)?;
            }
            let from = at as u32;
            moves.applicable(rows.row(from), &mut rules);
            for rule in &rules {
                child.clear();
                let cost = moves.append(*rule, rows.row(from), &mut child);
                steps.push((rows.insert(&child).0, from, cost));
            }
            if rows.len() as u64 > most {
                return Err(StopReason::Nodes);
            }
            at += 1;
        }
        Ok(Self { rows, moves, steps })
    }

    /// Return the least cost from each state to a goal; `None` where there is no path.
    fn costs(&mut self) -> Vec<Option<u64>> {
        let n_states = self.rows.len();
        let mut costs = vec![None; n_states];
        let mut waiting = BinaryHeap::new();
        for number in 0..n_states as u32 {
            if self.moves.is_goal(self.rows.row(number)) {
                costs[number as usize] = Some(0);
                waiting.push(Reverse((0_u64, number)));
            }
        }
        self.steps.sort_unstable();
        while let Some(Reverse((cost, to))) = waiting.pop() {
            if costs[to as usize] != Some(cost) {
                continue;
            }
            let first = self.steps.partition_point(|step| step.0 < to);
            let arriving = self.steps[first..].iter().take_while(|step| step.0 == to);
            for (_, from, of_step) in arriving {
                let by_this = cost.saturating_add(*of_step);
                if costs[*from as usize].is_none_or(|known| by_this < known) {
                    costs[*from as usize] = Some(by_this);
                    waiting.push(Reverse((by_this, *from)));
                }
            }
        }
        costs
    }

    fn check(
        mut self,
        heuristic: &mut AnyHeuristic<'_>,
    ) -> Result<ComparedEstimates, BlockError<Failed>> {
        let n_variables = self.moves.n_variables();
        let mut found = Vec::with_capacity(self.rows.len());
        for first in (0..self.rows.len()).step_by(BATCH) {
            let n_states = BATCH.min(self.rows.len() - first);
            let mut rows = self.rows.since(first)[..n_states * n_variables].to_vec();
            found.extend(estimates(heuristic, &mut rows, n_variables, n_states)?);
        }
        let costs = self.costs();
        let mut checked = ComparedEstimates {
            states: costs.len() as u64,
            solvable: 0,
            admissible: true,
            consistent: true,
            too_high: 0,
            inconsistent_steps: 0,
            worst: None,
            mean_estimate: 0.0,
            mean_cost: 0.0,
        };
        let (mut most, mut n_finite) = (0, 0_u64);
        for (number, (h, cost)) in (0..).zip(found.iter().zip(&costs)) {
            let Some(cost) = *cost else {
                continue;
            };
            checked.solvable += 1;
            if *h != DEAD_END {
                n_finite += 1;
                checked.mean_estimate += *h as f64;
                checked.mean_cost += cost as f64;
            }
            let is_wrong_goal = cost == 0 && *h > 0 && self.moves.is_goal(self.rows.row(number));
            checked.consistent &= !is_wrong_goal;
            if *h > cost {
                checked.too_high += 1;
                if h - cost > most {
                    most = h - cost;
                    checked.worst = Some(WrongEstimate {
                        state: Moves::state(self.rows.row(number)),
                        estimate: *h,
                        cost,
                    });
                }
            }
        }
        for (to, from, cost) in &self.steps {
            let (of_from, of_to) = (found[*from as usize], found[*to as usize]);
            let is_lowered = of_from > of_to.saturating_add(*cost);
            checked.inconsistent_steps += u64::from(is_lowered);
        }
        checked.admissible = checked.too_high == 0;
        checked.consistent &= checked.inconsistent_steps == 0;
        checked.mean_estimate /= n_finite.max(1) as f64;
        checked.mean_cost /= n_finite.max(1) as f64;
        Ok(checked)
    }
}
