//! What an analysis finds: figures to be shown, and the machine with its certificates.
//!
//! A finding can be kept in the [cache](crate::cache) and is the same when it comes from there.

mod operators;
mod rules;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fsm::MachineFile;
use move_prune::{Limits, Order, StopReason};
use serde::{Deserialize, Serialize};

use crate::assumptions::Assumptions;
use crate::cache::{Key, Lookup};
use crate::choices::{Letters, MachineKind, MaxLength, Method, RuleOrderChoice, order_name};
use crate::context::Context;
use crate::failure::Failure;
use crate::input::NamedGame;
use crate::machines::Size;
use crate::operator_order::OperatorOrder;

/// All that decides what an analysis finds, besides the game and the limits.
pub(crate) struct Setting {
    pub(crate) max_length: MaxLength,
    pub(crate) order: Order,
    pub(crate) rule_order: RuleOrderChoice,
    pub(crate) assumptions: Assumptions,
    /// What letters are.
    pub(crate) letters: Letters,
    pub(crate) method: Method,
    /// The state that the learner learns from, unless it is the goal state.
    pub(crate) generic_start: Option<String>,
    /// The order in which operators are compared, where letters are operators.
    pub(crate) operator_order: Option<OperatorOrder>,
    pub(crate) machine: MachineKind,
    /// Whether the machine is to be multiplied with that of sleep sets.
    pub(crate) sleep_sets: bool,
    /// Whether it may do anything with impossible successions.
    pub(crate) dont_cares: bool,
    /// A machine that would take more bytes is not built.
    pub(crate) budget: usize,
}

/// The figures of an analysis.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// The length up to which the analysis is complete.
    pub(crate) max_length: usize,
    pub(crate) order: String,
    /// The letters in the order in which they were compared, unless that is their own.
    pub(crate) letters_in_order: Option<Vec<u32>>,
    /// The branching factors before and after, where the rule order was optimized.
    pub(crate) rule_order_gain: Option<[f64; 2]>,
    pub(crate) levels: Vec<Level>,
    pub(crate) redundant_words: usize,
    /// What the learner took for duplicates, and the test of applicability refused.
    pub(crate) rejected: Vec<Rejected>,
    pub(crate) machines: MachineSizes,
    /// `None` where the machine would be too large to be built.
    pub(crate) branching_factor: Option<f64>,
    /// Why it stopped early.
    pub(crate) stopped: Option<Stopped>,
    /// The time that it took to find this.
    pub(crate) seconds: f64,
}

/// The figures of one length.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Level {
    pub(crate) length: usize,
    pub(crate) composed: u64,
    pub(crate) invalid: u64,
    /// Those among the invalid that only the assumed invariants exclude.
    pub(crate) unreachable: u64,
    pub(crate) redundant: u64,
    pub(crate) kept: u64,
    pub(crate) seconds: f64,
    pub(crate) bytes: usize,
    /// For operators: the instances of kept words that nothing replaces.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) open_instances: Option<u64>,
    /// For the learner: those among the kept that looked like duplicates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) rejected: Option<u64>,
}

/// Two words that lead from the learner's state to the same one, of which the second is no duplicate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rejected {
    pub(crate) word: Vec<u32>,
    pub(crate) earlier: Vec<u32>,
    pub(crate) reason: RejectedFor,
    /// Rules that are an instance of the word, and which the earlier word doesn't replace.
    pub(crate) instance: Vec<u32>,
}

/// Why a word is no duplicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RejectedFor {
    /// The earlier word can't be used wherever this one can.
    Inapplicable,
    /// It leads elsewhere from other states.
    LeadsElsewhere,
    /// It costs more.
    Dearer,
}

/// The sizes of the machines.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct MachineSizes {
    /// The interior nodes of the trie of redundant words.
    pub(crate) trie_states: usize,
    /// The table machine, which has a state for each word that is remembered.
    pub(crate) table: Size,
    pub(crate) aho_corasick: Size,
    /// `None` where it would be too large to be built.
    pub(crate) minimized: Option<Size>,
    /// The machine of sleep sets, where it is used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) sleep_sets: Option<Size>,
    /// Its product with the machine for the words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) product: Option<Size>,
    /// The machine that may do anything with impossible successions, where it is used.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) dont_cares: Option<Size>,
}

impl Summary {
    /// Levels, and nothing else yet.
    fn of_levels(levels: Vec<Level>) -> Self {
        let nothing = Size {
            states: 0,
            bytes: 0,
        };
        Self {
            max_length: 0,
            order: String::new(),
            letters_in_order: None,
            rule_order_gain: None,
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
            stopped: None,
            seconds: 0.0,
        }
    }
}

/// The words that the table machine remembers: those that are kept and shorter than the length of the
/// analysis, the empty one included.
fn n_remembered(levels: &[Level], max_length: usize) -> usize {
    let shorter = levels.iter().take(max_length.saturating_sub(1));
    1 + shorter.map(|level| level.kept as usize).sum::<usize>()
}

/// The length of an analysis as a number of a machine file.
fn file_length(max_length: usize) -> Result<u32, Failure> {
    u32::try_from(max_length).map_err(|_| Failure::limit("the length doesn't fit in 32 bits"))
}

/// Why an analysis stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stopped {
    Time,
    Memory,
    Interrupted,
    TooManyVariables,
}

impl Stopped {
    /// Why, as the end of a sentence.
    pub(crate) fn why(self) -> &'static str {
        match self {
            Stopped::Time => "the time was over",
            Stopped::Memory => "the memory was used up",
            Stopped::Interrupted => "it was interrupted",
            Stopped::TooManyVariables => "the game has too many variables",
        }
    }
}

