//! Pattern databases built by several processes equal those built by one, byte by byte.

use std::sync::Arc;

use abstraction::Abstraction;
use budget::{Limits, StopReason, Watch};
use explore::{Options, Report};
use pattern_databases::{PatternDatabase, TablePlan};
use psvn_ir::Game;
use psvn_ir::random::SplitMix64;
use psvn_ir::testing::cases;
use scale_out::{ClusterError, Member, build_table};

use super::{game, members};

fn bytes(game: &Game, table: &PatternDatabase) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write(game, &mut bytes).expect("a vector takes all");
    bytes
}

/// Build a table by members, each in a thread. Return the bytes of the first one's file, if any.
fn together(
    game: &Game,
    pattern: &Abstraction,
    members: Vec<Member>,
    limits: &Limits,
) -> Result<(Report, Option<Vec<u8>>), ClusterError> {
    let build = |member: Member| {
        let plan = TablePlan::new(game, pattern, &pattern_databases::Options::default());
        let options = Options {
            budget: Watch::new(limits.clone()),
            ..Options::default()
        };
        let plan = Arc::new(plan.expect("a plan"));
        let is_first = member.process == 0;
        let (report, table) = build_table(game, &plan, member, &options)?;
        assert_eq!(table.is_some(), is_first && report.stopped.is_none());
        Ok((report, table.map(|table| bytes(game, &table))))
    };
    std::thread::scope(|scope| {
        let members = members.into_iter();
        let running: Vec<_> = members.map(|it| scope.spawn(move || build(it))).collect();
        let results = running.into_iter().map(|it| it.join().expect("no panic"));
        // The other members have no table.
        let results: Result<Vec<_>, ClusterError> = results.collect();
        Ok(results?.swap_remove(0))
    })
}

/// Compare the tables of one, two and three processes, and of two threads each, with that of one.
fn check(game: &Game, pattern: &str) {
    check_with(game, pattern, &[(1, 1), (2, 1), (3, 1), (2, 2)]);
}

/// Compare the tables of some numbers of processes and of threads of each with that of one.
fn check_with(game: &Game, pattern: &str, shapes: &[(usize, usize)]) {
    let pattern = match pattern {
        "" => Abstraction::identity(game),
        text => Abstraction::from_pattern(game, text).expect("a pattern"),
    };
    let options = pattern_databases::Options::default();
    let alone = PatternDatabase::build(game, &pattern, &options).expect("a table");
    let expected = bytes(game, &alone);
    let (distances, _) = alone.distribution();
    let plan = TablePlan::new(game, &pattern, &options).expect("a plan");
    let unit = plan.unit();
    for &(n, threads) in shapes {
        let folder = crate::folder();
        let mut members = members(n, folder.path());
        members.iter_mut().for_each(|it| it.threads = threads);
        let found = together(game, &pattern, members, &Limits::default());
        let (report, found) = found.expect("no error");
        assert!(
            found.expect("a table") == expected,
            "{n} processes of {threads} threads"
        );
        let layers = report.layers.iter().zip(0..);
        let found = layers.filter(|(states, _)| **states > 0);
        let found: Vec<u64> = found.map(|(_, distance)| distance * unit).collect();
        assert_eq!(found, distances.iter().map(|it| it.0).collect::<Vec<_>>());
    }
}

#[test]
fn tables_of_several_processes_are_those_of_one() {
    check(&game("sliding-tiles", &["3", "3"]), "keep 0 1 2 5");
    // All states, which are half of the ranks.
    check(&game("sliding-tiles", &["2", "4"]), "");
    check(&game("pancake", &["7"]), "keep 1-4");
    check(&game("topspin", &["8", "4"]), "keep 1 2 3");
    check(&game("hanoi", &["4", "5"]), "");
    // Orientations, and up to symmetries.
    check(&game("rubik", &["3"]), "pieces w/g w/r w/b w/o");
}

