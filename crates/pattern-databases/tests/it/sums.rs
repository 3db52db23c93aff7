//! Sums of tables: admissible, exact where known, and the same when computed incrementally.

use abstraction::Abstraction;
use pattern_databases::{AdditiveSet, BuildError, Options, PatternDatabase, Patterns};
use psvn_ir::testing::{GameShape, SplitMix64, all_states, cases, random_game};
use psvn_ir::{Game, State, Value};
use search::{DEAD_END, FollowedPath, Heuristic, RankedTable};

use crate::random_games::shapes;
use crate::support::{cells, distances, domain, ida_star, with_memory};

fn patterns(game: &Game, texts: &[&str]) -> Vec<Abstraction> {
    let pattern = |text: &&str| Abstraction::from_pattern(game, text).unwrap();
    texts.iter().map(pattern).collect()
}

/// Return the estimate by ranks that are sums; `None` if some ranks aren't.
fn by_ranks(sum: &Patterns, state: &[Value]) -> Option<u64> {
    let rank = |table: &dyn RankedTable| -> Option<u64> {
        let numbers = table.numbers()?.into_iter();
        Some(
            numbers
                .map(|(var, of)| of[state[var.index()].index()])
                .sum(),
        )
    };
    let entry = |table: &&dyn RankedTable| Some(table.at(rank(*table)?));
    let lists = sum.properties().ranked_tables.unwrap();
    let lists = lists.iter().map(|list| {
        let mut entries = list.iter().map(entry);
        entries.try_fold(0_u64, |sum, entry| Some(sum.saturating_add(entry?)))
    });
    lists.collect::<Option<Vec<u64>>>()?.into_iter().max()
}

#[test]
fn ranks_of_towers_are_sums() {
    let game = domain("hanoi:4:4");
    let set = AdditiveSet::build(
        &game,
        &patterns(&game, &["project 1-8", "project 9-16"]),
        &Options::default(),
    );
    let sum = Patterns::sum(&game, set.unwrap()).unwrap();
    let mut n_states = 0;
    for state in all_states(&game) {
        if sum.check_start(&game, &State::new(state.clone())).is_ok() {
            n_states += 1;
            assert_eq!(by_ranks(&sum, &state), Some(sum.estimate(&cells(&state))));
        }
    }
    assert_eq!(n_states, 256);
}

/// Check a sum on all states of a small game.
fn check(game: &Game, set: AdditiveSet, context: &str) {
    let exact = distances(game);
    let sum = Patterns::sum(game, set).unwrap();
    for state in all_states(game) {
        if sum.check_start(game, &State::new(state.clone())).is_err() {
            continue;
        }
        let distance = exact.get(&state).copied().unwrap_or(DEAD_END);
        let estimate = sum.estimate(&cells(&state));
        assert!(by_ranks(&sum, &state).is_none_or(|by_ranks| by_ranks == estimate));
        assert!(
            estimate <= distance,
            "{context} {state:?}: {estimate} > {distance}"
        );
    }
}

