//! Loading games from text: meaning, errors and warnings.

use psvn_ir::{Game, Loaded, load};

fn game(source: &str) -> Game {
    let Loaded {
        game, diagnostics, ..
    } = load(source);
    let errors: Vec<_> = diagnostics.iter().filter(|d| d.is_error()).collect();
    game.unwrap_or_else(|| panic!("{errors:?}"))
}

fn rules(game: &Game) -> Vec<String> {
    game.rules()
        .iter()
        .map(|rule| game.format_rule(&rule.canonical))
        .collect()
}

/// The codes and the texts that they point to.
fn findings(source: &str) -> Vec<(&'static str, String)> {
    let text = |d: &psvn_syntax::Diagnostic| {
        d.primary.as_ref().map_or(String::new(), |l| {
            source[l.span.start..l.span.end].to_owned()
        })
    };
    load(source)
        .diagnostics
        .iter()
        .map(|d| (d.code, text(d)))
        .collect()
}

#[test]
fn the_language_means_what_the_manual_says() {
    let game = game(
        "DOMAIN size 3 small MEDIUM large\n 4 size size 2 2n\n\
         medium X 0 - => X Medium 1 -     # constants in any case\n\
         A A - 1 => A A - 2 LABEL Same COST 0\n\
         - B *1 - => B - 0 1\n\
         *small - - - => *large - - -\n\
         *X X - - => X small - -\n",
    );
    assert_eq!(
        rules(&game),
        [
            "<MEDIUM x2 0 x4> -> <x2 MEDIUM 1 x4>",
            "<x1 x1 x3 1> -> <x1 x1 x3 2>",
            "<x1 x2 x3 x4> -> <x2 x2 0 1>",
            "<x1 x2 x3 x4> -> <large x2 x3 x4>",
            "<x1 x2 x3 x4> -> <x2 small x3 x4>",
        ]
    );
    assert_eq!(&*game.rules()[0].label, "rule_1");
    assert_eq!(
        (&*game.rules()[1].label, game.rules()[1].canonical.cost()),
        ("Same", 0)
    );
    assert_eq!(game.rules()[4].canonical.cost(), 1);
}

#[test]
fn instances_come_with_the_highest_value_first_and_the_last_symbol_fastest() {
    let game = game("2 2 3\n- - => A B\n0 - => - -");
    assert_eq!(
        rules(&game),
        ["1 2", "1 1", "1 0", "0 2", "0 1", "0 0"]
            .map(|a| format!("<x1 x2> -> <{a}>"))
            .into_iter()
            .chain(["<0 x2> -> <0 x2>".to_owned()])
            .collect::<Vec<_>>()
    );
}

#[test]
fn a_symbol_is_scoped_by_rule_and_domain() {
    let game = game("3 2 2 3\nA A A => A A 0\nA - - => - A -");
    assert_eq!(
        rules(&game),
        ["<x1 x1 x3> -> <x1 x1 0>", "<x1 x2 x3> -> <x1 x1 x3>"]
    );
    assert!(
        findings("2 2 3\nA A => A A\nGOAL 0 0").contains(&("symbol-in-two-domains", "A".into()))
    );
}

#[test]
fn rules_that_change_nothing_are_rules() {
    let source = "2 2 2\nA B => A B\n0 - => 1 -\n1 - => 0 -\nGOAL 0 0";
    let numbers: Vec<usize> = game(source)
        .rules()
        .iter()
        .map(|rule| rule.source)
        .collect();
    assert_eq!(numbers, [0, 1, 2]);
    assert_eq!(findings(source), [("no-op-rule", "A B => A B".to_owned())]);
    // So is an instance that does nothing: value 0 of a domain with no other.
    let source = "2 1 2\n- A => B A\n- 0 => - 1\n- 1 => - 0\nGOAL 0 0";
    assert_eq!(game(source).rules().len(), 3);
    assert!(
        !findings(source)
            .iter()
            .any(|found| found.0 == "duplicate-rule")
    );
}

#[test]
fn rows_of_dashes_are_no_rules() {
    let source = "2 2 2\n- - => - -\n*0 *A => - -\n0 - => 1 -\n1 - => 0 -\nGOAL 0 0";
    assert_eq!(game(source).rules().len(), 2);
    assert_eq!(&*game(source).rules()[0].label, "rule_3");
    let no_ops = findings(source)
        .into_iter()
        .filter(|found| found.0 == "no-op-rule");
    assert_eq!(no_ops.count(), 2);
    // What it tests can't be seen, but it is tested.
    let source = "2 2 2\n- 1 => - -\n0 - => 1 -\n1 - => 0 -\nGOAL 0 0";
    assert_eq!(game(source).rules().len(), 3);
}

#[test]
fn backward_rules_follow_the_manual() {
    let game = game("3 2 2 2\n0 A - => A 1 -\n- *1 1 => 0 0 -\n1 - - => - 1 -");
    let backward: Vec<String> = game
        .backward_rules(100)
        .unwrap()
        .iter()
        .map(|rule| game.format_rule(&rule.canonical))
        .collect();
    assert_eq!(
        backward,
        [
            "<x1 1 x3> -> <0 x1 x3>",
            // The old value of position 1 is lost; the old value of position 2 was vouched for.
            "<0 0 1> -> <1 1 1>",
            "<0 0 1> -> <0 1 1>",
            "<1 1 x3> -> <1 1 x3>",
            "<1 1 x3> -> <1 0 x3>",
        ]
    );
    assert!(game.backward_rules(3).is_err());
}

