//! Analyses: which sequences of rules are redundant, and the machine that forbids them.
//!
//! An analysis can be kept in the [cache](crate::Cache) and is the same when it comes from there.

mod assumptions;
mod choices;
pub mod engine;
mod explain;
mod forecast;
mod ideal;
mod pruning;
mod redundant;
mod report;
mod rule_order;
mod splits;

use std::sync::Arc;
use std::time::{Duration, Instant};

use budget::StopReason;
use fsm::{MachineFile, OpenFile};
use move_prune::{Limits, Operators};
use psvn_ir::{ContentHash, VarId};
use serde::{Deserialize, Serialize};

use crate::environment::Environment;
use crate::error::Error;
use crate::game::Game;
use crate::store::cache::{Key, Lookup};
use crate::store::new_key;
use crate::text::{Choice, Parameter, message};

pub use self::assumptions::{Assumptions, AssumptionsSource, Starts};
pub use self::choices::{
    Assume, Letters, MachineKind, MaxLength, Method, Order, RuleOrderChoice, parse_max_length,
};
pub use self::engine::machines::{MachineSizes, Size, budget, time_before};
pub use self::explain::{ExplainOptions, explain, explain_operators};
pub use self::ideal::{
    Ideal, IdealDepth, IdealDifference, IdealGrowth, IdealRequest, compare_with_ideal,
};
pub use self::pruning::Pruning;
pub use self::redundant::Redundant;
pub(crate) use self::redundant::RedundantKeys;
pub use self::report::{AnalysisReport, RejectedReport};
pub use self::splits::{SplitChoice, SplitRequest};
pub use crate::environment::invariants::from_states;
pub use crate::game::SearchFor;
pub use move_prune::OperatorOrder;
pub(crate) use move_prune::SharedWords;
pub use redundancy::{
    Appended, Certificate, CertifiedSide, Composition, CompositionStep, Nearest, OperatorInstance,
    OperatorsExplained, Reading, ReadingOfParts, ReadingStep, RulesExplained, WordVerdict,
};
pub use rule_splits::{SplitPart, SplitRule, SplitWhy, Splits};

/// Everything that decides the result of an analysis, apart from the game and the limits.
/// [`Pruning`] makes it from options.
pub struct AnalysisRequest {
    /// The length of the longest sequences that are compared.
    pub max_length: MaxLength,
    /// The order of words. A replacement comes before its word in this order.
    pub order: Order,
    /// The order in which rules are compared, where letters are rules.
    pub rule_order: RuleOrderChoice,
    /// The assumptions about the states of a search.
    pub assumptions: Assumptions,
    /// The letters of words: rules, or labels that stand for all their rules.
    pub letters: Letters,
    /// The method that finds redundant words.
    pub method: Method,
    /// The state to which the learner applies operators; by default the goal state.
    pub generic_start: Option<String>,
    /// The order in which operators are compared, where letters are operators.
    pub operator_order: Option<OperatorOrder>,
    /// The kind of machine that is built.
    pub machine: MachineKind,
    /// Whether the result is the product of the machine and the sleep-set machine (Holte,
    /// Alkhazraji & Wehrle 2015).
    pub sleep_sets: bool,
    /// Whether the machine may allow or forbid anything after two rules that can't follow each
    /// other. It is then smaller, and valid for this game only.
    pub dont_cares: bool,
    /// Variables in which a sequence and its replacement may differ afterwards, since no goal
    /// depends on them (Taylor 1992, section 2.4). Empty unless the search is for goals.
    pub ignored: Vec<VarId>,
    /// Whether rules are split, where letters are rules. Splits exclude sleep sets, don't-cares and
    /// the table machine.
    pub split: SplitRequest,
    /// The most bytes that a machine may take; a larger one is not built.
    pub budget: usize,
}

/// The figures of an analysis: counts by length, sizes of machines, the branching factor, times.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
fn n_remembered(levels: &[Level], max_length: usize) -> usize {
    let shorter = levels.iter().take(max_length.saturating_sub(1));
    1 + shorter.map(|level| level.kept as usize).sum::<usize>()
}