#[test]
fn sums_never_exceed_the_distance() {
    let mut n_sums = 0;
    let mut shapes = shapes();
    // Many values, so that several patterns have some.
    shapes.push(GameShape {
        n_values: 4..=4,
        constants: 15,
        n_rules: 6..=8,
        ..GameShape::default()
    });
    for (s, shape) in shapes.iter().enumerate() {
        for seed in 0..cases(150) {
            let game = random_game(seed, shape);
            let mut random = SplitMix64::new(seed);
            let n = 2 + random.below(2) as u32;
            let by_value: Vec<Abstraction> = (0..n)
                .map(|i| Abstraction::keep_values(&game, |_, value: Value| value.0 % n == i))
                .collect();
            let by_variable: Vec<Abstraction> = (0..2)
                .map(|i| Abstraction::identity(&game).project(|var| var.0 % 2 == i))
                .collect();
            for patterns in [by_value, by_variable] {
                match AdditiveSet::build(&game, &patterns, &Options::default()) {
                    Ok(set) => {
                        n_sums += 1;
                        check(&game, set, &format!("shape {s} seed {seed}"));
                    }
                    Err(BuildError::NotAdditive(_)) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    assert!(n_sums > 200, "{n_sums}");
}

/// The single-tile tables add up to Manhattan distance.
#[test]
fn single_tiles_add_up_to_manhattan_distance() {
    let game = domain("sliding-tiles:3:4");
    let texts: Vec<String> = (1..12).map(|tile| format!("keep {tile}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let set = AdditiveSet::build(&game, &patterns(&game, &texts), &Options::default()).unwrap();
    assert!(set.not_covered().is_empty());
    for table in set.tables() {
        assert_eq!(table.n_entries(), 12);
    }
    let sum = Patterns::sum(&game, set).unwrap();
    let mut random = SplitMix64::new(3);
    for _ in 0..500 {
        let mut state: Vec<u32> = (0..12).collect();
        for i in (1..12).rev() {
            state.swap(i, random.below(i + 1));
        }
        let manhattan = state
            .iter()
            .enumerate()
            .filter(|(_, tile)| **tile != 0)
            .map(|(i, tile)| {
                let home = *tile as usize;
                (i / 4).abs_diff(home / 4) + (i % 4).abs_diff(home % 4)
            });
        // A single tile can only move next to the blank: with the blank tracked the cost may be
        // greater.
        assert!(sum.estimate(&state) >= manhattan.clone().sum::<usize>() as u64);
        assert_eq!(sum.estimate(&state), manhattan.sum::<usize>() as u64);
    }
}

/// Walk, and compare incremental look-ups with full ones.
fn walk(game: &Game, heuristic: &Patterns, seed: u64) {
    let mut random = SplitMix64::new(seed);
    let mut state = game.goal_state().unwrap().values().to_vec();
    let mut path = FollowedPath::start(heuristic, &state).unwrap();
    for step in 0..3000 {
        let rules: Vec<_> = game
            .rules_with_ids()
            .filter(|(_, rule)| rule.canonical.applies_to(&state))
            .collect();
        let (id, rule) = rules[random.below(rules.len())];
        let next = rule.canonical.apply(&state);
        path = path.child(id, &next, u64::MAX);
        assert_eq!(
            path.estimate(),
            heuristic.estimate(&cells(&next)),
            "step {step}"
        );
        state = next.to_vec();
    }
}

#[test]
fn increments_say_what_whole_look_ups_say() {
    let game = domain("sliding-tiles:3:3");
    let options = Options::default();
    let one =
        AdditiveSet::build(&game, &patterns(&game, &["keep 1-4", "keep 5-8"]), &options).unwrap();
    let other = AdditiveSet::build(
        &game,
        &patterns(&game, &["keep 1 3 6", "keep 2 5 8"]),
        &options,
    )
    .unwrap();
    assert_eq!(other.not_covered(), ["4", "7"]);
    let single =
        PatternDatabase::build(&game, &patterns(&game, &["keep 0-3"])[0], &options).unwrap();
    let single = AdditiveSet::from_tables(&game, vec![single]).unwrap();
    let all = Patterns::new(&game, vec![one, other, single]).unwrap();
    assert!(all.is_incremental());
    walk(&game, &all, 1);
    let game = domain("topspin:9:3");
    let sum =
        AdditiveSet::build(&game, &patterns(&game, &["keep 0-3", "keep 4-7"]), &options).unwrap();
    let sum = Patterns::sum(&game, sum).unwrap();
    assert!(sum.is_incremental());
    walk(&game, &sum, 2);
    let game = domain("hanoi:4:5");
    let sum = patterns(&game, &["project 1-12", "project 13-20"]);
    let sum = Patterns::sum(&game, AdditiveSet::build(&game, &sum, &options).unwrap()).unwrap();
    assert!(!sum.is_incremental());
    walk(&game, &sum, 3);
}

#[test]
fn searches_with_sums_find_least_costs() {
    let game = domain("sliding-tiles:3:3");
    let options = Options::default();
    let whole = PatternDatabase::build(&game, &Abstraction::identity(&game), &options).unwrap();
    let sum =
        AdditiveSet::build(&game, &patterns(&game, &["keep 1-4", "keep 5-8"]), &options).unwrap();
    let sum = Patterns::sum(&game, sum).unwrap();
    let mut random = SplitMix64::new(9);
    for _ in 0..50 {
        let mut state = game.goal_state().unwrap().values().to_vec();
        for _ in 0..200 {
            let rules = game
                .rules()
                .iter()
                .filter(|rule| rule.canonical.applies_to(&state));
            let rules: Vec<_> = rules.collect();
            state = rules[random.below(rules.len())]
                .canonical
                .apply(&state)
                .to_vec();
        }
        let exact = whole.estimate(&cells(&state));
        let estimate = sum.estimate(&cells(&state));
        assert!(estimate <= exact && exact - estimate < 16);
        let (cost, _) = ida_star(&game, &state, &sum);
        assert_eq!(cost, exact);
    }
}

#[test]
fn tables_with_full_costs_are_not_added() {
    let game = domain("sliding-tiles:3:3");
    let options = Options::default();
    let full =
        |text| PatternDatabase::build(&game, &patterns(&game, &[text])[0], &options).unwrap();
    let error =
        AdditiveSet::from_tables(&game, vec![full("keep 1-2"), full("keep 3-4")]).unwrap_err();
    assert!(matches!(error, BuildError::FullCosts(0)), "{error}");
    let shared = AdditiveSet::build(&game, &patterns(&game, &["keep 1-3", "keep 3-4"]), &options);
    assert!(shared.unwrap_err().to_string().contains("value `3`"));
}

#[test]
#[ignore = "takes 60 seconds: 5.8 million entries twice, from 58 million ranks"]
fn fifteen_puzzle() {
    let game = domain("sliding-tiles:4:4");
    let begin = std::time::Instant::now();
    // The 6-6-3 partition of Korf & Felner 2002.
    let sets = patterns(
        &game,
        &["keep 1 4 5 8 9 12", "keep 6 7 10 11 13 14", "keep 2 3 15"],
    );
    let set = AdditiveSet::build(&game, &sets, &Options::default()).unwrap();
    println!("built in {:?}", begin.elapsed());
    let sizes: Vec<u64> = set
        .tables()
        .iter()
        .map(PatternDatabase::n_entries)
        .collect();
    assert_eq!(sizes, [5_765_760, 5_765_760, 3_360]);
    let sum = Patterns::sum(&game, set).unwrap();
    walk(&game, &sum, 4);
    // Korf's instance 1 of 1985, 57 moves.
    let start = game
        .parse_state("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
        .unwrap();
    let begin = std::time::Instant::now();
    let (cost, generated) = ida_star(&game, start.values(), &sum);
    assert_eq!(cost, 57);
    println!("{generated} nodes in {:?}", begin.elapsed());
}

#[test]
#[ignore = "takes 20 minutes: 2.4 billion ranks, 740 MB"]
fn manual_twenty_four_puzzle() {
    let game = domain("sliding-tiles:5:5");
    let sets = patterns(&game, &["keep 1 2 5 6 7 12"]);
    let sizes = AdditiveSet::sizes(&game, &sets, &Options::default()).unwrap();
    assert_eq!(
        (sizes[0].ranks, sizes[0].entries),
        (2_422_728_000, 127_512_000)
    );
    assert!(sizes[0].building_bytes < 1 << 30);
    let begin = std::time::Instant::now();
    let progress = |progress: &pattern_databases::Progress| {
        println!("{:?} {progress:?}", begin.elapsed());
    };
    let options = Options {
        progress: Some(&progress),
        budget: with_memory(1 << 30),
        ..Options::default()
    };
    let set = AdditiveSet::build(&game, &sets, &options).unwrap();
    println!("built in {:?}", begin.elapsed());
    let (by_distance, unreached) = set.tables()[0].distribution();
    println!("{by_distance:?} {unreached}");
    assert_eq!(unreached, 0);
}
