//! All errors in a file are reported in one pass, each with its place.

use std::cell::Cell;

use formats::{Format, import, import_within};
use psvn_ir::{LoadLimits, LoadStop};
use psvn_syntax::LineIndex;

use crate::sas::GRIPPER;

/// Code, line and column of all errors.
fn errors(text: &str) -> Vec<(&'static str, usize, usize)> {
    let errors = import(Format::Sas, text).expect_err("it is wrong");
    let index = LineIndex::new(text);
    let place = |found: &psvn_syntax::Diagnostic| {
        let span = found.primary.as_ref().unwrap().span;
        assert!(text.get(span.start..span.end).is_some());
        let (line, column) = index.line_column(span.start);
        (found.code, line, column)
    };
    errors.iter().map(place).collect()
}

#[test]
fn all_errors_are_found_in_one_pass() {
    let text = GRIPPER
        .replacen("\n3\nend_version", "\n4\nend_version", 1)
        .replacen("1 1\n2 1\nend_goal", "1 1\n9 1\nend_goal", 1)
        .replacen("0 0 0 1\n1\nend_operator", "0 0 x 1\n1\nend_operator", 1)
        .replacen("0 2 2 1", "0 2 2 7", 1);
    let found = errors(&text);
    assert_eq!(
        found,
        [
            ("sas-version", 2, 1),
            ("sas-range", 54, 1),
            ("sas-number", 61, 5),
            ("sas-range", 139, 7),
        ]
    );
}

#[test]
fn wrong_counts_name_the_line_that_declares_them() {
    let text = GRIPPER.replacen("end_goal\n10", "end_goal\n11", 1);
    assert_eq!(errors(&text)[0].0, "sas-count");
    let text = GRIPPER.replacen("-1\n3\nAtom at(ball1, a)", "-1\n4\nAtom at(ball1, a)", 1);
    assert_eq!(errors(&text)[0], ("sas-count", 18, 1));
    let text = GRIPPER.replacen("end_metric\n4", "end_metric\n4000000000", 1);
    assert_eq!(errors(&text)[0], ("sas-count", 7, 1));
}

#[test]
fn a_file_that_is_cut_off_is_an_error_wherever_it_ends() {
    let lines: Vec<&str> = GRIPPER.lines().collect();
    for n in 1..lines.len() {
        let text = lines[..n].join("\n");
        assert!(import(Format::Sas, &text).is_err(), "{n} lines");
    }
}

/// A lamp with one operator, whose effects and axioms are parameters.
fn lamp(variables: &str, state: &str, effects: &str, axioms: &str) -> String {
    let n = variables.matches("begin_variable").count() + 1;
    let n_effects = effects.lines().count();
    let n_axioms = axioms.matches("begin_rule").count();
    format!(
        "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n{n}\nbegin_variable\nvar0\n-1\n\
         2\nAtom off()\nAtom on()\nend_variable\n{variables}0\nbegin_state\n0\n{state}end_state\n\
         begin_goal\n1\n0 1\nend_goal\n1\nbegin_operator\nswitch\n0\n{n_effects}\n{effects}1\n\
         end_operator\n{n_axioms}\n{axioms}"
    )
}

const DERIVED: &str = "begin_variable\nvar1\n0\n2\nAtom a()\nAtom b()\nend_variable\n";

#[test]
fn what_has_no_exact_form_is_refused_by_name() {
    let two = lamp("", "", "0 0 -1 1\n0 0 -1 0\n", "");
    assert_eq!(errors(&two)[0].0, "sas-two-values");
    let circle = "begin_rule\n1\n1 0\n1 0 1\nend_rule\n";
    let negative = lamp(DERIVED, "0\n", "0 0 -1 1\n", circle);
    assert_eq!(errors(&negative)[0].0, "sas-axiom-layer");
    let written = lamp(DERIVED, "0\n", "0 1 -1 1\n", "");
    assert_eq!(errors(&written)[0].0, "sas-derived-effect");
    let underived = lamp("", "", "0 0 -1 1\n", "begin_rule\n0\n0 0 1\nend_rule\n");
    assert_eq!(errors(&underived)[0].0, "sas-axiom");
}

#[test]
fn findings_of_one_cause_are_one() {
    let circle = "begin_rule\n1\n1 0\n1 0 1\nend_rule\n";
    let text = lamp(DERIVED, "0\n", "0 0 -1 1\n", &circle.repeat(7));
    let found = import(Format::Sas, &text).expect_err("it is wrong");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].code, found[0].n_others), ("sas-axiom-layer", 6));
}

#[test]
fn a_cost_that_is_too_large_is_named() {
    let text = lamp("", "", "0 0 -1 1\n", "")
        .replace("\n1\nend_operator", "\n9223372036854775807\nend_operator");
    let found = import(Format::Sas, &text).expect_err("it is wrong");
    assert_eq!(
        found[0].message,
        "the cost is `9223372036854775807`, and the largest number that can be read is 4294967295"
    );
}

