//! All errors in a file are reported in one pass, each with its place.

use formats::sas::{parse, to_psvn};
use formats::{Format, import};
use psvn_ir::testing::is_thorough;
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
fn too_many_cases_are_refused() {
    // For each of 40 lamps, an effect that depends on the next lamp: 2^40 cases.
    let mut variables = String::new();
    let mut effects = String::new();
    for n in 1..40 {
        variables.push_str(&format!(
            "begin_variable\nvar{n}\n-1\n2\nAtom off{n}()\nAtom on{n}()\nend_variable\n"
        ));
        effects.push_str(&format!("1 {n} 1 {} -1 1\n", n - 1));
    }
    let text = lamp(&variables, &"0\n".repeat(39), &effects, "");
    let found = match is_thorough() {
        true => import(Format::Sas, &text).expect_err("too many"),
        // The limit of an import takes seconds to reach.
        false => to_psvn(&parse(&text).unwrap(), 10_000).expect_err("too many"),
    };
    assert_eq!(found[0].code, "sas-too-many-cases");
    assert!(found[0].message.contains("`switch`"), "{}", found[0]);
}
