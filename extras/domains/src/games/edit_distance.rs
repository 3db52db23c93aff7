//! Edit distance: turn one word into another.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "edit-distance",
    usage: "edit-distance WORD OTHER [replace=COST]",
    summary: "turn a word into another one by keeping, replacing, deleting and inserting letters",
    options: &[OptionInfo::new(
        "replace=COST",
        "the cost of replacing a letter, 1 to 1000; a letter deleted or inserted costs 1 (default: 1)",
    )],
    example: "edit-distance kitten sitting",
    build,
};

/// Rules: keep or replace, by place in the word, then in the other word; then delete and insert, by
/// place.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let mut word = |name| {
        let word = args.word().filter(|word| !word.is_empty());
        word.ok_or_else(|| args.missing(name, "a word of at least one letter"))
    };
    let (word, other) = (word("WORD")?, word("OTHER")?);
    let replace = args.optional_number("replace", 1..=1_000)?.unwrap_or(1) as u32;
    args.finish()?;
    let [from, to] = [word, other].map(|word| word.chars().collect::<Vec<char>>());
    args.check_size(2, from.len() * to.len() + from.len() + to.len())?;

    let mut game = Game::new(about(word, other, replace));
    game.board(
        from.len() + 2,
        to.len() + 2,
        "walker 1+1,2+1 @",
        alignment(&from, &to),
    );
    game.start("usual", [0, 0]);
    game.domain("done", 0..=from.len());
    game.domain("made", 0..=to.len());
    game.variables(["done", "made"], "");
    for (i, letter) in from.iter().enumerate() {
        for (j, wanted) in to.iter().enumerate() {
            let (label, cost) = if letter == wanted {
                ("keep", 0)
            } else {
                ("replace", replace)
            };
            let rule = Rule::new(label).change(0, i, i + 1).change(1, j, j + 1);
            game.rule(rule.cost(cost));
        }
    }
    for i in 0..from.len() {
        game.rule(Rule::new("delete").change(0, i, i + 1));
    }
    for j in 0..to.len() {
        game.rule(Rule::new("insert").change(1, j, j + 1));
    }
    game.goal([from.len(), to.len()], "Both words to their ends.");
    Ok(game)
}

/// The layout: the matrix of the two words, with their letters at its edges. A square stands for
/// the prefixes of both words up to its row and column.
fn alignment(from: &[char], to: &[char]) -> Vec<Vec<String>> {
    // Digits and signs mean something else there.
    let letter = |c: &char| {
        if c.is_alphabetic() {
            c.to_string()
        } else {
            "_".to_owned()
        }
    };
    let mut head = vec!["-".to_owned(); 2];
    head.extend(to.iter().map(letter));
    let edge = std::iter::once("-".to_owned()).chain(from.iter().map(letter));
    let mut rows = vec![head];
    rows.extend(edge.map(|edge| {
        let mut row = vec![edge];
        row.resize(to.len() + 2, ".".to_owned());
        row
    }));
    rows
}

fn about(word: &str, other: &str, replace: u32) -> [String; 4] {
    let printable = |word: &str| word.escape_debug().to_string();
    [
        format!("Edit distance of {} and {}", printable(word), printable(other)),
        format!(
            "The first word is read from its start and the second one is made: a letter is kept at no\n\
             cost, replaced at cost {replace}, deleted or inserted at cost 1. The start is `0 0`; the least cost to\n\
             the goal is the edit distance of the two words."
        ),
        "Encoding: how many letters of the first word are done, how many of the second one are made. As\n\
         a board: the matrix of the two words, in which @ comes after the letters that are done."
            .to_owned(),
        "Source: Wagner & Fischer, \"The String-to-String Correction Problem\" (1974); with replace=2 what\n\
         is left alone is a longest common subsequence."
            .to_owned(),
    ]
}
