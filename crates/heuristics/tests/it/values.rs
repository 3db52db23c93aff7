//! Estimates compared with direct implementations.

use std::time::Duration;

use budget::{Limits, Watch};
use heuristics::{Gap, LinearConflict, Name, Named, Refusal, Shape, manhattan, misplaced};
use invariants::Invariants;
use psvn_ir::testing::SplitMix64;
use psvn_ir::{Game, State, Value};
use search::{CompiledGame, Heuristic, Searcher, ValueSums};

use crate::{built_in, estimate, load};

/// Return the values 0 .. n in a random order.
fn shuffled(random: &mut SplitMix64, n: usize) -> Vec<u32> {
    let mut values: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        values.swap(i, random.below(i + 1));
    }
    values
}

fn state(values: &[u32]) -> State {
    State::new(values.iter().map(|value| Value(*value)).collect::<Vec<_>>())
}

#[test]
fn it_is_manhattan_distance_exactly() {
    for (rows, columns, blank) in [
        (2, 2, 0),
        (3, 3, 4),
        (4, 4, 0),
        (4, 4, 15),
        (5, 5, 0),
        (3, 7, 2),
        (1, 6, 0),
    ] {
        let game = built_in(&format!("sliding-tiles:{rows}:{columns}:blank={blank}"));
        let found = manhattan(&game, &Invariants::none(&game)).unwrap();
        let goal = game.goal_state().unwrap();
        let by_hand = ValueSums::new(&game, |square, tile| {
            let home = goal.values().iter().position(|it| *it == tile).unwrap() as u32;
            let columns = columns as u32;
            match tile.0 {
                0 => 0,
                _ => {
                    (square.0 / columns).abs_diff(home / columns)
                        + (square.0 % columns).abs_diff(home % columns)
                }
            }
        });
        assert_eq!(found.properties().value_sums, Some(&by_hand));
    }
}

#[test]
fn the_rules_may_be_written_for_each_tile() {
    // The 2x2 puzzle with a rule for each tile, squares in another order, and moves of cost 3.
    let squares = [2, 0, 3, 1];
    let mut text = String::from("4  4 4 4 4\n");
    for (a, b) in [(0, 1), (1, 3), (3, 2), (2, 0)] {
        for tile in 1..4 {
            for (from, to) in [(a, b), (b, a)] {
                let mut sides = [["-"; 4]; 2].map(|side| side.map(str::to_owned));
                sides[0][squares[from]] = tile.to_string();
                sides[0][squares[to]] = "0".to_owned();
                sides[1][squares[from]] = "0".to_owned();
                sides[1][squares[to]] = tile.to_string();
                let [left, right] = sides.map(|side| side.join(" "));
                text += &format!("{left} => {right} COST 3\n");
            }
        }
    }
    text += "GOAL 0 1 2 3\n";
    let game = load(&text);
    let found = manhattan(&game, &Invariants::none(&game)).unwrap();
    let start = game.parse_state("3 2 1 0").unwrap();
    // All three tiles are in the opposite corner, or next to their goal place.
    let goal = game.goal_state().unwrap();
    let place = |variable: usize| {
        let square = squares.iter().position(|it| *it == variable).unwrap();
        (square / 2, square % 2)
    };
    let by_hand: usize = (1..4)
        .map(|tile| {
            let at =
                |state: &State| place(state.values().iter().position(|it| it.0 == tile).unwrap());
            let ((r, c), (row, column)) = (at(&start), at(&goal));
            3 * (r.abs_diff(row) + c.abs_diff(column))
        })
        .sum();
    assert_eq!(estimate(&found, &start), by_hand as u64);
}

#[test]
fn pieces_may_be_variables() {
    let game = built_in("grid:6:9");
    let found = manhattan(&game, &Invariants::none(&game)).unwrap();
    assert!(found.properties().value_sums.is_some());
    for (row, column) in [(0, 0), (5, 8), (3, 1)] {
        let start = game.parse_state(&format!("{row} {column}")).unwrap();
        assert_eq!(estimate(&found, &start), row + column);
    }
    // Tiles by their places: a variable for each tile, the blank first.
    let dual = load(
        "3  3 3 3
         0 1 - => 1 0 -   0 - 1 => 1 - 0   1 0 - => 0 1 -   1 - 0 => 0 - 1
         1 2 - => 2 1 -   1 - 2 => 2 - 1   2 1 - => 1 2 -   2 - 1 => 1 - 2
         GOAL 2 0 1",
    );
    let found = manhattan(&dual, &Invariants::none(&dual)).unwrap();
    assert_eq!(estimate(&found, &dual.parse_state("0 1 2").unwrap()), 2);
    assert_eq!(estimate(&found, &dual.parse_state("1 2 0").unwrap()), 3);
}

