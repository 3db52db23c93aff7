//! `psvn check`: errors and suspicious rules of a game.

use std::path::Path;

use psvn::text::{CodeExplanation, Finding, Findings};
use psvn_syntax::Diagnostic;

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::output::diagnostics;
use crate::session::Context;
use crate::show::{Row, Show};
use psvn::Source;
use psvn::text::units::count;

pub(crate) fn run(args: &CheckArgs, cx: &mut Context) -> Result<Exit, Failure> {
    if args.files.is_empty() {
        let code = args.explain.as_deref().unwrap_or_default();
        if code.eq_ignore_ascii_case("all") {
            cx.print(&*CodeExplanation::all())?;
        } else {
            cx.print(&explained(code)?)?;
        }
        return Ok(Exit::Done);
    }
    if cx.format == Format::Csv {
        cx.out.csv(Finding::FIELDS)?;
    }
    let mut worst = Exit::Done;
    for file in &args.files {
        if args.fix {
            fix(file, cx)?;
        }
        let checked = check(file, args.files.len() > 1, cx).or_else(|failure| {
            // A file that can't be read isn't a reason to leave out the others.
            if failure.is_broken_pipe() || args.files.len() == 1 {
                Err(failure)
            } else {
                cx.log.failure(&failure);
                Ok(failure.exit())
            }
        });
        match (checked?, worst) {
            (Exit::Done, _) | (Exit::Limit, Exit::Input) => {}
            (exit, _) => worst = exit,
        }
    }
    Ok(worst)
}

/// Change a file where the intended text is certain.
fn fix(file: &Path, cx: &mut Context) -> Result<(), Failure> {
    let mut source = Source::read(file)?;
    if !source.has_file(file) {
        return Err(Failure::usage(format!(
            "there is no file to change: the text comes from {}",
            source.name
        )));
    }
    let n_fixes = source.fix(&cx.env)?;
    if n_fixes == 0 {
        cx.log.note(&format!("{}: nothing changed", source.name));
        return Ok(());
    }
    source.overwrite(file, &source.text)?;
    cx.log.note(&format!(
        "{}: {} made",
        source.name,
        count(n_fixes, "change")
    ));
    Ok(())
}

/// Check one file, the only one or one of several.
fn check(file: &Path, is_one_of_several: bool, cx: &mut Context) -> Result<Exit, Failure> {
    let mut source = Source::read(file)?;
    let examined = source.examine(&cx.env)?;
    let exit = if examined.is_too_large {
        Exit::Limit
    } else {
        Exit::Input
    };
    let findings = Findings::of(&source);
    if findings.errors > 0 {
        cx.verdict = exit;
    }
    match cx.format {
        Format::Text => {
            if cx.log.is_quiet() {
                source.diagnostics.retain(Diagnostic::is_error);
            }
            diagnostics::print(&source, &cx.log);
            if !cx.log.is_quiet() {
                findings.show(&cx.style(), &mut cx.out)?;
            }
            if !findings.diagnostics.is_empty() && cx.log.is_verbose() {
                cx.log.note("`psvn check --explain CODE` explains a code");
            }
        }
        Format::Json if is_one_of_several => cx.out.json_line(&findings)?,
        Format::Json => cx.out.json(&findings)?,
        Format::Csv => {
            for finding in &findings.diagnostics {
                cx.out.csv(finding.fields())?;
            }
        }
    }
    Ok(if findings.errors > 0 {
        exit
    } else {
        Exit::Done
    })
}

/// The explanation of a code.
fn explained(code: &str) -> Result<CodeExplanation, Failure> {
    CodeExplanation::named(code).ok_or_else(|| {
        let hint = match CodeExplanation::near(code) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`psvn check --explain all` lists the codes".to_owned(),
        };
        Failure::usage(format!("there is no code `{code}`")).hint(hint)
    })
}
