//! Libraries use their own terms: only the command names options.

use std::fs;

use crate::style::{files, without_comments};

/// The texts in quotes of a source, as far as a scan without a parser can tell.
fn literals(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut chars = text.char_indices().peekable();
    let mut line = 1;
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' => line += 1,
            // A quote as a character.
            '\'' if text[at..].starts_with("'\"'") || text[at..].starts_with("'\\\"'") => {
                while chars.next_if(|(_, c)| *c != '"').is_some() {}
                chars.next();
            }
            '"' => {
                let begin = line;
                let hashes = text[..at].bytes().rev().take_while(|b| *b == b'#').count();
                let is_raw = text[..at - hashes].ends_with('r');
                let end = format!("\"{}", "#".repeat(hashes));
                let mut literal = String::new();
                while let Some((at, c)) = chars.next() {
                    if is_raw && text[at..].starts_with(&end) || !is_raw && c == '"' {
                        break;
                    }
                    literal.push(c);
                    if c == '\n' {
                        line += 1;
                    }
                    if c == '\\'
                        && !is_raw
                        && let Some((_, next)) = chars.next()
                    {
                        line += usize::from(next == '\n');
                        literal.push(next);
                    }
                }
                found.push((begin, literal));
            }
            _ => {}
        }
    }
    found
}

/// The options that a text names: two hyphens and a letter, at the beginning of a word.
fn options(text: &str) -> Vec<&str> {
    let marks = text.match_indices("--");
    let is_first = |at: usize| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| c.is_whitespace() || "`'\"([".contains(c))
    };
    marks
        .filter(|(at, _)| is_first(*at))
        .map(|(at, _)| {
            let end = text[at + 2..].find(|c: char| !c.is_ascii_lowercase() && c != '-');
            &text[at..end.map_or(text.len(), |end| at + 2 + end)]
        })
        .filter(|option| option[2..].starts_with(|c: char| c.is_ascii_lowercase()))
        // Properties of style sheets look the same, but aren't options.
        .filter(|option| {
            !text.contains(&format!("{option}:")) && !text.contains(&format!("var({option}"))
        })
        .collect()
}

#[test]
fn libraries_name_no_options() {
    let mut wrong = Vec::new();
    let mut n_literals = 0;
    for folder in crate::crate_folders() {
        // `domains` writes files, whose comments may mention options of the command.
        if folder.ends_with("cli") || folder.ends_with("domains") {
            continue;
        }
        let mut paths = Vec::new();
        files(&folder.join("src"), &["rs"], &mut paths);
        for path in paths {
            let text = without_comments(&fs::read_to_string(&path).unwrap());
            for (line, literal) in literals(&text) {
                n_literals += 1;
                for option in options(&literal) {
                    wrong.push(format!("{}:{line}: {option}", path.display()));
                }
            }
        }
    }
    assert!(n_literals > 3000, "only {n_literals} texts were found");
    assert!(
        wrong.is_empty(),
        "these are words of the command, not of a library (`psvn::text::Parameter` names them):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn options_in_texts_are_found() {
    let text = r#"let a = "use `--algorithm ida` or --depth"; let b = '"'; let c = "x--y --";"#;
    let found: Vec<String> = literals(text).into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, ["use `--algorithm ida` or --depth", "x--y --"]);
    assert_eq!(options(&found[0]), ["--algorithm", "--depth"]);
    assert!(options(&found[1]).is_empty());
}
