//! Standard error: warnings, notes and failures, in color on a terminal.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use annotate_snippets::{Group, Level, Renderer};
use clap::ValueEnum;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::failure::Failure;

/// Writes to standard error. Errors in doing so are ignored, as there is no other place to report
/// them.
pub(crate) struct Log {
    quiet: bool,
    verbosity: u8,
    renderer: Renderer,
}

impl Log {
    /// A log that is quiet, or more verbose with greater `verbosity`.
    pub(crate) fn new(quiet: bool, verbosity: u8, color: ColorChoice) -> Self {
        let renderer = if color.is_wanted() {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        Self {
            quiet,
            verbosity,
            renderer,
        }
    }

    /// Whether only errors are wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Whether details are wanted.
    pub(crate) fn is_verbose(&self) -> bool {
        self.verbosity > 0
    }

    /// Print a warning.
    pub(crate) fn warning(&self, message: &str) {
        if !self.quiet {
            self.render(&[Group::with_title(
                Level::WARNING.primary_title(printable(message)),
            )]);
        }
    }

    /// Print a note, which explains output and isn't a cause for concern.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet {
            self.render(&[Group::with_title(
                Level::NOTE.primary_title(printable(message)),
            )]);
        }
    }

    /// Print advice beside the output.
    pub(crate) fn help(&self, message: &str) {
        if !self.quiet {
            self.render(&[Group::with_title(
                Level::HELP.primary_title(printable(message)),
            )]);
        }
    }

    /// Print that a file was written.
    pub(crate) fn written(&self, path: &Path) {
        if !self.quiet {
            let name = path.display().to_string();
            let _ = writeln!(io::stderr().lock(), "Written to {}", printable(&name));
        }
    }

    /// Print an error that doesn't end the command at once.
    pub(crate) fn error(&self, message: &str) {
        self.render(&[Group::with_title(
            Level::ERROR.primary_title(printable(message)),
        )]);
    }

    /// Print why the command ends.
    pub(crate) fn failure(&self, failure: &Failure) {
        let Some(message) = failure.message() else {
            return;
        };
        self.error(&message);
        if let Some(hint) = failure.hint_text() {
            let hint = Level::HELP.primary_title(printable(hint));
            self.render(&[Group::with_title(hint)]);
        }
    }

    /// Print any report.
    pub(crate) fn render(&self, report: &[Group<'_>]) {
        let _ = writeln!(io::stderr().lock(), "{}", self.renderer.render(report));
    }
}

/// Write traces of libraries to standard error, at the level of `RUST_LOG`, such as `debug` or
/// `search=trace,info`, or else of `-v` and `-q`. With `RUST_LOG` the time of each phase is written
/// when it ends.
///
/// Return the error in `RUST_LOG`, which is then ignored.
pub(crate) fn trace_to_stderr(quiet: bool, verbosity: u8, color: ColorChoice) -> Option<String> {
    let level = match (quiet, verbosity) {
        (true, _) => LevelFilter::ERROR,
        (false, 0 | 1) => LevelFilter::WARN,
        (false, 2) => LevelFilter::DEBUG,
        (false, _) => LevelFilter::TRACE,
    };
    let wanted = std::env::var("RUST_LOG")
        .ok()
        .filter(|text| !text.is_empty());
    let (targets, spans, problem) = match wanted.map(|text| (text.parse::<Targets>(), text)) {
        None => (Targets::new().with_default(level), FmtSpan::NONE, None),
        Some((Ok(targets), _)) => (targets, FmtSpan::CLOSE, None),
        Some((Err(error), text)) => (
            Targets::new().with_default(level),
            FmtSpan::NONE,
            Some(format!("RUST_LOG is ignored: `{text}`: {error}")),
        ),
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(color.is_wanted())
        .with_timer(())
        .with_span_events(spans);
    tracing_subscriber::registry()
        .with(lines.with_filter(targets))
        .init();
    problem
}

/// When standard error is colored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// As the conventions of <https://no-color.org> and <https://bixense.com/clicolors> say.
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    fn is_wanted(self) -> bool {
        let value = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if value("NO_COLOR").is_some() => false,
            ColorChoice::Auto if value("CLICOLOR_FORCE").is_some_and(|it| it != "0") => true,
            ColorChoice::Auto => {
                value("TERM").is_none_or(|term| term != "dumb") && io::stderr().is_terminal()
            }
        }
    }
}

/// The text with control characters made visible, so that no input can steer a terminal.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\t' => c,
            // The control pictures have the order of the control characters.
            '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\x7f' => '\u{2421}',
            _ if c.is_control() => '\u{fffd}',
            _ => c,
        })
        .collect()
}
