//! The `psvn` command.
//!
//! Each subcommand is a module of [`commands`]; modules beside it hold what they share (reading
//! games, naming rules, printing, limits, interruption). Data goes to standard output, everything
//! else to standard error.

mod args;
mod commands;
mod completion;
mod exit;
mod failure;
mod help;
mod output;
mod session;

use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;

use clap::{Command, FromArgMatches};

use crate::args::Cli;
use crate::session::Context;

fn main() -> ExitCode {
    session::file_size::fail_instead_of_signaling();
    let words = words();
    // The help is arranged only if it is shown, since that takes longer than many a command.
    let cli = parse(args::command(), &words)
        .or_else(|_| parse(help::command(), &words))
        .unwrap_or_else(|error| args::without_idle_tips(error).exit());
    let mut context = Context::new(&cli);
    let result = commands::run(&cli.command, &mut context).and_then(|exit| {
        context.out.finish()?;
        Ok(exit)
    });
    let exit = match result {
        Ok(exit) => exit,
        // The reader of the output has closed it, as `head` does. That isn't an error, so the
        // verdict so far counts.
        Err(failure) if failure.is_broken_pipe() => context.verdict,
        Err(failure) => {
            // Flush the output written before the failure; a second failure is ignored.
            let _ = context.out.finish();
            context.log.failure(&failure);
            failure.exit()
        }
    };
    exit.into()
}

fn parse(command: Command, words: &[OsString]) -> Result<Cli, clap::Error> {
    let matches = command.try_get_matches_from(words)?;
    Cli::from_arg_matches(&matches)
}

/// The words of the command line. `psvn` alone on a terminal shows the demo; in a script, something
/// is missing, so it prints the help and an error.
fn words() -> Vec<OsString> {
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.len() == 1 && std::io::stdout().is_terminal() {
        words.push("demo".into());
    }
    words
}
