//! Each warning in a game that deserves it, with its message.

use psvn_ir::load;

/// The one warning with a code about a text.
fn only(code: &str, text: &str) -> psvn_syntax::Diagnostic {
    let game = load(text).game.unwrap();
    let mut found = lint::lint(&game)
        .into_iter()
        .filter(|found| found.code == code);
    let first = found
        .next()
        .unwrap_or_else(|| panic!("no {code}: {:?}", lint::lint(&game)));
    assert_eq!(found.next(), None);
    first
}

/// The text of a built-in game without the rules of some labels, or with lines replaced.
fn changed(reference: &str, changes: &[(&str, &str)]) -> String {
    let mut text = domains::generate_reference(reference).unwrap();
    for (from, to) in changes {
        let line = text
            .lines()
            .find(|line| line.contains(from))
            .unwrap()
            .to_owned();
        text = text.replace(&line, to);
    }
    text
}

#[test]
fn a_half_turn_of_a_cube_is_missing() {
    let text = changed("rubik:3", &[("LABEL U2", "")]);
    only("missing-power", &text);
    only("broken-symmetry", &text);
    let gap = only("label-gap", &text);
    assert!(
        gap.message.starts_with("there is no label `u2`"),
        "{}",
        gap.message
    );
}

#[test]
fn a_flip_is_missing() {
    let found = only("label-gap", &changed("pancake:7", &[("LABEL flip4", "")]));
    assert_eq!(
        found.message,
        "there are labels from `flip2` to `flip7`, but no `flip4`"
    );
    let found = only(
        "unused-variable",
        &changed("pancake:7", &[("LABEL flip7", "")]),
    );
    assert_eq!(found.message, "no rule tests or changes variable 7");
}

#[test]
fn a_move_deletes_the_blank() {
    let text = changed(
        "sliding-tiles:3:3",
        &[(
            "0 X - - - - - - - =>",
            "0 A - - - - - - - => A A - - - - - - - LABEL R",
        )],
    );
    let found = only("broken-invariant", &text);
    assert_eq!(
        found.message,
        "rule 7 (`R`) changes how many of 9 variables hold `0`, which the other rules keep"
    );
    only("odd-one-out", &text);
}

#[test]
fn a_goal_is_out_of_reach() {
    let start = "DOMAIN light 3 red green blue\n1 light\nred => green\ngreen => red\n";
    let found = only("goal-never-produced", &format!("{start}GOAL blue"));
    assert!(
        found.message.contains("requires `blue` for variable 1"),
        "{}",
        found.message
    );
    let text = "2  2 2\n0 0 => 1 0\n1 0 => 0 0\n0 0 => 0 1\n0 1 => 0 0\nGOAL 1 1\n";
    only("unreachable-goal", text);
}

#[test]
fn a_variable_never_changes() {
    let text = "2  2 2\n0 1 => 1 1\n1 1 => 0 1\nGOAL 1 1\n";
    let found = only("constant-variable", text);
    assert_eq!(found.message, "rules test variable 2, but none changes it");
}

#[test]
fn a_value_is_never_mentioned() {
    let text = "DOMAIN s 5 a b c d e\n1 s\na => b\nb => c\nc => d\nd => a\nGOAL a\n";
    let found = only("unused-value", text);
    assert_eq!(
        found.message,
        "neither rules nor goals mention `e` of domain `s`, and they mention the other 4 values"
    );
}

#[test]
fn a_label_is_used_less_often() {
    let text = changed("sliding-tiles:3:3", &[("0 X - - - - - - - =>", "")]);
    let found = only("uneven-labels", &text);
    assert_eq!(
        found.message,
        "5 rules have the label `r`, and each of the 3 other labels has 6"
    );
}

/// All warnings about a text, in order of importance.
fn ranked(text: &str) -> Vec<psvn_syntax::Diagnostic> {
    let loaded = load(text);
    let game = loaded.game.unwrap();
    let mut found = loaded.diagnostics;
    found.extend(lint::lint_text(&game, text, lint::Effort::Full));
    lint::rank(&game, &mut found);
    found
}

#[test]
fn the_culprit_comes_before_rules_that_suffer_from_it() {
    let wrong = "- - - - - 0 X - - => - - - - - X 0 - - LABEL D";
    let right = "- - - - - 0 - - X => - - - - - X - - 0 LABEL D";
    let text = changed("sliding-tiles:3:3", &[(right, wrong)]);
    let found = ranked(&text);
    let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
    assert_eq!(
        codes,
        [
            "no-inverse",
            "odd-one-out",
            "irregular-grid",
            "broken-symmetry"
        ]
    );
    for warning in &found {
        let place = warning.primary.as_ref().unwrap().span;
        assert_eq!(&text[place.start..place.end], wrong, "{}", warning.code);
    }
    assert_eq!(
        found[0].hint.as_deref(),
        Some(
            "it may be meant to be the rule that is missing: `- - - - - 0 - - X => - - - - - X - - 0`"
        )
    );
    // The rule that it should undo is named after it.
    assert_eq!(found[0].n_others, 1);
    assert!(found[0].others[0].message.starts_with("rule 6 (`U`)"));
}

#[test]
fn missing_rules_are_written_as_in_the_text() {
    let missing = "- - - - - 0 - - X => - - - - - X - - 0";
    let text = changed("sliding-tiles:3:3", &[(missing, "")]);
    let hints: Vec<String> = ranked(&text).into_iter().filter_map(|it| it.hint).collect();
    let of_symmetry = format!("a rule may be wrong, or this one may be missing: `{missing}`");
    assert!(hints.contains(&of_symmetry), "{hints:#?}");
    assert!(hints.iter().all(|hint| !hint.contains('<')), "{hints:#?}");
}

#[test]
fn a_name_that_was_never_declared_is_called_that() {
    let text = changed(
        "sliding-tiles:3:3",
        &[
            ("DOMAIN tile", "DOMAIN tile 9 b 1 2 3 4 5 6 7 8"),
            ("# layout", ""),
        ],
    );
    let text: Vec<String> = text
        .lines()
        .map(|line| {
            if line.contains(['>']) || line.starts_with("GOAL") {
                line.replace('0', "b")
            } else {
                line.to_owned()
            }
        })
        .collect();
    let text = text.join("\n");
    assert_eq!(ranked(&text), []);
    let row = "- b - - X - - - - => - X - - b - - - - LABEL D";
    let wrong = "- blank - - X - - - - => - X - - blank - - - - LABEL D";
    assert!(text.contains(row));
    let found = ranked(&text.replace(row, wrong));
    assert_eq!(found[0].code, "undeclared-name");
    assert_eq!(
        found[0].message,
        "`blank` was never declared, so it is a variable symbol and matches any value"
    );
    assert_eq!(
        found[0].hint.as_deref(),
        Some("if the value `b` is meant, write `b`")
    );
}