#[test]
fn costs_count_in_units() {
    let text = "3  4 4 4  A B - => B A - COST 5  - A B => - B A COST 5  0 - - => 3 - - COST 5 \
        3 - - => 0 - - COST 5  GOAL 0 1 2";
    let game = psvn_ir::load(text).game.expect("a game without errors");
    check(&game, "");
    check(&game, "project 1 2");
}

#[test]
fn rules_that_cannot_be_undone_lead_back_all_the_same() {
    let text = "2  7 7  0 - => 1 -  1 - => 2 -  2 - => 3 -  3 0 => 5 4  3 - => 0 -  - 4 => - 5 \
        - 5 => - 6  - 6 => - 0  5 - => 6 -  6 - => 0 -  GOAL 6 6";
    let game = psvn_ir::load(text).game.expect("a game without errors");
    check(&game, "");
}

#[test]
fn more_than_254_steps_take_two_bytes() {
    // A counter that wraps around.
    let rules = (0..400).map(|i| format!("{i} => {}\n", (i + 1) % 400));
    let text = format!("1  400\n{}GOAL 0", rules.collect::<String>());
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    check_with(&game, "", &[(2, 1)]);
}

#[test]
fn a_stopped_table_resumes_with_its_layers() {
    let game = game("sliding-tiles", &["2", "4"]);
    let pattern = Abstraction::identity(&game);
    let folder = crate::folder();
    let limits = Limits {
        nodes: Some(5_000),
        ..Limits::default()
    };
    let found = together(&game, &pattern, members(2, folder.path()), &limits);
    let (report, table) = found.expect("no error");
    assert_eq!((report.stopped, table), (Some(StopReason::Nodes), None));
    let layers = report.layers.len() as u64;
    assert!(layers > 5 && layers < 37, "{layers}");
    let again = members(2, folder.path());
    let (report, table) = together(&game, &pattern, again, &Limits::default()).expect("no error");
    assert_eq!(report.resumed_from(), Some(layers - 1));
    let options = pattern_databases::Options::default();
    let alone = PatternDatabase::build(&game, &pattern, &options).expect("a table");
    assert!(table.expect("a table") == bytes(&game, &alone));
    // An exploration, or another table, doesn't use these layers as its own.
    let other = Abstraction::from_pattern(&game, "keep 0 1 2").expect("a pattern");
    let again = members(2, folder.path());
    let error = together(&game, &other, again, &Limits::default()).expect_err("other layers");
    assert!(error.to_string().contains("other start states"), "{error}");
}

#[test]
fn rules_of_different_costs_make_the_same_tables() {
    for text in [
        // The cheaper way is the longer one.
        "1  6  0 => 1 COST 7  0 => 2 COST 2  2 => 3 COST 2  3 => 1 COST 2  1 => 4 COST 3 \
            4 => 0 COST 5  2 => 5  GOAL 1",
        // What costs nothing leads on, and back.
        "2  5 5  0 - => 1 - COST 0  1 - => 2 - COST 0  2 - => 3 - COST 4  3 - => 0 - COST 0 \
            - 0 => - 1 COST 3  - 1 => - 2 COST 0  - 2 => - 3 COST 5  - 3 => - 4 COST 0 \
            - 4 => - 0 COST 2  GOAL 3 3",
        // Nothing costs anything.
        "1  5  0 => 1 COST 0  1 => 2 COST 0  2 => 3 COST 0  3 => 0 COST 0  GOAL 1",
        // Units of six, and what can be undone at another cost.
        "3  4 4 4  A B - => B A - COST 12  - A B => - B A COST 18  0 - - => 3 - - COST 6 \
            3 - - => 0 - - COST 30  GOAL 0 1 2",
        // Far beyond two bytes, and what saturates.
        "2  4 4  0 - => 1 - COST 40000  1 - => 2 - COST 40001  2 - => 3 - \
            3 - => 0 - COST 4294967295  - 0 => - 1 COST 3  - 1 => - 2 COST 255 \
            - 2 => - 3 COST 254  - 3 => - 0 COST 4294967295  GOAL 3 3",
    ] {
        let game = psvn_ir::load(text).game.expect("a game without errors");
        check(&game, "");
    }
}