#[test]
fn disks_that_are_not_home_are_counted() {
    // Two disks on three pegs, each moved at least once.
    let game = built_in("hanoi:3:2");
    let found = manhattan(&game, &Invariants::none(&game)).unwrap();
    let goal = game.goal_state().unwrap();
    assert_eq!(estimate(&found, &goal), 0);
    let all_else = [[0, 1, 0], [1, 0, 0], [0, 0, 1]];
    for a in all_else {
        for b in all_else {
            let start = state(&[a, b].concat());
            let is_home =
                |(disk, home): (&[u32; 3], &[Value])| disk.iter().zip(home).all(|(x, y)| *x == y.0);
            let disks = [a, b];
            let homes = goal.values().chunks(3);
            let not_home = disks.iter().zip(homes).filter(|it| !is_home(*it)).count();
            assert_eq!(estimate(&found, &start), not_home as u64);
        }
    }
}

/// Count linear conflicts by brute force: for each line, the minimum number of tiles without which
/// none are in conflict.
fn linear_conflict_by_hand(tiles: &[u32], rows: usize, columns: usize) -> u64 {
    let mut total = 0;
    let distance = |square: usize, tile: u32| {
        let home = tile as usize;
        (square / columns).abs_diff(home / columns) + (square % columns).abs_diff(home % columns)
    };
    for (square, tile) in tiles.iter().enumerate().filter(|(_, tile)| **tile != 0) {
        total += distance(square, *tile) as u64;
    }
    let lines = (0..rows)
        .map(|row| {
            (0..columns)
                .map(|column| row * columns + column)
                .collect::<Vec<_>>()
        })
        .chain((0..columns).map(|column| (0..rows).map(|row| row * columns + column).collect()));
    for line in lines {
        let homes: Vec<usize> = line
            .iter()
            .map(|square| tiles[*square] as usize)
            .filter(|tile| *tile != 0 && line.contains(tile))
            .collect();
        let without_conflict = |kept: u32| {
            let kept: Vec<usize> = (0..homes.len())
                .filter(|i| kept >> i & 1 == 1)
                .map(|i| homes[i])
                .collect();
            kept.windows(2).all(|pair| pair[0] < pair[1])
        };
        let most = (0..1u32 << homes.len())
            .filter(|kept| without_conflict(*kept))
            .map(u32::count_ones)
            .max();
        total += 2 * (homes.len() as u64 - u64::from(most.unwrap()));
    }
    total
}

#[test]
fn linear_conflicts_are_those_found_by_brute_force() {
    let mut random = SplitMix64::new(11);
    for (rows, columns) in [(2, 3), (3, 3), (4, 4), (5, 5), (3, 6)] {
        let game = built_in(&format!("sliding-tiles:{rows}:{columns}"));
        let found = LinearConflict::new(&game, &Invariants::none(&game)).unwrap();
        for _ in 0..200 {
            let tiles = shuffled(&mut random, rows * columns);
            assert_eq!(
                estimate(&found, &state(&tiles)),
                linear_conflict_by_hand(&tiles, rows, columns),
                "{tiles:?}"
            );
        }
    }
}

#[test]
fn an_open_goal_has_conflicts_too() {
    // The tiles 1, 2 and 3 must be in the first row. By the invariants each tile occurs once.
    let text = domains::generate_reference("sliding-tiles:3:3").unwrap();
    let at = text.rfind("GOAL").unwrap();
    let game = load(&format!("{}GOAL 1 2 3 - - - - - -", &text[..at]));
    let start = game.parse_state("3 2 1  0 4 5  6 7 8").unwrap();
    let known = Invariants::from_states(&game, std::slice::from_ref(&start));
    let found = LinearConflict::new(&game, &known).unwrap();
    assert_eq!(estimate(&found, &start), 4 + 4);
    let distances = manhattan(&game, &known).unwrap();
    assert_eq!(estimate(&distances, &start), 4);
    // Without invariants, tiles might occur twice, and then any square would do.
    let blind = manhattan(&game, &Invariants::none(&game)).unwrap();
    assert!(estimate(&blind, &start) <= 4);
}

