//! Instance files: one start state a line, or the moves that lead there.

mod format;
mod random;
#[cfg(feature = "formats")]
mod scrambles;
#[cfg(not(feature = "formats"))]
#[path = "without_scrambles.rs"]
mod scrambles;
mod solvable;

use std::path::Path;

use psvn_ir::State;
pub use psvn_ir::instances::{Instance, head};
use psvn_ir::instances::{Rejected, check_head, parse};
pub use psvn_ir::moves::Walk;
use psvn_syntax::{Diagnostic, Span};

pub use self::format::InstanceFormat;
pub use self::random::{RandomWalks, WalkEnd};
pub use self::solvable::Refutation;
use self::solvable::Solvability;
pub(crate) use self::solvable::n_reachable;
use crate::environment::{Environment, Event};
use crate::error::{Error, ErrorKind};
use crate::game::{Game, ILLEGAL_HINT, map_settings};
use crate::store::read::read_lines;
use crate::text::{Message, Parameter, Source, message};

/// The most errors of an instance file that are shown; the rest is counted.
const MAX_ERRORS: usize = 20;

/// Instances with proofs that were found before any search.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The instances, in the order of the file.
    pub instances: Vec<Instance>,
    /// For each instance the proof that it has no solution, if one was found.
    pub refutations: Vec<Option<Refutation>>,
}

impl Judged {
    /// Return the states of the instances that no proof refutes.
    pub fn open_starts(&self) -> Vec<State> {
        let judged = self.instances.iter().zip(&self.refutations);
        let open = judged.filter(|(_, refutation)| refutation.is_none());
        open.map(|(instance, _)| instance.state.clone()).collect()
    }
}

/// Read the states that the user gives: one as text, or those of a file; else the start that the
/// game declares. Warn of states from which no goal can be reached, as far as that is proved
/// without a search.
///
/// # Errors
/// When a file can't be read, a text isn't a state, or standard input is requested twice.
pub fn given(
    state: Option<&str>,
    file: Option<&Path>,
    format: InstanceFormat,
    game_path: &Path,
    named: &Game,
    env: &Environment,
) -> Result<Vec<Instance>, Error> {
    judged(state, file, format, game_path, named, env).map(|judged| judged.instances)
}

/// Read the states that the user gives, as [`given`] does, with the proofs.
///
/// # Errors
/// When a file can't be read, a text isn't a state, or standard input is requested twice.
pub fn judged(
    state: Option<&str>,
    file: Option<&Path>,
    format: InstanceFormat,
    game_path: &Path,
    named: &Game,
    env: &Environment,
) -> Result<Judged, Error> {
    if let Some(path) = file {
        let stdin = Path::new("-");
        if path == stdin && game_path == stdin {
            return Err(Error::usage(
                "the game and the instances can't both come from standard input",
            ));
        }
        return read_judged(path, format, named, env);
    }
    let (state, text) = match state {
        Some(text) => (named.state(Parameter::Start, text)?, text.to_owned()),
        None => {
            let state = named.declared_start()?.ok_or_else(|| no_start(named))?;
            let text = named.game.format_state(state.values());
            (state, text)
        }
    };
    let instances = vec![Instance {
        span: Span::new(0, text.len()),
        ..Instance::new("1".to_owned(), state, None)
    }];
    let name = Message::from(Parameter::Start).in_terms_of(env.terms());
    let source = Source::new(name, text);
    Ok(judge(&source, instances, named, env))
}

/// The error that a start is missing; it names those that the game declares.
fn no_start(named: &Game) -> Error {
    let mut hint = message!["give a state with `", Parameter::Start.is("'...'"), "`, "];
    for name in named.start_names() {
        hint = message![
            hint,
            "the game's own with `",
            Parameter::Start.is(name),
            "`, "
        ];
    }
    Error::usage("there is no start").with_hint(message![
        hint,
        "several with `",
        Parameter::Instances.is("FILE"),
        "`, or a comment line `# start: STATE` in the text of the game"
    ])
}

