//! Changes that settle findings, and the layout.

use language_server::{Certainty, Document, Span, edited};

use crate::LAMPS;

#[test]
fn certain_fixes_come_one_by_one_and_all_together() {
    let text = "2 2 2  // two lamps\n0 - => 1 -\n- 0=>- 1\nGOAL 1 1\n";
    let document = Document::new(text);
    let all = document.actions(Span::new(0, text.len()));
    let one = all
        .iter()
        .find(|it| it.settles.is_some_and(|it| it.0 == "foreign-comment"));
    let one = one.unwrap();
    assert_eq!(
        (one.title.as_str(), one.certainty),
        ("Replace `//` by `#`", Certainty::Certain)
    );
    assert!(edited(text, &one.edits).starts_with("2 2 2  # two lamps\n"));
    let together = all.iter().find(|it| it.settles.is_none()).unwrap();
    assert_eq!(
        edited(text, &together.edits),
        "2 2 2  # two lamps\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n"
    );
    // Elsewhere, only what settles all is offered.
    let elsewhere = document.actions(Span::new(text.len(), text.len()));
    assert!(
        elsewhere.iter().all(|it| it.settles.is_none()),
        "{elsewhere:?}"
    );
}

#[test]
fn what_is_only_likely_is_offered_as_such() {
    let text = "DOMAIN lamp 2 off on\n2 lamp lmap\noff - => on -\nGOAL on on\n";
    let document = Document::new(text);
    let all = document.actions(Span::new(0, text.len()));
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].title, "Replace `lmap` by `lamp`");
    assert_eq!(all[0].certainty, Certainty::Likely);
    assert!(Document::new(edited(text, &all[0].edits)).game().is_some());
}

#[test]
fn a_symbol_that_looks_like_a_value_may_be_one() {
    let text = "DOMAIN lamp 2 off on\n1 lamp\nof => of\non => off\nGOAL on\n";
    let document = Document::new(text);
    let all = document.actions(Span::new(0, text.len()));
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0].title, "Replace `of` by `off`");
    assert!(edited(text, &all[0].edits).contains("\noff => off\n"));
    assert_eq!(all[0].certainty, Certainty::Likely);
}

#[test]
fn a_game_without_findings_needs_no_actions() {
    let text = psvn::Source::built_in("pancake:5").unwrap().text;
    let document = Document::new(text.as_str());
    assert!(document.actions(Span::new(0, text.len())).is_empty());
}

#[test]
fn the_layout_is_that_of_the_facade() {
    let document = Document::new(LAMPS);
    let formatted = edited(LAMPS, &document.format().unwrap());
    let expected = psvn::Source::new("", LAMPS).formatted().unwrap();
    assert_eq!(formatted, expected);
    assert_eq!(Document::new(expected).format().unwrap(), []);
    assert_eq!(Document::new("2 2 2\n0 => 1 1\n").format(), None);
}
