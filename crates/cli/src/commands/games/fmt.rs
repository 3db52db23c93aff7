//! `psvn fmt`: the canonical layout.

use std::io::Write;
use std::path::Path;

use psvn_syntax::Diagnostic;

use crate::args::FmtArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::diagnostics;
use crate::session::Context;
use psvn::Source;
use psvn::store::atomic as atomic_file;
use psvn::store::read;

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
    if args.write && (args.file == Path::new("-") || source.is_built_in) {
        return Err(Failure::usage(format!(
            "there is no file to write: the text comes from {}",
            source.name
        ))
        .hint("leave `--write` out to print the result"));
    }
    let parsed = psvn_syntax::parse(&source.text);
    source.diagnostics.extend(parsed.diagnostics);
    source.diagnostics.retain(Diagnostic::is_error);
    if !source.diagnostics.is_empty() {
        // Text that can't be parsed would be lost.
        source.sort_diagnostics();
        diagnostics::print(&source, &cx.log);
        return Err(Failure::reported(Exit::Input));
    }
    let formatted = psvn_syntax::format(&parsed.file, &source.text);
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
        if source.text.contains(char::REPLACEMENT_CHARACTER) {
            // Undecodable bytes in comments are forgiven, but must not be overwritten.
            let original = read::read_bytes(&args.file)?.1;
            if std::str::from_utf8(&original).is_err() {
                return Err(Failure::input(format!(
                    "{} has bytes that aren't UTF-8, and they would be lost",
                    source.name
                ))
                .hint("save the file as UTF-8 first"));
            }
        }
        atomic_file::write(&args.file, formatted.as_bytes())?;
    }
    Ok(Exit::Done)
}
