//! Declarations, uses and new names.

use language_server::{Document, RenameError, edited};

use crate::{LAMPS, place};

/// The words at the definition of the `n`-th occurrence of some words.
fn definition(words: &str, n: usize) -> Option<usize> {
    let document = Document::new(LAMPS);
    Some(document.definition(place(LAMPS, words, n))?.start)
}

#[test]
fn definitions_are_found() {
    assert_eq!(definition("blue", 2), Some(place(LAMPS, "blue", 1)));
    assert_eq!(definition("off", 4), Some(place(LAMPS, "off", 1)));
    assert_eq!(definition("color 2", 1), Some(place(LAMPS, "color", 1)));
    // The second use of a symbol, and one of the same name in another domain.
    assert_eq!(definition("X -", 1), Some(place(LAMPS, "X   -", 1)));
    assert_eq!(definition("X -", 2), Some(place(LAMPS, "X   -", 2)));
    let second = place(LAMPS, "C blue", 1);
    assert_eq!(definition("C blue", 1), Some(second));
    assert_eq!(definition("X X", 1), Some(place(LAMPS, "X X", 1)));
    assert_eq!(definition("X -\n", 1), Some(place(LAMPS, "X -\n", 1)));
    // A column without a declared value leads to the domain of its variable.
    assert_eq!(definition("0 =>", 1), Some(place(LAMPS, "2\n# start", 1)));
    assert_eq!(
        definition("- => on", 1),
        Some(place(LAMPS, "2\n# start", 1))
    );
    assert_eq!(definition("=>", 1), None);
    assert_eq!(definition("red 0", 1), Some(place(LAMPS, "red", 1)));
}

#[test]
fn references_are_words_of_one_meaning() {
    let document = Document::new(LAMPS);
    let n_uses = |words: &str, n: usize| document.references(place(LAMPS, words, n)).len();
    assert_eq!(n_uses("off on", 1), 6);
    assert_eq!(n_uses("blue", 1), 2);
    assert_eq!(n_uses("lamp", 1), 0, "in a comment");
    assert_eq!(n_uses("lamp 2", 1), 3);
    assert_eq!(n_uses("X   -", 1), 2);
    assert_eq!(n_uses("X   -", 2), 2);
    // A label isn't a part of another one.
    assert_eq!(n_uses("first", 1), 1);
    assert_eq!(n_uses("0 =>", 1), 2);
    assert_eq!(n_uses("=>", 1), 0);
}

fn renamed(words: &str, n: usize, name: &str) -> Result<String, RenameError> {
    let document = Document::new(LAMPS);
    let edits = document.rename(place(LAMPS, words, n), name)?;
    Ok(edited(LAMPS, &edits))
}

#[test]
fn names_are_changed_wherever_they_are_used() {
    assert_eq!(
        renamed("off on", 1, "dark").unwrap(),
        LAMPS
            .replace("2 off on", "2 dark on")
            .replace("start: off off", "start: dark dark")
            .replace("\noff X", "\ndark X")
            .replace("=> off X", "=> dark X")
            .replace("-   off C", "-   dark C")
    );
    assert_eq!(
        renamed("X   -", 1, "Other").unwrap(),
        LAMPS
            .replacen("off X ", "off Other ", 1)
            .replacen("on  X", "on  Other", 1)
    );
    assert_eq!(
        renamed("second", 1, "third").unwrap(),
        LAMPS.replace("second", "third")
    );
    assert_eq!(
        renamed("color 2", 1, "hue").unwrap(),
        LAMPS.replace("color", "hue")
    );
    // Another case of the same name.
    assert_eq!(
        renamed("color 2", 1, "COLOR").unwrap(),
        LAMPS.replace("color", "COLOR")
    );
}

#[test]
fn taken_and_unusable_names_are_refused_with_the_reason() {
    let refused =
        |words: &str, n: usize, name: &str| renamed(words, n, name).unwrap_err().to_string();
    assert_eq!(
        refused("off on", 1, "ON"),
        "`ON` is a value of domain `lamp` already"
    );
    assert_eq!(
        refused("off on", 1, "x"),
        "`x` is a symbol in line 7 already"
    );
    assert_eq!(
        refused("X   -", 1, "on"),
        "`on` is a value of domain `lamp` already"
    );
    assert_eq!(refused("lamp 2", 1, "Color"), "`Color` is a domain already");
    assert_eq!(
        refused("second", 1, "FIRST"),
        "`FIRST` is the label of another rule already"
    );
    assert_eq!(
        refused("second", 1, "rule_4"),
        "`rule_4` is the name of a rule without a label already"
    );
    assert_eq!(
        refused("color 2", 1, "4N"),
        "`4N` can't be a name: numbers are the names of built-in domains"
    );
    for name in ["", "two words", "#x", ";x", "=>", "-", "*x", "a\u{0}"] {
        let error = renamed("off on", 1, name).unwrap_err();
        assert!(
            matches!(error, RenameError::Unusable { .. }),
            "{name}: {error}"
        );
    }
    assert_eq!(
        refused("0 =>", 1, "zero"),
        "the domain `2` is built in, so its name and its values are given"
    );
    assert!(matches!(renamed("=>", 1, "x"), Err(RenameError::NoName)));
    assert!(matches!(renamed("Three", 1, "x"), Err(RenameError::NoName)));
}

#[test]
fn two_symbols_of_a_row_dont_become_one() {
    let text = "2  2 2\nA B => B A\nGOAL 0 1\n";
    let document = Document::new(text);
    let error = document.rename(place(text, "A", 1), "b").unwrap_err();
    assert_eq!(error.to_string(), "`b` is a symbol in line 2 already");
    // Symbols belong to a domain: in columns of another one the name is free.
    let text = "2  2 3\nA B => - -\n";
    let document = Document::new(text);
    assert!(document.rename(place(text, "A", 1), "B").is_ok());
}

#[test]
fn words_that_would_be_read_otherwise_are_refused() {
    // A value that is called like the keyword would begin a goal.
    let text = "DOMAIN d 2 a b\n1 d\na => b\nb => a\nGOAL b\n";
    let document = Document::new(text);
    let found = document.rename(place(text, "a b", 1), "GOAL");
    if let Ok(edits) = &found {
        let renamed = edited(text, edits);
        assert!(
            Document::new(renamed.as_str()).game().is_some(),
            "{renamed}"
        );
    }
    let found = document.rename(place(text, "d 2", 1), "DOMAIN");
    if let Ok(edits) = &found {
        let renamed = edited(text, edits);
        assert!(
            Document::new(renamed.as_str()).game().is_some(),
            "{renamed}"
        );
    }
}

#[test]
fn stars_and_comments_with_moves_are_kept() {
    let text = "2  2 2\n*A 0 => A 1 LABEL up\n0 1 => 0 0 LABEL down\nGOAL 1 1\n\
                # alias: twice = up up\n# rotation: turn = up -> down down -> up\n\
                # illegal: 1 = 0 1, 2 = 1\n";
    let document = Document::new(text);
    let renamed = edited(text, &document.rename(place(text, "A", 1), "B").unwrap());
    assert!(renamed.contains("*B 0 => B 1"), "{renamed}");
    let renamed = edited(
        text,
        &document.rename(place(text, "up", 1), "raise").unwrap(),
    );
    assert!(renamed.contains("twice = raise raise"), "{renamed}");
    assert!(
        renamed.contains("turn = raise -> down down -> raise"),
        "{renamed}"
    );
    // The values of both variables are those of the same domain.
    assert_eq!(document.references(place(text, "1, 2 = 1", 1)).len(), 6);
}
