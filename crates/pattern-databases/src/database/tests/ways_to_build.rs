//! Tables are the same whichever way they are built, and as large as said before.

use abstraction::Abstraction;
use psvn_ir::Game;

use super::{by_regions_and_ranks, by_state, entries, sizes};
use crate::testing::domain;
use crate::{Options, PatternDatabase};

fn pattern(game: &Game, text: &str) -> Abstraction {
    Abstraction::from_pattern(game, text).unwrap()
}

/// Files of earlier versions have an entry for each state where new tables have one up to
/// symmetries.
#[test]
fn files_with_an_entry_for_each_state_can_be_read() {
    let game = domain("rubik:3");
    let pattern = pattern(&game, "pieces w/g w/r w/b w/o");
    let by_state = by_state(&game, &pattern);
    let symmetric = PatternDatabase::build(&game, &pattern, &Options::default());
    let tables = [by_state.expect("a table"), symmetric.expect("a table")];
    assert_eq!(tables[0].n_entries(), 190_080);
    assert!(tables[1].n_entries() < 190_080 / 6);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("edges.pdb");
    for table in &tables {
        let mut file = std::fs::File::create(&path).expect("a file");
        table.write(&game, &mut file).expect("written");
        let read = PatternDatabase::open(&path, &game).expect("a table");
        assert_eq!(read.n_entries(), table.n_entries());
        assert_eq!(read.ranking().describe(), table.ranking().describe());
        assert_eq!(read.distribution(), tables[0].distribution());
    }
}

/// Compare rankings before rules are made, and with them.
#[test]
fn sizes_need_no_rules() {
    for (reference, patterns) in [
        (
            "rubik:2",
            &["project 1-3", "project 20-24", "project 1-24"][..],
        ),
        (
            "sliding-tiles:3:3",
            &["project 1-4", "keep 0 1 project 1-5"],
        ),
        ("topspin:7:4", &["project 2-5"]),
        ("hanoi:3:4", &["project 1-6", "project 5 7 9"]),
    ] {
        let game = domain(reference);
        for text in patterns {
            let (sizes, rankings) = sizes(&game, &pattern(&game, text)).expect("sizes");
            let ranking = &rankings.symmetric;
            assert_eq!(
                (sizes.entries, sizes.ranks),
                (ranking.size(), ranking.size())
            );
            assert_eq!(sizes.ranking, ranking.describe(), "{reference} {text}");
            assert_eq!(sizes.game, rankings.statistics);
            assert!(sizes.building_bytes >= rankings.bytes && sizes.work > 0);
            if let Some(chosen) = rankings.without_rules {
                assert_eq!(chosen, Some(rankings.by_state), "{reference} {text}");
            }
        }
    }
}

/// The distance of every state, however it is turned or reflected, equals the one in the table
/// without symmetries.
#[test]
fn states_are_as_far_as_those_that_stand_for_them() {
    let all_corners = "project 1-21";
    for (reference, text, n_symmetries) in [
        // The rotations and reflections that keep a corner in place.
        ("rubik:2:fixed", all_corners, 6),
        // Ranks with all orientations, and with only some of them.
        ("rubik:2:fixed", "pieces 1-3", 2),
        // Edges round a corner; opposite corners; edges of one slice.
        ("rubik:3", "pieces w/g w/r r/g", 6),
        ("rubik:3", "pieces w/r/g y/b/o", 12),
        ("rubik:3", "pieces g/r r/b b/o o/g", 16),
        // Edges of one face; of two opposite faces; corners of a tetrahedron.
        ("rubik:3", "pieces w/g w/r w/b w/o", 8),
        ("rubik:3", "pieces w/g w/r y/g y/r", 4),
        ("rubik:3", "pieces w/r/g w/b/o y/r/b y/o/g", 24),
    ] {
        let game = domain(reference);
        let pattern = pattern(&game, text);
        let [by_state, symmetric] = [None, Some(n_symmetries)].map(|n| {
            let built = entries(&game, &pattern, n).expect("a table");
            built.unwrap_or_else(|| panic!("symmetries of {reference} {text}"))
        });
        let (n, n_symmetric) = (by_state.entries.len(), symmetric.entries.len());
        assert!(n_symmetric * n_symmetries / 3 < n, "{n_symmetric} of {n}");
        let mut n_states = vec![0; n_symmetric];
        let mut state = vec![0; by_state.ranking.n_variables()];
        for (rank, (distance, _)) in by_state.entries.iter().enumerate() {
            by_state.ranking.unrank(rank as u64, &mut state);
            let other = symmetric.ranking.rank(|var| state[var]).expect("a state");
            let (found, _) = symmetric.entries[other as usize];
            assert_eq!(found, *distance, "{reference} {text} {rank}");
            n_states[other as usize] += 1;
        }
        for (rank, n) in n_states.into_iter().enumerate() {
            assert_eq!(symmetric.entries[rank].1, n);
            symmetric.ranking.unrank(rank as u64, &mut state);
            let back = symmetric.ranking.rank(|var| state[var]);
            assert_eq!(back, Some(rank as u64));
        }
    }
}

#[test]
fn regions_are_as_far_as_their_ranks_one_by_one() {
    for (reference, text) in [
        ("sliding-tiles:3:3", "keep 1-4"),
        ("sliding-tiles:3:3", "keep 2 5 6 8"),
        // Tiles that cut the board in two.
        ("sliding-tiles:2:5", "keep 1 3 6 7 9"),
        ("sliding-tiles:3:4", "keep 1 2 5 6 9"),
        ("sliding-tiles:1:7", "keep 2 3"),
        ("sliding-tiles:5:7", "keep 1 2 34"),
        ("sliding-tiles:4:5", "keep 1 5 6"),
    ] {
        let game = domain(reference);
        let built = by_regions_and_ranks(&game, &pattern(&game, text));
        let [regions, ranks] = built.expect("a table").expect("one value moves freely");
        assert_eq!(regions, ranks, "{reference} {text}");
    }
}
