//! The parser and the formatter against random files, damaged files and nonsense.

use proptest::prelude::*;
use proptest::sample::select;
use psvn_syntax::ast::Item;
use psvn_syntax::{
    Diagnostic, MAX_REPORTED, decode, format, parse, parse_abstraction, same_structure,
};

/// For any input: no panic, and places lie in the text.
fn check_total(source: &str) {
    let parsed = parse(source);
    let alone = parse_abstraction(source);
    for finding in parsed.diagnostics.iter().chain(&alone.diagnostics) {
        for label in finding.primary.iter().chain(&finding.secondary) {
            assert!(
                source.get(label.span.start..label.span.end).is_some(),
                "{finding:?}"
            );
        }
        assert!(!finding.message.ends_with('.'), "{finding:?}");
    }
    assert!(parsed.diagnostics.len() <= 2 * MAX_REPORTED + 2);
    assert!(alone.abstraction.is_some() || alone.diagnostics.iter().any(Diagnostic::is_error));
    let has_errors = parsed.diagnostics.iter().any(Diagnostic::is_error);
    assert!(has_errors || parsed.file.variables.is_some());
    if let (false, Some(variables)) = (has_errors, &parsed.file.variables) {
        let n = variables.domains.len();
        assert_eq!(variables.count.value, n as u64);
        for item in &parsed.file.items {
            match item {
                Item::Rule(rule) => assert_eq!((rule.lhs.len(), rule.rhs.len()), (n, n)),
                Item::Goal(goal) => assert_eq!(goal.cells.len(), n),
                Item::Abstraction(_) => {}
            }
        }
    }
    let formatted = format(&parsed.file, source);
    if !has_errors {
        let again = parse(&formatted);
        assert!(
            !again.diagnostics.iter().any(Diagnostic::is_error),
            "{formatted}"
        );
        assert!(same_structure(&parsed.file, &again.file), "{formatted}");
        assert_eq!(format(&again.file, &formatted), formatted);
    }
}

/// Words that are likely to be confused with each other.
fn word() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a",
        "b",
        "0",
        "1",
        "X",
        "*X",
        "-",
        "*",
        "GOAL",
        "LABEL",
        "COST",
        "DOMAIN",
        "abstraction",
        "projection",
        "{",
        "}",
        "K",
        "é",
        "1#c",
        "2",
        "label",
        "a;b",
        "LABLE",
        "007",
    ])
}

/// White space, sometimes with a comment in it.
fn gap() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        12 => Just(" "),
        3 => Just("\n"),
        1 => select(vec!["\t", "\r\n", "\n\n", "  \n \n\n", " # c\n", "\n;own\n", "\n\n#x => y\n\n", "\x0B"]),
    ]
}

/// The words of a game whose rows all have the right length.
fn game_words() -> impl Strategy<Value = Vec<String>> {
    let values = prop::collection::vec(word(), 0..4);
    let domains = prop::collection::vec((word(), values), 0..3);
    (domains, 1_usize..4).prop_flat_map(|(domains, n)| {
        let row = move || prop::collection::vec(word(), n);
        let label = prop::option::of(word());
        let cost = prop::option::of(select(vec!["0", "1", "4294967295"]));
        let rule =
            (row(), row(), label, cost, any::<bool>()).prop_map(|(lhs, rhs, label, cost, swap)| {
                let mut words = [lhs, vec!["=>"], rhs].concat();
                let mut attributes = Vec::new();
                attributes.extend(label.map(|name| vec!["Label", name]));
                attributes.extend(cost.map(|cost| vec!["cost", cost]));
                if swap {
                    attributes.reverse();
                }
                words.extend(attributes.concat());
                words
            });
        let goal = row().prop_map(|row| [vec!["goal"], row].concat());
        let keep = prop::collection::vec(select(vec!["K", "p"]), n);
        let block = keep.prop_map(|keep| {
            [
                vec!["Abstraction", "{", "zz", "{", "a", "}", "projection", "{"],
                keep,
                vec!["}", "}"],
            ]
            .concat()
        });
        let items = prop::collection::vec(prop_oneof![6 => rule, 2 => goal, 1 => block], 0..8);
        (Just(domains), row(), items).prop_map(move |(domains, names, items)| {
            let mut words = Vec::new();
            for (name, values) in domains {
                words.extend([
                    "DOMAIN".to_owned(),
                    name.to_owned(),
                    values.len().to_string(),
                ]);
                words.extend(values.into_iter().map(str::to_owned));
            }
            words.push(n.to_string());
            words.extend(names.into_iter().chain(items.concat()).map(str::to_owned));
            words
        })
    })
}

