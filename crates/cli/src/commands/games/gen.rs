//! `psvn gen`: built-in games as PSVN text.

use std::io::Write;

use serde::Serialize;

use crate::args::GenArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;
use psvn::Source;
use psvn::foreign::sokoban_level;
use psvn::store::atomic as atomic_file;

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    usage: &'static str,
    summary: &'static str,
    options: Vec<OptionEntry>,
    example: &'static str,
}

#[derive(Serialize)]
struct OptionEntry {
    name: &'static str,
    help: &'static str,
}

pub(crate) fn run(args: &GenArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else {
        list(cx)?;
        return Ok(Exit::Done);
    };
    if cx.format != Format::Text {
        return Err(Failure::usage(
            "`psvn gen NAME` prints PSVN and nothing else",
        ));
    }
    let words: Vec<&str> = args.args.iter().map(String::as_str).collect();
    let text = match &args.level {
        Some(_) if !name.eq_ignore_ascii_case("sokoban") => {
            return Err(Failure::usage(format!("`{name}` has no levels in files")));
        }
        Some(file) => sokoban_level(Source::read(file)?, args.number, &words, &cx.env)?,
        None => domains::generate(name, &words).map_err(|error| {
            Failure::usage(error.to_string())
                .hint("`psvn gen --list` lists the built-in games and their arguments")
        })?,
    };
    match &args.output {
        Some(path) => atomic_file::write(path, text.as_bytes())?,
        None => cx.out.write_all(text.as_bytes())?,
    }
    Ok(Exit::Done)
}

fn list(cx: &mut Context) -> Result<(), Failure> {
    match cx.format {
        Format::Text => {
            for (i, domain) in domains::list().iter().enumerate() {
                if i > 0 {
                    writeln!(cx.out)?;
                }
                writeln!(cx.out, "{}", domain.usage)?;
                writeln!(cx.out, "    {}", domain.summary)?;
                for option in domain.options {
                    writeln!(cx.out, "    {}: {}", option.name, option.help)?;
                }
                writeln!(cx.out, "    e.g. psvn gen {}", domain.example)?;
            }
        }
        Format::Json => {
            let entries: Vec<Entry> = domains::list()
                .iter()
                .map(|domain| Entry {
                    name: domain.name,
                    usage: domain.usage,
                    summary: domain.summary,
                    options: domain
                        .options
                        .iter()
                        .map(|option| OptionEntry {
                            name: option.name,
                            help: option.help,
                        })
                        .collect(),
                    example: domain.example,
                })
                .collect();
            cx.out.json(&entries)?;
        }
        Format::Csv => {
            cx.out.csv(["name", "usage", "summary", "example"])?;
            for domain in domains::list() {
                cx.out
                    .csv([domain.name, domain.usage, domain.summary, domain.example])?;
            }
        }
    }
    Ok(())
}
