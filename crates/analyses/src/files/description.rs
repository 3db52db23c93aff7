//! The contents of a machine file, as data.

use std::borrow::Cow;
use std::path::Path;

use fsm::{AnyMachine, BuildError, MachineKind, OpenFile, growth_unless, minimize_unless};
use host::{Host, HostExt};
use psvn_ir::Game;
use redundancy::file::{n_rules, rules_of_file};
use redundancy::unreadable;
use rule_splits::SplitRule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::growth::growth_of_file;
use crate::engine::machines::Size;
use crate::error::AnalyzeError as Error;

/// The contents of a machine file.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct MachineDescription {
    /// The name of the file.
    pub file: String,
    /// The hash of the game that it was made for.
    pub game_hash: String,
    /// The letters: `rules`, `operators` or `parts` of rules.
    pub letters: Cow<'static, str>,
    /// The number of rules of the game.
    pub rules: usize,
    /// The number of letters: of rules, of operators, or of parts of rules.
    pub alphabet: u32,
    /// The rules that are split and why, which takes the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<Vec<SplitRule>>,
    /// How the machine was made.
    pub kind: Option<Cow<'static, str>>,
    /// How its rows are stored: `dense` or `compressed`.
    pub form: Cow<'static, str>,
    /// The number of pairs of rules that sleep sets let change places.
    pub swaps: usize,
    /// The length of the longest words that were compared.
    pub max_length: u32,
    /// The name of the order of words.
    pub order: String,
    /// The assumptions about start states, one a line.
    pub assumed_invariants: Vec<String>,
    /// The number of redundant words.
    pub redundant_words: u64,
    /// The same by length, from 1.
    pub redundant_by_length: Vec<usize>,
    /// The number of states.
    pub states: usize,
    /// The bytes of the machine.
    pub bytes: usize,
    /// The size of the minimal machine.
    pub minimized: Size,
    /// The growth of the number of accepted words with their length.
    pub branching_factor: Option<f64>,
    /// Lower and upper bound of it.
    pub branching_factor_bounds: Option<[f64; 2]>,
    /// Whether the branching factor counts only words whose neighbors can follow each other, which
    /// takes the game.
    pub impossible_pairs_left_out: bool,
}

impl MachineDescription {
    /// Describe a machine file, for the game that it was made for if that is given.
    ///
    /// # Errors
    /// When the file is damaged, or the machine is too large.
    pub fn of(
        path: &Path,
        file: &OpenFile,
        game: Option<&Game>,
        host: &dyn Host,
    ) -> Result<Self, Error> {
        let name = path.display().to_string();
        let machine = file.machine().to_dense().map_err(Error::TooManyStates)?;
        let stop = || host.is_over();
        let minimized = minimize_unless(&machine, &stop).map_err(|error| match error {
            BuildError::Stopped(_) => Error::stopped(host, "the machine was minimized"),
            error => Error::Machine(error),
        })?;
        let swaps = file.swaps().map_err(|error| unreadable(&name, &error))?;
        let branching = match game {
            Some(game) => growth_of_file(path, file, &swaps, game, host)?,
            // Here the machine alone says nothing: it may allow or forbid impossible words.
            _ if file.kind() == Some(MachineKind::MinimizedWithDontCares) => None,
            _ => growth_unless(&minimized, &stop)
                .map(Some)
                .map_err(|_| Error::stopped(host, "the branching factor was measured"))?,
        };
        let mut by_length: Vec<usize> = Vec::new();
        for word in file.words() {
            let word = word.map_err(|error| unreadable(&name, &error))?;
            if let Some(place) = word.word.len().checked_sub(1) {
                by_length.resize(by_length.len().max(place + 1), 0);
                by_length[place] += 1;
            }
        }
        let n_letters = file.machine().n_letters();
        Ok(Self {
            file: name,
            game_hash: psvn_ir::ContentHash(*file.game_hash()).to_string(),
            letters: match (file.parts(), file.operator_of()) {
                ([], []) => "rules".into(),
                ([], _) => "operators".into(),
                _ => "parts".into(),
            },
            rules: n_rules(file),
            splits: match game.filter(|_| !file.parts().is_empty()) {
                Some(game) => Some(rules_of_file(path, file, game)?),
                None => None,
            },
            alphabet: n_letters,
            kind: file.kind().map(|kind| match kind {
                MachineKind::Table => "table".into(),
                MachineKind::AhoCorasick => "aho-corasick".into(),
                MachineKind::Minimized => "minimized".into(),
                MachineKind::MinimizedWithDontCares => "minimized-with-dont-cares".into(),
            }),
            form: match file.machine() {
                AnyMachine::Compressed(_) => "compressed".into(),
                AnyMachine::Dense(_) | AnyMachine::StoredDense(_) => "dense".into(),
            },
            swaps: swaps.len(),
            max_length: file.max_length(),
            order: file.order().to_owned(),
            assumed_invariants: file.assumptions().to_vec(),
            redundant_words: file.n_words(),
            redundant_by_length: by_length,
            states: file.machine().n_states(),
            bytes: file.machine().bytes(),
            minimized: Size::of(&minimized),
            branching_factor: branching.map(|growth| growth.value()),
            branching_factor_bounds: branching.map(|growth| [growth.lower, growth.upper]),
            impossible_pairs_left_out: game.is_some(),
        })
    }
}
