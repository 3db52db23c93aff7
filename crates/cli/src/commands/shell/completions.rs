//! `psvn completions`: scripts that complete command lines.

use std::io::Write;

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;

pub(crate) fn run(args: &CompletionsArgs, cx: &mut Context) -> Result<Exit, Failure> {
    // Collected first: the generator panics when what it writes to fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "psvn", &mut script);
    cx.out.write_all(&script)?;
    Ok(Exit::Done)
}
