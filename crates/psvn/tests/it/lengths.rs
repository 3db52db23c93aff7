//! `--prune auto` takes at most a fixed multiple of the steps of the best fixed length.

use psvn::{Cache, Environment, Game, PruneSpec, Solver};

/// The steps of a node without a heuristic. An analysis counts steps of the same kind.
const STEPS_OF_NODE: f64 = 10.0;

/// The part of the work that deciding about analyses may take.
const MOST_DECIDING: f64 = 0.1;

/// The nodes of a search, and its steps with those of its analyses.
fn solve(name: &str, start: &str, prune: PruneSpec, env: &Environment) -> (u128, f64) {
    let game = Game::built_in(name, env).unwrap();
    let start = game.state("the start", start).unwrap();
    let builder = Solver::builder(&game).heuristic("zero".parse().unwrap());
    let builder = builder.prune(prune).starts([start.clone()]);
    let solver = builder.build(env).unwrap();
    let answer = solver.solve(&start).unwrap();
    assert!(answer.solution().is_some(), "{name}");
    let of_nodes = answer.generated as f64 * STEPS_OF_NODE;
    let steps = of_nodes + solver.pruning().analysis_steps();
    let deciding = solver.pruning().deciding_steps();
    assert!(
        deciding <= MOST_DECIDING * steps,
        "{name}: {deciding} of {steps}"
    );
    (answer.generated, steps)
}

/// Auto takes at most `most[0]` times the steps of the best of some lengths without a cache, and at
/// most `most[1]` times as many in the second run with one. Fixed lengths have no cache.
fn check(name: &str, start: &str, lengths: &[usize], most: [f64; 2]) {
    let cold = Environment::default();
    let fixed: Vec<(u128, f64)> = lengths
        .iter()
        .map(|length| solve(name, start, PruneSpec::Length(*length), &cold))
        .collect();
    let best = fixed.iter().map(|it| it.1).min_by(f64::total_cmp).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cache = Environment::default().with_cache(Cache::in_folder(folder.path()));
    for (run, most) in ["cold", "warm"].into_iter().zip(most) {
        let auto = solve(name, start, PruneSpec::Auto, &cache);
        assert!(auto.1 <= most * best, "{name}, {run}: {auto:?}, {fixed:?}");
    }
}

#[test]
fn auto_is_not_far_from_the_best_length() {
    // In Hanoi and with tiles the best length can't be known before the search.
    check("gripper:5", "usual", &[2, 3], [1.2, 0.5]);
    check("slide-jump:3", "usual", &[2, 3], [0.2, 0.15]);
    check("hanoi:4:5", "usual", &[3, 4], [2.3, 0.25]);
    check("pancake:8", "4 6 1 2 3 7 5 8", &[2, 3, 4], [1.0, 1.0]);
    check(
        "sliding-tiles:3:3",
        "6 4 7 8 5 0 3 2 1",
        &[6, 8],
        [1.5, 1.5],
    );
}

/// An analysis in the cache that takes long to read isn't read before the search, but as soon as it
/// saves more than that; and it counts as read, not as made.
#[test]
fn a_kept_analysis_is_read_once_it_saves_more_than_reading_it() {
    let (name, start) = ("blocks:7", "0 0 5 0 7 5 0 0 0 1 3 7 0 2 6");
    let folder = tempfile::tempdir().unwrap();
    let keeping = Cache::in_folder(folder.path()).with_least_time(std::time::Duration::ZERO);
    let cache = Environment::default().with_cache(keeping);
    let made = solve(name, start, PruneSpec::Length(4), &cache);
    let auto = solve(name, start, PruneSpec::Auto, &cache);
    let of_analysis = |(nodes, steps): (u128, f64)| steps - nodes as f64 * STEPS_OF_NODE;
    assert!(
        of_analysis(auto) < 0.25 * of_analysis(made),
        "{auto:?}, {made:?}"
    );
    assert!(2 * auto.0 < 3 * made.0, "{auto:?}, {made:?}");
}
