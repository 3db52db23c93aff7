//! The choice of the heuristic that pays.
//!
//! First some starts are tried for a short time with the best heuristic that needs no tables. If
//! that isn't enough, tables are built if building and searching with them is expected to be less
//! work than searching without. The crate `advisor` decides that; here is what it decides about:
//! the tables that exist, tries that show how a search goes, and building.
//!
//! Work is [counted](crate::auto::steps), not timed, so that the choice is the same on every
//! machine and with any number of threads; only a limit on time reads the clock. Answers that a try
//! finds are kept.

pub(crate) mod considered;
mod duals;
mod fallback;
mod purchase;
mod rows;
pub(crate) mod selection;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
pub(crate) mod trial;

use std::time::{Duration, Instant};

use advisor::{Growth, SECOND, Steps};
use heuristics::tables::sample_states_unless;
use heuristics::{Automatic, Combined, Named, automatic};
use search::DEAD_END;

use crate::auto::selection::{Incumbent, Samples, Selection};
use crate::auto::steps::format_steps;
use crate::auto::trial::{Findings, Progress, Trial, TrialLimits, Try, n_tried, try_starts};
use crate::kept_tables::KeptTables;
use crate::{PreparedHeuristic, Request};
use budget::amounts::{count, format_bytes, format_seconds};

/// The work of the first try: about that of the first tables, which may be small and still estimate
/// much higher.
pub(crate) const FIRST_TRY: Steps = SECOND / 4.0;
/// The number of states from random walks, beside the starts, on which heuristics are compared:
/// at this number, the mean of the estimates varies by a few percent of their spread.
pub(crate) const SAMPLES: usize = 300;
/// The part of the time after the first try that all others may take, if time is limited: the
/// search needs the rest, and what they find is only of use to it.
const TRIES_SHARE: u32 = 4;

/// Choose a heuristic for the starts of a request.
pub(crate) fn choose(request: &Request<'_>, trial: &Trial<'_>) -> PreparedHeuristic {
    choose_after(FIRST_TRY, request, trial).0
}

/// Choose a heuristic. The first try takes at most `first_try` steps. Also return the steps that
/// choosing took, tables included.
pub(crate) fn choose_after(
    first_try: Steps,
    request: &Request<'_>,
    trial: &Trial<'_>,
) -> (PreparedHeuristic, Steps) {
    let started = Instant::now();
    let limits = request.named_limits();
    let cheap = automatic(request.game, request.known, request.starts, &limits);
    if let Some(reason) = cheap.stopped {
        request.host.note(format!(
            "some heuristics were left out, because {}",
            reason.clause()
        ));
    }
    let simple = reason(&cheap, request.starts.len());
    let cheap = cheap.heuristic;
    let (mut selection, tried) = after_first_try(first_try, &cheap, started, request, trial);
    let is_short = tried.is_complete() && tried.all() <= first_try;
    if tried.was_all() || is_short || request.is_interrupted() {
        return selection.end(Some(simple), started);
    }
    let first = format!(
        "{cheap} alone solves {} of {} in {}",
        tried.solved,
        count(tried.tried, "start"),
        format_steps(tried.work)
    );
    request
        .host
        .step(&|| format!("{first}; looking for tables"));
    let looking = request.host.begin();
    looking.show(&|| "comparing estimates on random walks".to_owned(), None);
    let stop = || request.is_interrupted() || selection.left() == Some(Duration::ZERO);
    let seed = request.host.seed();
    let states = sample_states_unless(request.game, request.known, SAMPLES, seed, &stop);
    selection.samples.states = states;
    let score = selection
        .samples
        .score_and_note(&selection.incumbent.estimate);
    selection.incumbent.score = score;
    drop(looking);
    let mut why = selection.build_what_pays();
    if !selection.remaining().is_known {
        why.push_str(
            "; no start is solved yet, so searches take at least the times that are given",
        );
    }
    let best = &selection.incumbent;
    let kept = match selection.store.n_from_before() {
        0 => String::new(),
        n => format!(" with {} from the cache", count(n, "table")),
    };
    let reason = if best.estimate.to_string() == cheap.to_string() {
        format!("{simple}; {first}; {why}")
    } else {
        let of_named = best.estimate.named().map_or(0, Named::n_bytes);
        let tables = match best.estimate.n_bytes() + of_named {
            0 => String::new(),
            bytes => format!("{} of tables, ", format_bytes(u128::from(bytes))),
        };
        format!(
            "estimates at {:.1} on average where {cheap} says {score:.1}; {tables}made in {}{kept}, since {first}; {why}",
            best.score,
            format_seconds(started.elapsed()),
        )
    };
    selection.end(Some(reason), started)
}

/// Try the best heuristic that needs no tables, and return a selection that begins with it.
fn after_first_try<'a>(
    first_try: Steps,
    cheap: &Named,
    started: Instant,
    request: &'a Request<'a>,
    trial: &'a Trial<'a>,
) -> (Selection<'a>, Try) {
    let estimate = Combined::from(cheap.clone());
    let in_time = |part: u32| {
        let time = request.limits.time?;
        started.checked_add(time / part)
    };
    let deadline = in_time(1);
    let n_tried = n_tried(request.starts.len());
    request
        .host
        .step(&|| format!("trying {cheap} on {}", count(n_tried, "start")));
    let mut progress = Vec::new();
    let mut findings = Findings::default();
    let within = TrialLimits {
        request,
        trial,
        has_table: false,
        usual: Growth::default(),
        budget: first_try,
        // If time is short, leave some for tables.
        deadline: in_time(4),
    };
    let tried = try_starts(&estimate, &within, None, &mut progress, &mut findings);
    let selection = Selection {
        request,
        trial,
        deadline,
        for_tries: deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()) / TRIES_SHARE),
        first_try,
        spent: tried.work,
        seconds_per_step: 1.0 / SECOND,
        samples: Samples {
            starts: request.starts,
            states: Vec::new(),
            least_costs: vec![0; request.starts.len()],
        },
        cheap: cheap.clone(),
        families: Vec::new(),
        fallback: None,
        has_table: progress.iter().any(Progress::has_table),
        incumbent: Incumbent {
            tried: Some(tried),
            progress,
            ..Incumbent::new(estimate, 0.0, 0.0)
        },
        growth: tried.growth.unwrap_or_default(),
        work_with_duals: 0.0,
        considered: Vec::new(),
        findings,
        store: KeptTables::new(request.host),
    };
    (selection, tried)
}

/// Why a heuristic with a name was chosen.
fn reason(chosen: &Automatic, n_starts: usize) -> String {
    let [(_, highest), others @ ..] = &chosen.estimates[..] else {
        return "no other one fits".to_owned();
    };
    let estimate = |sum: u128| match sum {
        sum if sum >= u128::from(DEAD_END) => "a dead end".to_owned(),
        sum => sum.to_string(),
    };
    let of = if n_starts == 1 { "start" } else { "starts" };
    let others: Vec<String> = others
        .iter()
        .map(|(name, sum)| format!("{name} {}", estimate(*sum)))
        .collect();
    format!(
        "estimates the {of} at {}; {}",
        estimate(*highest),
        others.join(", ")
    )
}
