//! Machine files, proved again by independent code.

pub(crate) mod proof;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use checker::Limits;
use fsm::{MachineFile, MachineKind, OpenFile};
use psvn_ir::Game;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use self::proof::Progress;
use self::proof::{Outcome, Task};
use crate::letters::LetterNames;
use crate::{Error, file};

/// The most failed certificates that are listed; the rest is counted.
const MAX_LISTED: usize = 20;

/// The result of verifying a machine file.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Verification {
    /// The name of the game.
    pub file: String,
    /// The name of the machine file.
    pub machine: String,
    /// Whether everything was proved.
    pub valid: bool,
    /// The letters: `rules`, `operators` or `parts` of rules.
    pub letters: Cow<'static, str>,
    /// The number of certificates.
    pub certificates: usize,
    /// The number of certificates that fail.
    pub failed: usize,
    /// The first of them.
    pub failures: Vec<FailedCertificate>,
    /// The number of words of operators without an instance in this game, which need no proof.
    pub without_instance: usize,
    /// The flaw of the assumed invariants, where the rest builds on them.
    pub invariants_flaw: Option<String>,
    /// The flaw of the parts of rules, where letters are parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts_flaw: Option<String>,
    /// The number of letters.
    #[serde(skip)]
    pub alphabet: u32,
    /// The number of rules.
    #[serde(skip)]
    pub rules: usize,
    /// The pairs of rules that sleep sets let change places.
    pub swaps: usize,
    /// The flaw of one of these pairs.
    pub swaps_flaw: Option<String>,
    /// Whether words that are impossible in this game are don't-cares.
    pub dont_cares: bool,
    /// Whether the machine forbids exactly what it should.
    pub machine_valid: bool,
    /// The flaw of the machine; in JSON as text.
    #[schemars(with = "Option<String>")]
    pub machine_flaw: Option<MachineFlaw>,
    /// The number of states of the machine.
    pub states: usize,
    /// The length of the longest words that were compared, according to the file.
    pub max_length: u32,
    /// The length of the longest word that is forbidden.
    pub longest_word: usize,
    /// The false statement in the header.
    pub header_flaw: Option<String>,
    /// The assumptions about start states, one a line.
    pub assumed_invariants: Vec<String>,
    /// Whether these were proved to be inductive.
    #[serde(skip)]
    pub invariants_are_proved: bool,
}

/// A certificate that does not hold.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct FailedCertificate {
    /// The certificate's place in the file, from 1.
    pub certificate: usize,
    /// The word that is claimed to be redundant.
    pub word: Vec<String>,
    /// Its claimed replacements.
    pub replacements: Vec<Vec<String>>,
    /// Why it is not replaced.
    pub reason: String,
}

/// A flaw of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MachineFlaw {
    /// It forbids a word that it should not, named letter by letter.
    ForbidsTooMuch(Vec<String>),
    /// It allows a word that it should not, named letter by letter.
    ForbidsTooLittle(Vec<String>),
    /// Something else.
    Other(String),
    /// Unknown: an earlier proof failed, and the machine was not checked.
    NotChecked,
}

impl fmt::Display for MachineFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelled = |word: &[String]| match word {
            [] => "the empty sequence".to_owned(),
            word => word.join(" "),
        };
        match self {
            Self::ForbidsTooMuch(word) => write!(
                f,
                "it forbids {}, which contains nothing redundant",
                spelled(word)
            ),
            Self::ForbidsTooLittle(word) => write!(
                f,
                "it allows {}, which contains something redundant",
                spelled(word)
            ),
            Self::Other(flaw) => f.write_str(flaw),
            Self::NotChecked => f.write_str("it was not checked"),
        }
    }
}

impl Serialize for MachineFlaw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads the text of a flaw. It isn't parsed, so the flaw keeps its text but not its variant.
impl<'de> Deserialize<'de> for MachineFlaw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(if text == Self::NotChecked.to_string() {
            Self::NotChecked
        } else {
            Self::Other(text)
        })
    }
}

