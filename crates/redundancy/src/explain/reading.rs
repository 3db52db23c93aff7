//! How a machine reads a sequence.

use std::path::Path;

use fsm::OpenFile;
use psvn_ir::{Game, RuleId};
use rule_splits::SplitRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::parts;
use crate::file::split_game_of;
use crate::letters::LetterNames;
use crate::{Error, unreadable};

/// The path of a sequence through a machine.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Reading {
    /// The name of the machine file.
    pub machine: String,
    /// The number of states of the machine.
    pub states: usize,
    /// The letters that are read, up to where the word is forbidden.
    pub steps: Vec<ReadingStep>,
    /// Whether nothing forbids the sequence.
    pub accepted: bool,
    /// The forbidden words of the file that end where the machine rejects.
    pub forbidden: Vec<Vec<String>>,
    /// How it reads the parts of the rules, where its letters are parts. Then there are no steps,
    /// and `forbidden` lists the words of parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<ReadingOfParts>,
}

/// How a machine reads all sequences of parts of a sequence of rules.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ReadingOfParts {
    /// The rules of the sequence that are split, and why.
    pub split: Vec<SplitRule>,
    /// The sequences of parts that some state allows.
    pub possible: usize,
    /// Those among them that the machine rejects.
    pub rejected: usize,
}

/// A step of a machine.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct ReadingStep {
    /// The letter that is read.
    pub letter: String,
    /// The number of the state before; 1 is the start.
    pub from: usize,
    /// The state after it; `None` where the word is forbidden.
    pub to: Option<usize>,
}

/// Read rules with the machine of a file that was made for the game.
///
/// # Errors
/// When the file is damaged, or the rules stand for too many sequences of parts.
pub fn read_word(
    path: &Path,
    file: &OpenFile,
    game: &Game,
    word: &[RuleId],
) -> Result<Reading, Error> {
    if let Some(split) = split_game_of(file, path, game)? {
        return parts::read(path, file, game, &split, word);
    }
    let operator_of = file.operator_of();
    let letters: Vec<u32> = word
        .iter()
        .map(|id| operator_of.get(id.index()).copied().unwrap_or(id.0))
        .collect();
    let names = LetterNames::new(game, file);
    let machine = file
        .machine()
        .to_dense()
        .map_err(|error| Error::input(format!("{}: {error}", path.display())))?;
    let mut state = machine.number(fsm::Machine::start(&*machine));
    let mut steps = Vec::new();
    let mut accepted = true;
    for letter in &letters {
        let next = machine
            .state(state)
            .and_then(|state| fsm::Machine::next(&*machine, state, *letter))
            .map(|next| machine.number(next));
        steps.push(ReadingStep {
            letter: names.name(*letter),
            from: state,
            to: next,
        });
        match next {
            Some(next) => state = next,
            None => {
                accepted = false;
                break;
            }
        }
    }
    let mut forbidden = Vec::new();
    if !accepted {
        let read = &letters[..steps.len()];
        for certified in file.words() {
            let certified =
                certified.map_err(|error| unreadable(&path.display().to_string(), &error))?;
            if read.ends_with(&certified.word) {
                forbidden.push(names.names(&certified.word));
            }
        }
    }
    Ok(Reading {
        machine: path.display().to_string(),
        states: machine.n_states(),
        steps,
        accepted,
        forbidden,
        parts: None,
    })
}
