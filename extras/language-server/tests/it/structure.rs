//! Outlines, foldings, hints and kinds of words.

use language_server::{Document, PartKind, Span, TokenKind};

use crate::{LAMPS, place};

#[test]
fn rules_with_one_label_are_one_part() {
    let text = "1 2\n0 => 1 LABEL a\n1 => 0 LABEL A\n0 => 0 LABEL b\n0 => 1\nGOAL 1\n\
                abstraction { projection { K } }\n";
    let outline = Document::new(text).outline();
    let names: Vec<&str> = outline.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(
        names,
        ["1 variable", "a", "b", "rule_4", "GOAL", "abstraction 1"]
    );
    assert_eq!(outline[1].parts.len(), 2);
    assert_eq!(
        (outline[1].kind, outline[1].detail.as_str()),
        (PartKind::Rule, "2 rules")
    );
    fn check(part: &language_server::Part) {
        assert!(part.span.start <= part.name_span.start && part.name_span.end <= part.span.end);
        part.parts.iter().for_each(check);
    }
    outline.iter().for_each(check);
}

#[test]
fn comments_and_long_rows_can_be_folded() {
    let text = "# one\n# two\n\n# alone\n2 2 2\n0 0\n=> 1 1\n";
    let foldings = Document::new(text).foldings();
    let parts: Vec<&str> = foldings
        .iter()
        .map(|it| &text[it.span.start..it.span.end])
        .collect();
    assert_eq!(parts, ["0 0\n=> 1 1", "# one\n# two"]);
    assert!(foldings[1].is_comment);
}

#[test]
fn hints_number_rules_and_variables() {
    let hints = Document::new(LAMPS).hints(Span::new(0, LAMPS.len()));
    let texts: Vec<&str> = hints.iter().map(|hint| hint.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "x1:",
            "x2:",
            "x3:",
            "x4:",
            "rule 1",
            "rule 2",
            "rules 3-4",
            "rules 5-7"
        ]
    );
    assert_eq!(hints[0].offset, place(LAMPS, "lamp lamp", 1));
    assert!(LAMPS[..hints[4].offset].ends_with("LABEL first"));
    let part = Document::new(LAMPS).hints(Span::new(0, place(LAMPS, "color 2", 1)));
    assert_eq!(part.len(), 3);
}

#[test]
fn every_word_has_its_kind() {
    let document = Document::new(LAMPS);
    let tokens = document.tokens();
    let kind = |words: &str, n: usize| {
        let at = place(LAMPS, words, n);
        let token = tokens.iter().find(|it| it.span.start == at).unwrap();
        (token.kind, token.is_declaration)
    };
    assert_eq!(kind("DOMAIN", 1), (TokenKind::Keyword, false));
    assert_eq!(kind("lamp 2", 1), (TokenKind::Domain, true));
    assert_eq!(kind("off on", 1), (TokenKind::Value, true));
    assert_eq!(kind("off X", 1), (TokenKind::Value, false));
    assert_eq!(kind("X   -", 1), (TokenKind::Symbol, true));
    assert_eq!(kind("=>", 1), (TokenKind::Operator, false));
    assert_eq!(kind("LABEL", 1), (TokenKind::Keyword, false));
    assert_eq!(kind("second", 1), (TokenKind::Label, true));
    assert_eq!(kind("3\n", 1), (TokenKind::Number, false));
    assert_eq!(kind("# Three", 1), (TokenKind::Comment, false));
    assert_eq!(kind("red 0", 1), (TokenKind::Value, false));
    for pair in tokens.windows(2) {
        assert!(pair[0].span.end <= pair[1].span.start, "{pair:?}");
    }
}
