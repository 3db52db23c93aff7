//! Why a sequence of operators is redundant, or not.

use std::path::Path;
use std::time::Instant;

use budget::StopReason;
use move_prune::{
    Admits, OperatorAnalysis, OperatorOptions, Operators, RedundantOperatorWord, analyze_operators,
};
use psvn_ir::RuleId;
use serde::{Deserialize, Serialize};

use super::{ExplainOptions, WordVerdict};
use crate::analysis::{Assumptions, Starts, engine};
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, RuleNames};

/// The most labels that are listed where one is unknown.
const MAX_LABELS: usize = 20;

/// Why a sequence of operators is redundant, or not. An operator is all rules of one label.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OperatorsExplained {
    /// The labels.
    pub word: Vec<String>,
    /// The verdict. Impossible sequences are not distinguished from other kept ones.
    pub verdict: WordVerdict,
    /// Where the redundant part begins in the sequence, from 1.
    pub start: Option<usize>,
    /// The redundant part.
    pub redundant: Option<Vec<String>>,
    /// All instances of the redundant part, each with its replacement.
    pub instances: Vec<OperatorInstance>,
    /// The assumptions about states, one a line.
    pub assumed_invariants: Vec<String>,
    /// The length up to which sequences were compared.
    pub analyzed_length: usize,
    /// The limit that stopped the analysis, where it stopped too early to say.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// An instance of a sequence of operators.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OperatorInstance {
    /// The rules.
    pub rules: Vec<String>,
    /// Their replacement.
    pub replacement: Vec<String>,
}

impl OperatorsExplained {
    /// Find out why a sequence of operators, named by their labels, is redundant or not. The
    /// analysis assumes the invariants of the states from which a goal can be reached. `file` is
    /// where the game was read from; the trace and the machine of the options are for rules and are
    /// ignored.
    ///
    /// # Errors
    /// When a label is unknown, or the order isn't one of all labels.
    #[expect(
        clippy::missing_panics_doc,
        reason = "all words consist of the game's operators"
    )]
    pub fn find(
        named: &Game,
        labels: &[String],
        file: &Path,
        options: ExplainOptions<'_>,
        env: &Environment,
    ) -> Result<Self, Error> {
        let game = named.ir();
        let operators = options.operator_order.operators(game)?;
        let word = resolve(&operators, labels)?;
        let assumptions = Assumptions::choose(None, Starts::default(), file, named, env)?;
        let labels = |word: &[u32]| -> Vec<String> {
            let label = |letter: &u32| {
                let mut names = operators.names();
                names.nth(*letter as usize).expect("words are of operators")
            };
            word.iter().map(|letter| label(letter).to_owned()).collect()
        };
        let mut explained = Self {
            word: labels(&word),
            verdict: WordVerdict::NotRedundant,
            start: None,
            redundant: None,
            instances: Vec::new(),
            assumed_invariants: assumptions.lines,
            analyzed_length: 0,
            stopped: None,
        };
        let rules = engine::canonical_rules(game);
        let known = assumptions.known.as_ref().map(engine::Known);
        let started = Instant::now();
        for max_length in 1..=word.len() {
            let limited = OperatorOptions {
                max_length,
                limits: options.limits(started, env),
                admits: known.as_ref().map(|known| known as &dyn Admits),
                progress: None,
            };
            let analysis =
                env.install(|| analyze_operators(game.n_variables(), &rules, &operators, &limited));
            explained.analyzed_length = analysis.max_length;
            if let Some((start, redundant)) = part_of(&word, &analysis) {
                explained.verdict = if redundant.word.len() == word.len() {
                    WordVerdict::Redundant
                } else {
                    WordVerdict::ContainsRedundant
                };
                explained.start = Some(start + 1);
                explained.redundant = Some(labels(&redundant.word));
                explained.instances = instances(redundant, &named.rule_names());
                break;
            }
            if let Some(reason) = analysis.stopped {
                explained.verdict = WordVerdict::Unknown;
                explained.stopped = Some(reason);
                break;
            }
        }
        Ok(explained)
    }
}

/// The operators that labels name, in any case.
fn resolve(operators: &Operators, words: &[String]) -> Result<Vec<u32>, Error> {
    let letter = |word: &String| {
        let mut names = operators.names();
        let place = names.position(|name| name.eq_ignore_ascii_case(word));
        place
            .and_then(|place| u32::try_from(place).ok())
            .ok_or_else(|| {
                let known: Vec<&str> = operators.names().take(MAX_LABELS).collect();
                Error::usage(format!("no rule has the label `{word}`"))
                    .with_hint(format!("there are {}", known.join(", ")))
            })
    };
    words.iter().map(letter).collect()
}

/// The first redundant part of a word, if there is one.
fn part_of<'a>(
    word: &[u32],
    analysis: &'a OperatorAnalysis,
) -> Option<(usize, &'a RedundantOperatorWord)> {
    analysis.redundant.iter().find_map(|redundant| {
        let part = &*redundant.word;
        let start = word.windows(part.len()).position(|window| window == part)?;
        Some((start, redundant))
    })
}

fn instances(redundant: &RedundantOperatorWord, names: &RuleNames<'_>) -> Vec<OperatorInstance> {
    let entry = |word: &[RuleId]| names.names(word);
    redundant
        .instances
        .iter()
        .map(|instance| OperatorInstance {
            rules: entry(&instance.instance),
            replacement: entry(&instance.replacement),
        })
        .collect()
}
