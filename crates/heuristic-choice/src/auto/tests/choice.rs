//! What is chosen, and how the choice is named.

use heuristics::automatic;

use super::*;

/// The choice, without times.
fn facts(chosen: &(PreparedHeuristic, Vec<u128>)) -> (String, Option<Choice>, Vec<u128>, usize) {
    let (heuristic, trials) = chosen;
    (
        heuristic.estimate.to_string(),
        heuristic.choice.clone(),
        trials.clone(),
        heuristic.found.len(),
    )
}

#[test]
fn the_choice_is_the_same_with_any_number_of_threads() {
    let cases = [
        (hard_eights(), 2e4, true),
        (Case::walks("pancake", &["9"], 20), 2e3, false),
        (Case::walks("rubik", &["2", "fixed"], 3), 1e5, false),
    ];
    for (mut case, first_try, has_tables) in cases {
        let once = case.choose(first_try, 16 * MIB);
        assert!(once.0.estimate.patterns().is_some() || !has_tables);
        for n in [1, 2] {
            case.host = TestHost::with_threads(n);
            let again = facts(&case.choose(first_try, 16 * MIB));
            assert_eq!(again, facts(&once), "{n} threads");
        }
    }
}

#[test]
fn the_options_name_the_choice() {
    let cases = [
        (hard_eights(), 2e4, 16 * MIB),
        // No table of the whole game.
        (hard_eights(), 2e4, MIB / 16),
        (Case::walks("pancake", &["9"], 20), 2e3, MIB),
        (Case::walks("hanoi", &["4", "6"], 6), 2e3, MIB / 64),
        (Case::walks("rubik", &["2", "fixed"], 3), 1e5, MIB / 8),
    ];
    for (case, first_try, memory) in cases {
        let (chosen, _) = case.choose(first_try, memory);
        let choice = chosen.choice.expect("tables with names");
        let spec: HeuristicSpec = choice.heuristic.parse().expect("a heuristic");
        let request = Request {
            mirrored: choice.mirrored,
            duals: choice.duals,
            ..case.request(&spec, memory)
        };
        let named = prepare(&request, &|_| None).expect("tables");
        assert!(named.choice.is_none() && named.found.is_empty());
        for start in &case.starts {
            let nodes = |estimate| case.search(estimate, start, Limits::default()).totals;
            assert_eq!(
                nodes(&named.estimate),
                nodes(&chosen.estimate),
                "{choice:?}"
            );
        }
    }
}

#[test]
fn what_was_considered_is_listed_with_its_worth() {
    let case = hard_eights();
    let (chosen, _) = case.choose(2e4, 16 * MIB);
    let rows = &chosen.considered;
    let is_chosen = |row: &&Considered| row.fate == CandidateDecision::Chosen;
    let [row] = rows.iter().filter(is_chosen).collect::<Vec<_>>()[..] else {
        panic!("{rows:?}");
    };
    assert!(
        chosen.estimate.to_string().contains(&row.heuristic),
        "{rows:?}"
    );
    assert!(rows[0].bytes == 0 && rows.len() > 2, "{rows:?}");
    for row in rows {
        assert!(row.search_seconds.is_finite() && row.seconds() >= row.build_seconds);
    }
    // Short searches don't look for tables.
    let (chosen, _) = case.choose(1e12, 16 * MIB);
    assert!(chosen.considered.is_empty());
}

/// A search that takes far longer than what was searched so far builds larger tables at once, and
/// the blocks world has tables whose rules are shared.
#[test]
fn blocks_are_solved_by_tables_that_share_rules() {
    let case = Case::walks("blocks", &["6"], 4);
    let (chosen, _) = case.choose(1e4, 64 * MIB);
    assert_eq!(chosen.found.len(), 4);
    let alone = Combined::from(
        automatic(&case.game, &case.known, &case.starts, &Watch::default()).heuristic,
    );
    for found in &chosen.found {
        let expected = case.search(&alone, &found.start, Limits::default());
        assert_eq!(cost(&found.report), cost(&expected));
    }
    assert!(chosen.estimate.to_string().contains("sum of tables"));
}

/// Packages wait for trucks and planes, which pieces that move alone don't show.
#[test]
fn abstractions_are_made_for_planning_tasks() {
    let start = "c1l1 c2l2 c3l2 c4l3 c5l3 c4l1 truck1 c5l1 truck1 c3l1 c5l1 c1l3 c1l1 c5l2 c1l1";
    let case = Case::new("logistics", &["5", "3", "9"], &[start]);
    let choose = |memory| {
        let spec = HeuristicSpec::Auto;
        // Searches that show nothing, and are long beside the price.
        let (chosen, _) = choose_after(4e9, &case.request(&spec, memory), &|_| None);
        chosen
    };
    let chosen = choose(64 * MIB);
    assert_eq!(chosen.estimate.to_string(), "max(manhattan, cartesian)");
    assert_eq!(chosen.estimate.of_state(&case.starts[0]), 39);
    let reason = chosen.reason.expect("a reason");
    assert!(reason.contains("where manhattan says"), "{reason}");
    let choice = chosen.choice.expect("a choice");
    assert_eq!(choice.heuristic, "manhattan,cartesian");
    let mut rows = chosen.considered.iter();
    let row = rows.find(|row| row.fate == CandidateDecision::Chosen);
    assert_eq!(row.expect("a choice").heuristic, "cartesian");
    // They need more memory than tables of few bytes.
    let small = choose(MIB);
    assert!(!small.estimate.to_string().contains("cartesian"));
}

/// States that are reached again and again are searched once.
#[test]
fn a_transposition_table_is_used_where_it_pays() {
    let spec = HeuristicSpec::Auto;
    let choose = |case: &Case, transpositions| {
        let request = Request {
            transpositions,
            ..case.request(&spec, 0)
        };
        choose_after(1e8, &request, &|bounds| Some(case.search_part(bounds)))
    };
    let blocks = Case::new("blocks", &["7"], &["0 7 5 5 0 4 7 0 3 1 2 0 0 3 1"]);
    let (with, steps) = choose(&blocks, Some(64 * MIB));
    assert!(with.has_transpositions && !choose(&blocks, None).0.has_transpositions);
    assert!(steps < 1e8, "{steps}");
    assert!(with.choice.expect("a choice").table.is_some());
    let [found] = &with.found[..] else {
        panic!("{}", with.found.len());
    };
    let compiled = CompiledGame::new(&blocks.game);
    let mut a_star = Searcher::builder(&compiled).build().run();
    let same = a_star
        .a_star(&found.start, &with.estimate)
        .expect("a start of the game");
    let cost = |report: &SolveReport| report.solution().expect("a solution").cost;
    assert_eq!(cost(&found.report), cost(&same));
    // Few states of this start are reached again, and a node without a table is fast.
    let tiles = Case::new("sliding-tiles", &["3", "3"], &["8 6 7 2 5 4 3 0 1"]);
    assert!(!choose(&tiles, Some(64 * MIB)).0.has_transpositions);
}
