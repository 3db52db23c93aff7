//! Tables of some pieces: each entry compared with a search that follows single stickers.

use std::collections::VecDeque;

use abstraction::{Abstraction, PieceSystem};
use ahash::AHashMap;
use pattern_databases::{Options, PatternDatabase, Patterns};
use psvn_ir::testing::SplitMix64;
use psvn_ir::{Game, Value};
use search::Heuristic;
use search::check::{Sample, sampled};

use crate::support::{cells, domain};

/// Return the least number of rules that bring these stickers home from each of their places, by
/// breadth-first search.
fn distances(game: &Game, homes: &[usize]) -> AHashMap<Box<[u8]>, u64> {
    let system = PieceSystem::find(game).unwrap();
    // By place: the place from which the rule leads there.
    let inverse = |permutation: &Vec<usize>| {
        let mut inverse = vec![0; permutation.len()];
        for (from, to) in permutation.iter().enumerate() {
            inverse[*to] = from as u8;
        }
        inverse
    };
    let inverses: Vec<Vec<u8>> = system.permutations().iter().map(inverse).collect();
    let homes: Box<[u8]> = homes.iter().map(|place| *place as u8).collect();
    let mut before = homes.clone();
    let mut known = AHashMap::from([(homes.clone(), 0)]);
    let mut queue = VecDeque::from([(homes, 0)]);
    while let Some((places, distance)) = queue.pop_front() {
        for inverse in &inverses {
            for (before, place) in before.iter_mut().zip(&places) {
                *before = inverse[usize::from(*place)];
            }
            if !known.contains_key(&before) {
                known.insert(before.clone(), distance + 1);
                queue.push_back((before.clone(), distance + 1));
            }
        }
    }
    known
}

fn check(game: &Game, pattern: &str) -> PatternDatabase {
    let abstraction = Abstraction::from_pattern(game, pattern).unwrap();
    let kept = |var: &usize| abstraction.pieces_at().unwrap()[*var];
    let homes: Vec<usize> = (0..game.n_variables()).filter(kept).collect();
    let known = distances(game, &homes);
    let table = PatternDatabase::build(game, &abstraction, &Options::default()).unwrap();
    let (found, unreached) = table.distribution();
    assert_eq!(unreached, 0);
    let n_states: u64 = found.iter().map(|(_, n)| *n).sum();
    assert_eq!(n_states, known.len() as u64, "{pattern}");
    for (distance, n) in found {
        let expected = known.values().filter(|it| **it == distance).count();
        assert_eq!(n, expected as u64, "{pattern} at {distance}");
    }
    // Along random walks, where the places of the stickers are known.
    let system = PieceSystem::find(game).unwrap();
    let mut random = SplitMix64::new(1);
    let mut state: Vec<Value> = game.goal_state().unwrap().values().to_vec();
    let mut places: Box<[u8]> = homes.iter().map(|place| *place as u8).collect();
    for _ in 0..2000 {
        let rule = random.below(game.rules().len());
        state = game.rules()[rule].canonical.apply(&state).to_vec();
        for place in &mut places {
            *place = system.permutations()[rule][usize::from(*place)] as u8;
        }
        assert_eq!(table.estimate(&cells(&state)), known[&places], "{pattern}");
    }
    table
}

#[test]
fn corners_of_the_pocket_cube() {
    let game = domain("rubik:2:fixed");
    for pattern in ["pieces 1", "pieces 1 2", "pieces 1-3"] {
        check(&game, pattern);
    }
}

#[test]
fn pieces_of_the_cube() {
    let game = domain("rubik:3");
    for pattern in [
        "pieces w/g w/r y/b",
        "pieces w/r/g y/o/b",
        "pieces w/r/g w/r",
    ] {
        check(&game, pattern);
    }
}

/// Tables with one entry for all states that symmetries map to each other.
#[test]
fn pieces_up_to_symmetries() {
    let game = domain("rubik:3");
    let names = ["pieces w/g w/r w/b w/o", "pieces w/r/g w/b/o y/r/b y/o/g"];
    let table = check(&game, names[0]);
    let (levels, _) = table.distribution();
    let n_states: u64 = levels.iter().map(|(_, n)| n).sum();
    assert!(table.n_entries() * 6 < n_states);
    // Four edges of another face, the other corners, and duals.
    for (duals, n_sums) in [(false, 4), (true, 8)] {
        let build = |name| {
            let abstraction = Abstraction::from_pattern(&game, name).unwrap();
            PatternDatabase::build(&game, &abstraction, &Options::default()).unwrap()
        };
        let patterns = Patterns::maximum(&game, names.map(build).into()).unwrap();
        let patterns = patterns.with_further_lookups(&game, 1, duals);
        assert!(patterns.is_incremental());
        assert_eq!(patterns.sums().len(), n_sums);
        let sample = Sample {
            n_walks: 30,
            length: 25,
            seed: 1,
        };
        let report = sampled(&game, &patterns, |_| true, &sample).unwrap();
        assert!(report.is_admissible() && report.is_incremental());
        assert!(duals || report.is_consistent());
    }
}