/// A task whose operator is a rule for each of the 2^n states of n lamps: for each lamp, an effect
/// depends on the next one.
fn many_cases(n_lamps: usize) -> String {
    let mut variables = String::new();
    let mut effects = String::new();
    for n in 1..n_lamps {
        variables.push_str(&format!(
            "begin_variable\nvar{n}\n-1\n2\nAtom off{n}()\nAtom on{n}()\nend_variable\n"
        ));
        effects.push_str(&format!("1 {n} 1 {} -1 1\n", n - 1));
    }
    lamp(&variables, &"0\n".repeat(n_lamps - 1), &effects, "")
}

/// A task whose operators take `n` recursive axioms apart: which nodes of a complete graph with
/// edges that can be switched are connected with the first one.
fn many_axioms(n: usize) -> String {
    let mut text = String::new();
    let mut state = String::new();
    let mut axioms = String::new();
    for node in 0..n {
        text.push_str(&format!(
            "begin_variable\nreached{node}\n0\n2\nAtom no{node}()\nAtom yes{node}()\nend_variable\n"
        ));
        state.push_str("0\n");
    }
    let mut edge = n + 1;
    for a in 0..n {
        for b in 0..a {
            text.push_str(&format!(
                "begin_variable\nedge{edge}\n-1\n2\nAtom off{edge}()\nAtom on{edge}()\nend_variable\n"
            ));
            state.push_str("0\n");
            for (from, to) in [(a, b), (b, a)] {
                axioms.push_str(&format!(
                    "begin_rule\n2\n{} 1\n{edge} 1\n{} 0 1\nend_rule\n",
                    from + 1,
                    to + 1
                ));
            }
            edge += 1;
        }
    }
    axioms.push_str("begin_rule\n0\n1 0 1\nend_rule\n");
    let effects = format!("1 {n} 1 0 -1 1\n");
    lamp(&text, &state, &effects, &axioms)
}

/// The limit that ends an import, and its errors.
fn stopped(text: &str, limits: &LoadLimits<'_>) -> (Option<LoadStop>, String) {
    let rejected = import_within(Format::Sas, text, limits).expect_err("a limit is reached");
    let errors = rejected.diagnostics.iter().filter(|it| it.is_error());
    let errors: Vec<String> = errors
        .map(|it| format!("{}: {}", it.code, it.message))
        .collect();
    (rejected.stopped, errors.join("\n"))
}

#[test]
fn an_import_asks_whether_to_stop() {
    for text in [many_cases(40), many_axioms(30)] {
        let n_questions = Cell::new(0);
        let stop = || {
            n_questions.set(n_questions.get() + 1);
            n_questions.get() > 40
        };
        let limits = LoadLimits {
            stop: &stop,
            ..LoadLimits::default()
        };
        let (limit, errors) = stopped(&text, &limits);
        assert_eq!(limit, Some(LoadStop::Requested));
        assert!(
            errors.starts_with("sas-time: the time ran out at operator `switch`, after"),
            "{errors}"
        );
        assert_eq!(n_questions.get(), 41);
    }
}

#[test]
fn memory_is_estimated_before_rules_are_written() {
    let limits = LoadLimits {
        memory: 20 << 20,
        ..LoadLimits::default()
    };
    let (limit, errors) = stopped(&many_cases(40), &limits);
    assert_eq!(limit, Some(LoadStop::Size));
    // A rule has 85 words, each of which takes 224 bytes, and its text.
    assert_eq!(
        errors,
        "sas-too-large: reading this task takes more memory than the limit of 20.0 MiB: 1,078 rules \
         so far, and operator `switch` needs more"
    );
    // So are the lines of the file.
    let limits = LoadLimits {
        memory: 100_000,
        ..LoadLimits::default()
    };
    let (limit, errors) = stopped(&many_axioms(30), &limits);
    assert_eq!(limit, Some(LoadStop::Size));
    assert!(errors.contains("and the limit is 97.7 KiB"), "{errors}");
}

#[test]
fn operators_that_ask_for_no_axiom_take_none_apart() {
    // The goal doesn't depend on the axioms, so neither does the game.
    let text = many_axioms(30).replace("1 30 1 0 -1 1\n", "0 0 -1 1\n");
    let imported = import(Format::Sas, &text).expect("a game");
    assert!(imported.text.contains("LABEL switch"));
}

#[test]
fn too_many_cases_are_refused() {
    let text = many_cases(40);
    let limits = LoadLimits {
        rules: 1_000_000,
        ..LoadLimits::default()
    };
    let rejected = import_within(Format::Sas, &text, &limits).expect_err("too many");
    assert_eq!(rejected.stopped, Some(LoadStop::Rules));
    let found = rejected.diagnostics;
    assert_eq!(found[0].code, "sas-too-many-cases");
    assert!(found[0].message.contains("`switch`"), "{}", found[0]);
}
