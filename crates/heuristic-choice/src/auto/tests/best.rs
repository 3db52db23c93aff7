//! The choice beside the best candidate there is.

use advisor::SECOND;
use budget::Watch;
use heuristics::automatic;
use heuristics::tables::{Candidate, families};
use pattern_databases::Options;

use super::*;
use crate::auto::{FIRST_TRY, SAMPLES};

impl Case {
    /// The steps of `auto` for all starts; and the names and steps of the candidates that take less
    /// than a part of them, apart from those of the first try.
    fn auto_and_better(
        &self,
        first_try: Steps,
        memory: usize,
        part: f64,
    ) -> (Steps, Vec<(String, Steps)>) {
        let (chosen, _, spent) = self.choose_counted(first_try, memory);
        let rest = self.steps(&chosen.estimate, &chosen.found, f64::INFINITY);
        let auto = spent + rest.expect("no limit");
        let most = (auto - first_try).max(0.0) * part;
        let samples = sample_states(&self.game, &self.known, SAMPLES, self.host.seed());
        let options = Options {
            invariants: Some(self.known.clone()),
            ..Options::default()
        };
        let mut better = Vec::new();
        let cheap = automatic(&self.game, &self.known, &self.starts, &Watch::default()).heuristic;
        let alone = Combined::from(cheap.clone());
        let steps = self.steps(&alone, &[], most);
        better.extend(steps.map(|steps| (cheap.to_string(), steps)));
        let found = families(&self.game, &self.known, &options, memory as u128, &samples);
        for candidate in found.iter().flat_map(|family| &family.candidates) {
            let build = candidate.work() as f64;
            if build >= most {
                continue;
            }
            let patterns = candidate
                .build(&self.game, &options)
                .expect("tables that fit");
            let estimate = Combined::new(None, patterns, candidate.words());
            for estimate in [estimate, both(candidate, &self.game, &options, &cheap)] {
                let steps = self.steps(&estimate, &[], most - build);
                better.extend(steps.map(|steps| (estimate.to_string(), build + steps)));
            }
        }
        (auto, better)
    }
}

/// Tables of a candidate beside a heuristic with a name.
fn both(
    candidate: &Candidate,
    game: &psvn_ir::Game,
    options: &Options<'_>,
    cheap: &Named,
) -> Combined {
    let patterns = candidate.build(game, options).expect("tables that fit");
    Combined::new(Some(cheap.clone()), patterns, candidate.words())
}

/// The work of `auto` after its first try is at most this many times that of the best candidate, in
/// steps. A first try without tables is always made: looking for tables takes about as long.
///
/// A search that builds only after it has searched for as long as building takes needs up to twice
/// the work of building at once. Smaller tables that were built on the way add to that.
const MOST_TIMES: f64 = 2.0;

#[allow(clippy::print_stdout, reason = "a long run says what it compared")]
fn assert_near_the_best(name: &str, case: &Case, first_try: Steps, memory: usize, most_times: f64) {
    let (auto, better) = case.auto_and_better(first_try, memory, 1.0 / most_times);
    let best = better.iter().min_by(|one, other| one.1.total_cmp(&other.1));
    let seconds = |steps: Steps| steps / SECOND;
    match best {
        None => println!(
            "{name}: auto {:.2} s, no candidate takes a part of it that matters",
            seconds(auto)
        ),
        Some((words, steps)) => println!(
            "{name}: auto {:.2} s, {words} {:.2} s",
            seconds(auto),
            seconds(*steps)
        ),
    }
    assert!(better.is_empty(), "{name}: {auto} steps, {better:?}");
}

#[test]
fn auto_is_not_far_from_the_best_candidate() {
    let near = |name: &str, case: &Case, first_try| {
        assert_near_the_best(name, case, first_try, MIB, MOST_TIMES);
    };
    near("8-puzzle", &hard_eights(), 2e4);
    near("9 pancakes", &Case::walks("pancake", &["9"], 20), 2e3);
    near("2x2x2", &Case::walks("rubik", &["2", "fixed"], 3), 1e6);
}

/// The same for searches that take longer. Run it by `--ignored --nocapture`; it prints a line for
/// each game.
#[test]
#[ignore = "takes 5 minutes: searches with each candidate"]
fn manual_auto_is_not_far_from_the_best_candidate_in_hard_games() {
    for (name, args, n) in [
        ("rubik", &["3"][..], 1),
        ("rubik", &["2"], 5),
        ("topspin", &["12", "4"], 6),
        ("hanoi", &["4", "6"], 3),
        ("blocks", &["7"], 4),
        ("blocks", &["9"], 3),
        ("pancake", &["16"], 6),
        ("topspin", &["14", "4"], 6),
        ("hanoi", &["4", "8"], 3),
    ] {
        let case = Case::walks(name, args, n);
        let name = format!("{name} {}", args.join(" "));
        assert_near_the_best(&name, &case, FIRST_TRY, 256 * MIB, MOST_TIMES);
    }
    for (name, args, length) in [
        ("rubik", &["3"][..], 12),
        ("rubik", &["3"], 14),
        ("sliding-tiles", &["4", "4"], 1000),
        ("topspin", &["16", "4"], 200),
        ("pancake", &["24"], 200),
        ("hanoi", &["4", "9"], 5000),
        ("blocks", &["10"], 200),
    ] {
        let case = Case::walk(name, args, length);
        let name = format!("{name} {}, walk of {length}", args.join(" "));
        assert_near_the_best(&name, &case, FIRST_TRY, 256 * MIB, MOST_TIMES);
    }
}
