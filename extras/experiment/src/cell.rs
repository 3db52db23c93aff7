//! Cells: one method on one instance, with the fingerprint that identifies it.

use std::fmt::Write;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::options::Options;
use crate::spec::Limits;

/// A start state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Its name, the only one of it in its domain.
    pub id: String,
    /// The state as text, in the canonical spelling.
    pub start: String,
    /// The number of steps of the random walk that made the start.
    pub steps: Option<u64>,
    /// The known least cost.
    pub known_cost: Option<u64>,
}

/// The facts about a domain that are known once its game is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DomainFacts {
    /// The hash of the game's content.
    pub game_hash: String,
    /// Other data that affect the measurements, such as goals and the knowledge about states.
    pub identity: String,
    /// The instances.
    pub instances: Vec<Instance>,
}

/// A cell: the unit of measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The place of the domain in the experiment.
    pub domain: usize,
    /// The place of the method.
    pub method: usize,
    /// The instance; `None` for methods that take none.
    pub instance: Option<Instance>,
    /// The options of the method.
    pub options: Options,
    /// Its limits.
    pub limits: Limits,
    /// See [`Cell::key_of`].
    pub key: String,
}

#[derive(Serialize)]
struct Definition<'a> {
    game: &'a str,
    identity: &'a str,
    command: &'a str,
    options: &'a Options,
    start: Option<&'a str>,
    files: &'a [String],
    /// Results are compared with it. Omitted if unknown, which keeps the fingerprints of older
    /// versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    known_cost: Option<u64>,
    /// Omitted if there are none, which keeps the fingerprints of older versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    warmup: Option<u32>,
}

impl Cell {
    /// Return a fingerprint of all that defines a cell except limits: the game, the knowledge about
    /// its states, the command, the options, the contents of the files that these name, the start
    /// state with its known least cost, and the number of warm-up runs. Names of domains, methods
    /// and instances don't count.
    pub fn key_of(
        facts: &DomainFacts,
        command: &str,
        options: &Options,
        files: &[String],
        instance: Option<&Instance>,
        warmup: u32,
    ) -> String {
        fingerprint(&Definition {
            game: &facts.game_hash,
            identity: &facts.identity,
            command,
            options,
            start: instance.map(|instance| instance.start.as_str()),
            files,
            known_cost: instance.and_then(|instance| instance.known_cost),
            warmup: Some(warmup).filter(|runs| *runs > 0),
        })
    }
}

/// 128 bits of SHA-256 of the JSON of a value, in hexadecimal.
pub(crate) fn fingerprint(value: &impl Serialize) -> String {
    let json = serde_json::to_vec(value).expect("specifications and options become JSON");
    let digest = Sha256::digest(&json);
    digest
        .iter()
        .take(16)
        .fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
