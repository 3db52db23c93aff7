//! The exact analysis by label: its certificates, agreement with the learner and with the analysis
//! by rule, and how both stop.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use macro_compose::compose_all;
use move_prune::{Limits, OperatorError, Options, Reason, StopReason};
use psvn_ir::RuleId;

use super::figures::{assert_growth, tiles};
use super::*;

/// Return the label word of a sequence of rules.
fn letters(operators: &Operators, sequence: &[RuleId]) -> Vec<u32> {
    let letter = |rule: &RuleId| operators.letters()[rule.index()];
    sequence.iter().map(letter).collect()
}

/// Check all certificates by composition, and return their number.
pub(crate) fn check(game: &Game, operators: &Operators, analysis: &OperatorAnalysis) -> usize {
    check_within(game, operators, analysis, &Invariants::none(game))
}

/// Like [`check`] for an analysis of states with invariants.
pub(crate) fn check_within(
    game: &Game,
    operators: &Operators,
    analysis: &OperatorAnalysis,
    known: &Invariants,
) -> usize {
    let mut n_certificates = 0;
    let compose = |sequence: &[RuleId]| {
        let rules = sequence.iter().map(|rule| &game.rule(*rule).canonical);
        compose_all(game.n_variables(), rules).unwrap()
    };
    let close = |rule: CanonicalRule| {
        let mut implied = Vec::new();
        if !Known(known).implied(rule.preconditions(), &mut implied) {
            // No state that matters allows it, but the analysis may not know that.
            return rule;
        }
        let mut preconditions = rule.preconditions().to_vec();
        for (var, value) in implied {
            preconditions[var.index()] = Term::constant(value);
        }
        // The value of a known unknown is also found at its own position.
        let resolve = |term: &Term| {
            term.as_variable()
                .map_or(*term, |var| preconditions[var.index()])
        };
        let actions: Vec<Term> = rule.actions().iter().map(resolve).collect();
        CanonicalRule::canonicalize(&preconditions, &actions, rule.cost())
    };
    for redundant in &analysis.redundant {
        let word = &*redundant.word;
        assert!(!redundant.instances.is_empty() && redundant.instances.is_sorted());
        for pair in &redundant.instances {
            assert_eq!(letters(operators, &pair.instance), word);
            let earlier = letters(operators, &pair.replacement);
            assert!((earlier.len(), &*earlier) < (word.len(), word));
            let (general, special) = (compose(&pair.replacement), compose(&pair.instance));
            let closed = close(special.clone());
            assert!(
                general.makes_redundant(&closed),
                "{general:?} for {special:?}, closed {closed:?}"
            );
            n_certificates += 1;
        }
    }
    let order = |word: &&[u32]| (word.len(), word.to_vec());
    let found: Vec<&[u32]> = analysis.redundant_letters().collect();
    assert!(found.is_sorted_by_key(order));
    n_certificates
}

/// Return whether the blank's walk has room on a board of `size` x `size` squares.
fn fits(word: &[u32], size: i32) -> bool {
    let mut place = [0_i32; 2];
    let (mut least, mut greatest) = (place, place);
    for letter in word {
        let (axis, step) = [(0, -1), (1, 1), (0, 1), (1, -1)][*letter as usize];
        place[axis] += step;
        least[axis] = least[axis].min(place[axis]);
        greatest[axis] = greatest[axis].max(place[axis]);
    }
    (0..2).all(|axis| greatest[axis] - least[axis] < size)
}

fn exact_on_4x4(max_length: usize) -> OperatorAnalysis {
    let game = built_in("sliding-tiles:4:4");
    let operators = Operators::by_label(&game);
    assert!(operators.names().eq(["U", "R", "D", "L"]));
    let analysis = analyze_reachable(&game, &operators, max_length);
    assert!(analysis.is_complete());
    assert!(check(&game, &operators, &analysis) > analysis.redundant.len());
    analysis
}

/// Up to length 12 every duplicate on the large board passes the test of applicability. So the
/// exact analysis of the real board finds just those that it has room for.
#[test]
fn fifteen_puzzle_on_its_own_board() {
    let exact = exact_on_4x4(12);
    let learned = tiles(7, 12);
    let expected: Vec<&[u32]> = duplicate_letters(&learned).filter(|w| fits(w, 4)).collect();
    assert_eq!(exact.redundant_letters().collect::<Vec<_>>(), expected);
    // Those without room are impossible there, so nothing is lost by not knowing them.
    assert_growth(&words(4, exact.redundant_letters()), 4, [2.00922; 2]);
}

