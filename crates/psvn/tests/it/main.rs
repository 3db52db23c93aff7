//! The facade, as other programs use it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod foreign;
mod lengths;
/// An example that is run: its assertions check what it shows.
#[path = "../../examples/lost_solution.rs"]
mod lost_solution;
mod machines;
/// The same.
#[path = "../../examples/own_heuristic.rs"]
mod own_heuristic;
mod requests;
mod results;
mod searches;
mod splits;
mod transfer;
mod units;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use psvn_syntax::Diagnostic;

use psvn::analysis::{
    Assume, Composition, ExplainOptions, Letters, MachineKind, Method, RuleOrderChoice,
    WordVerdict, explain,
};
use psvn::heuristic::{Pattern, PatternTables, TableOptions, named_pattern};
use psvn::instance::{Instance, InstanceFormat, Judged, RandomWalks};
use psvn::machine::{MachineFlaw, TransitionTable, WordFilter, WordList, verify};
use psvn::solve::plan::{self, PlanChecker};
use psvn::solve::{
    Cycles, RecordContext, Series, SolveRecord, TranspositionTable, TreeReport, TreeRequest,
};
use psvn::text::Choice;
use psvn::{
    Algorithm, Answer, Cache, Environment, Error, ErrorKind, Event, Game, HeuristicSpec, Limits,
    NotCounted, Outcome, PruneSpec, Pruning, SearchOptions, Solver, StopReason, Versioned,
    check_moves,
};

const EIGHT: &str = "sliding-tiles:3:3";
const FAR: &str = "8 7 6 5 4 3 2 1 0";

/// Limits with a number of nodes alone.
fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn shared_by_threads<T: Send + Sync>(_: &T) {}
