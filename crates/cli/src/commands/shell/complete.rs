//! `psvn complete`: the words that can come next on a command line, for the scripts of
//! `psvn completions`.

use std::io::Write;

use crate::args::{CompleteArgs, CompletingShell};
use crate::completion::{self, Candidate};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use crate::session::Context;

pub(crate) fn run(args: &CompleteArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let mut command = help::command();
    command.build();
    match args.shell {
        CompletingShell::Bash => {
            let [line, breaks] = [0, 1].map(|i| args.words.get(i).map_or("", String::as_str));
            let line = completion::Line::read(line);
            for candidate in completion::candidates(&command, &line.words) {
                writeln!(cx.out, "{}", line.completed(&candidate.text, breaks))?;
            }
        }
        CompletingShell::Zsh | CompletingShell::Fish => {
            for Candidate { text, about } in completion::candidates(&command, &args.words) {
                writeln!(cx.out, "{text}\t{about}")?;
            }
        }
    }
    Ok(Exit::Done)
}
