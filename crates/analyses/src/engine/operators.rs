//! Analyses by operator: all rules that share a label are one letter.

use std::collections::BTreeSet;
use std::sync::Mutex;

use fsm::{AnyMachine, CertifiedWord, MachineFile, growth_unless};
use host::Host;
use move_prune::{
    Admits, DuplicateWord, Forecaster, Learned, Limits, OperatorAnalysis, OperatorOptions,
    Operators, Reason, RedundantOperatorWord, RejectedPair, StopReason, analyze_operators, learn,
};
use psvn_ir::{Game, Term, VarId};
use redundancy::{Known, canonical_rules};

use super::machines::{self, COMPRESS_ABOVE, Machines};
use super::progress::in_words;
use crate::choices::{MaxLength, Method};
use crate::error::AnalyzeError as Error;
use crate::request::{AnalysisRequest, operators_in};
use crate::summary::{Computed, Level, Rejected, RejectedFor, Summary, file_length, n_remembered};

/// The result of either method.
struct Found {
    max_length: usize,
    stopped: Option<StopReason>,
    levels: Vec<Level>,
    words: Vec<CertifiedWord>,
    rejected: Vec<Rejected>,
}

/// Analyze a game by operator.
pub(crate) fn compute(
    game: &Game,
    setting: &AnalysisRequest,
    limits: Limits,
    host: &dyn Host,
) -> Result<Computed, Error> {
    let stop = machines::out_of_time(&limits);
    let order = setting.operator_order.clone().unwrap_or_default();
    let operators = operators_in(&order, game)?;
    let mut found = find(game, setting, limits, &operators, host)?;
    if setting.max_length == MaxLength::Auto && found.stopped.is_none() {
        found.max_length = found.levels.len();
    }
    let n_letters = u32::try_from(operators.len()).expect("labels are as many as rules at most");
    let mut machines = Machines::of(
        n_letters,
        found.words.iter().map(|word| &*word.word),
        n_remembered(&found.levels, found.max_length),
        setting.budget,
        &stop,
    )?;
    let mut branching = None;
    let mut file = None;
    let order = setting.order.name();
    if let Some(built) = machines.built.take() {
        branching = growth_unless(built.smallest(), &stop).ok();
        let (machine, kind) = built.into_machine(setting.machine);
        machines.warn(host);
        file = Some(MachineFile {
            max_length: file_length(found.max_length)?,
            order: order.to_owned(),
            assumptions: setting.assumptions.lines.clone(),
            rests_on_assumptions: !setting.assumptions.lines.is_empty(),
            operator_of: operators.letters().to_vec(),
            kind: Some(kind),
            words: found.words.clone(),
            ..MachineFile::new(
                game.content_hash().0,
                AnyMachine::compressed_above(COMPRESS_ABOVE, machine).map_err(Error::Machine)?,
            )
        });
    }
    Ok(Computed {
        summary: Summary {
            max_length: found.max_length,
            order: order.to_owned(),
            redundant_words: found.words.len(),
            rejected: found.rejected,
            machines: machines.sizes,
            branching_factor: branching.map(|growth| growth.value()),
            stopped: found.stopped,
            ..Summary::of_levels(found.levels)
        },
        file,
        is_settled: true,
    })
}

fn find(
    game: &Game,
    setting: &AnalysisRequest,
    limits: Limits,
    operators: &Operators,
    host: &dyn Host,
) -> Result<Found, Error> {
    let rules = canonical_rules(game);
    let known = setting.assumptions.known.as_ref().map(Known);
    let shown = Mutex::new((host.begin(), Forecaster::default()));
    let show = |at: &move_prune::Progress| {
        // Only a panic elsewhere could have poisoned it.
        if let Ok(mut shown) = shown.lock() {
            let (phase, forecaster) = &mut *shown;
            let at = forecaster.at(at);
            phase.show(&|| in_words(&at), Some((at.done, at.total)));
        }
    };
    let options = OperatorOptions {
        max_length: setting.max_length.length(),
        limits,
        admits: known.as_ref().map(|known| known as &dyn Admits),
        progress: Some(&show),
    };
    match setting.method {
        Method::Exact => {
            // Certificates and instances are many small blocks: the allocator's overhead and the
            // words of the file add a third of the counted bytes.
            let options = OperatorOptions {
                limits: Limits {
                    memory: options.limits.memory.map(|memory| memory / 4 * 3),
                    ..options.limits
                },
                ..options
            };
            let analysis = analyze_operators(game.n_variables(), &rules, operators, &options);
            Ok(exact(&analysis, operators))
        }
        Method::Learner => {
            let start = generic_start(setting.generic_start.as_deref(), game)?;
            learn(game.n_variables(), &rules, operators, &start, &options)
                .map(|learned| by_learner(&learned))
                .map_err(Error::Learner)
        }
    }
}

