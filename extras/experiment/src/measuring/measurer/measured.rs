//! Results of searches and counts, as measurements.

use std::time::Duration;

use psvn::solve::{self, Answer, check_solution, compare};
use psvn::text::Terms;
use psvn::{Error, Game, instance};
use search::{CompleteLevels, StopReason};

use crate::{Instance, LevelKind, Measured, Outcome};

/// An instance as searches take it. Its text was made from a state.
pub(super) fn parsed(instance: &Instance, named: &Game) -> instance::Instance {
    let state = named.ir().parse_state(&instance.start);
    instance::Instance::new(
        instance.id.clone(),
        state.expect("the text was written from a state of this game"),
        instance.known_cost.map(u128::from),
    )
}

/// The time of preparations.
#[derive(Clone, Copy, Default)]
pub(super) struct Preparation {
    /// All of them, also those that had been made before.
    pub(super) all: Duration,
    /// Those that had been made before, for another method.
    pub(super) reused: Duration,
}

/// An error with its hint, on one line.
pub(super) fn in_words(error: &Error, terms: &dyn Terms) -> String {
    match message_and_hint(error, terms) {
        (message, Some(hint)) => format!("{message} ({hint})"),
        (message, None) => message,
    }
}

/// An error and its hint in words.
pub(super) fn message_and_hint(error: &Error, terms: &dyn Terms) -> (String, Option<String>) {
    if let Error::Text(_) = error {
        return ("what is wrong is shown above".to_owned(), None);
    }
    let hint = error.hint().map(|hint| hint.in_terms_of(terms));
    (error.message().in_terms_of(terms), hint)
}

/// Complete a measurement; `None` if it was interrupted.
pub(super) fn finish(
    measured: Result<Option<Measured>, Error>,
    spent: Option<Duration>,
    preparation: Preparation,
    terms: &dyn Terms,
) -> Option<Measured> {
    let mut measured = match measured {
        Ok(measured) => measured?,
        Err(failure) => Measured::failed(in_words(&failure, terms)),
    };
    measured.cpu_seconds = spent.map(|spent| spent.as_secs_f64());
    measured.preparation_seconds = preparation.all.as_secs_f64();
    measured.reused_seconds = preparation.reused.as_secs_f64();
    Some(measured)
}

/// Why a search stopped; `None` where it was interrupted.
fn stopped(reason: StopReason) -> Option<Outcome> {
    match reason {
        StopReason::Nodes => Some(Outcome::Nodes),
        StopReason::Time => Some(Outcome::Time),
        StopReason::Memory => Some(Outcome::Memory),
        StopReason::CostOverflow => Some(Outcome::CostOverflow),
        StopReason::Interrupted => None,
        _ => Some(Outcome::Memory),
    }
}

fn small(number: u128) -> Option<u64> {
    u64::try_from(number).ok()
}

/// The result of a search whose solution has been checked.
pub(super) fn solved(
    is_optimal: bool,
    named: &Game,
    instance: &instance::Instance,
    answer: Answer,
) -> Result<Option<Measured>, Error> {
    let outcome = match &answer.outcome {
        solve::Outcome::Solved(_) => Some(Outcome::Solved),
        solve::Outcome::NoSolution { .. } => Some(Outcome::NoSolution),
        solve::Outcome::NotWithinDepth => Some(Outcome::NotWithinDepth),
        solve::Outcome::NotWithinCost => Some(Outcome::NotWithinCost),
        solve::Outcome::NotFound => Some(Outcome::NotFound),
        solve::Outcome::Stopped(reason) => stopped(*reason),
    };
    let Some(outcome) = outcome else {
        return Ok(None);
    };
    let solution = answer.solution();
    if let Some(solution) = solution {
        check_solution(named, instance, solution)?;
    }
    if let Some(problem) = compare(is_optimal, instance, &answer.outcome) {
        return Err(Error::wrong(problem));
    }
    Ok(Some(Measured {
        outcome,
        cost: solution.and_then(|solution| small(solution.cost)),
        length: solution.and_then(|solution| u64::try_from(solution.length()).ok()),
        h0: answer.heuristic_start,
        generated: small(answer.generated),
        expanded: small(answer.expanded),
        pruned: small(answer.pruned),
        generated_is_counted: Some(answer.counts_in_bulk()),
        states: answer.kept.as_ref().map(|kept| kept.states),
        levels: answer
            .iterations
            .iter()
            .map(|i| (i.bound, i.generated))
            .collect(),
        level_kind: (!answer.iterations.is_empty()).then_some(LevelKind::Bound),
        seconds: answer.elapsed.as_secs_f64(),
        cache_misses: answer.cache_misses.and_then(Result::ok),
        pruning: answer.pruning,
        ..Measured::default()
    }))
}

/// The counts of a tree: all of them, or those of its complete depths, with a lower bound on its
/// nodes.
pub(super) fn counted_tree(count: &CompleteLevels) -> Option<Measured> {
    let tree = &count.tree;
    let totals = tree.totals();
    let (outcome, elapsed) = match tree.stopped {
        None => (Outcome::Complete, tree.elapsed),
        Some(reason) => (stopped(reason)?, count.elapsed),
    };
    Some(Measured {
        outcome,
        generated: small(count.at_least),
        expanded: small(totals.expanded).filter(|_| tree.stopped.is_none()),
        generated_is_counted: Some(true),
        levels: (0..)
            .zip(&tree.levels)
            .map(|(depth, level)| (depth, level.generated))
            .collect(),
        level_kind: Some(LevelKind::Depth),
        seconds: elapsed.as_secs_f64(),
        ..Measured::default()
    })
}
