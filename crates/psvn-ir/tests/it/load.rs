//! Loading games from text: meaning, errors and warnings.

use psvn_ir::{BuildError, Cell, Domain, Game, GameBuilder, Loaded, MAX_COST, Value, load};

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
    // An instance that does nothing: value 0 of a domain with no other value.
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
    let found = load(source).diagnostics;
    let no_ops = found.iter().filter(|found| found.code == "no-op-rule");
    assert_eq!(no_ops.map(|found| 1 + found.n_others).sum::<usize>(), 2);
    // It tests something, even if the test has no visible effect.
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
            // The old value of position 1 is lost; the old value of position 2 is vouched for.
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
        "`9` (entry 3 of the state) isn't a value of domain `3`"
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
    // `colour` has an invalid declaration, so it is known but not proposed.
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
fn suspicious_symbols_give_warnings() {
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
fn rules_that_do_not_fit_give_warnings() {
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
        ["duplicate-rule", "no-inverse", "dead-rule"],
        "{found:?}"
    );
    assert_eq!(found[2].1, "A A A 1 => A A 0 1");
}

fn only(code: &str, source: &str) -> psvn_syntax::Diagnostic {
    let found = load(source).diagnostics;
    let mut with_code = found.iter().filter(|d| d.code == code);
    let first = with_code.next().cloned();
    assert!(with_code.next().is_none(), "{found:?}");
    first.unwrap_or_else(|| panic!("no {code}: {found:?}"))
}

#[test]
fn the_inverse_that_is_missing_is_shown_as_the_file_would_write_it() {
    let board = "DOMAIN tile 3 Blank left right\n3 tile tile tile\n\
        blank T - => T blank -\n\
        T blank - => blank T -\n\
        - blank T => - T blank\n\
        GOAL blank left right";
    let found = only("no-inverse", board);
    assert_eq!(
        found.hint.as_deref(),
        Some("a rule may be wrong, or this one may be missing: `- T Blank => - Blank T`")
    );
    // Once pasted into the game, the proposed rule undoes the other.
    let mended = board.replace("GOAL", "- T Blank => - Blank T\nGOAL");
    assert_eq!(findings(&mended), []);
    // A test that `-` on the right keeps, and a cost.
    let doors = "3 2 2 2\n1 0 - => - 1 - COST 2\n0 1 0 => - - 1\n0 1 1 => - - 0\n\
        - - 0 => - - 1\n- - 1 => - - 0\n1 - 0 => 0 - 0\n0 - 0 => 1 - 0\nGOAL 1 1 1";
    let hint = only("no-inverse", doors).hint.unwrap();
    assert!(hint.ends_with("`1 1 - => - 0 - COST 2`"), "{hint}");
    let lost = "3 2 2 2\n0 - - => 1 - -\n1 - - => 0 - -\n- - - => - 0 -\nGOAL 0 0 0";
    let found = only("no-inverse", lost).primary.unwrap().text;
    assert_eq!(
        found,
        "nothing can undo it: the value of variable 2 is lost"
    );
}

#[test]
fn a_narrower_inverse_is_named() {
    let source = "2 3 3\n0 - => 1 - LABEL up\n1 0 => 0 0 LABEL down\n\
        - 0 => - 1\n- 1 => - 0\n- 1 => - 2\n- 2 => - 1\nGOAL 1 1";
    let found = only("no-inverse", source);
    assert_eq!(
        found.message,
        "rule `up` is undone only in some states, while 5 of 6 rules are always undone"
    );
    assert_eq!(
        found.primary.unwrap().text,
        "rule `down` undoes it in some states"
    );
    assert_eq!(
        found.hint.as_deref(),
        Some("this rule undoes it in every state: `1 - => 0 -`")
    );
}

