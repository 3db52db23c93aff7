//! Tests of the analysis through the public API: words, certificates, limits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use macro_compose::compose_all;
use move_prune::{
    Analysis, Limits, Options, Order, Replacements, StopReason, Verdict, WordId, analyze,
    commuting_pairs,
};
use psvn_ir::testing::{GameShape, cases, random_game};
use psvn_ir::{CanonicalRule, Game, RuleId, Term, Value, VarId, load};

fn game(source: &str) -> Game {
    let loaded = load(source);
    loaded
        .game
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn rules(game: &Game) -> Vec<CanonicalRule> {
    game.rules()
        .iter()
        .map(|rule| rule.canonical.clone())
        .collect()
}

fn run(game: &Game, options: &Options<'_>) -> Analysis {
    analyze(game.n_variables(), &rules(game), options, |_| ())
}

/// Redundant words and their replacements by label.
fn certificates(game: &Game, analysis: &Analysis) -> Vec<String> {
    let text = |word: &[RuleId]| {
        let labels: Vec<&str> = word.iter().map(|rule| &*game.rule(*rule).label).collect();
        if labels.is_empty() {
            "nothing".to_owned()
        } else {
            labels.join(" ")
        }
    };
    let line =
        |r: &move_prune::RedundantWord| format!("{} by {}", text(&r.word), text(&r.replacement));
    analysis.redundant.iter().map(line).collect()
}

#[test]
fn words_come_with_the_earlier_word_that_replaces_them() {
    let game = game(
        "3 2 2 2
         A B C => B A C LABEL SWAP12
         A B C => A C B LABEL SWAP23
         0 B C => 0 C B LABEL SPECIAL
         1 1 C => 1 1 C LABEL NOTHING
         A B C => B C A LABEL TURN COST 2
         GOAL 0 0 1",
    );
    let analysis = run(&game, &Options::up_to(2));
    assert_eq!(
        certificates(&game, &analysis),
        [
            "SPECIAL by SWAP23",
            "NOTHING by nothing",
            "SWAP12 SWAP12 by nothing",
            // TURN costs as much as the two swaps, and is shorter.
            "SWAP12 SWAP23 by TURN",
            "SWAP12 TURN by SWAP23",
            "SWAP23 SWAP23 by nothing",
            "TURN SWAP12 by SWAP23 TURN",
            "TURN SWAP23 by SWAP12",
            "TURN TURN by SWAP23 SWAP12",
        ]
    );
    let kept: Vec<Vec<u32>> = analysis.kept_letters(2).collect();
    assert_eq!(kept, [vec![1, 0], vec![1, 4]]);
    assert_eq!(analysis.kept.suffix(WordId::EMPTY), WordId::EMPTY);
}

/// In the 2011 paper's figure, R1 R3 is redundant with R2 R3, which comes later in the order.
/// Pruning it would be right there, but isn't safe in general.
#[test]
fn a_word_is_never_pruned_for_a_later_one() {
    let source = "4 2 2 2 2\n{1}\n{2}\n0 0 1 0 => 1 1 0 1 LABEL R3\nGOAL 1 1 0 1";
    let (r1, r2) = ("A B 0 0 => B A 1 0 LABEL R1", "A - 0 0 => A A 1 0 LABEL R2");
    let in_file_order = game(&source.replace("{1}", r1).replace("{2}", r2));
    assert!(run(&in_file_order, &Options::up_to(2)).redundant.is_empty());
    let swapped = game(&source.replace("{1}", r2).replace("{2}", r1));
    assert_eq!(
        certificates(&swapped, &run(&swapped, &Options::up_to(2))),
        ["R1 R3 by R2 R3"]
    );
}

#[test]
fn a_cheaper_word_of_the_same_effect_is_kept_beside_one_that_costs_more() {
    // The expensive rule comes first, so the cheap one isn't redundant. A third rule is redundant
    // with the cheap one.
    let game = game(
        "2 3 3
         A B => B A LABEL COSTLY COST 5
         A B => B A LABEL CHEAP COST 1
         A B => B A LABEL MIDDLING COST 3
         GOAL 0 1",
    );
    assert_eq!(
        certificates(&game, &run(&game, &Options::up_to(1))),
        ["MIDDLING by CHEAP"]
    );
}

#[test]
fn length_0_finds_nothing_and_length_1_single_rules() {
    let game = game("2 2 2\nA B => B A\n0 1 => 1 0\nGOAL 0 1");
    let nothing = run(&game, &Options::up_to(0));
    assert!(nothing.redundant.is_empty() && nothing.levels.is_empty() && nothing.is_complete());
    let single = run(&game, &Options::up_to(1));
    assert_eq!(certificates(&game, &single), ["rule_2 by rule_1"]);
    assert_eq!((single.levels[0].composed, single.levels[0].kept), (2, 1));
}

#[test]
fn impossible_pairs_are_distinguished_from_redundant_ones() {
    let game = game(
        "2 3 2
         0 - => 1 - LABEL A
         1 - => 2 - LABEL B
         - 0 => - 1 LABEL C
         GOAL 2 1",
    );
    let analysis = run(&game, &Options::up_to(2));
    assert_eq!(certificates(&game, &analysis), ["C A by A C", "C B by B C"]);
    let pairs: Vec<[u32; 2]> = analysis
        .impossible_pairs()
        .map(|pair| pair.map(|r| r.0))
        .collect();
    // A can't follow A or B, B can't follow itself, nor C itself.
    assert_eq!(pairs, [[0, 0], [1, 0], [1, 1], [2, 2]]);
    assert_eq!(run(&game, &Options::up_to(1)).impossible_pairs().count(), 0);
}

#[test]
fn a_limit_leaves_the_last_complete_length() {
    let source = domains::generate("topspin", &["10", "4"]).unwrap();
    let game = game(&source);
    let whole = run(&game, &Options::up_to(4));
    for (memory, expected) in [(Some(100_000), Some(StopReason::Memory)), (None, None)] {
        let limits = Limits {
            memory,
            ..Limits::default()
        };
        let analysis = run(
            &game,
            &Options {
                max_length: 4,
                limits,
                ..Options::default()
            },
        );
        assert_eq!(analysis.stopped, expected);
        assert_eq!(analysis.kept.depth(), analysis.max_length);
        let words = |n: usize| whole.redundant.iter().filter(move |r| r.word.len() <= n);
        assert!(analysis.redundant.iter().eq(words(analysis.max_length)));
        for length in 0..=analysis.max_length {
            assert!(analysis.kept_letters(length).eq(whole.kept_letters(length)));
        }
        if expected.is_some() {
            assert!(
                (1..4).contains(&analysis.max_length),
                "{}",
                analysis.max_length
            );
        }
    }
    let no_time = Limits {
        time: Some(Duration::ZERO),
        ..Limits::default()
    };
    let analysis = run(
        &game,
        &Options {
            max_length: 4,
            limits: no_time,
            ..Options::default()
        },
    );
    assert_eq!(
        (analysis.stopped, analysis.max_length),
        (Some(StopReason::Time), 0)
    );
    let interrupt = Some(Arc::new(AtomicBool::new(true)));
    let interrupted = Limits {
        interrupt,
        ..Limits::default()
    };
    let analysis = run(
        &game,
        &Options {
            max_length: 4,
            limits: interrupted,
            ..Options::default()
        },
    );
    assert_eq!(analysis.stopped, Some(StopReason::Interrupted));
}

#[test]
fn progress_is_reported() {
    let game = game(&domains::generate("topspin", &["10", "4"]).unwrap());
    let mut reports = Vec::new();
    let rules = rules(&game);
    analyze(game.n_variables(), &rules, &Options::up_to(3), |progress| {
        reports.push(*progress);
    });
    assert!(
        reports
            .iter()
            .all(|p| Some(p.done) <= p.total && p.bytes > Some(0))
    );
    assert_eq!(reports.last().unwrap().level, 3);
}

#[test]
fn an_analysis_ends_when_no_words_are_left() {
    let game = game("2 3 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1");
    let analysis = run(&game, &Options::up_to(1_000_000));
    assert_eq!((analysis.levels.len(), analysis.max_length), (3, 1_000_000));
    assert!(analysis.is_complete() && analysis.kept_letters(999).count() == 0);
}

#[test]
fn costs_of_sequences_that_need_more_than_64_bits_are_too_large() {
    let swap = |i: u32, j: u32| {
        let terms: Vec<Term> = (0..4).map(|var| Term::variable(VarId(var))).collect();
        let mut actions = terms.clone();
        actions.swap(i as usize, j as usize);
        CanonicalRule::canonicalize(&terms, &actions, u64::MAX)
    };
    let rules = [swap(0, 1), swap(2, 3)];
    for order in [Order::LengthLexicographic, Order::CostLengthLexicographic] {
        let up_to = |max_length| Options {
            order,
            ..Options::up_to(max_length)
        };
        let analysis = analyze(4, &rules, &up_to(2), |_| ());
        assert_eq!(analysis.stopped, Some(StopReason::TooLarge));
        assert!(analyze(4, &rules, &up_to(1), |_| ()).is_complete());
    }
    assert_eq!(commuting_pairs(4, &rules, None).pairs.len(), 2);
    let mut composer = macro_compose::Composer::new(4);
    for rule in &rules {
        let rule = macro_compose::PreparedRule::new(rule);
        composer.append(&rule).unwrap();
    }
    assert_eq!(composer.cost(), 2 * u128::from(u64::MAX));
}

/// The kept words give the verdicts of the analysis.
#[test]
fn replacements_are_those_of_the_analysis() {
    let shape = GameShape {
        max_cost: 3,
        ..GameShape::default()
    };
    let mut n_redundant = 0;
    for seed in 0..cases(200) {
        let game = random_game(seed, &shape);
        let rules = rules(&game);
        let mut rule_order: Vec<RuleId> = game.rules_with_ids().map(|(id, _)| id).collect();
        if seed % 3 == 0 {
            rule_order.reverse();
        }
        // No state matters in which the first variable holds its last value.
        let last = Term::constant(Value::from_index(game.domain_of(VarId(0)).size() - 1));
        let admits = |preconditions: &[Term]| preconditions[0] != last;
        let options = Options {
            admits: Some(&admits),
            rule_order: Some(&rule_order),
            order: match seed % 2 {
                0 => Order::LengthLexicographic,
                _ => Order::CostLengthLexicographic,
            },
            ..Options::up_to(3)
        };
        let analysis = run(&game, &options);
        let (n_variables, order) = (game.n_variables(), Some(&rule_order[..]));
        let watch = budget::Watch::default();
        let kept =
            Replacements::of(n_variables, &rules, &analysis, order, &admits, &watch).unwrap();
        let mut room = kept.room();
        let mut verdict = |word: &[RuleId]| {
            let of_word = word.iter().map(|rule| &rules[rule.index()]);
            let composed = compose_all(n_variables, of_word).unwrap();
            let (p, a) = (composed.preconditions(), composed.actions());
            kept.verdict(&mut room, p, a, composed.cost(), word)
        };
        for found in &analysis.redundant {
            assert_eq!(
                verdict(&found.word),
                Verdict::Redundant(&found.replacement),
                "{seed}"
            );
        }
        n_redundant += analysis.redundant.len();
        let lengths = 0..=analysis.kept.depth();
        let words = lengths.flat_map(|length| analysis.kept.of_length(length));
        let mut n_words = 0;
        for word in words {
            assert_eq!(
                verdict(&analysis.kept.letters(word)),
                Verdict::Kept,
                "{seed}"
            );
            n_words += 1;
        }
        assert_eq!(n_words, kept.n_words());
        for (id, rule) in game.rules_with_ids() {
            if rule.canonical.preconditions()[0] == last {
                assert_eq!(verdict(&[id]), Verdict::Impossible);
            }
        }
    }
    assert!(n_redundant > 1000, "{n_redundant}");
}