/// Count gaps directly: neighbors, including the plate as n + 1, whose sizes differ by more than 1.
fn gaps_by_hand(pancakes: &[u32]) -> u64 {
    let with_plate: Vec<u32> = pancakes
        .iter()
        .copied()
        .chain([pancakes.len() as u32])
        .collect();
    with_plate
        .windows(2)
        .filter(|pair| pair[0].abs_diff(pair[1]) != 1)
        .count() as u64
}

#[test]
fn gaps_of_pancakes() {
    let mut random = SplitMix64::new(5);
    for n in [3, 4, 9, 14, 30] {
        let game = built_in(&format!("pancake:{n}"));
        let found = Gap::new(&game).unwrap();
        assert_eq!(found.shape(), Shape::PlateLast);
        for _ in 0..200 {
            let pancakes = shuffled(&mut random, n);
            assert_eq!(estimate(&found, &state(&pancakes)), gaps_by_hand(&pancakes));
        }
    }
}

#[test]
fn gaps_of_other_games() {
    let half = |game: &Game| {
        let found = Gap::new(game).unwrap();
        (
            found.shape(),
            found.ratio().numerator,
            found.ratio().denominator,
        )
    };
    assert_eq!(half(&built_in("topspin:8:4:basic")), (Shape::Ring, 1, 2));
    assert_eq!(half(&built_in("topspin:8:4")), (Shape::TwoPlates, 1, 2));
}

#[test]
fn misplaced_values_are_worth_what_rules_put_right() {
    // A move puts one tile right; a flip of all four pancakes, four of them.
    let tiles = built_in("sliding-tiles:3:3");
    let found = misplaced(&tiles, &Invariants::none(&tiles)).unwrap();
    assert_eq!(
        estimate(&found, &tiles.parse_state("1 0 2 3 4 5 6 7 8").unwrap()),
        1
    );
    assert_eq!(
        estimate(&found, &tiles.parse_state("8 7 6 5 4 3 2 1 0").unwrap()),
        7
    );
    assert!(found.properties().value_sums.is_some());
    let pancakes = built_in("pancake:4");
    let found = misplaced(&pancakes, &Invariants::none(&pancakes)).unwrap();
    assert_eq!((found.ratio().numerator, found.ratio().denominator), (1, 4));
    assert_eq!(
        estimate(&found, &pancakes.parse_state("4 3 2 1").unwrap()),
        1
    );
    assert!(found.properties().value_sums.is_none());
}

/// Estimates of landmark cuts and Cartesian abstractions, and the costs. These abstractions are
/// about always better, but for tiles that hinder each other.
#[test]
fn abstractions_beside_landmark_cuts() {
    let tasks = [
        ("blocks:5", "0 0 0 0 0 0 0 0 0 0 0", [8, 8, 8]),
        (
            "blocks:8",
            "0 0 7 3 0 4 2 6 3 8 0 0 4 1 8 7 5",
            [12, 26, 26],
        ),
        ("gripper:5", "a none none a a a a a", [11, 15, 15]),
        ("hanoi:3:5", "1 0 0 1 0 0 1 0 0 1 0 0 1 0 0", [5, 31, 31]),
        (
            "lights-out:3:3",
            "1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0",
            [2, 5, 5],
        ),
        (
            "logistics:3:2:4",
            "c1l1 c2l1 c3l1 c2l1 c1l2 c2l2 c3l2 c1l1",
            [11, 14, 14],
        ),
        ("pancake:9", "9 2 7 4 1 6 3 8 5", [2, 9, 10]),
        ("slide-jump:2", "x x _ o o", [5, 8, 8]),
        ("sliding-tiles:3:3", "8 6 7 2 5 4 3 0 1", [17, 14, 27]),
    ];
    for (reference, start, expected) in tasks {
        let game = built_in(reference);
        let known = Invariants::none(&game);
        let starts = [game.parse_state(start).unwrap()];
        let [cuts, abstractions] = [Name::LmCut, Name::Cartesian].map(|name| {
            let limits = Watch::default();
            Named::within(&game, &known, &starts, &[name], &limits).unwrap()
        });
        let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
        let report = searcher.run().a_star(&starts[0], &abstractions).unwrap();
        let cost = u64::try_from(report.solution().unwrap().cost).unwrap();
        let estimates = [&cuts, &abstractions].map(|it| it.of_state(&starts[0]));
        assert_eq!([estimates[0], estimates[1], cost], expected, "{reference}");
    }
}