impl From<StopReason> for Stopped {
    fn from(reason: StopReason) -> Self {
        match reason {
            StopReason::Time => Stopped::Time,
            StopReason::Memory => Stopped::Memory,
            StopReason::Interrupted => Stopped::Interrupted,
            _ => Stopped::TooManyVariables,
        }
    }
}

/// What an analysis found.
pub(crate) struct Finding {
    pub(crate) summary: Summary,
    /// `None` where it would be too large to be built.
    pub(crate) machine: Option<FoundMachine>,
    pub(crate) from_cache: bool,
}

/// A machine with its certificates.
pub(crate) enum FoundMachine {
    /// In memory.
    Built(Box<MachineFile>),
    /// As the bytes of a file.
    Stored(Vec<u8>),
}

impl FoundMachine {
    /// The bytes of the machine's file.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            FoundMachine::Built(file) => file.to_bytes(),
            FoundMachine::Stored(bytes) => bytes,
        }
    }
}

/// What was computed, and whether nothing but the setting decided it.
struct Computed {
    summary: Summary,
    file: Option<MachineFile>,
    /// Whether it would be the same on any other day: no clock had a say.
    is_settled: bool,
}

/// Analyzes a game, or finds the result of an earlier analysis in the cache.
pub(crate) fn find(
    named: &NamedGame,
    setting: &Setting,
    limits: Limits,
    interrupt: &Arc<AtomicBool>,
    cx: &Context,
) -> Result<Finding, Failure> {
    // How deep `auto` goes is a matter of the limits, and of the day.
    let key = match setting.max_length {
        MaxLength::Auto => None,
        MaxLength::Length(length) => Some(setting.key(length, named, cx)),
    };
    if let Some(finding) = key.as_ref().and_then(|key| look_up(key, cx)) {
        return Ok(finding);
    }
    let started = Instant::now();
    let Computed {
        mut summary,
        file,
        is_settled,
    } = match setting.letters {
        Letters::Rules => rules::compute(named, setting, limits, interrupt, cx)?,
        Letters::Labels => operators::compute(named, setting, limits, cx)?,
    };
    let elapsed = started.elapsed();
    summary.seconds = elapsed.as_secs_f64();
    // What a larger budget would not have changed: how large it is isn't part of the key.
    let is_whole = file.is_some() && summary.branching_factor.is_some();
    let is_complete = is_settled && is_whole && summary.stopped.is_none();
    let machine = match (key, file) {
        (Some(key), Some(file)) if is_complete && cx.cache.is_worth_keeping(elapsed) => {
            let bytes = file.to_bytes();
            keep(&key, &summary, &bytes, cx);
            Some(FoundMachine::Stored(bytes))
        }
        (_, file) => file.map(|file| FoundMachine::Built(Box::new(file))),
    };
    Ok(Finding {
        summary,
        machine,
        from_cache: false,
    })
}

impl Setting {
    /// The key of the result. What is no part of it must not change the result: the threads, the
    /// limits of an analysis that they don't stop, how it is printed.
    fn key(&self, max_length: usize, named: &NamedGame, cx: &Context) -> Key {
        let mut key = Key::new();
        key.push("game", named.game.content_hash());
        key.push("length", max_length);
        key.push("order", order_name(self.order));
        key.push("rule order", self.rule_order.name());
        if self.rule_order == RuleOrderChoice::Optimize {
            key.push("seed", cx.seed);
        }
        key.push("letters", self.letters.name());
        key.push("method", self.method.name());
        if let Some(start) = &self.generic_start {
            key.push("generic start", start);
        }
        if let Some(order) = &self.operator_order {
            key.push("operator order", order);
        }
        key.push("machine", self.machine.name());
        key.push("sleep sets", self.sleep_sets);
        key.push("don't-cares", self.dont_cares);
        for line in &self.assumptions.lines {
            key.push("assumed", line);
        }
        key
    }
}

/// A result of an earlier analysis.
fn look_up(key: &Key, cx: &Context) -> Option<Finding> {
    let (path, reason) = match cx.cache.get(key) {
        Lookup::Missing => return None,
        Lookup::Unusable { path, reason } => (path.display().to_string(), reason),
        Lookup::Found(entry) => match serde_json::from_str::<Summary>(&entry.summary) {
            Ok(summary) => {
                if cx.log.is_verbose() {
                    cx.log.note(&format!(
                        "the result comes from the cache; it took {} to find",
                        crate::units::format_seconds(Duration::from_secs_f64(
                            summary.seconds.max(0.0)
                        ))
                    ));
                }
                return Some(Finding {
                    summary,
                    machine: Some(FoundMachine::Stored(entry.machine)),
                    from_cache: true,
                });
            }
            Err(error) => ("a kept result".to_owned(), error.to_string()),
        },
    };
    cx.log.note(&format!(
        "{path} in the cache can't be used, and is replaced: {reason}"
    ));
    None
}

/// Keeps a result. That it can't be kept is no reason to fail.
fn keep(key: &Key, summary: &Summary, machine: &[u8], cx: &Context) {
    let kept = serde_json::to_string(summary)
        .map_err(std::io::Error::from)
        .and_then(|summary| cx.cache.put(key, summary, machine.to_vec()));
    if let Err(error) = kept
        && cx.log.is_verbose()
    {
        cx.log.note(&format!(
            "the result can't be kept in the cache: {}",
            crate::input::reason(&error)
        ));
    }
}