fn spaced(words: Vec<String>) -> impl Strategy<Value = String> {
    prop::collection::vec(gap(), words.len()).prop_map(move |gaps| {
        words
            .iter()
            .zip(gaps)
            .map(|(word, gap)| word.clone() + gap)
            .collect()
    })
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (text, findings) = decode(&bytes);
        prop_assert_eq!(findings.is_empty(), std::str::from_utf8(&bytes).is_ok());
        check_total(&text);
    }

    #[test]
    fn arbitrary_words(
        words in prop::collection::vec((prop_oneof![4 => word(), 2 => Just("=>")], gap()), 0..60),
        header in select(vec!["", "1 2\n", "2 2 2\n", "3\n4 4 4\n", "DOMAIN a 2 x y\n2\na a\n"]),
    ) {
        let text: String = words.iter().map(|(word, gap)| format!("{word}{gap}")).collect();
        check_total(&format!("{header}{text}"));
    }

    #[test]
    fn random_games(source in game_words().prop_flat_map(spaced)) {
        check_total(&source);
    }

    #[test]
    fn damaged_games(
        source in game_words().prop_flat_map(spaced),
        cut in any::<prop::sample::Index>(),
        removed in 0_usize..4,
        inserted in prop_oneof![Just(""), word(), Just(" => "), Just("\n"), Just("\0")],
    ) {
        let characters: Vec<char> = source.chars().collect();
        let cut = cut.index(characters.len() + 1);
        let head: String = characters[..cut].iter().collect();
        let tail: String = characters[cut..].iter().skip(removed).collect();
        check_total(&head);
        check_total(&format!("{head}{inserted}{tail}"));
    }
}

/// A game with one rule a line, as people write them.
fn lines(n_rules: usize, n: usize) -> Vec<String> {
    let mut lines = vec![n.to_string(), vec!["9"; n].join(" ")];
    for rule in 0..n_rules {
        let cell = |at: usize| ((rule + at) % 9).to_string();
        let lhs: Vec<String> = (0..n).map(cell).collect();
        let rhs: Vec<String> = lhs.iter().rev().cloned().collect();
        lines.push(format!(
            "{} => {} LABEL r{rule} COST 2",
            lhs.join(" "),
            rhs.join(" ")
        ));
    }
    lines
}

proptest! {
    #![proptest_config(config())]

    /// One entry too few or too many: one finding, on that line, and all other rules are read.
    #[test]
    fn one_wrong_row(
        n in 2_usize..6,
        n_rules in 1_usize..6,
        row in any::<prop::sample::Index>(),
        entry in any::<prop::sample::Index>(),
        insert in any::<bool>(),
    ) {
        let mut lines = lines(n_rules, n);
        let row = 2 + row.index(n_rules);
        let mut words: Vec<&str> = lines[row].split(' ').collect();
        let entry = entry.index(2 * n);
        let at = if entry < n { entry } else { entry + 1 };
        if insert { words.insert(at, "7") } else { words.remove(at); }
        lines[row] = words.join(" ");
        let source = lines.join("\n");
        let parsed = parse(&source);
        prop_assert_eq!(parsed.diagnostics.len(), 1, "{}\n{:#?}", source, parsed.diagnostics);
        let finding = &parsed.diagnostics[0];
        prop_assert_eq!(finding.code, "wrong-row-length");
        let start = finding.primary.as_ref().unwrap().span.start;
        prop_assert_eq!(psvn_syntax::LineIndex::new(&source).line_column(start).0, row + 1);
        prop_assert_eq!(parsed.file.items.len(), n_rules - 1);
    }
}