/// For each state the proof that it has no solution, if one is found before `stop` says to stop.
pub fn refutations<'s>(
    states: impl IntoIterator<Item = &'s State>,
    named: &Game,
    stop: &dyn Fn() -> bool,
) -> Vec<Option<Refutation>> {
    let solvability = Solvability::of(named, stop);
    let states = states.into_iter();
    states.map(|state| solvability.refute(state)).collect()
}

/// The lines of an instance file, or of one that comes with the program, such as `gen:korf15`.
fn lines_of(path: &Path) -> Result<(String, Vec<u8>), Error> {
    let reference = path.to_str().and_then(|path| path.strip_prefix("gen:"));
    let Some(name) = reference.filter(|_| !path.exists()) else {
        return read_lines(path);
    };
    built_in(name)
}

/// Return the names of the instances that come with the program, such as `korf15`: none without the
/// feature `domains`.
pub fn built_in_names() -> Vec<&'static str> {
    #[cfg(feature = "domains")]
    let names = domains::INSTANCE_SETS.iter().map(|set| set.name).collect();
    #[cfg(not(feature = "domains"))]
    let names = Vec::new();
    names
}

/// The lines of instances that come with the program.
#[cfg(feature = "domains")]
fn built_in(name: &str) -> Result<(String, Vec<u8>), Error> {
    let set = domains::instances(name).ok_or_else(|| {
        let names = domains::INSTANCE_SETS.iter().map(|set| set.name);
        let names: Vec<String> = names.map(|name| format!("gen:{name}")).collect();
        Error::usage(format!("there are no instances `gen:{name}`"))
            .with_hint(format!("there are {}", names.join(" and ")))
    })?;
    Ok((format!("gen:{}", set.name), set.text.as_bytes().to_vec()))
}

#[cfg(not(feature = "domains"))]
fn built_in(_: &str) -> Result<(String, Vec<u8>), Error> {
    Err(Error::usage(
        "this program was built without built-in instances",
    ))
}

/// Read an instance file, or the instances of a name such as `gen:korf15`.
///
/// # Errors
/// When it can't be read, or a line isn't an instance; all errors are emitted as events.
pub fn read(
    path: &Path,
    format: InstanceFormat,
    named: &Game,
    env: &Environment,
) -> Result<Vec<Instance>, Error> {
    read_judged(path, format, named, env).map(|judged| judged.instances)
}

fn read_judged(
    path: &Path,
    format: InstanceFormat,
    named: &Game,
    env: &Environment,
) -> Result<Judged, Error> {
    let (name, bytes) = lines_of(path)?;
    let mut source = Source::new(name, String::from_utf8_lossy(&bytes));
    match scrambles::scenarios(&source.text) {
        Some(Ok(text)) => source.text = text,
        Some(Err(errors)) => {
            let fitting = None;
            return Err(rejected(source, Rejected { errors, fitting }, env));
        }
        None => {}
    }
    check_head(&source.text, &named.game).map_err(|wrong| {
        let place = wrong.line();
        Error::input(format!("{}:{place}: {wrong}", source.name)).with_hint(wrong.hint())
    })?;
    if scrambles::is_meant(&source.text, format) {
        return read_scrambles(source, named, env);
    }
    let parsed = parse(&source.text, format.layout(), &named.words, &named.game);
    let reading = match parsed {
        Ok(reading) => reading,
        Err(errors) => {
            // What is no state may be moves.
            let is_open = format == InstanceFormat::Auto;
            return match scrambles::read(&source.text, named) {
                Ok(Ok(instances)) if is_open && !instances.is_empty() => {
                    env.note(format!(
                        "{}: the lines are moves from the goal",
                        source.name
                    ));
                    warn(&source, scrambles::repeated_names(&instances), env);
                    Ok(judge(&source, instances, named, env))
                }
                _ => Err(rejected(source, errors, env)),
            };
        }
    };
    if let Some(understood) = reading.understood {
        env.note(format!("{}: {understood}", source.name));
    }
    warn(&source, reading.warnings, env);
    let instances = reading.instances;
    let illegal = illegal(&instances, named);
    if !illegal.is_empty() {
        let (errors, fitting) = (illegal, None);
        return Err(rejected(source, Rejected { errors, fitting }, env));
    }
    if instances.is_empty() {
        return Err(
            Error::input(format!("{}: there are no instances", source.name))
                .with_hint("write one state per line: its values separated by white space"),
        );
    }
    Ok(judge(&source, instances, named, env))
}