#[test]
#[ignore = "takes 20 seconds: words of 14 moves"]
fn fifteen_puzzle_on_its_own_board_to_length_14() {
    let exact = exact_on_4x4(14);
    let learned = tiles(7, 14);
    let expected: Vec<&[u32]> = duplicate_letters(&learned).filter(|w| fits(w, 4)).collect();
    let found: Vec<&[u32]> = exact.redundant_letters().collect();
    // Nor does any other word replace those that failed the test of applicability.
    assert_eq!(found, expected);
    let n_redundant: Vec<u64> = exact.levels.iter().map(|l| l.redundant).collect();
    assert_eq!(n_redundant[10..], [185, 1462, 1114, 4525]);
    assert_growth(&words(4, exact.redundant_letters()), 4, [1.98593; 2]);
}

/// If each rule has a different label, words of labels are words of rules.
#[test]
fn with_one_rule_for_each_label_it_is_the_analysis_by_rule() {
    for (reference, max_length) in [("rubik:2:fixed", 5), ("topspin:8:4", 4), ("pancake:6", 5)] {
        let game = built_in(reference);
        let operators = Operators::by_label(&game);
        assert_eq!(operators.len(), game.rules().len());
        let by_label = analyze_reachable(&game, &operators, max_length);
        check(&game, &operators, &by_label);
        let rules = canonical_rules(&game);
        let by_rule = move_prune::analyze(
            game.n_variables(),
            &rules,
            &Options::up_to(max_length),
            |_| (),
        );
        let expected: Vec<Vec<u32>> = by_rule.redundant_letters().collect();
        assert!(
            by_label
                .redundant_letters()
                .eq(expected.iter().map(Vec::as_slice))
        );
        for (a, b) in by_label.levels.iter().zip(&by_rule.levels) {
            assert_eq!((a.kept, a.redundant), (b.kept, b.redundant), "{reference}");
        }
        // One generic state is enough for permutations: the learner finds the same.
        let learned = learn_reachable(&game, &operators, &goal(&game), max_length).unwrap();
        assert!(duplicate_letters(&learned).eq(expected.iter().map(Vec::as_slice)));
    }
}

/// By rule, the 8-puzzle's first redundant words are the inverse moves, one for each square; by
/// label there are four. Certificates name every square.
#[test]
fn a_label_word_has_a_certificate_for_each_instance() {
    let game = built_in("sliding-tiles:3:3");
    let operators = Operators::by_label(&game);
    let analysis = analyze_reachable(&game, &operators, 3);
    let found: Vec<String> = analysis
        .redundant
        .iter()
        .map(|r| {
            format!(
                "{} x {}",
                format_word(&operators, &r.word),
                r.instances.len()
            )
        })
        .collect();
    assert_eq!(found, ["U D x 6", "R L x 6", "D U x 6", "L R x 6"]);
    // Without the knowledge that there is one blank, two blanks may move. Up and then down may be
    // two moves far apart, which no earlier word does; down and then up may be the same two moves
    // in the other order, or no change at all.
    let rules = canonical_rules(&game);
    let anything = analyze_operators(9, &rules, &operators, &OperatorOptions::up_to(2));
    let found = anything.redundant_letters();
    let found: Vec<String> = found.map(|word| format_word(&operators, word)).collect();
    assert_eq!(found, ["D U", "L R"]);
    assert!(check(&game, &operators, &anything) > 12);
}

/// Replacements may have different label words for different instances.
#[test]
fn instances_may_have_different_replacements() {
    let game = load(
        "3  2 2 3
         0 A 0 => 0 A 1  LABEL ONE
         1 A 0 => 1 A 1  LABEL TWO
         0 0 0 => 0 0 1  LABEL BOTH
         1 1 0 => 1 1 1  LABEL BOTH
         0 0 1 => 0 0 2  LABEL PARTLY
         0 1 0 => 0 1 1  LABEL PARTLY
         GOAL 0 0 1",
    );
    let operators = Operators::by_label(&game);
    let options = OperatorOptions::up_to(1);
    let analysis = analyze_operators(3, &canonical_rules(&game), &operators, &options);
    check(&game, &operators, &analysis);
    let [both] = analysis.redundant.as_slice() else {
        panic!("{:?}", analysis.redundant);
    };
    assert_eq!(format_word(&operators, &both.word), "BOTH");
    let replacements: Vec<String> = both
        .instances
        .iter()
        .map(|pair| format_word(&operators, &letters(&operators, &pair.replacement)))
        .collect();
    assert_eq!(replacements, ["ONE", "TWO"]);
}

/// Two rules with equal effects under one label: by rule one of them is redundant, by label
/// neither.
#[test]
fn a_label_word_does_not_replace_itself() {
    let game = load(
        "2  2 2
         A 0 => A 1  LABEL GO
         0 0 => 0 1  LABEL GO
         A 0 => A 1  LABEL WALK
         GOAL 1 1",
    );
    let operators = Operators::by_label(&game);
    let options = OperatorOptions::up_to(1);
    let analysis = analyze_operators(2, &canonical_rules(&game), &operators, &options);
    let found: Vec<&[u32]> = analysis.redundant_letters().collect();
    assert_eq!(found, [[1]]);
}

