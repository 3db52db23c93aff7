//! Pattern databases built by several processes equal those built by one, byte by byte.

use std::sync::Arc;

use abstraction::Abstraction;
use budget::{Limits, StopReason, Watch};
use pattern_databases::{BuildError, PatternDatabase, TablePlan};
use psvn_ir::Game;
use scale_out::{ClusterError, Member, Options, Report, build_table};

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
    for &(n, threads) in shapes {
        let folder = tempfile::tempdir().expect("a folder");
        let mut members = members(n, folder.path());
        members.iter_mut().for_each(|it| it.threads = threads);
        let found = together(game, &pattern, members, &Limits::default());
        let (report, found) = found.expect("no error");
        assert!(
            found.expect("a table") == expected,
            "{n} processes of {threads} threads"
        );
        assert_eq!(report.layers.len(), distances.len());
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
    // A counter of 400 values that wraps around.
    let rules = (0..400).map(|i| format!("{i} => {}\n", (i + 1) % 400));
    let text = format!("1  400\n{}GOAL 0", rules.collect::<String>());
    let game = psvn_ir::load(&text).game.expect("a game without errors");
    check_with(&game, "", &[(2, 1)]);
}

#[test]
fn what_was_stopped_goes_on_with_its_layers() {
    let game = game("sliding-tiles", &["2", "4"]);
    let pattern = Abstraction::identity(&game);
    let folder = tempfile::tempdir().expect("a folder");
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
    assert_eq!(report.resumed_from, Some(layers - 1));
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
fn different_costs_are_refused() {
    let text = "2  2 2  0 - => 1 -  - 0 => - 1 COST 2  GOAL 1 1";
    let game = psvn_ir::load(text).game.expect("a game without errors");
    let pattern = Abstraction::identity(&game);
    let plan = TablePlan::new(&game, &pattern, &pattern_databases::Options::default());
    assert!(matches!(plan, Err(BuildError::DifferentCosts)));
}
