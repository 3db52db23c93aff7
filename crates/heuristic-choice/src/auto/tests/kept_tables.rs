//! Tables that earlier runs have left in the cache.

use std::time::Duration;

use heuristics::tables::families;
use pattern_databases::Options;

use super::*;
use crate::auto::purchase::Purchase;

#[test]
fn tables_of_an_earlier_choice_come_from_the_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut case = hard_eights();
    let (plain, _, work) = case.choose_counted(2e4, 16 * MIB);
    let costs = |chosen: &PreparedHeuristic| -> Vec<u128> {
        let found = chosen.found.iter();
        let mut costs: Vec<u128> = found.map(|found| cost(&found.report)).collect();
        costs.sort_unstable();
        costs
    };
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    case.host = TestHost::with_cache(cache);
    for is_kept in [false, true] {
        let (chosen, _, with_cache) = case.choose_counted(2e4, 16 * MIB);
        // Kept tables needn't be built, and the answers are the same.
        assert_eq!(costs(&chosen), costs(&plain));
        assert!(with_cache < work || !is_kept && with_cache <= work);
        let reason = chosen.reason.expect("a reason");
        assert_eq!(reason.contains("from the cache"), is_kept, "{reason}");
    }
    let files = case.host.cache.files().expect("a folder");
    assert!(!files.is_empty() && files.iter().all(|file| file.is_table));
}

#[test]
fn tables_that_are_kept_cost_what_reading_takes() {
    let case = hard_eights();
    let found = families(&case.game, &case.known, &Options::default(), 1 << 30, &[]);
    let largest = found.iter().flat_map(|family| family.candidates.last());
    let mut n_compared = 0;
    for candidate in largest {
        let [built, kept] = [false, true].map(|it| Purchase::tables(candidate.clone(), it));
        assert!(kept.price < built.price && kept.size == built.size);
        assert_eq!(built.price, candidate.work() as f64);
        n_compared += 1;
    }
    assert!(n_compared > 2);
}

#[test]
fn tables_that_a_search_named_are_considered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut case = hard_eights();
    let cache = Cache::in_folder(folder.path()).with_least_time(Duration::ZERO);
    case.host = TestHost::with_cache(cache);
    let texts = ["keep 1 6 8 3+keep 2 4 5 7", "keep 1 8 3 6 4"];
    let words = texts.map(|text| text.replace('+', " + "));
    let are_considered = |case: &Case| {
        let (chosen, _) = case.choose(2e4, 16 * MIB);
        let considered = |words: &String| {
            let mut rows = chosen.considered.iter();
            rows.any(|row| row.heuristic == *words)
        };
        words.each_ref().map(considered)
    };
    assert_eq!(are_considered(&case), [false, false]);
    for (text, expected) in texts.iter().zip([[true, false], [true, true]]) {
        let spec: HeuristicSpec = text.parse().expect("tables");
        let request = case.request(&spec, 16 * MIB);
        prepare(&request, &|_| None).expect("tables");
        assert_eq!(are_considered(&case), expected, "{text}");
    }
    // Without the tables themselves, their names are useless.
    for file in std::fs::read_dir(folder.path()).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|it| it == "pdb") {
            std::fs::remove_file(path).expect("a file");
        }
    }
    assert_eq!(are_considered(&case), [false, false]);
}
