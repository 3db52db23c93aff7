//! Canonical macro-rules, pinned: the paper's tables, its GHI figure, and one game of each family.
//!
//! Each snapshot shows the source of the game, then its rules and some macro-rules in the notation
//! of the paper, so that it can be judged alone.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;

use macro_compose::{Conflict, Invalid, MacroRule, Update, compose_all, compose_traced};
use psvn_ir::{Game, RuleId, VarId, load};

fn load_game(source: &str) -> Game {
    let loaded = load(source);
    loaded
        .game
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// Return the rule with a label, or the k-th one as `LABEL#k`.
fn rule<'a>(game: &'a Game, name: &str) -> &'a MacroRule {
    let (label, k) = name.split_once('#').unwrap_or((name, "1"));
    let k: usize = k.parse().unwrap();
    let mut matching = game
        .rules()
        .iter()
        .filter(|rule| rule.label.eq_ignore_ascii_case(label));
    let found = matching
        .nth(k - 1)
        .unwrap_or_else(|| panic!("no rule {name}"));
    &found.canonical
}

/// Return the game's rules (at most `most`), and the macro-rules of some words.
fn report(source: &str, most: usize, words: &[&str]) -> String {
    let game = load_game(source);
    let mut text = format!("{}\n\nRules\n", source.trim_end());
    for (RuleId(i), rule) in game.rules_with_ids().take(most) {
        let (label, body) = (&rule.label, game.format_rule(&rule.canonical));
        writeln!(
            text,
            "{:>4} {label}: {body} cost {}",
            i + 1,
            rule.canonical.cost()
        )
        .unwrap();
    }
    if game.rules().len() > most {
        writeln!(text, "     and {} more", game.rules().len() - most).unwrap();
    }
    text.push_str("\nMacro-rules\n");
    for word in words {
        let sequence = word.split_whitespace().map(|name| rule(&game, name));
        let result = match compose_all(game.n_variables(), sequence) {
            Ok(composed) => format!("{} cost {}", game.format_rule(&composed), composed.cost()),
            Err(Invalid {
                index,
                conflict:
                    Conflict {
                        position,
                        subcase,
                        found,
                        wanted,
                    },
            }) => format!(
                "impossible: rule {} finds {} at position {} and wants {} by subcase {subcase}",
                index + 1,
                game.format_term(position, found),
                position.0 + 1,
                game.format_term(position, wanted),
            ),
        };
        writeln!(text, "     {word}: {result}").unwrap();
    }
    text
}