/// A game of three variables whose rules do anything, at any of some costs.
fn random_game(random: &mut SplitMix64) -> Game {
    let domain = 3 + random.below(3);
    let costs = [&[0, 1][..], &[1, 3], &[0, 2, 7], &[4, 6, 10], &[1, 90, 200]];
    let costs = costs[random.below(costs.len())];
    let mut text = format!("3  {domain} {domain} {domain}\n");
    for _ in 0..8 + random.below(10) {
        let mut side = |letters: &[&str]| -> String {
            let mut word = || match random.below(letters.len() + 2) {
                letter if letter < letters.len() => letters[letter].to_owned(),
                _ => random.below(domain).to_string(),
            };
            format!("{} {} {}", word(), word(), word())
        };
        // All letters are bound.
        let before = match side(&["A", "B"]) {
            it if it.contains('A') && it.contains('B') => it,
            _ => "A B 0".to_owned(),
        };
        let after = side(&["A", "B"]);
        let cost = costs[random.below(costs.len())];
        text.push_str(&format!("{before} => {after} COST {cost}\n"));
    }
    text.push_str("GOAL 0 1 2\nGOAL 1 1 1\n");
    psvn_ir::load(&text).game.expect("a game without errors")
}

#[test]
fn random_games_have_the_same_tables() {
    let mut random = SplitMix64::new(18);
    for _ in 0..cases(25) {
        let game = random_game(&mut random);
        check_with(&game, "", &[(1, 2), (3, 1)]);
        check_with(&game, "project 1 3", &[(2, 1)]);
    }
}

/// A game with the costs 0, 1 and 3 by turns.
fn with_costs(name: &str, parameters: &[&str]) -> Game {
    let text = domains::generate(name, parameters).expect("a known game");
    let mut costs = [0, 1, 3].into_iter().cycle();
    let lines = text.lines().map(|line| {
        let (rule, label) = line.split_once(" LABEL").unwrap_or((line, ""));
        let cost = if line.contains("=>") {
            format!(" COST {}", costs.next().unwrap_or_default())
        } else {
            String::new()
        };
        let label = match label {
            "" => String::new(),
            label => format!(" LABEL{label}"),
        };
        format!("{rule}{cost}{label}\n")
    });
    let text: String = lines.collect();
    psvn_ir::load(&text).game.expect("a game without errors")
}

#[test]
fn all_kinds_of_rankings_know_costs() {
    check_with(&with_costs("pancake", &["7"]), "keep 1-4", &[(2, 1)]);
    check_with(
        &with_costs("sliding-tiles", &["3", "3"]),
        "keep 0 1 2 5",
        &[(2, 2)],
    );
    check_with(&with_costs("hanoi", &["4", "4"]), "", &[(3, 1)]);
    check_with(
        &with_costs("rubik", &["2", "fixed"]),
        "pieces 1-3",
        &[(2, 1)],
    );
}

#[test]
fn a_table_of_different_costs_resumes_within_a_distance() {
    let game = with_costs("pancake", &["7"]);
    let pattern = Abstraction::identity(&game);
    let options = pattern_databases::Options::default();
    let alone = PatternDatabase::build(&game, &pattern, &options).expect("a table");
    let expected = bytes(&game, &alone);
    let (mut resumed, mut calls) = (Vec::new(), 0);
    let folder = crate::folder();
    let table = loop {
        // Enough for a stage or two.
        let limits = Limits {
            nodes: Some(2_000),
            ..Limits::default()
        };
        let again = members(2, folder.path());
        let (report, table) = together(&game, &pattern, again, &limits).expect("no error");
        resumed.extend(report.resumed_from());
        calls += 1;
        match table {
            Some(table) => break table,
            None => assert_eq!(report.stopped, Some(StopReason::Nodes)),
        }
        assert!(calls < 100, "{resumed:?}");
    };
    assert!(table == expected);
    assert!(calls > 3, "{calls}");
    assert!(resumed.is_sorted());
}