#[test]
fn operators_are_checked() {
    let game = built_in("sliding-tiles:3:3");
    let error = |order: &[&str]| Operators::in_order(&game, order).unwrap_err().to_string();
    assert_eq!(
        error(&["u", "r", "d", "l", "x"]),
        "no rule has the label `x`"
    );
    assert_eq!(error(&["u", "r", "U"]), "the label `U` is listed twice");
    assert_eq!(
        error(&["u", "r", "L"]),
        "the order of the operators leaves out `D`"
    );

    let operators = Operators::by_label(&game);
    let rules = canonical_rules(&game);
    let center = blank_in_the_center(3);
    // With two blanks, Up may be two moves.
    let learned = learn(9, &rules, &operators, &center, &OperatorOptions::up_to(2));
    assert_eq!(
        learned.unwrap_err().to_string(),
        "rules 1 and 2 share the label `U`, and both may apply in one state"
    );
    assert!(matches!(
        operators.check_unambiguous(9, &rules, None),
        Err(OperatorError::Ambiguous { .. })
    ));

    let refused = |start: &[Term]| learn_reachable(&game, &operators, start, 2).unwrap_err();
    assert_eq!(
        refused(&center[..8]),
        LearnError::StartLength {
            expected: 9,
            found: 8
        }
    );
    let mut start = center.clone();
    start[1] = start[2];
    assert_eq!(refused(&start), LearnError::StartForm { position: 1 });
    start[1] = Term::constant(Value(0));
    assert_eq!(refused(&start), LearnError::StartNotAdmitted);
}

/// A start that isn't generic makes different words look alike.
#[test]
fn rejected_pairs_say_why() {
    let game = load(
        "3  3 3 2
         A B C => B A C  LABEL SWAP
         A B 0 => A B 0  LABEL STAY
         0 B C => B 0 C  LABEL MOVE
         A B C => A B 1  LABEL SET COST 3
         A B C => A B 1  LABEL CHEAP
         GOAL 0 0 0",
    );
    let operators = Operators::by_label(&game);
    let rules = canonical_rules(&game);
    let start = [0, 0, 0].map(|value| Term::constant(Value(value)));
    let options = OperatorOptions::up_to(1);
    let learned = learn(3, &rules, &operators, &start, &options).unwrap();
    let names = |words: &[u32]| format_word(&operators, words);
    let duplicates: Vec<String> = duplicate_letters(&learned).map(names).collect();
    let rejected: Vec<(String, String, Reason)> = learned
        .rejected
        .iter()
        .map(|r| (names(&r.word), names(&r.earlier), r.reason))
        .collect();
    let row = |word: &str, earlier: &str, reason| (word.to_owned(), earlier.to_owned(), reason);
    assert_eq!(duplicates, ["STAY"]);
    assert_eq!(
        rejected,
        [
            row("SWAP", "", Reason::LeadsElsewhere),
            row("MOVE", "", Reason::LeadsElsewhere),
            row("CHEAP", "SET", Reason::CostsMore),
        ]
    );
}

#[test]
fn limits_leave_complete_levels() {
    let game = built_in("rubik:2:fixed");
    let operators = Operators::by_label(&game);
    let rules = canonical_rules(&game);
    let start = goal(&game);
    let limits = [
        (
            Limits {
                time: Some(Duration::ZERO),
                ..Limits::default()
            },
            StopReason::Time,
        ),
        (
            Limits {
                memory: Some(3 << 20),
                ..Limits::default()
            },
            StopReason::Memory,
        ),
        (
            Limits {
                interrupt: Some(Arc::new(AtomicBool::new(true))),
                ..Limits::default()
            },
            StopReason::Interrupted,
        ),
    ];
    let whole = learn(
        rules[0].n_variables(),
        &rules,
        &operators,
        &start,
        &OperatorOptions::up_to(5),
    );
    let whole = whole.unwrap();
    for (limits, reason) in limits {
        let options = OperatorOptions {
            limits,
            ..OperatorOptions::up_to(9)
        };
        let learned = learn(rules[0].n_variables(), &rules, &operators, &start, &options).unwrap();
        assert_eq!(learned.stopped, Some(reason));
        assert_eq!(learned.max_length, learned.levels.len());
        let exact = analyze_operators(rules[0].n_variables(), &rules, &operators, &options);
        assert_eq!(exact.stopped, Some(reason));
        assert_eq!(exact.max_length, exact.levels.len());
        let up_to = |n: usize| duplicate_letters(&whole).filter(move |w| w.len() <= n);
        assert!(duplicate_letters(&learned).eq(up_to(learned.max_length)));
        assert!(exact.redundant_letters().eq(up_to(exact.max_length)));
        assert_eq!(
            reason == StopReason::Memory,
            learned.max_length > 0 && exact.max_length > 0
        );
    }
}
