//! Facts that a stopped search has proved, and advice for it.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use budget::{Limits, Watch};
use heuristics::automatic;
use psvn_ir::State;
use search::{DEAD_END, StopReason};

use super::Searcher;
use crate::game::Game;
use crate::heuristic::{HeuristicSpec, Name};
use crate::solve::answers::{Answer, Outcome};
use crate::solve::pruning::PreparedPruning;
use crate::text::algorithm::Algorithm;
use crate::text::{Message, Parameter, message};

/// A bound on every solution of a start, though none was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proved {
    /// It costs at least this much.
    CostsAtLeast(u64),
    /// It has at least this many moves.
    HasMoves(u64),
}

/// The most terms and values that are looked at for a hint: some milliseconds, whatever the game.
const STEPS_OF_HINT: u64 = 1 << 22;

/// The most bytes that the tables for a hint may take.
const BYTES_OF_HINT: usize = 8 << 20;

/// Return the heuristic with a name that estimates a start highest, if any estimate isn't 0 and it
/// can be made with little work.
fn best_named(game: &Game, pruning: &PreparedPruning, start: &State) -> Option<(Name, u128)> {
    let little = Watch::new(Limits {
        nodes: Some(STEPS_OF_HINT),
        memory: Some(BYTES_OF_HINT),
        ..Limits::default()
    });
    let starts = std::slice::from_ref(start);
    let found = automatic(game.ir(), &pruning.known, starts, &little);
    let best = found.estimates.first().copied();
    best.filter(|(_, says)| (1..u128::from(DEAD_END)).contains(says))
}

impl Searcher {
    /// Return what a stopped search has proved about all solutions; `None` where it has an answer,
    /// or has proved nothing.
    pub fn proved(&self, answer: &Answer) -> Option<Proved> {
        if !matches!(answer.outcome, Outcome::Stopped(_)) {
            return None;
        }
        let bounds = || answer.iterations.iter().rev().map(|it| it.bound);
        let estimate = answer
            .heuristic_start
            .filter(|it| self.heuristic.is_admissible() && *it != DEAD_END);
        let (bound, proved): (_, fn(u64) -> Proved) = match self.options.algorithm {
            Algorithm::Dfid => (bounds().next(), Proved::HasMoves),
            // A bound is the least cost above the bound before.
            Algorithm::Ida | Algorithm::IdaTable => {
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
            Algorithm::Bfs | Algorithm::Dfs | Algorithm::DfsClosed | Algorithm::Greedy => {
                (None, Proved::CostsAtLeast)
            }
            // On a disk each bound is the least f of all open states, which none exceeds that is
            // on a path of least cost. In memory there are no bounds.
            Algorithm::UniformCost => (bounds().max(), Proved::CostsAtLeast),
            Algorithm::AStar => (bounds().max().max(estimate), Proved::CostsAtLeast),
            Algorithm::Bidirectional
            | Algorithm::BranchAndBound
            | Algorithm::Wida
            | Algorithm::WeightedAStar => (estimate, Proved::CostsAtLeast),
        };
        let is_proved = self.heuristic.is_admissible();
        bound.filter(|it| is_proved && *it > 0).map(proved)
    }

    /// Return advice for a stopped search from a start; `None` where there is none.
    pub fn advice(&self, start: &State, reason: StopReason) -> Option<Message> {
        let algorithm = self.options.algorithm;
        let is_stopped = matches!(
            reason,
            StopReason::Interrupted
                | StopReason::Memory
                | StopReason::Disk
                | StopReason::Nodes
                | StopReason::Time
        );
        let has_tables = self.heuristic.estimate.patterns().is_some();
        let may_use_disk = algorithm.has_disk() && self.options.disk.is_none();
        let helps_disk = may_use_disk && reason == StopReason::Memory;
        let mut advice = Message::default();
        if helps_disk {
            advice.push("with `");
            advice.push(Parameter::Disk.is("FOLDER"));
            advice.push("` states that don't fit in memory go to files");
        }
        if !is_stopped || has_tables || self.options.heuristic == HeuristicSpec::Auto {
            return helps_disk.then_some(advice);
        }
        if helps_disk {
            advice.push("; ");
        }
        let is_blind = !algorithm.takes_heuristic();
        let is_full = matches!(reason, StopReason::Memory | StopReason::Disk);
        if is_blind || (is_full && algorithm.detects_duplicates()) {
            advice.push("`");
            advice.push(Parameter::Algorithm.is("ida"));
            advice.push("` with ");
        }
        advice.push("`");
        advice.push(Parameter::Heuristic.is("auto"));
        advice.push("` chooses an estimate, and builds tables where they pay");
        if self.heuristic.is_zero()
            && let Some((name, estimate)) = best_named(&self.game, &self.pruning, start)
        {
            advice.push(format!(
                "; {name} estimates {estimate} here, and a search without heuristic 0"
            ));
        }
        Some(advice)
    }

    /// Note once, during a long search without a heuristic, that there is one for the game.
    pub(super) fn adviser(&self, start: &State) -> impl FnMut() + use<> {
        let takes_one = self.options.algorithm.takes_heuristic();
        let may_take_one = takes_one && self.heuristic.is_zero();
        let wanted = self.advise_after.filter(|_| may_take_one);
        let (game, pruning, start) = (self.game.clone(), self.pruning.clone(), start.clone());
        let (env, is_advised) = (self.env.clone(), self.is_advised.clone());
        // A search in parts calls this once for each part.
        let begun = *self.first_searched.get_or_init(Instant::now);
        move || {
            let is_time = wanted.is_some_and(|after: Duration| begun.elapsed() >= after);
            if is_time
                && !is_advised.swap(true, Ordering::Relaxed)
                && best_named(&game, &pruning, &start).is_some()
            {
                env.note(message![
                    "this search has no heuristic; `",
                    Parameter::Heuristic.is("auto"),
                    "` takes one that pays"
                ]);
            }
        }
    }
}
