//! Advice for searches that were stopped, or take long.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use budget::{Limits, Watch};
use heuristics::automatic;
use psvn_ir::State;
use search::{DEAD_END, StopReason};

use super::Solver;
use crate::game::Game;
use crate::heuristic::{HeuristicSpec, Name};
use crate::solve::pruning::PreparedPruning;
use crate::text::{Message, Parameter, message};

/// The most terms and values that a hint may examine: some milliseconds, whatever the game.
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

impl Solver {
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
        let takes_auto = algorithm.takes_heuristic() && !algorithm.estimates_both_ways();
        let is_full = matches!(reason, StopReason::Memory | StopReason::Disk);
        if !takes_auto || (is_full && algorithm.detects_duplicates()) {
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