fn exact(analysis: &OperatorAnalysis, operators: &Operators) -> Found {
    let certified = |redundant: &RedundantOperatorWord| {
        let replacements: BTreeSet<Box<[u32]>> = redundant
            .instances
            .iter()
            .map(|instance| {
                let rules = instance.replacement.iter();
                rules
                    .map(|rule| operators.letters()[rule.index()])
                    .collect()
            })
            .collect();
        CertifiedWord {
            word: redundant.word.clone(),
            replacements: replacements.into_iter().collect(),
        }
    };
    let level = |level: &move_prune::OperatorLevel| Level {
        length: level.length,
        composed: level.candidates,
        impossible: level.impossible,
        unreachable: 0,
        redundant: level.redundant,
        kept: level.kept,
        seconds: level.elapsed.as_secs_f64(),
        bytes: level.bytes,
        open_instances: Some(level.open_instances),
        rejected: None,
    };
    Found {
        max_length: analysis.max_length,
        stopped: analysis.stopped,
        levels: analysis.levels.iter().map(level).collect(),
        words: analysis.redundant.iter().map(certified).collect(),
        rejected: Vec::new(),
    }
}

fn by_learner(learned: &Learned) -> Found {
    let certified = |duplicate: &DuplicateWord| {
        CertifiedWord::new(duplicate.word.clone(), duplicate.replacement.clone())
    };
    let rejected = |pair: &RejectedPair| Rejected {
        word: pair.word.to_vec(),
        earlier: pair.earlier.to_vec(),
        reason: match pair.reason {
            Reason::Inapplicable => RejectedFor::Inapplicable,
            Reason::LeadsElsewhere => RejectedFor::LeadsElsewhere,
            Reason::CostsMore => RejectedFor::CostsMore,
            other => unreachable!("the learner gives no other reason than {other:?}"),
        },
        instance: pair.instance.iter().map(|rule| rule.0).collect(),
    };
    let level = |level: &move_prune::LearnedLevel| Level {
        length: level.length,
        composed: level.tried,
        impossible: level.inapplicable,
        unreachable: 0,
        redundant: level.duplicates,
        kept: level.kept + level.rejected,
        seconds: level.elapsed.as_secs_f64(),
        bytes: level.bytes,
        open_instances: None,
        rejected: Some(level.rejected),
    };
    Found {
        max_length: learned.max_length,
        stopped: learned.stopped,
        levels: learned.levels.iter().map(level).collect(),
        words: learned.duplicates.iter().map(certified).collect(),
        rejected: learned.rejected.iter().map(rejected).collect(),
    }
}

/// Return the state to which the learner applies operators: the goal state, or the user's, where
/// `-` is a value unlike all others.
fn generic_start(text: Option<&str>, game: &Game) -> Result<Vec<Term>, Error> {
    let Some(text) = text else {
        let goal = game.goal_state().ok_or(Error::NoStateToLearnFrom)?;
        let values = goal.values().iter();
        return Ok(values.map(|value| Term::constant(*value)).collect());
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() != game.n_variables() {
        return Err(Error::GenericStart(format!(
            "a state of this game has {} values, and this text has {}",
            game.n_variables(),
            words.len()
        )));
    }
    let term = |(position, word): (usize, &&str)| {
        let var = VarId::from_index(position);
        if *word == "-" {
            return Ok(Term::variable(var));
        }
        let domain = game.domain_of(var);
        domain.lookup(word).map(Term::constant).ok_or_else(|| {
            Error::GenericStart(format!(
                "value {}: `{word}` isn't a value of domain `{}`",
                position + 1,
                domain.name()
            ))
        })
    };
    words.iter().enumerate().map(term).collect()
}
