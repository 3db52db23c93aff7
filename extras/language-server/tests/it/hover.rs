//! Descriptions of places.

use language_server::Document;

use crate::{LAMPS, place};

fn hover(words: &str, n: usize) -> String {
    let document = Document::new(LAMPS);
    document.hover(place(LAMPS, words, n)).unwrap().text
}

#[test]
fn rules_are_described_in_canonical_form() {
    let text = hover("LABEL first", 1);
    assert!(text.contains("rule 1, `first`, cost 1"), "{text}");
    assert!(text.contains("<off x2 x3 x4> -> <on x2 x3 x4>"), "{text}");
    assert!(text.contains("one-to-one; undone by `first-off`"), "{text}");
    let text = hover("=>", 3);
    // `C` is bound in the column of colors, and unbound in that of lamps.
    assert!(
        text.contains("rules 3-4, `second`, cost 3: expands to 2 rules"),
        "{text}"
    );
    assert!(text.contains("<x1 off x3 x4> -> <x1 on blue 1>"), "{text}");
    assert!(text.contains("not one-to-one"), "{text}");
}

#[test]
fn values_and_domains_are_described_by_their_declaration_and_uses() {
    let text = hover("blue", 2);
    assert!(
        text.contains("x3: value `blue` of domain `color`: 3 of 3, used once"),
        "{text}"
    );
    let text = hover("red", 1);
    assert!(
        text.contains("value `red` of domain `color`: 1 of 3, used once"),
        "{text}"
    );
    let text = hover("green", 1);
    assert!(text.contains("used nowhere"), "{text}");
    let text = hover("lamp lamp", 1);
    assert!(text.contains("DOMAIN lamp 2 off on"), "{text}");
    assert!(text.contains("the domain of variables 1-2"), "{text}");
    let text = hover("2\n# start", 1);
    assert!(text.contains("built-in domain `2`: 0 1"), "{text}");
    assert!(text.contains("the domain of variable 4"), "{text}");
}

#[test]
fn symbols_labels_and_goals_are_described() {
    let text = hover("X", 1);
    assert!(
        text.contains("x2: symbol `X`: any value of domain `lamp`, twice in this row"),
        "{text}"
    );
    let text = hover("first", 2);
    assert!(text.contains("label `first-off` of 1 row"), "{text}");
    let text = hover("GOAL", 1);
    assert!(text.contains("<on on x3 x4>"), "{text}");
    assert!(text.contains("`GOAL condition`"), "{text}");
    let text = hover("- - => on", 1);
    assert!(text.contains("x3: `-`: not tested"), "{text}");
}

#[test]
fn the_number_of_variables_says_what_is_known_of_states() {
    let text = hover("4\nlamp", 1);
    assert!(
        text.contains("4 variables, 24 combinations of values"),
        "{text}"
    );
    let puzzle = psvn::Source::built_in("sliding-tiles:2:3").unwrap().text;
    let document = Document::new(puzzle.as_str());
    let count = document.outline();
    let count = count
        .iter()
        .find(|part| part.name == "6 variables")
        .unwrap();
    let text = document.hover(count.name_span.start).unwrap().text;
    assert!(
        text.contains("360 states can be reached from the goal"),
        "{text}"
    );
    assert!(
        text.contains("- exactly 1 of variables 1-6 holds 0"),
        "{text}"
    );
}

#[test]
fn a_text_with_errors_is_described_as_far_as_it_is_understood() {
    let text = LAMPS.replace("GOAL on on - -", "GOAL on on -");
    let document = Document::new(text.as_str());
    assert!(document.game().is_none());
    let hover = document.hover(place(&text, "blue", 2)).unwrap();
    assert!(
        hover.text.contains("value `blue` of domain `color`"),
        "{}",
        hover.text
    );
    assert!(!hover.text.contains("<"), "{}", hover.text);
}

#[test]
fn findings_are_explained() {
    let document = Document::new("2  2 2\n0 X => X Y\nGOAL 0 1\n");
    let at = place(document.text(), "Y", 1);
    assert!(!document.hover(at).unwrap().text.contains("unbound-symbol"));
    assert!(
        document
            .findings()
            .iter()
            .any(|it| it.code == "unbound-symbol")
    );
    // Once they were looked for.
    assert!(
        document
            .hover(at)
            .unwrap()
            .text
            .contains("`unbound-symbol`: ")
    );
}
