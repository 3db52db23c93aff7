//! `psvn completions`: scripts that complete command lines.

use std::io::Write;

use crate::args::CompletionsArgs;
use crate::completion::script;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use crate::session::Context;

pub(crate) fn run(args: &CompletionsArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if let Some(script) = script(args.shell) {
        cx.out.write_all(script.as_bytes())?;
        return Ok(Exit::Done);
    }
    // Collected first: the generator panics when its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut help::command(), "psvn", &mut script);
    cx.out.write_all(&script)?;
    Ok(Exit::Done)
}
