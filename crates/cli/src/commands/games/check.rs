//! `psvn check`: what is wrong with a game, and what is suspicious.

mod explain;

use std::io::Write;
use std::path::Path;

use psvn_syntax::Diagnostic;
use serde::Serialize;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::diagnostics::{self, Record};
use crate::session::Context;
use psvn::Source;
use psvn::store::atomic as atomic_file;
use psvn::text::units::count;

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Record<'a>>,
}

pub(crate) fn run(args: &CheckArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.files.is_empty() {
        return explain::run(args.explain.as_deref().unwrap_or_default(), cx);
    }
    if cx.format == Format::Csv {
        cx.out.csv([
            "severity", "code", "message", "file", "line", "column", "hint", "count",
        ])?;
    }
    let mut worst = Exit::Done;
    for file in &args.files {
        if args.fix {
            fix(file, cx)?;
        }
        let checked = check(file, args.files.len() > 1, cx).or_else(|failure| {
            // A file that can't be read is no reason to leave out the others.
            match failure.is_broken_pipe() || args.files.len() == 1 {
                true => Err(failure),
                false => {
                    cx.log.failure(&failure);
                    Ok(failure.exit())
                }
            }
        });
        match (checked?, worst) {
            (Exit::Done, _) | (Exit::Limit, Exit::Input) => {}
            (exit, _) => worst = exit,
        }
    }
    Ok(worst)
}

/// Changes a file where it is certain what was meant.
fn fix(file: &Path, cx: &mut Context) -> Result<(), Failure> {
    let mut source = Source::read(file)?;
    if file == Path::new("-") || source.is_built_in {
        return Err(Failure::usage(format!(
            "there is no file to change: the text comes from {}",
            source.name
        )));
    }
    let is_lossy =
        !source.diagnostics.is_empty() || source.text.contains(char::REPLACEMENT_CHARACTER);
    let n_fixes = source.fix(&cx.env)?;
    if n_fixes == 0 {
        return Ok(());
    }
    if is_lossy {
        return Err(Failure::input(format!(
            "{} has bytes that are no UTF-8, and they would be lost",
            source.name
        ))
        .hint("save the file as UTF-8 first"));
    }
    atomic_file::write(file, source.text.as_bytes())?;
    cx.log.note(&format!(
        "{}: {} made",
        source.name,
        count(n_fixes, "change")
    ));
    Ok(())
}

/// Checks one file, the only one or one of several.
fn check(file: &Path, is_one_of_several: bool, cx: &mut Context) -> Result<Exit, Failure> {
    let mut source = Source::read(file)?;
    let examined = source.examine(&cx.env)?;
    let exit = match examined.is_too_large {
        true => Exit::Limit,
        false => Exit::Input,
    };
    source.sort_diagnostics();
    let n_errors = source.diagnostics.iter().filter(|d| d.is_error()).count();
    let n_warnings = source.diagnostics.len() - n_errors;
    if n_errors > 0 {
        cx.verdict = exit;
    }
    match cx.format {
        Format::Text => {
            if cx.log.is_quiet() {
                source.diagnostics.retain(Diagnostic::is_error);
            }
            diagnostics::print(&source, &cx.log);
            let summary = match (n_errors, n_warnings) {
                (0, 0) => "no errors, no warnings".to_owned(),
                (0, warnings) => format!("no errors, {}", count(warnings, "warning")),
                (errors, 0) => count(errors, "error"),
                (errors, warnings) => {
                    format!("{}, {}", count(errors, "error"), count(warnings, "warning"))
                }
            };
            if !cx.log.is_quiet() {
                writeln!(cx.out, "{}: {summary}", source.name)?;
            }
            if n_errors + n_warnings > 0 && cx.log.is_verbose() {
                cx.log
                    .note("`psvn check --explain CODE` says more of what a code means");
            }
        }
        Format::Json => {
            let report = Report {
                file: &source.name,
                errors: n_errors,
                warnings: n_warnings,
                diagnostics: diagnostics::records(&source),
            };
            match is_one_of_several {
                true => cx.out.json_line(&report)?,
                false => cx.out.json(&report)?,
            }
        }
        Format::Csv => {
            for record in diagnostics::records(&source) {
                cx.out.csv(record.fields())?;
            }
        }
    }
    Ok(if n_errors > 0 { exit } else { Exit::Done })
}
