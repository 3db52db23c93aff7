//! `psvn lsp`: answers for an editor.

use std::io::stdin;

use language_server::{Ending, ServeError, serve};

use crate::args::LspArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Context;

pub(crate) fn run(args: &LspArgs, cx: &mut Context) -> Result<Exit, Failure> {
    // There is no other way to speak with it.
    let LspArgs { stdio: _ } = args;
    match serve(stdin(), &mut cx.out) {
        Ok(Ending::Orderly) => Ok(Exit::Done),
        Ok(_) => Ok(Exit::No),
        Err(ServeError::Write(error)) => Err(error.into()),
        Err(error) => Err(Failure::input(error.to_string())),
    }
}
