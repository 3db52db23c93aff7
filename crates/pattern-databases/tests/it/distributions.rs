//! The number of states at each distance, compared with published numbers and with other programs.

use abstraction::Abstraction;
use pattern_databases::{Options, PatternDatabase};

use crate::support::{domain, with_memory};

/// Return the number of states of a whole game by distance from the goal.
fn distribution(reference: &str) -> Vec<u64> {
    let game = domain(reference);
    let table =
        PatternDatabase::build(&game, &Abstraction::identity(&game), &Options::default()).unwrap();
    let (by_distance, _) = table.distribution();
    let (distances, counts): (Vec<u64>, Vec<u64>) = by_distance.into_iter().unzip();
    assert!(distances.into_iter().eq(0..counts.len() as u64));
    counts
}

/// OEIS A089473.
const EIGHT: [u64; 32] = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878,
    16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
];

#[test]
fn eight_puzzle() {
    assert_eq!(distribution("sliding-tiles:3:3"), EIGHT);
    assert_eq!(EIGHT.iter().sum::<u64>(), 181_440);
}

#[test]
fn pancakes() {
    // OEIS A092113.
    let nine = [
        1, 8, 56, 391, 2278, 10666, 38015, 93585, 132_697, 79379, 5804,
    ];
    assert_eq!(distribution("pancake:9"), nine);
}

#[test]
fn topspin() {
    let eight = [1, 8, 25, 68, 192, 528, 1234, 1808, 1144, 32];
    assert_eq!(distribution("topspin:8:4"), eight);
    let nine = [
        1, 9, 45, 165, 486, 1197, 2517, 4545, 7002, 8919, 8408, 5007, 1655, 309, 45, 9, 1,
    ];
    assert_eq!(distribution("topspin:9:3"), nine);
}

#[test]
#[ignore = "takes 60 seconds: 40 million states"]
fn larger_topspin() {
    // By breadth-first search of another program; only even permutations are reached.
    let eleven = [
        1, 11, 88, 605, 3806, 22011, 112_629, 452_606, 909_260, 312_070, 1313,
    ];
    assert_eq!(distribution("topspin:11:4"), eleven);
    let twelve = distribution("topspin:12:4");
    // All 11! arrangements are reached.
    assert_eq!((twelve.iter().sum::<u64>(), twelve.len()), (39_916_800, 13));
}

#[test]
fn hanoi_with_four_pegs() {
    let seven = [
        1, 3, 6, 12, 30, 30, 66, 96, 126, 210, 330, 318, 462, 816, 1032, 936, 1044, 1740, 2490,
        2568, 2424, 1038, 504, 78, 18, 6,
    ];
    assert_eq!(distribution("hanoi:4:7"), seven);
    let ten = distribution("hanoi:4:10");
    assert_eq!((ten.iter().sum::<u64>(), ten.len()), (1 << 20, 50));
    assert_eq!(ten[45..], [32598, 12978, 1908, 210, 12]);
}

#[test]
fn hanoi_with_three_pegs_is_deeper_than_a_byte() {
    // Every state is on the path, and the farthest of 3^10 are 2^10 - 1 moves away.
    let ten = distribution("hanoi:3:10");
    assert_eq!((ten.iter().sum::<u64>(), ten.len()), (59049, 1024));
}

#[test]
fn pocket_cube() {
    // OEIS A079761.
    let cube = [
        1, 9, 54, 321, 1847, 9992, 50136, 227_536, 870_072, 1_887_748, 623_800, 2644,
    ];
    assert_eq!(distribution("rubik:2:fixed"), cube);
}

#[test]
fn arrows() {
    assert_eq!(distribution("arrow:8"), [1, 7, 21, 35, 35, 21, 7, 1]);
}

#[test]
fn blocks_are_listed() {
    // 12 blocks-world variables with 6 values have far more combinations than states.
    let game = domain("blocks:5");
    let whole = Abstraction::identity(&game);
    let sizes = PatternDatabase::sizes(&game, &whole, &Options::default()).unwrap();
    let options = Options {
        budget: with_memory(1 << 20),
        ..Options::default()
    };
    assert!(sizes.entries > 1 << 20, "{sizes:?}");
    let table = PatternDatabase::build(&game, &whole, &options).unwrap();
    // Each state with an empty hand is a set of towers (OEIS A000262: 501); with block b in the
    // hand, one of the others (5 * 73).
    assert_eq!(table.n_entries(), 501 + 5 * 73);
    let (by_distance, unreached) = table.distribution();
    assert_eq!((by_distance[0], unreached), ((0, 1), 0));
    // The file has the list.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks.pdb");
    crate::support::save(&game, &table, &path);
    let read = PatternDatabase::open(&path, &game).unwrap();
    assert_eq!(read.distribution(), table.distribution());
    assert_eq!(
        search::Heuristic::estimate(
            &read,
            &crate::support::cells(game.goal_state().unwrap().values())
        ),
        0
    );
}

#[test]
#[ignore = "takes 30 seconds: 16.8 million states"]
fn hanoi_with_twelve_disks() {
    let twelve = distribution("hanoi:4:12");
    // Frame-Stewart: 12 disks take 81 moves.
    assert_eq!((twelve.iter().sum::<u64>(), twelve.len()), (1 << 24, 82));
}

#[test]
fn corners_of_the_cube() {
    let game = domain("rubik:3");
    // The corner stickers, by their places on the faces of eight stickers.
    let corners: Vec<String> = (0..6)
        .flat_map(|face| [1, 3, 6, 8].map(|sticker| (face * 8 + sticker).to_string()))
        .collect();
    let text = format!("project {}", corners.join(" "));
    let pattern = Abstraction::from_pattern(&game, &text).unwrap();
    let table = PatternDatabase::build(&game, &pattern, &Options::default()).unwrap();
    // 984 arrangements that symmetries don't map to each other.
    assert_eq!(table.n_entries(), 984 * 2187);
    let (by_distance, unreached) = table.distribution();
    // Korf 1997, "Finding optimal solutions to Rubik's Cube using pattern databases", table 2; sums
    // to 8! * 3^7.
    let expected = [
        1, 18, 243, 2874, 28_000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616,
        15_139_616, 64_736,
    ];
    let found: Vec<u64> = by_distance.iter().map(|(_, n)| *n).collect();
    assert_eq!((found.as_slice(), unreached), (&expected[..], 0));
}

#[test]
fn pyraminx() {
    // Published for the puzzle without its tips.
    let without_tips = [
        1, 8, 48, 288, 1728, 9896, 51_808, 220_111, 480_467, 166_276, 2_457, 32,
    ];
    assert_eq!(distribution("pyraminx"), without_tips);
    assert_eq!(without_tips.iter().sum::<u64>(), 933_120);
}

/// Every state of the small board is reached by exactly one set of presses, so there are as many
/// states at a distance as there are sets of that size.
#[test]
fn lights_out() {
    let binomials = [1, 9, 36, 84, 126, 126, 84, 36, 9, 1];
    assert_eq!(distribution("lights-out:3:3"), binomials);
    assert_eq!(distribution("lights-out:3:3:encoding=bits"), binomials);
    // Sixteen sets of presses of this one do nothing (OEIS A159257), so a state has sixteen
    // solutions.
    let four = distribution("lights-out:4:4");
    assert_eq!((four.iter().sum::<u64>(), four.len()), (1 << 12, 8));
}
