//! Instance files: one start state a line.

pub(crate) mod head;
mod solvable;

use std::path::Path;

use clap::ValueEnum;
use psvn_ir::State;
pub(crate) use psvn_ir::instances::Instance;
use psvn_ir::instances::{Layout, parse, parse_state};
use psvn_syntax::{Diagnostic, Span};

pub(crate) use self::solvable::Refutation;
use self::solvable::Solvability;
use crate::context::Context;
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::{self, NamedGame, Source};

/// So many errors of an instance file are shown; the rest is counted.
const MAX_ERRORS: usize = 20;

/// How the lines of an instance file are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstanceFormat {
    /// What all lines are alike: Korf's, fields with colons between them, or plain
    #[default]
    Auto,
    /// `ID: STATE = COST`, of which only the state must be there
    Plain,
    /// `ID COST NODES.. STATE`, as Korf's instances are published
    Korf,
}

impl InstanceFormat {
    fn layout(self) -> Layout {
        match self {
            InstanceFormat::Auto => Layout::Auto,
            InstanceFormat::Plain => Layout::Plain,
            InstanceFormat::Korf => Layout::Korf,
        }
    }
}

/// Instances with what is proved of them before any search.
pub(crate) struct Judged {
    pub(crate) instances: Vec<Instance>,
    /// For each instance the proof that it has no solution, if one was found.
    pub(crate) refutations: Vec<Option<Refutation>>,
}

/// The states that the user gives: one as text, or those of a file. Warns of those from which no goal can be
/// reached, as far as that is proved without a search.
pub(crate) fn given(
    state: Option<&str>,
    file: Option<&Path>,
    format: InstanceFormat,
    game_path: &Path,
    named: &NamedGame,
    cx: &Context,
) -> Result<Vec<Instance>, Failure> {
    judged(state, file, format, game_path, named, cx).map(|judged| judged.instances)
}

/// The same, with the proofs.
pub(crate) fn judged(
    state: Option<&str>,
    file: Option<&Path>,
    format: InstanceFormat,
    game_path: &Path,
    named: &NamedGame,
    cx: &Context,
) -> Result<Judged, Failure> {
    if let Some(path) = file {
        let stdin = Path::new("-");
        if path == stdin && game_path == stdin {
            return Err(Failure::usage(
                "the game and the instances can't both come from standard input",
            ));
        }
        return read_judged(path, format, named, cx);
    }
    let text = state.unwrap_or_default();
    let state = self::state("--start", text, named)?;
    let instances = vec![Instance {
        span: Span::new(0, text.len()),
        ..Instance::new("1".to_owned(), state, None)
    }];
    let source = source("--start".to_owned(), text.to_owned());
    Ok(judge(&source, instances, named, cx))
}

/// For each state the proof that it has no solution, if one is found before `stop` says to stop.
pub(crate) fn refutations<'s>(
    states: impl IntoIterator<Item = &'s State>,
    named: &NamedGame,
    stop: &dyn Fn() -> bool,
) -> Vec<Option<Refutation>> {
    let solvability = Solvability::of(named, stop);
    let states = states.into_iter();
    states.map(|state| solvability.refute(state)).collect()
}

/// A state that the user gives as text, in an option or a file of experiments.
pub(crate) fn state(what: &str, text: &str, named: &NamedGame) -> Result<State, Failure> {
    parse_state(text, &named.words, &named.game).map_err(|wrong| {
        let usual = "a state is its values in order, separated by white space";
        Failure::input(format!("{what}: {wrong}"))
            .hint(wrong.hint.unwrap_or_else(|| usual.to_owned()))
    })
}

/// Reads an instance file; shows all that is wrong with it.
pub(crate) fn read(
    path: &Path,
    format: InstanceFormat,
    named: &NamedGame,
    cx: &Context,
) -> Result<Vec<Instance>, Failure> {
    read_judged(path, format, named, cx).map(|judged| judged.instances)
}

fn read_judged(
    path: &Path,
    format: InstanceFormat,
    named: &NamedGame,
    cx: &Context,
) -> Result<Judged, Failure> {
    let (name, bytes) = input::read_lines(path)?;
    let mut source = source(name, String::from_utf8_lossy(&bytes).into_owned());
    head::check(&source.text, &source.name, &named.game)?;
    let parsed = parse(&source.text, format.layout(), &named.words, &named.game);
    let reading = parsed.map_err(|errors| {
        let n_errors = errors.len();
        source.diagnostics = errors;
        source.diagnostics.truncate(MAX_ERRORS);
        diagnostics::print(&source, &cx.log);
        if n_errors > MAX_ERRORS {
            cx.log.error(&format!(
                "{}: and {} more errors",
                source.name,
                n_errors - MAX_ERRORS
            ));
        }
        Failure::reported(Exit::Input)
    })?;
    if let Some(understood) = reading.understood {
        cx.log.note(&format!("{}: {understood}", source.name));
    }
    warn(&source, reading.warnings, cx);
    let instances = reading.instances;
    if instances.is_empty() {
        return Err(
            Failure::input(format!("{}: there are no instances", source.name))
                .hint("write one state a line: its values separated by white space"),
        );
    }
    Ok(judge(&source, instances, named, cx))
}

fn source(name: String, text: String) -> Source {
    Source {
        name,
        text,
        diagnostics: Vec::new(),
        is_built_in: false,
    }
}

/// Looks for proofs that instances have no solution, and warns of each.
fn judge(source: &Source, instances: Vec<Instance>, named: &NamedGame, cx: &Context) -> Judged {
    let states = instances.iter().map(|instance| &instance.state);
    let judged = Judged {
        refutations: refutations(states, named, &|| cx.loading.is_over()),
        instances,
    };
    warn_of_unsolvable(source, &judged, cx);
    judged
}

/// Warns of starts from which no goal can be reached.
fn warn_of_unsolvable(source: &Source, judged: &Judged, cx: &Context) {
    let warnings: Vec<Diagnostic> = judged
        .instances
        .iter()
        .zip(&judged.refutations)
        .filter_map(|(instance, refutation)| {
            let Refutation { proof, hint } = refutation.as_ref()?;
            let message = format!("instance {} has no solution: {proof}", instance.id);
            Some(
                Diagnostic::warning("unsolvable-instance", message)
                    .at(instance.span, "no goal can be reached from here")
                    .hint(hint),
            )
        })
        .collect();
    warn(source, warnings, cx);
}

/// Shows warnings; the rest is counted.
fn warn(source: &Source, mut warnings: Vec<Diagnostic>, cx: &Context) {
    let n_more = warnings.len().saturating_sub(MAX_ERRORS);
    warnings.truncate(MAX_ERRORS);
    if cx.log.is_quiet() || warnings.is_empty() {
        return;
    }
    let warned = Source {
        name: source.name.clone(),
        text: source.text.clone(),
        diagnostics: warnings,
        is_built_in: false,
    };
    diagnostics::print(&warned, &cx.log);
    if n_more > 0 {
        cx.log
            .warning(&format!("{}: and {n_more} more", source.name));
    }
}
