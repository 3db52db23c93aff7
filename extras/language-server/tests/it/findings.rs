//! Errors and warnings.

use language_server::{Document, Severity, Span, explanation};

fn codes(text: &str) -> Vec<&'static str> {
    let findings = Document::new(text).findings();
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn findings_are_those_of_the_facade() {
    let text = "2  2 2\n0 X => X Y\n0 X => X\nGOAL 0 7\n";
    let mut source = psvn::Source::new("", text);
    source.examine(&psvn::Environment::default()).unwrap();
    let n_all: usize = source
        .diagnostics
        .iter()
        .map(|it| 1 + it.others.len())
        .sum();
    let findings = Document::new(text).findings();
    assert_eq!(findings.len(), n_all);
    let finding = findings
        .iter()
        .find(|it| it.code == "wrong-row-length")
        .unwrap();
    assert_eq!(finding.severity, Severity::Error);
    assert_eq!(&text[finding.span.start..finding.span.end], "X");
    assert!(finding.message.contains("\nhelp: "), "{}", finding.message);
}

#[test]
fn other_places_are_related() {
    let text = "DOMAIN d 3 a b A\n1 d\n";
    let findings = Document::new(text).findings();
    let finding = findings
        .iter()
        .find(|it| it.code == "duplicate-value")
        .unwrap();
    assert_eq!(
        finding.related,
        [(Span::new(11, 12), "the first one".to_owned())]
    );
    assert!(explanation("duplicate-value").is_some());
    let text = "1 2\n0 => 1\n1 => 0\n0 => 1\nGOAL 1\n";
    let findings = Document::new(text).findings();
    let finding = findings
        .iter()
        .find(|it| it.code == "duplicate-rule")
        .unwrap();
    assert!(finding.is_unnecessary);
}

#[test]
fn other_formats_have_one_finding() {
    for text in [
        "begin_version\n3\nend_version\nbegin_metric\n0\nend_metric\n",
        "Name lamps\n\nSet A 2 1\n",
        "; a task\n(define (domain d))\n",
        "begin_metric\n0\n",
    ] {
        assert_eq!(codes(text), ["unread-format"], "{text}");
        let document = Document::new(text);
        assert!(!document.is_psvn());
        assert_eq!(document.format(), None);
        assert!(document.tokens().is_empty() && document.outline().is_empty());
    }
    let document = Document::new("begin_version\n3\n");
    assert!(
        document.findings()[0]
            .message
            .starts_with("this is a SAS+ file, not PSVN")
    );
}

#[test]
fn an_empty_text_is_not_a_fault() {
    assert_eq!(codes(""), ["empty-file"]);
    assert_eq!(codes(" \n# nothing\n"), ["empty-file"]);
}

#[test]
fn a_game_with_too_many_rules_has_a_finding() {
    let text = "4  999999 99 99 99\n- - - - => A B C D\n";
    assert!(codes(text).contains(&"too-many-rules"));
    assert!(Document::new(text).game().is_none());
}