#[test]
fn rules_that_are_never_undone_give_no_warnings() {
    // 1 walks both ways and pushes 2 to the right, but never pulls it.
    let game = |labels: [&str; 3]| {
        let walks = "1 0 - - - => 0 1 - - -\n0 1 - - - => 1 0 - - -\n- 1 0 - - => - 0 1 - -\n\
            - 0 1 - - => - 1 0 - -\n- - 1 0 - => - - 0 1 -\n- - 0 1 - => - - 1 0 -\n\
            - - - 1 0 => - - - 0 1\n- - - 0 1 => - - - 1 0\n";
        let [a, b, c] = labels;
        format!(
            "5 3 3 3 3 3\n{walks}1 2 0 - - => 0 1 2 - - LABEL {a}\n- 1 2 0 - => - 0 1 2 - LABEL {b}\n\
             - - 1 2 0 => - - 0 1 2 LABEL {c}\nGOAL 0 - - - 2\n"
        )
    };
    assert_eq!(findings(&game(["push", "Push", "push"])), []);
    assert_eq!(only("no-inverse", &game(["a", "b", "c"])).n_others, 2);
}

#[test]
fn warnings_with_one_cause_are_merged() {
    let rules = "0 - - => 1 - -\n0 - - => 1 - -\n0 - - => 1 - -\n- 0 - => - 1 -\n- 0 - => - 1 -\n";
    let found = only("duplicate-rule", &format!("3 2 2 2\n{rules}GOAL 1 1 1"));
    assert_eq!(found.n_others, 2);
    let text = |d: &psvn_syntax::Diagnostic| d.message.clone();
    assert_eq!(
        found.others.iter().map(text).collect::<Vec<_>>(),
        [
            "rule `rule_3` does the same as rule `rule_1`",
            "rule `rule_5` does the same as rule `rule_4`"
        ]
    );
}

#[test]
fn a_name_that_rules_move_is_not_a_misspelled_value() {
    let ring = |rules: &str| {
        format!(
            "DOMAIN colour 3 RED GREEN BLUE\n3 colour colour colour\n{rules}GOAL RED GREEN BLUE"
        )
    };
    let moved = "RD GR BL => GR BL RD\nRD GR BL => BL RD GR\n";
    assert_eq!(findings(&ring(moved)), []);
    // Once a rule tests for a color, the name is a doubtful one: one warning for both rules.
    let found = only(
        "symbol-near-value",
        &ring(&format!("{moved}RED - - => GREEN - -\n")),
    );
    assert_eq!(found.n_others, 1);
    // A symbol on one side only isn't a name.
    let found = only("symbol-near-value", &ring("RD - - => GREEN - -\n"));
    assert!(found.message.contains("`RED`"), "{}", found.message);
}

#[test]
fn a_number_with_zeros_before_it_is_a_misspelled_value() {
    // A swap of any two values, and not of 0 and 1.
    let swap = |a: &str, b: &str| findings(&format!("2\n2 2\n{a} {b} => {b} {a}\nGOAL 0 1\n"));
    assert_eq!(
        swap("00", "01"),
        [
            ("symbol-near-value", "00".to_owned()),
            ("symbol-near-value", "01".to_owned()),
        ]
    );
    // Names of values that are moved.
    assert_eq!(swap("A", "B"), []);
    assert_eq!(swap("20", "21"), []);
}

#[test]
fn symbols_where_nothing_changes_are_a_habit_or_a_slip() {
    let rules = |lone: usize| -> String {
        (0..9)
            .map(|i| {
                let (before, after) = ([0, 1, 2][i / 3], [1, 2, 0][i % 3]);
                format!(
                    "{} {before} => - {after}\n",
                    if i < lone { "A" } else { "-" }
                )
            })
            .collect()
    };
    let codes = |lone: usize| -> Vec<&str> {
        let source = format!("2 3 3\n{}GOAL - 2", rules(lone));
        findings(&source)
            .iter()
            .map(|(code, _)| *code)
            .filter(|code| *code != "no-op-rule")
            .collect()
    };
    assert_eq!(codes(0), Vec::<&str>::new());
    assert_eq!(codes(1), ["unused-symbol"]);
    assert_eq!(codes(2), ["unused-symbol"]);
    assert_eq!(codes(9), Vec::<&str>::new());
    // A letter for a digit isn't a habit.
    let source = format!("2 3 3\n{}GOAL - 2", rules(9).replacen('A', "O", 1));
    assert!(findings(&source).contains(&("symbol-near-value", "O".to_owned())));
}