#[test]
fn looked_up_along_paths() {
    let game = domain("rubik:3");
    let table = |pattern: &str| {
        let abstraction = Abstraction::from_pattern(&game, pattern).unwrap();
        PatternDatabase::build(&game, &abstraction, &Options::default()).unwrap()
    };
    let tables = vec![
        table("pieces w/r/g w/g/o w/o/b"),
        table("pieces w/g w/r y/b"),
    ];
    let patterns = Patterns::maximum(&game, tables).unwrap();
    let bytes = patterns.n_bytes();
    let patterns = patterns.with_further_lookups(&game, 2, false);
    assert!(patterns.is_incremental());
    assert_eq!((patterns.sums().len(), patterns.n_bytes()), (6, bytes));
    let sample = Sample {
        n_walks: 30,
        length: 25,
        seed: 1,
    };
    let report = sampled(&game, &patterns, |_| true, &sample).unwrap();
    assert!(report.is_admissible() && report.is_consistent() && report.is_incremental());
    assert!(report.n_states > 700);
    // Each table for the state, an image, and the duals of both.
    let tables = vec![
        table("pieces w/r/g w/g/o w/o/b"),
        table("pieces w/g w/r y/b"),
    ];
    let patterns = Patterns::maximum(&game, tables).unwrap();
    let patterns = patterns.with_further_lookups(&game, 1, true);
    assert!(patterns.is_incremental());
    assert_eq!((patterns.sums().len(), patterns.n_bytes()), (8, bytes));
    let with_duals = sampled(&game, &patterns, |_| true, &sample).unwrap();
    assert!(with_duals.is_admissible() && with_duals.is_incremental());
    assert!(with_duals.sum > report.sum);
}

/// If each piece has a unique place in the goal, the dual look-up in a table of all pieces gives
/// the same estimate.
#[test]
fn no_duals_of_all_pieces() {
    let game = domain("rubik:2:fixed");
    let all = (1..=21)
        .map(|var| var.to_string())
        .collect::<Vec<_>>()
        .join(" ");
    for (pattern, n_sums) in [(format!("pieces {all}"), 1), ("pieces 1".to_owned(), 2)] {
        let abstraction = Abstraction::from_pattern(&game, &pattern).unwrap();
        let table = PatternDatabase::build(&game, &abstraction, &Options::default()).unwrap();
        let patterns = Patterns::maximum(&game, vec![table]).unwrap();
        let patterns = patterns.with_further_lookups(&game, 0, true);
        assert_eq!(patterns.sums().len(), n_sums, "{pattern}");
    }
}

/// A cube on which no two stickers have the same value: values are merged, and the pieces are still
/// found.
#[test]
fn a_cube_with_numbered_stickers() {
    let text = domains::generate_reference("rubik:2:fixed").unwrap();
    let names: Vec<String> = (0..21).map(|i| format!("s{i}")).collect();
    let names = names.join(" ");
    let line = |line: &str| match line.split_whitespace().next() {
        Some("DOMAIN") => format!("DOMAIN color 21 {names}"),
        Some("GOAL") => format!("GOAL {names}"),
        _ => line.to_owned(),
    };
    let text: Vec<String> = text.lines().map(line).collect();
    let game = psvn_ir::load(&text.join("\n")).game.unwrap();
    let system = PieceSystem::find(&game).unwrap();
    let block = |number: usize| -> Vec<String> {
        let vars = system.orbits()[0].blocks[number].iter();
        vars.map(|var| format!("s{}", var.index())).collect()
    };
    let by_values = format!("keep {} {}", block(0).join(" "), block(3).join(" "));
    let by_values = Abstraction::from_pattern(&game, &by_values).unwrap();
    let by_values = PatternDatabase::build(&game, &by_values, &Options::default()).unwrap();
    let pieces = format!("pieces {} {}", block(0).join("/"), block(3).join("/"));
    let pieces = check(&game, &pieces);
    assert_eq!(by_values.n_entries(), 7 * 6 * 9);
    assert_eq!(by_values.distribution(), pieces.distribution());
}

#[test]
fn files_of_pieces() {
    let game = domain("rubik:2:fixed");
    let pattern = Abstraction::from_pattern(&game, "pieces 1-3").unwrap();
    let table = PatternDatabase::build(&game, &pattern, &Options::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corners.pdb");
    crate::support::save(&game, &table, &path);
    let read = PatternDatabase::open(&path, &game).unwrap();
    assert_eq!(read.abstraction(), &pattern);
    assert_eq!(read.in_memory().distribution(), table.distribution());
}

#[test]
#[ignore = "takes 5 minutes: 43 million entries"]
fn manual_six_edges_of_the_cube() {
    let game = domain("rubik:3");
    let pattern = Abstraction::from_pattern(&game, "pieces w/g w/r w/b w/o g/r g/o").unwrap();
    let table = PatternDatabase::build(&game, &pattern, &Options::default()).unwrap();
    let (levels, unreached) = table.distribution();
    assert_eq!((levels.len(), unreached), (11, 0));
    let n_states: u64 = levels.iter().map(|(_, n)| n).sum();
    assert_eq!(n_states, 42_577_920);
    // Korf 1997, "Finding optimal solutions to Rubik's Cube using pattern databases": 7.668 on
    // average, and at most 10.
    let sum: u64 = levels.iter().map(|(distance, n)| distance * n).sum();
    let mean = sum as f64 / n_states as f64;
    assert!((mean - 7.668).abs() < 0.0005, "{mean}");
}
