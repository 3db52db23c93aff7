//! The figures of an analysis.

use budget::StopReason;
use fsm::MachineFile;
use rule_splits::Splits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::machines::{MachineSizes, Size};
use crate::error::AnalyzeError;

/// The figures of an analysis: counts by length, sizes of machines, the branching factor, times.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Summary {
    /// The length up to which the analysis is complete.
    pub max_length: usize,
    /// The name of the order of words.
    pub order: String,
    /// The letters in the order in which they were compared; `None` if they were compared in the
    /// order of their numbers.
    pub letters_in_order: Option<Vec<u32>>,
    /// If the rule order was optimized, the values of the order of the file and of the optimized
    /// one: numbers of nodes down to a depth, or asymptotic branching factors.
    pub rule_order_gain: Option<[f64; 2]>,
    /// The depth to which these nodes are counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_order_depth: Option<usize>,
    /// The figures of each length, from 1.
    pub levels: Vec<Level>,
    /// The number of redundant words.
    pub redundant_words: usize,
    /// Words that looked like duplicates to the learner, but failed a test.
    pub rejected: Vec<Rejected>,
    /// The sizes of the machines.
    pub machines: MachineSizes,
    /// The asymptotic branching factor of the sequences that the machine allows (Taylor 1992,
    /// section 3.1); `None` if the machine is too large, or the time ran out.
    pub branching_factor: Option<f64>,
    /// The splits, if they were requested.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub splits: Option<Splits>,
    /// The limit that stopped the analysis early; `None` if it is complete.
    pub stopped: Option<StopReason>,
    /// The seconds that the analysis took.
    pub seconds: f64,
}

/// The figures of an analysis at one length of words.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Level {
    /// The length of the words.
    pub length: usize,
    /// The words that were composed.
    pub composed: u64,
    /// The words among them that can't be carried out from any assumed state.
    #[serde(alias = "invalid")]
    pub impossible: u64,
    /// The impossible words that only the assumed invariants exclude.
    pub unreachable: u64,
    /// The redundant words.
    pub redundant: u64,
    /// The words that are kept, to be extended at the next length.
    pub kept: u64,
    /// The seconds that this length took.
    pub seconds: f64,
    /// The bytes held after this length.
    pub bytes: usize,
    /// For operators: the instances of kept words that nothing replaces.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub open_instances: Option<u64>,
    /// For the learner: the kept words that looked like duplicates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rejected: Option<u64>,
}

/// Two words that lead from the learner's state to the same state, although one doesn't replace
/// the other in all states.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct Rejected {
    /// The word that is kept.
    pub word: Vec<u32>,
    /// The word that leads to the same state.
    pub earlier: Vec<u32>,
    /// Why the word isn't a duplicate.
    pub reason: RejectedFor,
    /// Rules that are an instance of the word, and which the earlier word doesn't replace.
    pub instance: Vec<u32>,
}

/// Why a word isn't a duplicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RejectedFor {
    /// The earlier word can't be used wherever this one can.
    Inapplicable,
    /// It leads elsewhere from other states.
    LeadsElsewhere,
    /// It costs more.
    #[serde(alias = "dearer")]
    CostsMore,
}

impl Summary {
    /// A summary with levels alone.
    pub(crate) fn of_levels(levels: Vec<Level>) -> Self {
        let nothing = Size {
            states: 0,
            bytes: 0,
        };
        Self {
            max_length: 0,
            order: String::new(),
            letters_in_order: None,
            rule_order_gain: None,
            rule_order_depth: None,
            levels,
            redundant_words: 0,
            rejected: Vec::new(),
            machines: MachineSizes {
                trie_states: 0,
                table: nothing,
                aho_corasick: nothing,
                minimized: None,
                sleep_sets: None,
                product: None,
                dont_cares: None,
            },
            branching_factor: None,
            splits: None,
            stopped: None,
            seconds: 0.0,
        }
    }
}

/// The words that the table machine remembers: those that are kept and shorter than the length of
/// the analysis, the empty one included.
pub(crate) fn n_remembered(levels: &[Level], max_length: usize) -> usize {
    let shorter = levels.iter().take(max_length.saturating_sub(1));
    1 + shorter.map(|level| level.kept as usize).sum::<usize>()
}

/// The length of an analysis as a number of a machine file.
pub(crate) fn file_length(max_length: usize) -> Result<u32, AnalyzeError> {
    u32::try_from(max_length).map_err(|_| AnalyzeError::Length)
}

/// A computed result, and whether the request alone decided it.
pub(crate) struct Computed {
    pub(crate) summary: Summary,
    pub(crate) file: Option<MachineFile>,
    /// Whether it is reproducible: no clock decided it.
    pub(crate) is_settled: bool,
}