#[test]
fn a_symbol_that_occurs_once_in_a_goal_gives_a_warning() {
    let goal = |goal: &str| {
        findings(&format!(
            "3 3 3 3\n0 A - => A 0 -\nA 0 - => 0 A -\n- A 0 => - 0 A\n- 0 A => - A 0\nGOAL {goal}"
        ))
    };
    assert_eq!(goal("C 1 2"), [("unused-symbol", "C".to_owned())]);
    assert_eq!(
        goal("0 1#blank -"),
        [("unused-symbol", "1#blank".to_owned())]
    );
    assert_eq!(goal("O 1 2"), [("symbol-near-value", "O".to_owned())]);
    assert_eq!(goal("A A 2"), []);
    assert_eq!(goal("A B C"), [], "a way to say that any state will do");
}

#[test]
fn a_game_without_rules_gives_a_warning() {
    assert_eq!(
        findings("1 2\nGOAL 1").first().map(|f| f.0),
        Some("no-rules")
    );
}

#[test]
fn a_wrong_domain_size_is_one_error() {
    let wrong_size = [
        "DOMAIN d 3 a b\n2 d d\na b => b a\nGOAL a a",
        "DOMAIN d 2 a b c\n2\nd d\na b => b c\nGOAL a a",
        "DOMAIN d 2 a\n2\nd d\na A => A a\nGOAL a a",
        "DOMAIN d 2\n2\nd d\nA B => B A\nGOAL A A",
    ];
    let no_number = [
        "DOMAIN d a b\n2\nd d\na b => b a\nGOAL a a",
        "DOMAIN d two a b\n2\nd d\na b => b a\nGOAL a a",
    ];
    let wrong_size = wrong_size.map(|source| (source, "wrong-domain-size"));
    let no_number = no_number.map(|source| (source, "bad-number"));
    for (source, code) in wrong_size.into_iter().chain(no_number) {
        let found = load(source).diagnostics;
        let errors: Vec<&str> = found
            .iter()
            .filter(|d| d.is_error())
            .map(|d| d.code)
            .collect();
        assert_eq!(errors, [code], "{source}: {found:#?}");
    }
}

#[test]
fn reading_finds_the_same_errors_and_looks_for_no_warnings() {
    let suspicious = "2 3 3\nX - => 0 -\n0 X => X 0\n0 X => X 0\nGOAL C 1";
    assert!(!load(suspicious).diagnostics.is_empty());
    let read = psvn_ir::read(suspicious);
    assert!(read.diagnostics.is_empty());
    assert_eq!(
        read.game.unwrap().content_hash(),
        game(suspicious).content_hash()
    );
    let wrong = "2 3 colour\nX - => 0";
    let errors = |loaded: Loaded| -> Vec<psvn_syntax::Diagnostic> {
        loaded
            .diagnostics
            .into_iter()
            .filter(psvn_syntax::Diagnostic::is_error)
            .collect()
    };
    assert!(!errors(load(wrong)).is_empty());
    assert_eq!(errors(load(wrong)), errors(psvn_ir::read(wrong)));
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

#[test]
fn a_builder_refuses_costs_that_text_cannot_have() {
    let game = |cost| {
        let mut builder = GameBuilder::new();
        let bit = builder.domain(Domain::new("bit", ["off", "on"]).unwrap());
        builder.variable(bit);
        let cells = [0, 1].map(|value| vec![Cell::constant(Value(value))]);
        let [off, on] = cells;
        builder.rule(None, off, on, cost);
        builder.build()
    };
    assert!(game(MAX_COST).is_ok());
    assert!(matches!(game(MAX_COST + 1), Err(BuildError::Cost { .. })));
}