#[test]
fn goals_are_conditions() {
    let game = game("3 2 2 3\n0 - - => 1 - -\nGOAL A A 2\nGOAL 1 - 0");
    let holds = |text: &str| game.is_goal(game.parse_state(text).unwrap().values());
    assert!(holds("0 0 2") && holds("1 1 2") && holds("1 0 0"));
    assert!(!holds("0 1 2") && !holds("0 0 0"));
    assert!(game.goal_state().is_none());
    assert_eq!(
        game.parse_state("0 0 9").unwrap_err().to_string(),
        "`9` (entry 3 of the state) is no value of domain `3`"
    );
    assert!(
        game.parse_state("0 0")
            .unwrap_err()
            .to_string()
            .contains("has 3 values")
    );
}

#[test]
fn errors_of_meaning_come_all_at_once() {
    let source = "DOMAIN 4 2 a b\nDOMAIN colour 2 red Red\nDOMAIN one 1 x\nDOMAIN d 2 p -\nDOMAIN D 2 p q\n\
                  2 color 3\n0 0 => 1 1";
    let mut codes: Vec<&str> = findings(source).iter().map(|(code, _)| *code).collect();
    codes.sort_unstable();
    assert_eq!(
        codes,
        [
            "domain-too-small",
            "duplicate-domain",
            "duplicate-value",
            "reserved-domain-name",
            "unknown-domain",
            "unusable-value"
        ]
    );
    let hint = load(source)
        .diagnostics
        .iter()
        .find(|d| d.code == "unknown-domain")
        .unwrap()
        .hint
        .clone();
    // `colour` was not declared well, so it is not proposed, but it is known.
    assert!(hint.is_some());
}

#[test]
fn too_many_instances_are_refused_before_they_are_made() {
    let wide = format!(
        "12 {}\n{} => {}",
        "9 ".repeat(12),
        "- ".repeat(12),
        "A B C D E F G H I J K L"
    );
    assert_eq!(findings(&wide).first().map(|f| f.0), Some("too-many-rules"));
    assert!(psvn_ir::load_with_limit("1 5\n- => A", 5).game.is_some());
    assert!(psvn_ir::load_with_limit("1 5\n- => A", 4).game.is_none());
}

#[test]
fn suspicious_symbols_are_pointed_out() {
    let source = "DOMAIN tile 3 blank left right\nDOMAIN hue 2 red green\n3 tile tile hue\n\
                  blnak A H => A blank H\n\
                  A red - => red A -\n\
                  X - - => blank - -\n\
                  - - - => - - Q\n\
                  GOAL blank 7 red";
    assert_eq!(
        findings(source),
        [
            ("symbol-near-value", "blnak".to_owned()),
            ("symbol-looks-like-value", "red".to_owned()),
            ("unused-symbol", "X".to_owned()),
            ("unbound-symbol", "Q".to_owned()),
            ("symbol-looks-like-value", "7".to_owned()),
        ]
    );
}

#[test]
fn rules_that_fit_badly_are_pointed_out() {
    // A rotation with its inverse, one without, a duplicate, and a rule that needs a value that
    // nothing produces.
    let source = "4 3 3 3 2\n\
        A B - - => B A - -\n\
        A - B - => B - A -\n\
        - A B - => - B A -\n\
        - B A - => - A B - COST 2\n\
        A B C - => B C A -\n\
        A A A 1 => A A 0 1\n\
        GOAL 0 1 2 0";
    let found = findings(source);
    let codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(
        codes,
        ["duplicate-rule", "no-inverse", "no-inverse", "dead-rule"],
        "{found:?}"
    );
    assert_eq!(found[3].1, "A A A 1 => A A 0 1");
}

#[test]
fn a_rule_is_not_dead_when_only_a_start_state_can_use_it() {
    // The first value can only be left, so it occurs in start states alone.
    assert_eq!(findings("2 3 3\n0 - => 1 -\n1 A => A 1\nGOAL 1 1"), []);
    // A swap moves a value to a place where the goal has none of it.
    assert_eq!(
        findings("2 3 3\nA B => B A\n2 - => 1 -\n- 2 => - 1\nGOAL 0 1"),
        []
    );
}

#[test]
fn the_content_hash_depends_on_rules_and_not_on_layout_or_goals() {
    let hash = |source: &str| game(source).content_hash().to_string();
    let base = hash("2 2 2\n0 A => A 0 LABEL L\nGOAL 0 1");
    assert_eq!(base, hash("2\n2 2 # comment\n0 B => B 0 label l GOAL 1 1"));
    for other in [
        "2 2 2\n0 A => A 0 LABEL M\nGOAL 0 1",
        "2 2 2\n0 A => A 0 LABEL L COST 2",
        "2 2 2\n1 A => A 1 LABEL L",
        "2 2n 2n\n1 A => A 1 LABEL L",
        "2 3 3\n0 A => A 0 LABEL L",
        "3 2 2 2\n0 A - => A 0 - LABEL L",
    ] {
        assert_ne!(base, hash(other), "{other}");
    }
}
