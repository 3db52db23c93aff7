//! Tries of heuristics: how long they are, and what becomes of their answers.

use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::time::Duration;

use advisor::Growth;
use heuristics::automatic;
use search::{Outcome, StopReason};

use super::*;
use crate::auto::trial::{Findings, TrialLimits, Try, try_starts};

#[test]
fn a_try_for_the_next_bound_is_not_too_short_where_other_starts_are_solved() {
    let hard = "8 6 7 2 5 4 3 0 1";
    let mut starts = vec!["1 0 2 3 4 5 6 7 8"; 100];
    // The estimates are equal, so the hard start is tried first.
    starts[..8].fill(hard);
    let case = Case::new("sliding-tiles", &["3", "3"], &starts);
    let estimate = Combined::from(Named::new(&case.game, &case.known, &[]).expect("no name"));
    let spec = HeuristicSpec::Auto;
    let request = case.request(&spec, 0);
    let (mut progress, mut found, mut last) = (Vec::new(), Findings::default(), None::<Try>);
    // Each try is several times as long as the one before.
    for _ in 0..6 {
        let within = TrialLimits {
            request: &request,
            trial: &|bounds| Some(case.search_part(bounds)),
            has_table: false,
            usual: Growth::default(),
            budget: last.map_or(1e6, |last| last.ahead * 1.2),
            deadline: None,
        };
        let tried = try_starts(&estimate, &within, last, &mut progress, &mut found);
        assert!(tried.new > 0.0 && !tried.is_complete(), "{tried:?}");
        last = Some(tried);
    }
}

#[test]
fn answers_are_kept_and_tries_are_bounded() {
    let case = hard_eights();
    let (chosen, _) = case.choose(2e4, 16 * MIB);
    // All starts are tried, so no work is left.
    assert_eq!(chosen.found.len(), case.starts.len());
    let alone = automatic(&case.game, &case.known, &case.starts, &Watch::default()).heuristic;
    let alone = Combined::from(alone);
    for found in &chosen.found {
        let expected = case.search(&alone, &found.start, Limits::default());
        assert_eq!(cost(&found.report), cost(&expected));
    }
    let reason = chosen.reason.expect("a reason");
    assert!(reason.contains("alone solves"), "{reason}");
    // Where nothing can be built, each try stays within its part of the work.
    let (chosen, trials) = case.choose(6e4, 100);
    assert!(chosen.estimate.patterns().is_none());
    assert!(trials.iter().all(|nodes| *nodes <= 1200), "{trials:?}");
}

#[test]
fn limits_on_time_and_interruptions_end_it() {
    let case = hard_eights();
    let out_of_time = Request {
        limits: Limits {
            time: Some(Duration::ZERO),
            memory: Some(MIB),
            ..Limits::default()
        },
        ..case.request(&HeuristicSpec::Auto, MIB)
    };
    let none = |_: SomeBounds<'_>| panic!("no time for a try");
    let (chosen, _) = choose_after(2e4, &out_of_time, &none);
    assert!(chosen.estimate.patterns().is_none());
    assert!(
        chosen
            .reason
            .expect("a reason")
            .contains("the time for choosing is over")
    );

    let (chosen, _) = choose_after(2e4, &case.request(&HeuristicSpec::Auto, MIB), &|bounds| {
        case.host.interrupted.store(true, Ordering::Relaxed);
        let report = case.search_part(bounds);
        assert_eq!(report.outcome, Outcome::Stopped(StopReason::Interrupted));
        Some(report)
    });
    assert!(chosen.estimate.patterns().is_none() && chosen.found.is_empty());
}

/// Tries that learn nothing leave most of a limited time to the search.
#[test]
fn tries_take_a_part_of_a_limited_time() {
    let case = hard_eights();
    let time = Duration::from_secs(6);
    let request = Request {
        limits: Limits {
            time: Some(time),
            memory: Some(64 * MIB),
            ..Limits::default()
        },
        ..case.request(&HeuristicSpec::Auto, 64 * MIB)
    };
    let first_try = 2e4;
    let given = Cell::new(Duration::ZERO);
    choose_after(first_try, &request, &|bounds| {
        let left = bounds.limits.time.expect("a limit");
        // The first try ends by itself.
        if bounds.estimate.patterns().is_none() {
            return Some(case.search_part(bounds));
        }
        given.set(given.get() + left);
        std::thread::sleep(left);
        None
    });
    assert!(
        given.get() > Duration::ZERO && given.get() <= time / 4,
        "{given:?}"
    );
}