fn read_scrambles(source: Source, named: &Game, env: &Environment) -> Result<Judged, Error> {
    match scrambles::read(&source.text, named)? {
        Ok(instances) if instances.is_empty() => Err(Error::input(format!(
            "{}: there are no instances",
            source.name
        ))
        .with_hint("write the moves from the goal of one instance per line")),
        Ok(instances) => {
            warn(&source, scrambles::repeated_names(&instances), env);
            Ok(judge(&source, instances, named, env))
        }
        Err(errors) => {
            let fitting = None;
            Err(rejected(source, Rejected { errors, fitting }, env))
        }
    }
}

/// The errors that states have values that the game forbids together.
fn illegal(instances: &[Instance], named: &Game) -> Vec<Diagnostic> {
    let error = |it: &Instance| {
        let values = named.illegal_values(&it.state)?;
        let message = format!("no state of this game has these values together: {values}");
        let error = Diagnostic::error("illegal-state", message);
        Some(error.at(it.span, "").hint(ILLEGAL_HINT))
    };
    instances.iter().filter_map(error).collect()
}

/// The error that an instance file has errors, the first of which are shown.
fn rejected(mut source: Source, rejected: Rejected, env: &Environment) -> Error {
    let mut errors = rejected.errors;
    if let Some(fitting) = &rejected.fitting {
        let states = match fitting.n_states {
            1 => "this state",
            _ => "these states",
        };
        let settings = map_settings(&fitting.map);
        let hint = message![states, " would fit with `", settings, "`"];
        errors[fitting.error].hint = Some(hint.in_terms_of(env.terms()));
    }
    for error in errors.iter_mut().filter(|it| it.code == "ambiguous-line") {
        let korf = message![
            "; if the lines are `ID COST NODES.. STATE`, add `",
            Parameter::InstanceFormat.is("korf"),
            "`"
        ];
        let hint = error.hint.get_or_insert_default();
        hint.push_str(&korf.in_terms_of(env.terms()));
    }
    let n_more = errors.len().saturating_sub(MAX_ERRORS);
    source.diagnostics = errors;
    source.diagnostics.truncate(MAX_ERRORS);
    env.emit(&Event::TextErrors(&source));
    if n_more > 0 {
        let message = format!("{}: and {n_more} more errors", source.name);
        env.emit(&Event::Problem(&message));
    }
    Error::text(source, ErrorKind::Input)
}

/// Look for proofs that instances have no solution, and warn of each.
fn judge(source: &Source, mut instances: Vec<Instance>, named: &Game, env: &Environment) -> Judged {
    if !named.variation().is_empty() {
        let known = instances.iter_mut().filter_map(|it| it.known_cost.take());
        if known.count() > 0 {
            let other =
                "the known costs are those of the game as it is written, and aren't compared";
            env.note(format!("{}: {other}", source.name));
        }
    }
    let states = instances.iter().map(|instance| &instance.state);
    let judged = Judged {
        refutations: refutations(states, named, &|| env.is_over()),
        instances,
    };
    warn_of_unsolvable(source, &judged, env);
    judged
}

/// Warn of starts from which no goal can be reached.
fn warn_of_unsolvable(source: &Source, judged: &Judged, env: &Environment) {
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
    warn(source, warnings, env);
}

/// Show warnings; the rest is counted.
fn warn(source: &Source, mut warnings: Vec<Diagnostic>, env: &Environment) {
    let n_more = warnings.len().saturating_sub(MAX_ERRORS);
    warnings.truncate(MAX_ERRORS);
    if warnings.is_empty() {
        return;
    }
    let warned = Source {
        diagnostics: warnings,
        ..source.clone()
    };
    env.emit(&Event::TextWarnings(&warned));
    if n_more > 0 {
        env.warning(format!("{}: and {n_more} more", source.name));
    }
}