/// The length of an analysis as a number of a machine file.
fn file_length(max_length: usize) -> Result<u32, Error> {
    u32::try_from(max_length).map_err(|_| Error::limit("the length doesn't fit in 32 bits"))
}

/// The result of an analysis: which sequences of rules are redundant (Burch & Holte 2011, "Move
/// Pruning"), and a machine that forbids them.
///
/// A search with the machine still reaches every state at its least cost (a goal state, if the
/// analysis is for goals), from all starts that satisfy the assumptions in the machine file.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The figures.
    pub summary: Summary,
    /// The machine, with a certificate for each redundant word; `None` if it would be too large to
    /// be built.
    pub machine: Option<MachineFile>,
    /// Whether the result was read from the cache.
    pub from_cache: bool,
}

/// A computed result, and whether the request alone decided it.
struct Computed {
    summary: Summary,
    file: Option<MachineFile>,
    /// Whether it is reproducible: no clock decided it.
    is_settled: bool,
}

/// Analyze a game, or read the result of an earlier analysis from the cache.
///
/// The work grows with the number of kept sequences, which grows by about the branching factor with
/// each length; set limits for lengths that weren't tried before.
///
/// # Errors
/// When the request contradicts the game, or a machine doesn't fit in memory. If a limit stops the
/// analysis, the result covers the lengths that were completed, and its summary names the limit.
pub fn analyze(
    game: &Game,
    request: &AnalysisRequest,
    limits: Limits,
    env: &Environment,
) -> Result<Arc<Analysis>, Error> {
    analyze_sharing(game, request, limits, None, env)
}

/// The same, where requests that differ only in their lengths and splits may share the comparison
/// of whole rules.
fn analyze_sharing(
    game: &Game,
    request: &AnalysisRequest,
    limits: Limits,
    shared: Option<&SharedWords>,
    env: &Environment,
) -> Result<Arc<Analysis>, Error> {
    // The length of `auto` depends on the limits and on time.
    let key = match request.max_length {
        MaxLength::Auto => None,
        MaxLength::Length(length) => Some(request.key(length, game, env)),
    };
    if let Some(analysis) = key.as_ref().and_then(|key| look_up(key, env)) {
        note_missing_splits(request, &analysis.summary, env);
        return Ok(Arc::new(analysis));
    }
    let limits = env.limits(&Limits {
        interrupt: Some(Arc::clone(env.cancellation())),
        ..limits
    });
    let started = Instant::now();
    let _span = tracing::info_span!("analyze", game = game.name()).entered();
    let Computed {
        mut summary,
        file,
        is_settled,
    } = env.install(|| match request.letters {
        Letters::Rules => engine::rules::compute(game, request, limits, shared, env),
        Letters::Labels => engine::operators::compute(game, request, limits, env),
    })?;
    let elapsed = started.elapsed();
    summary.seconds = elapsed.as_secs_f64();
    note_missing_splits(request, &summary, env);
    // A larger budget wouldn't have changed this, so the budget isn't part of the key.
    let is_whole = file.is_some() && summary.branching_factor.is_some();
    let is_complete = is_settled && is_whole && summary.stopped.is_none();
    if let (Some(key), Some(file)) = (&key, &file)
        && is_complete
        && env.cache().is_worth_keeping(elapsed)
    {
        keep(key, &summary, file, env);
    }
    Ok(Arc::new(Analysis {
        summary,
        machine: file,
        from_cache: false,
    }))
}

/// Report that splits which were requested aren't made.
fn note_missing_splits(request: &AnalysisRequest, summary: &Summary, env: &Environment) {
    let missing = summary.splits.as_ref().and_then(Splits::why_missing);
    if let Some(reason) = missing.filter(|_| request.split.choice == SplitChoice::All) {
        env.note(format!("no rule is split, because {reason}"));
    }
}

