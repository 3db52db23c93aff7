//! Layers of whole spaces, and the first layers of larger ones, as published or found by other
//! programs.

use explore::{Options, Origin, Report, Storage, explore};

use super::built_in;

/// The lists, in two parts.
const LISTS: &str = include_str!("published.txt");

/// One of the lists.
struct List<'t> {
    game: &'t str,
    start: Option<&'t str>,
    layers: Vec<u64>,
    is_whole: bool,
}

fn lists(part: &str) -> Vec<List<'_>> {
    let lines = part.lines().filter(|line| !line.starts_with('#'));
    let lines = lines.filter(|line| !line.is_empty());
    let list = |line| {
        let (of, numbers): (&str, &str) = str::rsplit_once(line, ": ").expect("a list");
        let (game, start) = match of.split_once(" from ") {
            Some((game, start)) => (game, Some(start)),
            None => (of, None),
        };
        let is_whole = !numbers.ends_with("..");
        let numbers = numbers.trim_end_matches("..").split_whitespace();
        List {
            game,
            start,
            layers: numbers.map(|it| it.parse().expect("a number")).collect(),
            is_whole,
        }
    };
    lines.map(list).collect()
}

fn check(list: &List<'_>) {
    let game = built_in(list.game);
    let origin = match list.start {
        None => Origin::Goals,
        Some(start) => Origin::States(vec![game.parse_state(start).expect("a state")]),
    };
    let options = Options {
        depth: (!list.is_whole).then(|| list.layers.len() as u64 - 1),
        ..Options::default()
    };
    let report = explore(&game, &origin, &options).expect("no errors");
    assert_eq!(report.layers, list.layers, "{}", list.game);
    assert_eq!(report.is_whole, list.is_whole, "{}", list.game);
}

#[test]
fn small_spaces_have_their_published_layers() {
    let (quick, _) = LISTS.split_once("# Slow").expect("two parts");
    let lists = lists(quick);
    assert!(lists.len() > 20);
    lists.iter().for_each(check);
}

#[test]
#[ignore = "takes 10 minutes: up to 80 million states each"]
fn manual_large_spaces_have_their_published_layers() {
    let (_, slow) = LISTS.split_once("# Slow").expect("two parts");
    let lists = lists(slow);
    assert!(lists.len() > 10);
    lists.iter().for_each(check);
}

/// All states of a game by rank.
fn ranked(reference: &str) -> Report {
    let options = Options {
        storage: Storage::Ranked,
        ..Options::default()
    };
    explore(&built_in(reference), &Origin::Goals, &options).expect("no errors")
}

#[test]
#[ignore = "takes 5 minutes: 88 million states with 18 moves each"]
fn manual_the_cube_of_two_with_all_orientations() {
    let report = ranked("rubik:2");
    assert_eq!(report.states(), 88_179_840);
    // A cube that can be turned as a whole has 24 states for each position.
    assert_eq!(report.states(), 24 * 3_674_160);
    assert_eq!(report.layers[..2], [1, 18]);
}

#[test]
#[ignore = "takes 5 minutes: 239 million states"]
fn manual_the_eleven_puzzle() {
    let report = ranked("sliding-tiles:3:4");
    assert_eq!(report.states(), 239_500_800);
    assert_eq!(report.greatest_distance(), Some(53));
    // Two bits for each state, and none for the other half of the arrangements.
    assert!(report.peak_bytes < 239_500_800 / 4 + 10_000);
}

#[test]
#[ignore = "takes 60 seconds: 88 million states"]
fn manual_towers_of_four_pegs_with_up_to_13_discs() {
    // The numbers of moves between two pegs, by Frame and Stewart (OEIS A007664). No state is
    // farther away, for these numbers of discs.
    let mut before: Option<Report> = None;
    for (discs, moves) in [(11, 65), (12, 81), (13, 97)] {
        let report = ranked(&format!("hanoi:4:{discs}"));
        assert_eq!(report.states(), 1 << (2 * discs));
        assert_eq!(report.greatest_distance(), Some(moves));
        // The largest disc first moves in the middle of these moves.
        if let Some(before) = before {
            let same = before.layers.iter().zip(&report.layers);
            let same = same.take_while(|(fewer, more)| fewer == more).count();
            assert_eq!(same as u64, moves / 2 + 1);
        }
        before = Some(report);
    }
}