/// Prove again all that an open machine file claims about a game: certificates, assumed invariants,
/// swaps, the machine, and the header. Messages call the file and the game by their names.
///
/// # Errors
/// When the file can't be read, or claims something that can't be checked at all; or when a limit
/// is reached. A false claim isn't an error.
pub fn verify(
    game: &Game,
    game_name: &str,
    path: &Path,
    open: &OpenFile,
    limits: &Limits,
    progress: &Progress<'_>,
) -> Result<Verification, Error> {
    let name = path.display().to_string();
    let unreadable = |error| crate::unreadable(&name, &error);
    open.verify_checksum().map_err(unreadable)?;
    let file = open.to_machine_file().map_err(unreadable)?;
    let task = Task {
        name: name.clone(),
        game,
        file: &file,
        assumed: &file::assumptions(open, path, game)?,
        limits,
        progress,
    };
    let outcome = task.run()?;
    let letters = LetterNames::new(game, open);
    Ok(Verification::of(
        name, game_name, game, &file, &letters, &outcome,
    ))
}

impl Verification {
    fn of(
        machine: String,
        game_name: &str,
        game: &Game,
        file: &MachineFile,
        letters: &LetterNames<'_>,
        outcome: &Outcome,
    ) -> Self {
        let flaw = |part: &Option<Result<(), String>>| match part {
            Some(Err(flaw)) => Some(flaw.clone()),
            _ => None,
        };
        let listed = outcome.failed.iter().take(MAX_LISTED);
        let failure = |(index, reason): &(usize, String)| {
            let word = &file.words[*index];
            FailedCertificate {
                certificate: index + 1,
                word: letters.names(&word.word),
                replacements: word
                    .replacements
                    .iter()
                    .map(|word| letters.replacement(word))
                    .collect(),
                reason: reason.clone(),
            }
        };
        Self {
            file: game_name.to_owned(),
            machine,
            valid: outcome.is_valid(),
            letters: match letters {
                LetterNames::Rules(_) | LetterNames::Numbers(_) => "rules".into(),
                LetterNames::Operators(_) => "operators".into(),
                LetterNames::Parts { .. } => "parts".into(),
            },
            certificates: file.words.len(),
            failed: outcome.failed.len(),
            failures: listed.map(failure).collect(),
            without_instance: outcome.without_instance,
            invariants_flaw: flaw(&outcome.invariants),
            parts_flaw: flaw(&outcome.parts),
            alphabet: file.machine.n_letters(),
            rules: game.rules().len(),
            swaps: file.swaps.len(),
            swaps_flaw: flaw(&outcome.swaps),
            dont_cares: file.kind == Some(MachineKind::MinimizedWithDontCares),
            machine_valid: matches!(outcome.machine, Some(Ok(()))),
            machine_flaw: match &outcome.machine {
                Some(Ok(())) => None,
                Some(Err(flaw)) => Some(flaw.named(letters)),
                None => Some(MachineFlaw::NotChecked),
            },
            states: file.machine.n_states(),
            max_length: file.max_length,
            longest_word: file.longest_word(),
            header_flaw: flaw(&outcome.header),
            assumed_invariants: file.assumptions.clone(),
            invariants_are_proved: matches!(outcome.invariants, Some(Ok(()))),
        }
    }
}

impl proof::MachineFlaw {
    /// The flaw with the names of letters.
    fn named(&self, letters: &LetterNames<'_>) -> MachineFlaw {
        match self {
            Self::ForbidsTooMuch(word) => MachineFlaw::ForbidsTooMuch(letters.names(word)),
            Self::ForbidsTooLittle(word) => MachineFlaw::ForbidsTooLittle(letters.names(word)),
            Self::Other(flaw) => MachineFlaw::Other(flaw.clone()),
        }
    }
}
