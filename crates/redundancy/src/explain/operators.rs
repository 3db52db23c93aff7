//! Why a sequence of operators is redundant, or not.

use budget::StopReason;
use move_prune::{OperatorAnalysis, Operators, RedundantOperatorWord};
use psvn_ir::{Game, RuleId, RuleNames};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WordVerdict;
use crate::Error;

/// The most labels that are listed where one is unknown.
const MAX_LABELS: usize = 20;

/// Why a sequence of operators is redundant, or not. An operator is all rules of one label.
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
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
#[derive(Clone, Debug, JsonSchema, Serialize, Deserialize)]
pub struct OperatorInstance {
    /// The rules.
    pub rules: Vec<String>,
    /// Their replacement.
    pub replacement: Vec<String>,
}

impl OperatorsExplained {
    /// Find out why a sequence of operators is redundant or not. `analyze`
    /// analyzes the game up to a length, with these assumptions.
    #[expect(
        clippy::missing_panics_doc,
        reason = "all words consist of the game's operators"
    )]
    pub fn find(
        game: &Game,
        operators: &Operators,
        word: &[u32],
        assumed_invariants: Vec<String>,
        analyze: &dyn Fn(usize) -> OperatorAnalysis,
    ) -> Self {
        let labels = |word: &[u32]| -> Vec<String> {
            let label = |letter: &u32| {
                let mut names = operators.names();
                names.nth(*letter as usize).expect("words are of operators")
            };
            word.iter().map(|letter| label(letter).to_owned()).collect()
        };
        let mut explained = Self {
            word: labels(word),
            verdict: WordVerdict::NotRedundant,
            start: None,
            redundant: None,
            instances: Vec::new(),
            assumed_invariants,
            analyzed_length: 0,
            stopped: None,
        };
        for max_length in 1..=word.len() {
            let analysis = analyze(max_length);
            explained.analyzed_length = analysis.max_length;
            if let Some((start, redundant)) = part_of(word, &analysis) {
                explained.verdict = if redundant.word.len() == word.len() {
                    WordVerdict::Redundant
                } else {
                    WordVerdict::ContainsRedundant
                };
                explained.start = Some(start + 1);
                explained.redundant = Some(labels(&redundant.word));
                explained.instances = instances(redundant, &RuleNames::new(game));
                break;
            }
            if let Some(reason) = analysis.stopped {
                explained.verdict = WordVerdict::Unknown;
                explained.stopped = Some(reason);
                break;
            }
        }
        explained
    }
}

/// Return the operators that labels name, in any case.
///
/// # Errors
/// When a label is unknown.
pub fn resolve_operators(operators: &Operators, words: &[String]) -> Result<Vec<u32>, Error> {
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
