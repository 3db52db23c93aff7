//! The result of an analysis, with the names of rules.

use std::borrow::Cow;
use std::time::Duration;

use budget::{Choice, StopReason};
use move_prune::OperatorOrder;
use psvn_ir::{NamedGame, RuleId, RuleNames};
use rule_splits::Splits;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::analysis::Analysis;
use crate::assumptions::AssumptionsSource;
use crate::choices::Method;
use crate::engine::machines::MachineSizes;
use crate::error::AnalyzeError;
use crate::ideal::Ideal;
use crate::request::{AnalysisRequest, operators_in};
use crate::summary::{Level, Rejected, RejectedFor};

/// The result of an analysis as data, with the names of rules: what `psvn analyze` prints as JSON.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct AnalysisReport {
    /// The name of the game.
    pub file: String,
    /// The number of rules.
    pub rules: usize,
    /// The number of variables.
    pub variables: usize,
    /// The letters of sequences: `rules` or `labels`.
    pub operators: Cow<'static, str>,
    /// How redundant words were found.
    pub method: Cow<'static, str>,
    /// The labels in the order in which they were compared, where they are operators.
    pub labels: Option<Vec<String>>,
    /// Whether this order differs from that of the file.
    #[serde(skip)]
    pub is_reordered: bool,
    /// The length up to which the analysis is complete.
    pub max_length: usize,
    /// The name of the order of words.
    pub order: String,
    /// The name of the order of rules.
    pub rule_order: Cow<'static, str>,
    /// The rules in the order in which they were compared, unless that is the order of the file.
    pub rules_in_order: Option<Vec<String>>,
    /// If the rule order was optimized, the values of the order of the file and of the optimized
    /// one: numbers of nodes down to a depth, or asymptotic branching factors.
    pub rule_order_gain: Option<[f64; 2]>,
    /// The depth to which these nodes are counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rule_order_depth: Option<usize>,
    /// Where the assumed invariants come from.
    pub assumed_of: AssumptionsSource,
    /// The assumed invariants, one per entry.
    pub assumed_invariants: Vec<String>,
    /// The variables, from 1, that are ignored because no goal depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored_variables: Vec<usize>,
    /// The figures of each length, from 1.
    pub levels: Vec<Level>,
    /// The number of redundant words.
    pub redundant_words: usize,
    /// The words that looked like duplicates to the learner, but aren't.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Vec<RejectedReport>>,
    /// The sizes of the machines.
    pub fsm: MachineSizes,
    /// The asymptotic branching factor; `None` where the machine is too large, or the time ran out.
    pub branching_factor: Option<f64>,
    /// The nodes of the machine's tree beside those of the ideal one, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal: Option<Ideal>,
    /// The rules that are split, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splits: Option<Splits>,
    /// The seconds that this took.
    pub seconds: f64,
    /// Whether an earlier analysis found this.
    pub from_cache: bool,
    /// Whether no limit stopped it.
    pub complete: bool,
    /// The limit that stopped it early.
    pub stopped: Option<StopReason>,
}

/// A word that looked like a duplicate to the learner, but isn't one.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct RejectedReport {
    /// The labels of the word.
    pub word: Vec<String>,
    /// The word that leads from the learner's state to the same one.
    pub earlier: Vec<String>,
    /// Why the word isn't a duplicate.
    pub reason: RejectedFor,
    /// An instance of the word that no instance of the earlier one replaces.
    pub instance: Vec<String>,
}

impl AnalysisReport {
    /// Report on the analysis of a game that was made for a request, or taken from the cache.
    ///
    /// # Errors
    /// When the request lists operators that the game doesn't have.
    ///
    /// # Panics
    /// When the analysis was made for another game or request.
    pub fn of(
        of: NamedGame<'_>,
        setting: &AnalysisRequest,
        analysis: &Analysis,
        elapsed: Duration,
    ) -> Result<Self, AnalyzeError> {
        let summary = &analysis.summary;
        let game = of.game;
        let names = RuleNames::new(game);
        let name = |letter: &u32| names.name(RuleId(*letter));
        let labels: Option<Vec<String>> = match &setting.operator_order {
            None => None,
            Some(order) => {
                let operators = operators_in(order, game)?;
                Some(operators.names().map(str::to_owned).collect())
            }
        };
        let label = |letter: &u32| {
            let labels = labels.as_deref().expect("learned words are of operators");
            labels[*letter as usize].clone()
        };
        let rejected = |rejected: &Rejected| RejectedReport {
            word: rejected.word.iter().map(label).collect(),
            earlier: rejected.earlier.iter().map(label).collect(),
            reason: rejected.reason,
            instance: rejected.instance.iter().map(name).collect(),
        };
        let is_learned = setting.method == Method::Learner;
        Ok(Self {
            file: of.name.to_owned(),
            rules: game.rules().len(),
            variables: game.n_variables(),
            operators: setting.letters.name().into(),
            method: setting.method.name().into(),
            rejected: is_learned.then(|| summary.rejected.iter().map(rejected).collect()),
            max_length: summary.max_length,
            order: summary.order.clone(),
            rule_order: setting.rule_order.name().into(),
            rules_in_order: summary
                .letters_in_order
                .as_ref()
                .map(|letters| letters.iter().map(name).collect()),
            rule_order_gain: summary.rule_order_gain,
            rule_order_depth: summary.rule_order_depth,
            assumed_of: setting.assumptions.source,
            assumed_invariants: setting.assumptions.lines.clone(),
            ignored_variables: setting.ignored.iter().map(|var| var.index() + 1).collect(),
            levels: summary.levels.clone(),
            redundant_words: summary.redundant_words,
            fsm: summary.machines,
            branching_factor: summary.branching_factor,
            ideal: None,
            splits: summary.splits.clone(),
            seconds: elapsed.as_secs_f64(),
            from_cache: analysis.from_cache,
            complete: summary.stopped.is_none(),
            stopped: summary.stopped,
            is_reordered: setting
                .operator_order
                .as_ref()
                .is_some_and(|order| *order != OperatorOrder::File),
            labels,
        })
    }
}