/// The number of lines of large files.
const N_LARGE: usize = 100_000;

#[test]
fn large_files() {
    let n = N_LARGE;
    let source = lines(n, 15).join("\n");
    let parsed = parse(&source);
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(parsed.file.items.len(), n);
    assert!(format(&parsed.file, &source).len() > 10 * n);
}

/// Large enough that quadratic time anywhere would take very long.
#[test]
fn large_files_full_of_errors() {
    let n = N_LARGE;
    let broken = [
        "2 2 2\n".to_owned() + &"0 1 => 1\n".repeat(n),
        "2 2 2\n".to_owned() + &"0 1 => 1 0 => ".repeat(n),
        "2 2 2\n".to_owned() + &"x\n".repeat(3 * n),
        "2 2 2\n".to_owned() + &"0 1 -> 1 0\n".repeat(n),
        "2 2 2\n".to_owned() + &"GOAL 0\n".repeat(3 * n),
        "2 2 2\n".to_owned() + &"=> ".repeat(3 * n),
        "2 2 2\n".to_owned() + &"=>\n".repeat(3 * n),
        "2 2 2\n".to_owned() + &"abstraction { a { ".repeat(n),
        "2 2 2\n".to_owned() + &"0 1 => 1 0 LABEL\n".repeat(n),
        "2 2 2\n".to_owned() + "0 1 => 1 0" + &" LABEL a".repeat(3 * n),
        "2 2 2\nabstraction {".to_owned() + &" a { 0 }".repeat(n),
        "100000 2\n".to_owned() + &"0 1 => 1 0\n".repeat(n),
        "DOMAIN d 3 a\n".repeat(n),
        "DOMAIN d x a\n".repeat(n) + &"a\n".repeat(n),
        "DOMAIN ".repeat(3 * n),
        "{ ".repeat(3 * n),
        "\0 ".repeat(3 * n),
    ];
    let check = |source: &String| {
        let parsed = parse(source);
        assert!(
            parsed.diagnostics.iter().any(Diagnostic::is_error),
            "{}",
            &source[..40]
        );
        format(&parsed.file, source);
        parse_abstraction(source);
    };
    std::thread::scope(|scope| {
        for some in broken.chunks(5) {
            scope.spawn(move || some.iter().for_each(check));
        }
    });
}

#[test]
fn an_abstraction_file() {
    let parsed = parse_abstraction("# map\nAbstraction { d { a a b } projection { K P } }\n");
    assert!(parsed.diagnostics.is_empty());
    assert_eq!(parsed.comments.len(), 1);
    let block = parsed.abstraction.unwrap();
    assert_eq!(block.mappings[0].values.len(), 3);
    assert_eq!(block.projection.unwrap().keep.len(), 2);
    for (source, code) in [
        ("", "empty-file"),
        ("d { a }", "missing-abstraction"),
        ("abstraction", "missing-brace"),
        ("abstraction { d { a }", "unclosed-brace"),
        ("abstraction { } x", "unexpected-text"),
        ("abstration { }", "misspelled-keyword"),
    ] {
        assert_eq!(
            parse_abstraction(source).diagnostics[0].code,
            code,
            "{source}"
        );
    }
}

#[test]
fn errors_are_capped() {
    let source = "2 2 2\n".to_owned() + &"0 1 => 1\n".repeat(250);
    let parsed = parse(&source);
    assert_eq!(parsed.diagnostics.len(), MAX_REPORTED + 1);
    assert_eq!(
        parsed.diagnostics[MAX_REPORTED].message,
        "and 150 more errors"
    );
}
