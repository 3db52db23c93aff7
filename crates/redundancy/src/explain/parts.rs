//! How a machine over parts of rules reads a sequence of rules: once for each way to split it.

use std::collections::BTreeSet;
use std::path::Path;

use fsm::{Machine, OpenFile};
use macro_compose::compose;
use psvn_ir::{CanonicalRule, Game, RuleId, RuleNames};
use rule_splits::SplitGame;

use super::reading::{Reading, ReadingOfParts};
use crate::file::{assumptions, rules_of_file};
use crate::letters::LetterNames;
use crate::{Error, unreadable};

/// The most sequences of parts that are read.
const MOST_WORDS: usize = 100_000;

/// Read the sequences of parts of some rules with the machine of a file.
pub(super) fn read(
    path: &Path,
    file: &OpenFile,
    game: &Game,
    split: &SplitGame,
    word: &[RuleId],
) -> Result<Reading, Error> {
    let known = assumptions(file, path, game)?;
    // All sequences of parts that some state allows.
    let mut words = vec![(Vec::new(), CanonicalRule::identity(game.n_variables()))];
    for rule in word {
        let mut longer = Vec::new();
        for (letters, so_far) in &words {
            for letter in split.letters_of(*rule) {
                let part = &split.game().rule(RuleId(letter)).canonical;
                let Ok(whole) = compose(so_far, part) else {
                    continue;
                };
                if known.admits(whole.preconditions()) {
                    let mut letters: Vec<u32> = letters.clone();
                    letters.push(letter);
                    longer.push((letters, whole));
                }
            }
        }
        if longer.len() > MOST_WORDS {
            return Err(Error::limit(format!(
                "the sequence stands for more than {MOST_WORDS} sequences of parts of rules"
            )));
        }
        words = longer;
    }
    let machine = file.machine();
    let is_rejected = |letters: &[u32]| {
        let step = |state, letter: &u32| machine.next(state, *letter);
        letters.iter().try_fold(machine.start(), step).is_none()
    };
    let words: Vec<Vec<u32>> = words.into_iter().map(|it| it.0).collect();
    let rejected: Vec<&Vec<u32>> = words.iter().filter(|it| is_rejected(it)).collect();
    let mut forbidden = BTreeSet::new();
    for certified in file.words() {
        let certified =
            certified.map_err(|error| unreadable(&path.display().to_string(), &error))?;
        let is_in = |it: &&Vec<u32>| {
            let mut places = it.windows(certified.word.len().max(1));
            places.any(|place| *place == *certified.word)
        };
        if rejected.iter().any(is_in) {
            forbidden.insert(certified.word.to_vec());
        }
    }
    let names = LetterNames::new(game, file);
    let of_word: BTreeSet<String> = RuleNames::new(game).names(word).into_iter().collect();
    let mut rules = rules_of_file(path, file, game)?;
    rules.retain(|it| of_word.contains(&it.rule));
    Ok(Reading {
        machine: path.display().to_string(),
        states: machine.n_states(),
        steps: Vec::new(),
        accepted: rejected.is_empty(),
        forbidden: forbidden.iter().map(|it| names.names(it)).collect(),
        parts: Some(ReadingOfParts {
            split: rules,
            possible: words.len(),
            rejected: rejected.len(),
        }),
    })
}