/// Estimates by merge-and-shrink, and the costs: they are the same as long as nothing is lost, and
/// often beyond.
#[test]
fn merged_variables() {
    let tasks = [
        ("blocks:5", "0 0 0 0 0 0 0 0 0 0 0", [8, 8]),
        ("blocks:8", "0 0 7 3 0 4 2 6 3 8 0 0 4 1 8 7 5", [26, 26]),
        ("gripper:8", "a none none a a a a a a a a", [23, 23]),
        ("hanoi:3:5", "1 0 0 1 0 0 1 0 0 1 0 0 1 0 0", [31, 31]),
        (
            "lights-out:3:3",
            "1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0",
            [5, 5],
        ),
        (
            "logistics:3:2:4",
            "c1l1 c2l1 c3l1 c2l1 c1l2 c2l2 c3l2 c1l1",
            [14, 14],
        ),
        ("pancake:6", "6 3 5 1 4 2", [6, 6]),
        ("slide-jump:3", "x x x _ o o o", [15, 15]),
        ("sliding-tiles:3:3", "8 6 7 2 5 4 3 0 1", [25, 27]),
    ];
    for (reference, start, expected) in tasks {
        let game = built_in(reference);
        let starts = [game.parse_state(start).unwrap()];
        let known = Invariants::from_states(&game, &starts);
        let names = [Name::MergeAndShrink];
        let made = Named::within(&game, &known, &starts, &names, &Watch::default()).unwrap();
        let searcher = Searcher::builder(&CompiledGame::new(&game)).build();
        let report = searcher.run().a_star(&starts[0], &made).unwrap();
        let cost = u64::try_from(report.solution().unwrap().cost).unwrap();
        assert_eq!([made.of_state(&starts[0]), cost], expected, "{reference}");
    }
}

#[test]
fn no_other_sum_over_values_is_greater_than_potentials() {
    for name in [
        "sliding-tiles:3:3",
        "sliding-tiles:2:4:blank=2",
        "hanoi:3:4",
        "pancake:6",
        "gripper:3",
        "blocks:4",
        "topspin:6:3",
        "lights-out:3:3",
    ] {
        let game = built_in(name);
        let known = Invariants::none(&game);
        let starts = heuristics::tables::sample_states(&game, &known, 16, 3);
        let sum_of = |name: Name| {
            let made = Named::within(&game, &known, &starts, &[name], &Watch::default());
            let heuristic = made.ok()?;
            Some(starts.iter().map(|it| heuristic.of_state(it)).sum::<u64>())
        };
        let potentials = sum_of(Name::Potentials).expect("potentials");
        // Where sums are divided, each estimate is rounded up, by less than 1.
        let rounded_up = starts.len() as u64;
        for (other, rounded_up) in [
            (Name::Manhattan, 0),
            (Name::Misplaced, rounded_up),
            (Name::GoalCount, rounded_up),
        ] {
            let other_sum = sum_of(other).unwrap_or(0);
            assert!(
                potentials + rounded_up >= other_sum,
                "{name}: {potentials}, {other}: {other_sum}"
            );
        }
    }
}

/// Operator counting is at least what its parts are: cuts, and potentials for the state alone.
#[test]
fn operator_counting_is_at_least_its_parts() {
    let mut n_above_both = 0;
    for name in [
        "sliding-tiles:3:3",
        "gripper:3",
        "blocks:4",
        "logistics:2:2:3",
        "hanoi:3:4",
        "pancake:6",
    ] {
        let game = built_in(name);
        let known = Invariants::none(&game);
        let of = |name: Name, state: &State| {
            let starts = std::slice::from_ref(state);
            let made = Named::within(&game, &known, starts, &[name], &Watch::default());
            made.expect("a heuristic that fits").of_state(state)
        };
        for state in heuristics::tables::sample_states(&game, &known, 12, 5) {
            let counting = of(Name::OperatorCounting, &state);
            let parts = [Name::LmCut, Name::Potentials].map(|part| of(part, &state));
            assert!(
                parts.iter().all(|part| counting >= *part),
                "{name}: {counting}, {parts:?}"
            );
            n_above_both += usize::from(parts.iter().all(|part| counting > *part));
        }
    }
    assert!(n_above_both > 5, "{n_above_both}");
}

#[test]
fn potentials_keep_limits() {
    let game = built_in("sliding-tiles:5:5");
    let known = Invariants::none(&game);
    let limits = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    let made = Named::within(&game, &known, &[], &[Name::Potentials], &Watch::new(limits));
    assert!(matches!(made.unwrap_err().refusal, Refusal::Stopped { .. }));
}
