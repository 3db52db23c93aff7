//! Games that are large in some way: short analyses and plans take time and memory in proportion to
//! them, and keep to their limits.

use std::fmt::Write;

use fsm::{WordAutomaton, growth_of_compatible_pairs, minimize};
use invariants::Invariants;
use move_prune::{
    Analysis, OperatorOptions, Operators, Options, StopReason, analyze, analyze_operators, learn,
};
use psvn_ir::{LoadLimits, Loaded, Term, load_within};
use psvn_toolkit::canonical_rules;
use search::{Bound, CompiledGame, Searcher};

use crate::{alone, limited, peak_of};

/// A cube by stickers in six colors, most of them left out: the rules read stickers that aren't
/// there, so 18 of them stand for a large number of rules.
pub(crate) fn cube(n_unbound: &[usize]) -> String {
    const STICKERS: usize = 24;
    let mut text = format!(
        "DOMAIN color 6 R G B Y O W\n{STICKERS}\n{}\n",
        "color ".repeat(STICKERS)
    );
    for (turn, n_unbound) in n_unbound.iter().enumerate() {
        let (mut left, mut right) = (
            vec!["-".to_owned(); STICKERS],
            vec!["-".to_owned(); STICKERS],
        );
        for place in 0..12 {
            let from = (turn + place) % STICKERS;
            let to = (turn + (place + 1) % 12) % STICKERS;
            left[from] = format!("S{place}");
            right[to] = if place < *n_unbound {
                format!("U{place}")
            } else {
                format!("S{place}")
            };
        }
        writeln!(text, "{} => {}", left.join(" "), right.join(" ")).unwrap();
    }
    text + "GOAL R R R R G G G G B B B B Y Y Y Y O O O O W W W W\n"
}

pub(crate) fn read(text: &str, memory: usize, stop: &dyn Fn() -> bool) -> Loaded {
    let limits = LoadLimits {
        memory,
        stop,
        ..LoadLimits::default()
    };
    load_within(text, &limits)
}

#[test]
fn plans_of_many_rules_take_memory_in_proportion() {
    let _alone = alone();
    // Above a number of rules, pairs of rules aren't compared.
    let game = read(&cube(&[5, 5]), usize::MAX, &|| false).game.unwrap();
    let n_rules = game.rules().len();
    assert_eq!(n_rules, 2 * 6_usize.pow(5));
    let known = Invariants::from_goals(&game);
    let admits = move |preconditions: &[Term]| known.admits(preconditions);
    let start = game.goal_state().unwrap();
    let (peak, tree) = peak_of(|| {
        let compiled = CompiledGame::new(&game);
        let searcher = Searcher::builder(&compiled).invariants(admits).build();
        searcher.run().count_tree(&start, Bound::Depth(1)).unwrap()
    });
    assert_eq!(tree.generated(1), n_rules as u64);
    assert!(peak <= n_rules * 2048, "{peak}");
}

fn up_to(max_length: usize, game: &psvn_ir::Game) -> (usize, Analysis) {
    let rules = canonical_rules(game);
    let options = Options::up_to(max_length);
    peak_of(|| analyze(game.n_variables(), &rules, &options, |_| ()))
}

/// Machines of length 1 have one state, whatever the number of rules, and pairs that can follow
/// each other take as little memory.
#[test]
fn short_analyses_of_many_rules_take_linear_memory() {
    let _alone = alone();
    let n = 20_000;
    let instances = format!("2\n{n} {n}\n0 - => 1 X\nGOAL 1 1\n");
    let equal = format!("2\n3 3\n{}GOAL 0 0\n", "x - => y -\n".repeat(n));
    // Each rule tests for a different constant.
    let values = (0..n).map(|i| format!("{i} - => 0 -\n"));
    let tests = format!("2\n{n} 2\n{}GOAL 0 0\n", values.collect::<String>());
    for text in [instances, equal, tests] {
        let game = read(&text, usize::MAX, &|| false).game.unwrap();
        let n = game.rules().len();
        for max_length in [0, 1] {
            let (peak, analysis) = up_to(max_length, &game);
            assert!(analysis.is_complete());
            assert!(peak <= n * 1024, "{peak} bytes for {n} rules");
            let (peak, growth) = peak_of(|| {
                let mut words = WordAutomaton::new(n as u32);
                for word in analysis.redundant_letters() {
                    words.forbid(&word).unwrap();
                }
                let machine = minimize(&words.build().unwrap()).unwrap();
                assert_eq!(machine.n_states(), 1);
                let followers = analysis.compatible_pairs();
                let first: Vec<u32> = followers.first().iter().map(|rule| rule.0).collect();
                let (lists, list_of) = followers.into_lists();
                let lists = lists
                    .iter()
                    .map(|list| list.iter().map(|rule| rule.0).collect());
                let lists: Vec<Vec<u32>> = lists.collect();
                growth_of_compatible_pairs(&machine, &first, &lists, &list_of, usize::MAX).unwrap()
            });
            assert!(peak <= n * 256, "{peak} bytes for {n} rules");
            let kept = n - analysis.redundant.len();
            assert!((growth.value() - kept as f64).abs() < 1e-3, "{growth:?}");
        }
    }
}

#[test]
fn games_of_too_many_variables_are_not_analyzed() {
    let _alone = alone();
    let n = 50_000;
    let row = |first: &str| format!("{first} {}", "- ".repeat(n - 1));
    let text = format!(
        "{n}\n{}\n{}=> {}\n{}=> {}\nGOAL {}\n",
        "2 ".repeat(n),
        row("0"),
        row("1"),
        row("1"),
        row("0"),
        "1 ".repeat(n)
    );
    let game = read(&text, usize::MAX, &|| false).game.unwrap();
    let (_, analysis) = up_to(2, &game);
    assert_eq!(analysis.stopped, Some(StopReason::TooLarge));
    assert_eq!((analysis.max_length, analysis.levels.len()), (0, 0));
    assert!(analysis.redundant.is_empty() && analysis.kept_letters(1).next().is_none());
    assert_eq!(analysis.compatible_pairs().of(psvn_ir::RuleId(1)).len(), 2);
    let rules = canonical_rules(&game);
    let operators = Operators::by_label(&game);
    let options = OperatorOptions::up_to(2);
    let by_label = analyze_operators(n, &rules, &operators, &options);
    assert_eq!(by_label.stopped, Some(StopReason::TooLarge));
}

/// The lists of instances that can follow, one for each rule and label, take more than some limits
/// allow.
#[test]
fn analyses_by_operator_keep_to_their_memory_from_the_start() {
    let _alone = alone();
    let rules = (0..3_000).map(|i| format!("{} - => {} -\n", i % 5, (i + 1) % 5));
    let text = format!("2\n5 2\n{}GOAL 0 0\n", rules.collect::<String>());
    let game = read(&text, usize::MAX, &|| false).game.unwrap();
    let rules = canonical_rules(&game);
    let operators = Operators::by_label(&game);
    let options = OperatorOptions {
        limits: limited(16 << 20),
        ..OperatorOptions::up_to(2)
    };
    let (peak, analysis) = peak_of(|| analyze_operators(2, &rules, &operators, &options));
    assert_eq!(analysis.stopped, Some(StopReason::Memory));
    assert!(peak <= 17 << 20, "{peak}");
    let start: Vec<Term> = game
        .goal_state()
        .unwrap()
        .values()
        .iter()
        .copied()
        .map(Term::constant)
        .collect();
    if let Ok(learned) = learn(2, &rules, &operators, &start, &options) {
        assert_eq!(learned.stopped, Some(StopReason::Memory));
    }
}
