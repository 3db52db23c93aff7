//! `psvn check --explain CODE`: what a code means.

use std::io::Write;

use lint::Code;
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

/// The width to which explanations are wrapped.
const WIDTH: usize = 80;

#[derive(Serialize)]
struct Entry {
    code: &'static str,
    severity: &'static str,
    explanation: &'static str,
}

impl From<&Code> for Entry {
    fn from(code: &Code) -> Self {
        Self {
            code: code.name,
            severity: code.severity.as_str(),
            explanation: code.explanation,
        }
    }
}

pub(super) fn run(name: &str, cx: &mut Context) -> Result<Exit, Failure> {
    if name.eq_ignore_ascii_case("all") {
        all(cx)?;
        return Ok(Exit::Done);
    }
    let Some(code) = lint::explain(name) else {
        let names = lint::codes().iter().map(|code| code.name);
        let hint = match psvn_ir::near_miss(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`psvn check --explain all` lists the codes".to_owned(),
        };
        return Err(Failure::usage(format!("there is no code `{name}`")).hint(hint));
    };
    let entry = Entry::from(code);
    match cx.format {
        Format::Json => cx.out.json(&entry)?,
        Format::Csv => csv(&[entry], cx)?,
        Format::Text => text(&entry, cx)?,
    }
    Ok(Exit::Done)
}

fn all(cx: &mut Context) -> Result<(), Failure> {
    let entries: Vec<Entry> = lint::codes().iter().map(Entry::from).collect();
    match cx.format {
        Format::Json => cx.out.json(&entries),
        Format::Csv => csv(&entries, cx),
        Format::Text => {
            for (i, entry) in entries.iter().enumerate() {
                if i > 0 {
                    writeln!(cx.out)?;
                }
                text(entry, cx)?;
            }
            Ok(())
        }
    }
}

fn text(entry: &Entry, cx: &mut Context) -> Result<(), Failure> {
    writeln!(cx.out, "{} ({})", entry.code, entry.severity)?;
    let words: Vec<String> = entry.explanation.split(' ').map(str::to_owned).collect();
    for line in psvn::text::units::wrap(&words, WIDTH) {
        writeln!(cx.out, "  {line}")?;
    }
    Ok(())
}

fn csv(entries: &[Entry], cx: &mut Context) -> Result<(), Failure> {
    cx.out.csv(["code", "severity", "explanation"])?;
    for entry in entries {
        cx.out
            .csv([entry.code, entry.severity, entry.explanation])?;
    }
    Ok(())
}
