//! Why a sequence is redundant, impossible, or neither.

use std::path::Path;
use std::time::{Duration, Instant};

use analyses::{Task, analyze_rules, operators_in};
use invariants::Invariants;
use move_prune::{Admits, Limits, OperatorOptions, OperatorOrder, analyze_operators};
use psvn_ir::RuleId;
use redundancy::{
    Analyzer, Known, OperatorsExplained, RulesExplained, canonical_rules, read_word,
    resolve_operators,
};

use super::Starts;
use crate::environment::Environment;
use crate::error::Error;
use crate::game::{Game, machine_file};

/// Limits and contents of an explanation.
#[derive(Clone, Debug, Default)]
pub struct ExplainOptions<'a> {
    /// The time and the bytes of the analysis. A flag that interrupts takes the place of
    /// the environment's cancellation.
    pub limits: Limits,
    /// Whether to record the compositions of the sequence and of its replacement.
    pub trace: bool,
    /// A machine file, whose machine reads the sequence.
    pub machine: Option<&'a Path>,
    /// The order in which operators are compared, where letters are operators.
    pub operator_order: OperatorOrder,
}

impl ExplainOptions<'_> {
    /// The limits for an analysis, less the time since `started`.
    fn limits(&self, started: Instant, env: &Environment) -> Limits {
        let left = |time: Duration| time.saturating_sub(started.elapsed());
        env.limits(&Limits {
            nodes: None,
            time: self.limits.time.map(left),
            ..self.limits.clone()
        })
    }
}

/// Analyzes a game within the options' limits.
struct OfGame<'a> {
    game: &'a Game,
    options: &'a ExplainOptions<'a>,
    started: Instant,
    env: &'a Environment,
}

impl Analyzer for OfGame<'_> {
    fn analyze(&self, max_length: usize, known: Option<&Invariants>) -> move_prune::Analysis {
        let limits = self.options.limits(self.started, self.env);
        analyze_rules(
            self.game.ir(),
            &Task::up_to(max_length, known, limits),
            self.env,
        )
    }

    fn of_goals(&self) -> Option<Invariants> {
        self.env.invariants_of_usable_goals(self.game.ir())
    }

    fn is_interrupted(&self) -> bool {
        self.env.is_cancelled()
    }
}

/// Find out why a sequence of rules is redundant, impossible, or neither: analyze the game up to
/// the length of the sequence, or less if a redundant part shows earlier.
///
/// # Errors
/// When the machine file can't be used, or a certificate turns out to be wrong.
pub fn explain(
    game: &Game,
    word: &[RuleId],
    options: &ExplainOptions<'_>,
    env: &Environment,
) -> Result<RulesExplained, Error> {
    let analyzer = OfGame {
        game,
        options,
        started: Instant::now(),
        env,
    };
    let mut explained = RulesExplained::find(game.ir(), word, options.trace, &analyzer)?;
    if let Some(path) = options.machine {
        let file = machine_file::open_for(path, game.ir(), game.name())?;
        explained.reading = Some(read_word(path, &file, game.ir(), word)?);
    }
    Ok(explained)
}

/// Find out why a sequence of operators, named by their labels, is redundant or not. The analysis
/// assumes the invariants of the states from which a goal can be reached. `file` is where the game
/// was read from; the trace and the machine of the options are for rules and are ignored.
///
/// # Errors
/// When a label is unknown, or the order isn't one of all labels.
pub fn explain_operators(
    game: &Game,
    labels: &[String],
    file: &Path,
    options: &ExplainOptions<'_>,
    env: &Environment,
) -> Result<OperatorsExplained, Error> {
    let operators = operators_in(&options.operator_order, game.ir())?;
    let word = resolve_operators(&operators, labels)?;
    let assumptions = Starts::default().assumptions(None, file, game, env)?;
    let rules = canonical_rules(game.ir());
    let known = assumptions.known.as_ref().map(Known);
    let started = Instant::now();
    let analyze = |max_length| {
        let limited = OperatorOptions {
            max_length,
            limits: options.limits(started, env),
            admits: known.as_ref().map(|known| known as &dyn Admits),
            progress: None,
        };
        env.install(|| analyze_operators(game.ir().n_variables(), &rules, &operators, &limited))
    };
    let lines = assumptions.lines.clone();
    Ok(OperatorsExplained::find(
        game.ir(),
        &operators,
        &word,
        lines,
        &analyze,
    ))
}
