//! Words that may come next.

use language_server::CompletionKind;

use crate::marked;

const HEAD: &str = "DOMAIN lamp 2 off on\nDOMAIN color 3 red green blue\n3 lamp lamp color\n";

/// The proposed words, and the replaced part.
fn words(text: &str) -> (Vec<String>, String) {
    let (document, at) = marked(text);
    let found = document.completion(at);
    let part = document.text()[found.span.start..found.span.end].to_owned();
    (
        found.items.into_iter().map(|item| item.word).collect(),
        part,
    )
}

fn in_rules(text: &str) -> Vec<String> {
    words(&format!("{HEAD}{text}")).0
}

#[test]
fn cells_are_values_and_symbols_of_their_column() {
    assert_eq!(in_rules("off | "), ["off", "on", "-"]);
    assert_eq!(in_rules("off X |"), ["red", "green", "blue", "-"]);
    assert_eq!(in_rules("off X C => |"), ["X", "off", "on", "-"]);
    assert_eq!(
        in_rules("off X C => on X |"),
        ["C", "red", "green", "blue", "-"]
    );
    assert_eq!(in_rules("GOAL X |"), ["X", "off", "on", "-"]);
    assert_eq!(in_rules("off X C |"), ["=>"]);
    assert_eq!(in_rules("*A |"), ["A", "off", "on", "-"]);
}

#[test]
fn behind_a_rule_are_its_label_and_cost_and_the_next_row() {
    let found = in_rules("off X C => on X C |");
    for word in ["LABEL", "COST", "GOAL", "abstraction", "off", "-"] {
        assert!(found.iter().any(|it| it == word), "{word}: {found:?}");
    }
    assert!(!in_rules("|").contains(&"LABEL".to_owned()));
    assert!(!in_rules("GOAL on on red |").contains(&"LABEL".to_owned()));
    let rule = "off X C => on X C LABEL first\n";
    assert_eq!(
        in_rules(&format!("{rule}off X C => on X C LABEL |")),
        ["first"]
    );
    assert_eq!(
        in_rules(&format!("{rule}off X C => on X C COST |")),
        [""; 0]
    );
}

#[test]
fn a_row_is_completed_behind_one_that_is_wrong() {
    let wrong = "off X => on X C\n";
    assert_eq!(
        in_rules(&format!("{wrong}off X |")),
        ["red", "green", "blue", "-"]
    );
    assert_eq!(
        in_rules(&format!("{wrong}off X C => on |")),
        ["X", "off", "on", "-"]
    );
    // And before one: the rows behind don't matter.
    assert_eq!(
        in_rules("off X |\noff X C => on X C\nGOAL on on red\n"),
        ["red", "green", "blue", "-"]
    );
}

#[test]
fn the_word_at_the_cursor_is_replaced() {
    assert_eq!(words(&format!("{HEAD}off X gr|")).1, "gr");
    assert_eq!(words(&format!("{HEAD}off X gr|een => on X red")).1, "gr");
    assert_eq!(words(&format!("{HEAD}off *X| red => on X red")).1, "X");
    assert_eq!(words(&format!("{HEAD}off |")).1, "");
    let (_, part) = words(&format!("{HEAD}|off X red => on X red"));
    assert_eq!(part, "");
}

#[test]
fn declarations_are_completed() {
    assert_eq!(words("|").0, ["DOMAIN"]);
    assert_eq!(words("DOM|").0, ["DOMAIN"]);
    assert_eq!(
        words("DOMAIN lamp 2 off on\nDOMAIN color 2 a b\n2 |").0,
        ["lamp", "color"]
    );
    assert_eq!(words("DOMAIN lamp 2 off on\n2 lamp la|").0, ["lamp"]);
    assert_eq!(words("# DOM|").0, [""; 0]);
}

#[test]
fn blocks_of_abstractions_are_completed() {
    let found = in_rules("abstraction { |");
    for word in ["lamp", "color", "projection", "pieces"] {
        assert!(found.iter().any(|it| it == word), "{word}: {found:?}");
    }
    assert_eq!(
        in_rules("abstraction { color { red | } }"),
        ["red", "green", "blue"]
    );
    assert_eq!(in_rules("abstraction { projection { K |"), ["K", "P"]);
}

#[test]
fn kinds_tell_what_words_are() {
    let (document, at) = marked(&format!("{HEAD}off X C => |"));
    let found = document.completion(at).items;
    assert_eq!(found[0].kind, CompletionKind::Symbol);
    assert_eq!(found[1].kind, CompletionKind::Value);
    assert_eq!(found[1].detail, "value of `lamp`");
}
