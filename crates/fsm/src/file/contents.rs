//! The contents of a machine file, and errors in it.

use container::Damage;

use crate::machine::any::AnyMachine;
use crate::machine::dense::TableError;

/// The version of the format that this code writes. It also reads versions 1 to 3.
pub const FORMAT_VERSION: u32 = 4;

/// The version in which letters are never parts of rules.
pub(super) const VERSION_3: u32 = 3;

/// The version in which words and swaps never rest on assumptions.
pub(super) const VERSION_2: u32 = 2;

pub(super) const MAGIC: &[u8; 8] = b"PSVNFSM\0";

/// A forbidden word with its certificate: its replacements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertifiedWord {
    /// The word.
    pub word: Box<[u32]>,
    /// Earlier words. If letters are rules, there is one, and it replaces the word. If letters are
    /// [parts of rules](MachineFile::parts), the replacement consists of rules. If they are
    /// [operators](MachineFile::operator_of), each instance of the word (a sequence of rules of
    /// these operators) is replaced by an instance of one of them.
    pub replacements: Vec<Box<[u32]>>,
}

impl CertifiedWord {
    /// Make a word that one other word replaces.
    pub fn new(word: impl Into<Box<[u32]>>, replacement: impl Into<Box<[u32]>>) -> Self {
        Self {
            word: word.into(),
            replacements: vec![replacement.into()],
        }
    }
}

/// A part of a rule: the rule in the states where some variables hold some values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RulePart {
    /// The variables and the values that they hold, both numbered from 0. A part without conditions
    /// is the whole rule.
    pub conditions: Vec<(u32, u32)>,
}

/// The reason why a rule is split by the values of a variable: a sequence of rules that another
/// would replace if a suitable value were known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SplitReason {
    /// The rule.
    pub rule: u32,
    /// The variable, from 0.
    pub position: u32,
    /// The sequence of rules that can be replaced in some states.
    pub word: Box<[u32]>,
    /// The rules that replace it there.
    pub replacement: Box<[u32]>,
}

/// The ways in which a machine is made from words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineKind {
    /// With a state for each word that is remembered (Burch & Holte 2011).
    Table,
    /// With a state for each proper prefix of a forbidden word (Taylor 1992).
    AhoCorasick,
    /// With the fewest states.
    Minimized,
    /// With even fewer states, because it may do anything with words in which one letter can't
    /// follow the one before. See [`minimize_with_dont_cares`](crate::minimize_with_dont_cares).
    MinimizedWithDontCares,
}

/// A machine with everything needed to use it safely and to prove it correct.
///
/// Write `MachineFile { words, ..MachineFile::new(hash, machine) }` to set only the fields that
/// differ from [`new`](Self::new).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFile {
    /// The content hash of the game that the machine belongs to.
    pub game_hash: [u8; 32],
    /// The length of the longest words that were compared.
    pub max_length: u32,
    /// The order of words in which replacements come first.
    pub order: String,
    /// The letters in the order by which words are compared; empty for their natural order.
    pub rule_order: Vec<u32>,
    /// The assumptions of the analysis about start states, one per remark.
    pub assumptions: Vec<String>,
    /// Whether words and swaps may be valid only in states that satisfy the assumptions. If not, a
    /// word of rules can be replaced in all states. Words of operators may rest on the assumptions
    /// in any case.
    pub rests_on_assumptions: bool,
    /// If letters are operators, the letter of each rule: a search over rules passes it to the
    /// machine, for example by [`Relabeled`](crate::Relabeled). Empty if letters are rules.
    pub operator_of: Vec<u32>,
    /// If letters are parts of rules, the parts of each rule: letters are numbered in this order.
    /// Empty if letters are rules or operators. The replacement of a word of parts is a word of
    /// *rules*, and so are the letters of [`rule_order`](Self::rule_order).
    pub parts: Vec<Vec<RulePart>>,
    /// The reasons why rules are split, as far as known.
    pub split_reasons: Vec<SplitReason>,
    /// The way in which the machine was made, if known.
    pub kind: Option<MachineKind>,
    /// The swaps of the sleep sets that the machine was multiplied with, as for
    /// [`sleep_machine`](crate::sleep_machine); empty if there were none.
    pub swaps: Vec<(u32, u32)>,
    /// The forbidden words.
    pub words: Vec<CertifiedWord>,
    /// The machine.
    pub machine: AnyMachine,
}

/// The reasons why bytes aren't a machine file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It doesn't begin like a machine file.
    #[error("this isn't a machine file")]
    Magic,
    /// It is of another version.
    #[error(
        "this machine file has format version {found}, and this program reads versions up to {FORMAT_VERSION}"
    )]
    Version {
        /// The file's version.
        found: u32,
    },
    /// It is shorter than its header states.
    #[error("the machine file is truncated")]
    Truncated,
    /// The checksum is wrong.
    #[error("the machine file is damaged: its checksum is wrong")]
    Checksum,
    /// Its parts contradict each other.
    #[error("the machine file is damaged: {0}")]
    Inconsistent(String),
}

impl From<Damage> for FileError {
    fn from(damage: Damage) -> Self {
        match damage {
            Damage::Checksum => FileError::Checksum,
            _ => FileError::Truncated,
        }
    }
}

impl From<TableError> for FileError {
    fn from(error: TableError) -> Self {
        FileError::Inconsistent(error.to_string())
    }
}

impl MachineFile {
    /// Make a machine for a game, with the order `length-lexicographic` and the natural order of
    /// letters. All other fields are empty.
    pub fn new(game_hash: [u8; 32], machine: impl Into<AnyMachine>) -> Self {
        Self {
            game_hash,
            max_length: 0,
            order: "length-lexicographic".to_owned(),
            rule_order: Vec::new(),
            assumptions: Vec::new(),
            rests_on_assumptions: false,
            operator_of: Vec::new(),
            parts: Vec::new(),
            split_reasons: Vec::new(),
            kind: None,
            swaps: Vec::new(),
            words: Vec::new(),
            machine: machine.into(),
        }
    }
}
