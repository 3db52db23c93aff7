//! The surroundings of commands: output, verbosity, environment.

mod cache_settings;
pub(crate) mod file_size;
pub(crate) mod interrupt;
#[cfg(unix)]
pub(crate) mod system;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use psvn::store::atomic;
use psvn::{Cache, Environment, Limits, Lints, Watch};
use serde::Serialize;

use crate::args::{Cli, Command, WorkLimits};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::events;
use crate::output::log::{self, Log};
use crate::output::progress::{ProgressMode, Screen};
use crate::output::terms::CommandTerms;
use crate::output::{Format, FormatChoice, Output};
use crate::show::{Show, Style};

/// The surroundings of a command.
pub(crate) struct Context {
    /// Standard output.
    pub(crate) out: Output,
    /// Standard error.
    pub(crate) log: Arc<Log>,
    /// The form in which data is printed.
    pub(crate) format: Format,
    /// The requested form; `format` is text where only reports have it.
    pub(crate) format_choice: FormatChoice,
    /// The exit of the command if its output is closed.
    pub(crate) verdict: Exit,
    /// Threads, seed, cache, cancellation, and the listener for events.
    pub(crate) env: Environment,
}

impl Context {
    pub(crate) fn new(cli: &Cli) -> Self {
        let (budget, has_memory) = budget(&cli.command);
        let common = &cli.common;
        // A process that another one has started leaves messages to that one.
        let quiet = common.quiet || is_started(&cli.command);
        let verbose = if quiet { 0 } else { common.verbose };
        let log_problem = log::trace_to_stderr(quiet, verbose, common.color);
        let progress = if quiet {
            ProgressMode::Never
        } else {
            common.progress
        };
        let screen = Screen::new(progress);
        let log = Arc::new(Log::new(quiet, verbose, common.color));
        let (cache, problems) = cache_settings::from_environment();
        for problem in log_problem.iter().chain(&problems) {
            log.warning(problem);
        }
        let lints = match (quiet, verbose) {
            (true, _) => Lints::None,
            (false, 0) => Lints::Counted,
            (false, _) => Lints::Shown,
        };
        let env = Environment::default()
            // A search uses one thread unless the user says so.
            .with_threads(common.threads.map_or(1, |threads| threads as usize))
            .with_pool_of(common.threads.map_or(0, |threads| threads as usize))
            .with_seed(common.seed)
            .with_cache(if common.no_cache {
                Cache::none()
            } else {
                cache
            })
            .with_budget(&budget)
            .with_advice_on_memory(has_memory)
            .with_lints(lints)
            .with_terms(CommandTerms)
            .with_listener(events::listener(Arc::clone(&log), Arc::clone(&screen)));
        Self {
            out: Output::new(),
            log,
            format: common.format.format(),
            format_choice: common.format,
            verdict: Exit::Done,
            env,
        }
    }

    /// The style of results for people.
    pub(crate) fn style(&self) -> Style {
        Style {
            all: self.log.is_verbose(),
            all_by: "-v",
        }
    }

    /// Print a result in the requested form.
    pub(crate) fn print<R: Show + Serialize + ?Sized>(
        &mut self,
        result: &R,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Text => Ok(result.show(&self.style(), &mut self.out)?),
            Format::Json => self.out.json(result),
            Format::Csv => {
                let records = result.records().ok_or_else(no_table)?;
                records.iter().try_for_each(|record| self.out.csv(record))
            }
        }
    }

    /// Write a text to a file, and say so on standard error; or else write it to standard output.
    pub(crate) fn put(&mut self, file: Option<&Path>, text: &str) -> Result<(), Failure> {
        self.put_silently(file, text)?;
        if let Some(path) = file {
            self.log.written(path);
        }
        Ok(())
    }

    /// The same for commands that say by themselves what they have written.
    pub(crate) fn put_silently(&mut self, file: Option<&Path>, text: &str) -> Result<(), Failure> {
        match file {
            Some(path) => atomic::write(path, text.as_bytes())?,
            None => self.out.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// Give the whole time to each search from here on, after the game was read within it.
    pub(crate) fn limit_each_search(&mut self) {
        self.env = self.env.clone().without_time_limit();
    }

    /// Refuse CSV where a result isn't a table.
    pub(crate) fn refuse_csv(&self, command: &str) -> Result<(), Failure> {
        if self.format == Format::Csv {
            let message =
                format!("`psvn {command}` has no CSV output, since its result isn't a table");
            return Err(Failure::usage(message).hint("use `--format text` or `--format json`"));
        }
        Ok(())
    }
}

fn no_table() -> Failure {
    Failure::usage("the result isn't a table").hint("use `--format text` or `--format json`")
}

/// Whether another process has started this one, as one of several.
#[cfg(feature = "cluster")]
fn is_started(command: &Command) -> bool {
    matches!(command, Command::Explore(args) if args.cluster.started_as.is_some())
}

#[cfg(not(feature = "cluster"))]
fn is_started(_command: &Command) -> bool {
    false
}

/// The budget of a command, whose time begins now, and whether its memory can be set.
fn budget(command: &Command) -> (Watch, bool) {
    let of = |limits: &WorkLimits| (limits.time, Some(limits.memory));
    let (time, memory) = match command {
        Command::Check(args) => of(&args.limits),
        Command::Show(args) => of(&args.limits),
        Command::Compose(args) => of(&args.limits),
        #[cfg(feature = "formats")]
        Command::Import(args) => of(&args.limits),
        Command::Abstract(args) => of(&args.limits),
        Command::Verify(args) => of(&args.limits),
        Command::Certify(args) => (args.time, None),
        Command::Fsm(args) => of(&args.limits),
        Command::CheckPlan(args) => of(&args.limits),
        Command::Apply(args) => of(&args.limits),
        Command::GenInstances(args) => of(&args.limits),
        Command::Analyze(args) => (args.limits.time, Some(args.limits.memory)),
        Command::Explain(args) => (args.limits.time, Some(args.limits.memory)),
        Command::Explore(args) => (args.time, Some(args.memory)),
        Command::Export(args) => (args.time, Some(args.memory)),
        Command::Solve(args) => (args.limits.time, Some(args.memory)),
        Command::Work(args) => (args.limits.time, Some(args.limits.memory)),
        Command::Join(args) => (args.limits.time, Some(args.limits.memory)),
        Command::Transfer(args) => (args.time, Some(args.memory)),
        Command::Tree(args) => (args.limits.time, Some(args.memory)),
        #[cfg(feature = "players")]
        Command::Play(args) => (args.limits.time, Some(args.memory)),
        Command::Pdb(args) => (args.time, Some(args.memory)),
        _ => (None, None),
    };
    let limits = Limits {
        time,
        memory: memory.flatten(),
        ..Limits::default()
    };
    (Watch::new(limits), memory.is_some())
}
