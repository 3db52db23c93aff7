//! The `psvn` command.
//!
//! Each subcommand is a module of [`commands`]; what they share (reading games, naming rules,
//! printing, limits, interruption) stands beside it. Data goes to standard output, everything else
//! to standard error.

mod args;
mod commands;
mod exit;
mod failure;
mod output;
mod session;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;

use crate::args::Cli;
use crate::exit::Exit;
use crate::session::Context;

fn main() -> ExitCode {
    session::file_size::tell_as_error();
    let cli = Cli::parse_from(words());
    let mut context = Context::new(&cli);
    let result = commands::run(&cli.command, &mut context).and_then(|exit| {
        context.out.finish()?;
        Ok(exit)
    });
    let exit = match result {
        Ok(exit) => exit,
        // Whoever reads the output has closed it, as `head` does: nothing is wrong.
        Err(failure) if failure.is_broken_pipe() => Exit::Done,
        Err(failure) => {
            // What was written before the failure belongs to the reader; a second failure adds
            // nothing.
            let _ = context.out.finish();
            context.log.failure(&failure);
            failure.exit()
        }
    };
    exit.into()
}

/// The words of the command line. Who types `psvn` alone on a terminal wants to see what it is; a
/// script that does so has forgotten something, and gets the help and an error.
fn words() -> Vec<std::ffi::OsString> {
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.len() == 1 && std::io::stdout().is_terminal() {
        words.push("demo".into());
    }
    words
}
