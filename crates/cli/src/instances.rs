//! Instance files: one start state a line.

pub(crate) mod head;
mod solvable;

use std::path::Path;

use clap::ValueEnum;
pub(crate) use psvn_ir::instances::Instance;
use psvn_ir::instances::{Layout, parse};
use psvn_syntax::{Diagnostic, Span};

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
    /// Korf's if every line has numbers in front of a state, else plain
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

/// The states that the user gives: one as text, or those of a file. Says of those from which no goal can be
/// reached that it is so, if that can be seen at once.
pub(crate) fn given(
    state: Option<&str>,
    file: Option<&Path>,
    format: InstanceFormat,
    game_path: &Path,
    named: &NamedGame,
    cx: &Context,
) -> Result<Vec<Instance>, Failure> {
    if let Some(path) = file {
        let stdin = Path::new("-");
        if path == stdin && game_path == stdin {
            return Err(Failure::usage(
                "the game and the instances can't both come from standard input",
            ));
        }
        return read(path, format, named, cx);
    }
    let text = state.unwrap_or_default();
    let state = named.game.parse_state(text).map_err(|error| {
        Failure::input(format!("--start: {error}"))
            .hint("a state is its values in order, separated by white space")
    })?;
    let instances = vec![Instance {
        span: Span::new(0, text.len()),
        ..Instance::new("1".to_owned(), state, None)
    }];
    warn_of_unsolvable(
        &source("--start".to_owned(), text.to_owned()),
        &instances,
        named,
        cx,
    );
    Ok(instances)
}

/// Reads an instance file; shows all that is wrong with it.
pub(crate) fn read(
    path: &Path,
    format: InstanceFormat,
    named: &NamedGame,
    cx: &Context,
) -> Result<Vec<Instance>, Failure> {
    let (name, bytes) = input::read_lines(path)?;
    let mut source = source(name, String::from_utf8_lossy(&bytes).into_owned());
    head::check(&source.text, &source.name, &named.game)?;
    let instances = parse(&source.text, format.layout(), &named.game).map_err(|errors| {
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
    if instances.is_empty() {
        return Err(
            Failure::input(format!("{}: there are no instances", source.name))
                .hint("write one state a line: its values separated by white space"),
        );
    }
    warn_of_unsolvable(&source, &instances, named, cx);
    Ok(instances)
}

fn source(name: String, text: String) -> Source {
    Source {
        name,
        text,
        diagnostics: Vec::new(),
        is_built_in: false,
    }
}

/// Warns of starts from which no goal can be reached.
fn warn_of_unsolvable(source: &Source, instances: &[Instance], named: &NamedGame, cx: &Context) {
    let solvability = solvable::Solvability::of(&named.game);
    let mut warnings: Vec<Diagnostic> = instances
        .iter()
        .filter_map(|instance| {
            let (reason, hint) = solvability.refute(&instance.state)?;
            let message = format!("instance {} has no solution: {reason}", instance.id);
            Some(
                Diagnostic::warning("unsolvable-instance", message)
                    .at(instance.span, "no goal can be reached from here")
                    .hint(hint),
            )
        })
        .collect();
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
