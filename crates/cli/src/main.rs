//! The `psvn` command.
//!
//! Each subcommand is a module of [`commands`]; modules beside it hold what they share (reading
//! games, naming rules, printing, limits, interruption). Data goes to standard output, everything
//! else to standard error.

mod args;
mod commands;
mod completion;
mod drawings;
mod exit;
mod failure;
mod help;
mod output;
mod session;
mod show;

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Command, FromArgMatches};

use crate::args::Cli;
use crate::exit::Exit;
use crate::session::Context;

/// The stack of the first thread that is used before there are others, in bytes; more than commands
/// need.
const FIRST_STACK: usize = 1 << 19;

fn main() -> ExitCode {
    use_stack();
    session::file_size::fail_instead_of_signaling();
    session::interrupt::listen();
    #[cfg(unix)]
    session::system::exit_when_memory_is_refused();
    #[cfg(unix)]
    if session::system::output_is_closed() {
        return failure::output("it is closed").into();
    }
    let words = words();
    // The help is arranged only if it is shown, since that takes longer than many a command.
    let parsed = parse(args::command(), &words).or_else(|_| parse(help::command(), &words));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return shown(&args::without_idle_tips(error)).into(),
    };
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

/// The first thread's stack gets memory from the system when it is used. Where the address space is
/// limited, the stacks of other threads may have taken the rest by then, and the system ends the
/// program without a word. So it is used at once.
#[inline(never)]
fn use_stack() {
    std::hint::black_box([0_u8; FIRST_STACK]);
}

fn parse(command: Command, words: &[OsString]) -> Result<Cli, clap::Error> {
    let matches = command.try_get_matches_from(words)?;
    Cli::from_arg_matches(&matches)
}

/// Print a help text, the version, or an error of the command line.
fn shown(text: &clap::Error) -> Exit {
    let printed = text.print().and_then(|()| std::io::stdout().flush());
    match printed {
        _ if text.use_stderr() => Exit::Usage,
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            failure::output(&psvn::store::read::reason(&error))
        }
        _ => Exit::Done,
    }
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