impl AnalysisRequest {
    /// The key of the result. Anything else must not change the result: the threads, limits that
    /// don't stop the analysis, how it is printed.
    fn key(&self, max_length: usize, game: &Game, env: &Environment) -> Key {
        self.key_of(
            game.ir().content_hash(),
            (max_length, &self.split),
            game,
            env,
        )
    }

    /// The same of a game with a hash, for a length and splits that need not be the request's own.
    fn key_of(
        &self,
        hash: ContentHash,
        (max_length, split): (usize, &SplitRequest),
        game: &Game,
        env: &Environment,
    ) -> Key {
        let mut key = new_key();
        key.push("game", hash);
        key.push("length", max_length);
        key.push("order", self.order.name());
        key.push("rule order", self.rule_order.name());
        if self.rule_order == RuleOrderChoice::Optimize {
            key.push("seed", env.seed());
            let start = split.start.clone();
            if let Some(start) = start.or_else(|| game.ir().goal_state()) {
                key.push("ordered for", game.ir().format_state(start.values()));
            }
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
        if !self.ignored.is_empty() {
            key.push("ignored", crate::game::ignored::line(&self.ignored));
        }
        if split.choice != SplitChoice::None {
            key.push("split", split.choice.name());
            let goal = game.ir().goal_state();
            let start = split.start.as_ref();
            if let Some(start) = start.filter(|start| goal.as_ref() != Some(start)) {
                key.push("split for", game.ir().format_state(start.values()));
            }
            if let Some(steps) = split.most_steps {
                key.push("split in", steps);
            }
        }
        for line in &self.assumptions.lines {
            key.push("assumed", line);
        }
        key
    }
}

/// The operators of a game in an order.
///
/// # Errors
/// When the order isn't one of all labels, each once.
fn operators_in(order: &OperatorOrder, game: &psvn_ir::Game) -> Result<Operators, Error> {
    order.operators(game).map_err(|error| {
        let operators = Operators::by_label(game);
        let all: Vec<&str> = operators.names().collect();
        Error::usage(message![Parameter::OperatorOrder, format!(": {error}")])
            .with_hint(format!("the labels are {}", all.join(",")))
    })
}

/// A result of an earlier analysis.
fn look_up(key: &Key, env: &Environment) -> Option<Analysis> {
    let (path, reason) = match env.cache().get(key) {
        Lookup::Missing => return None,
        Lookup::Unusable { path, reason } => (path.display().to_string(), reason),
        Lookup::Found(entry) => match stored(&entry.summary, entry.bytes) {
            Ok(analysis) => {
                env.detail(|| {
                    let seconds = analysis.summary.seconds.max(0.0);
                    format!(
                        "the result comes from the cache; it took {} to find",
                        crate::text::units::format_seconds(Duration::from_secs_f64(seconds))
                    )
                });
                return Some(analysis);
            }
            Err(reason) => ("a kept result".to_owned(), reason),
        },
    };
    env.note(format!(
        "{path} in the cache can't be used, and is replaced: {reason}"
    ));
    None
}

/// An analysis from a cache entry, or the entry's fault.
fn stored(summary: &str, machine: Vec<u8>) -> Result<Analysis, String> {
    let summary: Summary = serde_json::from_str(summary).map_err(|error| error.to_string())?;
    let machine = OpenFile::from_bytes(machine).and_then(|file| file.to_machine_file());
    Ok(Analysis {
        summary,
        machine: Some(machine.map_err(|error| error.to_string())?),
        from_cache: true,
    })
}

/// Keep a result. Failure to keep it isn't an error.
fn keep(key: &Key, summary: &Summary, machine: &MachineFile, env: &Environment) {
    let kept = serde_json::to_string(summary)
        .map_err(std::io::Error::from)
        .and_then(|summary| env.cache().put(key, summary, machine.to_bytes()));
    if let Err(error) = kept {
        env.detail(|| {
            format!(
                "the result can't be kept in the cache: {}",
                crate::store::read::reason(&error)
            )
        });
    }
}
