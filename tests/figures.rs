//! Figures that were published, or computed by independent programs, and must come out exactly.

use psvn_toolkit::{analyze, built_in, count, machine};
use search::CycleDetection;

/// The redundant words of each length from 1 on.
fn redundant_by_length(reference: &str, max_length: usize) -> Vec<u64> {
    let analysis = analyze(&built_in(reference), max_length);
    analysis
        .levels
        .iter()
        .map(|level| level.redundant)
        .collect()
}

fn nodes(reference: &str, max_length: usize, depth: u64) -> Vec<u64> {
    count(
        &built_in(reference),
        max_length,
        CycleDetection::None,
        depth,
    )
}

fn total(reference: &str, max_length: usize, depth: u64) -> u64 {
    nodes(reference, max_length, depth).iter().sum()
}

#[test]
fn sliding_tiles_by_depth() {
    assert_eq!(
        nodes("sliding-tiles:4:4", 0, 10),
        [1, 2, 6, 18, 58, 186, 602, 1946, 6298, 20378, 65946]
    );
    assert_eq!(
        nodes("sliding-tiles:4:4", 2, 12),
        [1, 2, 4, 10, 24, 54, 108, 218, 472, 1030, 2204, 4666, 9880]
    );
}

#[test]
fn redundant_words_of_length_2_and_3() {
    assert_eq!(redundant_by_length("hanoi:4:8", 3), [0, 1296, 4704]);
    assert_eq!(redundant_by_length("topspin:14:3", 3), [0, 91, 54]);
    assert_eq!(redundant_by_length("rubik:2", 3), [0, 81, 366]);
    assert_eq!(redundant_by_length("arrow:16", 3), [0, 1628, 0]);
    assert_eq!(redundant_by_length("pancake:9", 3), [0, 8, 1]);
    assert_eq!(redundant_by_length("blocks:10", 3), [0, 200, 0]);
}

#[test]
fn redundant_words_of_topspin_16_4() {
    assert_eq!(
        redundant_by_length("topspin:16:4", 5),
        [0, 88, 56, 136, 951]
    );
}

/// Taylor 1992: 31,999 duplicate words and 24,954 machine states for the cube with a fixed corner.
#[test]
fn taylor_on_the_2x2x2_cube() {
    let analysis = analyze(&built_in("rubik:2:fixed"), 7);
    let redundant: Vec<u64> = analysis
        .levels
        .iter()
        .map(|level| level.redundant)
        .collect();
    let kept: Vec<u64> = analysis.levels.iter().map(|level| level.kept).collect();
    assert_eq!(redundant, [0, 27, 3, 61, 694, 4196, 27018]);
    assert_eq!(kept, [9, 54, 321, 1847, 9992, 50136, 227536]);
    let machine = machine(&analysis);
    assert_eq!(
        (analysis.redundant.len(), machine.n_states()),
        (31999, 24954)
    );
    assert_eq!(fsm::minimize(&machine).unwrap().n_states(), 18249);
    assert!((fsm::growth(&machine).value() - 4.722778).abs() < 1e-6);
}

/// Taylor 1992: 28,210 duplicate words and 22,974 machine states for the 3x3x3 cube.
#[test]
#[ignore = "takes half a minute and 4 GiB"]
fn taylor_on_the_3x3x3_cube() {
    let analysis = analyze(&built_in("rubik:3"), 6);
    let redundant: Vec<u64> = analysis
        .levels
        .iter()
        .map(|level| level.redundant)
        .collect();
    assert_eq!(redundant, [0, 81, 0, 15, 2055, 26059]);
    assert_eq!(analysis.redundant.len(), 28210);
    let machine = machine(&analysis);
    assert_eq!(machine.n_states(), 22974);
    assert!((fsm::growth(&machine).value() - 13.258976).abs() < 1e-6);
}

/// Burch & Holte 2011, Table 4, as corrected in 2012: rows that don't depend on the start state, in
/// nodes for one start.
mod table_4 {
    use super::*;

    #[test]
    fn arrow() {
        // The table counts 3,277 thousand for 100 starts at depth 15: all of the 2^15 subsets of
        // moves, in ascending order.
        assert_eq!(total("arrow:16", 2, 15), 32_768);
        assert_eq!(total("arrow:16", 3, 15), 32_768);
    }

    #[test]
    fn pancake() {
        let game = built_in("pancake:9");
        let parent: u64 = count(&game, 0, CycleDetection::Parent, 9).iter().sum();
        assert_eq!(parent, 53_804_809);
        assert_eq!(total("pancake:9", 2, 9), 53_804_809);
        assert_eq!(
            nodes("pancake:9", 3, 9),
            [
                1, 8, 56, 391, 2730, 19062, 133098, 929340, 6489000, 45308628
            ]
        );
    }

    #[test]
    fn rubik_2x2x2() {
        let game = built_in("rubik:2");
        let parent: u64 = count(&game, 0, CycleDetection::Parent, 6).iter().sum();
        assert_eq!(parent, 27_154_765);
        assert_eq!(total("rubik:2", 2, 6), 8_331_112);
        assert_eq!(total("rubik:2", 3, 6), 5_156_139);
    }

    #[test]
    fn topspin_14_3() {
        assert_eq!(
            nodes("topspin:14:3", 2, 9),
            [
                1, 14, 105, 614, 3365, 18529, 103007, 573749, 3193476, 17766912
            ]
        );
        assert_eq!(
            nodes("topspin:14:3", 3, 9),
            [1, 14, 105, 560, 2438, 9596, 36998, 145766, 587358, 2381537]
        );
        assert_eq!(total("topspin:14:3", 4, 9), 1_250_108);
    }

    #[test]
    fn topspin_14_3_basic() {
        assert_eq!(total("topspin:14:3:basic", 2, 9), 16_036_509);
        assert_eq!(total("topspin:14:3:basic", 3, 9), 2_484_682);
    }
}
