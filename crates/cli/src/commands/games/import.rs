//! `psvn import`: a game in another format as PSVN.

use psvn::Source;
use psvn::foreign::Format as Foreign;

use crate::args::{ImportArgs, ImportFormat};
use crate::commands::pddl;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

pub(crate) fn run(args: &ImportArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(Failure::usage("`psvn import` prints PSVN and nothing else"));
    }
    let source = match args.from {
        ImportFormat::Pddl => pddl::read(&args.file, args.problem.as_deref(), cx)?,
        _ if args.problem.is_some() => {
            return Err(Failure::usage("only a task in PDDL has a second file"));
        }
        _ => Source::read(&args.file)?,
    };
    let wanted = match args.from {
        ImportFormat::Sas | ImportFormat::Pddl => Foreign::Sas,
        ImportFormat::Tws => Foreign::Tws,
        ImportFormat::Kpuzzle => Foreign::KPuzzle,
        ImportFormat::Octile => Foreign::Octile,
        ImportFormat::Gr => Foreign::Roads,
    };
    let found = source.format();
    // A text in a format that isn't read gets an error of its own below.
    if found != Some(wanted) && source.unread().is_none() {
        let content = match found {
            Some(found) => format!("{found}, which `psvn import {}` reads", found.name()),
            None => "PSVN, or in a format that isn't known".to_owned(),
        };
        let failure = Failure::input(format!("{} is no {wanted} file", source.name));
        return Err(failure.hint(format!("by its content it is {content}")));
    }
    let translated = source.translated(&cx.env)?;
    cx.put(args.output.as_deref(), &translated.text)?;
    Ok(Exit::Done)
}
