//! `psvn fmt`: the canonical layout.

use std::io::Write;

use crate::args::FmtArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::diagnostics;
use crate::session::Context;
use psvn::Source;

pub(crate) fn run(args: &FmtArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if cx.format != Format::Text {
        return Err(Failure::usage("`psvn fmt` prints PSVN and nothing else"));
    }
    let mut source = Source::read(&args.file)?;
    if let Some(format) = source.format() {
        return Err(
            Failure::input(format!("{} is a {format} file, not PSVN", source.name)).hint(format!(
                "`psvn import {} FILE` writes it as PSVN",
                format.name()
            )),
        );
    }
    if args.write && !source.has_file(&args.file) {
        return Err(Failure::usage(format!(
            "there is no file to write: the text comes from {}",
            source.name
        ))
        .hint("leave `--write` out to print the result"));
    }
    let Some(formatted) = source.formatted() else {
        diagnostics::print(&source, &cx.log);
        return Err(Failure::reported(Exit::Input));
    };
    let changes = formatted != source.text;
    if args.check {
        if changes {
            cx.log
                .error(&format!("`psvn fmt` would change {}", source.name));
        }
        return Ok(if changes { Exit::No } else { Exit::Done });
    }
    if !args.write {
        cx.out.write_all(formatted.as_bytes())?;
    } else if changes {
        source.overwrite(&args.file, &formatted)?;
    }
    Ok(Exit::Done)
}