fn generated(name: &str, args: &[&str]) -> String {
    domains::generate(name, args).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tables_1_to_3_of_the_paper() {
    // Table 1 gives the rules of move 1, Table 2 all of them in vector notation.
    let source = "4  2 2 2 2
        0 0 - - => 1 1 - -  LABEL R1-00
        0 1 - - => 1 0 - -  LABEL R1-01
        1 0 - - => 0 1 - -  LABEL R1-10
        1 1 - - => 0 0 - -  LABEL R1-11
        - 0 0 - => - 1 1 -  LABEL R2-00
        - 0 1 - => - 1 0 -  LABEL R2-01
        - 1 0 - => - 0 1 -  LABEL R2-10
        - 1 1 - => - 0 0 -  LABEL R2-11
        - - 0 0 => - - 1 1  LABEL R3-00
        - - 0 1 => - - 1 0  LABEL R3-01
        - - 1 0 => - - 0 1  LABEL R3-10
        - - 1 1 => - - 0 0  LABEL R3-11
        GOAL 0 0 0 0";
    let words = [
        "R1-00 R2-11",
        "R1-00 R2-10", // the talk's example
        "R1-00 R2-01",
        "R1-00 R1-11",
        "R1-00 R3-00",
        "R3-00 R1-00",
        "R1-01 R2-01 R3-01",
    ];
    insta::assert_snapshot!("arrow_paper", report(source, 12, &words));

    // Table 3, position by position.
    let game = load_game(source);
    let trace = compose_traced(rule(&game, "R1-00"), rule(&game, "R2-11"));
    let mut text = format!("{source}\n\nR1-00, then R2-11\n");
    for step in &trace.steps {
        let term = |term| game.format_term(step.position, term);
        let update = match step.update {
            Update::Nothing => "no update".to_owned(),
            Update::Replace {
                unknown: VarId(k),
                by,
            } => format!("x{} becomes {}", k + 1, term(by)),
        };
        let (i, found, wanted) = (step.position.0 + 1, term(step.found), term(step.wanted));
        writeln!(
            text,
            "i = {i}: a = {found}, p = {wanted}: {} {update}",
            step.subcase
        )
        .unwrap();
    }
    writeln!(
        text,
        "a* (before)   = <{}>",
        game.format_terms(&trace.actions_before)
    )
    .unwrap();
    writeln!(
        text,
        "R2-11 actions = <{}>",
        game.format_terms(rule(&game, "R2-11").actions())
    )
    .unwrap();
    let composed = trace.result.unwrap();
    writeln!(
        text,
        "a* (after)    = <{}>",
        game.format_terms(composed.actions())
    )
    .unwrap();
    writeln!(text, "macro-rule    = {}", game.format_rule(&composed)).unwrap();
    insta::assert_snapshot!("arrow_table_3", text);
}

#[test]
fn figure_1_of_the_paper() {
    let source = generated("ghi", &[]);
    insta::assert_snapshot!(report(&source, 10, &["R1 R3", "R2 R3", "R1 R2", "R3 R1"]));
}

/// A game that exercises each of the seven subcases, with its trace.
#[test]
fn every_subcase() {
    let source = "5  3 3 3 3 3
        A B C D E => 0 1 C C E  LABEL FIRST
        0 A A B B => 1 A A B B  LABEL SECOND
        A A B B C => B B A A C  LABEL THIRD
        A B C D E => B A C D E  LABEL SWAP
        A - C D E => A 1 D 2 E  LABEL WRITE";
    let game = load_game(source);
    let mut text = format!("{source}\n");
    for (first, second) in [
        ("FIRST", "SECOND"),
        ("SECOND", "THIRD"),
        ("FIRST", "THIRD"),
        ("SWAP", "THIRD"),
        ("THIRD", "SECOND"),
        ("WRITE", "THIRD"),
        ("WRITE", "SECOND"),
    ] {
        let trace = compose_traced(rule(&game, first), rule(&game, second));
        writeln!(text, "\n{first}, then {second}").unwrap();
        for step in &trace.steps {
            writeln!(
                text,
                "{} {:?} meets {:?}: {:?}",
                step.subcase, step.found, step.wanted, step.update
            )
            .unwrap();
        }
        match trace.result {
            Ok(composed) => writeln!(text, "{}", game.format_rule(&composed)).unwrap(),
            Err(conflict) => writeln!(text, "{conflict}").unwrap(),
        }
    }
    for subcase in ["1(a)", "1(b)", "1(c)", "2(a)", "2(b)", "2(c)", "2(d)"] {
        assert!(text.contains(subcase), "{subcase} doesn't occur in\n{text}");
    }
    insta::assert_snapshot!(text);
}

/// The first words of length 2 and 3 over a game's first rules: enough to notice a change.
fn family(name: &str, args: &[&str]) {
    let source = generated(name, args);
    let game = load_game(&source);
    let mut seen: std::collections::HashMap<&str, usize> = Default::default();
    let names: Vec<String> = game
        .rules()
        .iter()
        .map(|rule| {
            let k = seen.entry(&rule.label).or_insert(0);
            *k += 1;
            format!("{}#{k}", rule.label)
        })
        .collect();
    let (first, last) = (&names[0], &names[names.len() - 1]);
    let middle = &names[names.len() / 2];
    let words = [
        format!("{first} {first}"),
        format!("{first} {middle}"),
        format!("{middle} {first}"),
        format!("{first} {last}"),
        format!("{last} {middle}"),
        format!("{first} {middle} {last}"),
        format!("{last} {first} {middle}"),
    ];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    insta::assert_snapshot!(name, report(&source, 24, &words));
}

#[test]
fn one_game_of_each_family() {
    family("arrow", &["3"]);
    family("blocks", &["2"]);
    family("hanoi", &["3", "2"]);
    family("pancake", &["4"]);
    family("sliding-tiles", &["2", "3"]);
    family("rubik", &["2", "fixed"]);
    family("topspin", &["6", "3"]);
    family("gripper", &["1"]);
    family("grid", &["2", "3"]);
    family("slide-jump", &["2"]);
}

/// As printed, subcase 2(b) applies if p²_i = x_j and a_i = x_j. This holds after a swap, although
/// the two positions are not known to be equal.
#[test]
fn subcase_2b_is_read_as_the_crate_says() {
    let game =
        load_game("3 3 3 3\nA B - => B A - LABEL SWAP\nA A - => A A 0 LABEL TEST\nGOAL 0 0 0");
    let composed = compose_all(3, [rule(&game, "SWAP"), rule(&game, "TEST")]).unwrap();
    assert_eq!(game.format_rule(&composed), "<x1 x1 x3> -> <x1 x1 0>");
}

/// Two games on which the reference compiler loses a reachable state, because it confuses a
/// variable's index with a value.
#[test]
fn an_index_is_not_a_value() {
    let game = load_game(
        "3 3 3 2\n- - 0 => 2 0 0 LABEL SET20\nA A 0 => - - 1 LABEL FLAG\n2 0 0 => 2 0 1 LABEL REAL\nGOAL 2 0 1",
    );
    assert!(compose_all(3, [rule(&game, "SET20"), rule(&game, "FLAG")]).is_err());
    assert!(compose_all(3, [rule(&game, "SET20"), rule(&game, "REAL")]).is_ok());
}
