//! `psvn gen`: built-in games as PSVN text.

use std::path::Path;

use psvn::text::built_in_games;
use psvn::{Source, sokoban_level};

use crate::args::GenArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Format;
use crate::session::Context;

pub(crate) fn run(args: &GenArgs, cx: &mut Context) -> Result<Exit, Failure> {
    let Some(name) = args.name.as_deref().filter(|_| !args.list) else {
        cx.print(&*built_in_games())?;
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
            let failure = Failure::usage(error.to_string());
            let mut words = args.args.iter();
            match words.find(|word| Path::new(word).is_file()) {
                Some(file) => failure.hint(of_file(name, file)),
                None => {
                    failure.hint("`psvn gen --list` lists the built-in games and their arguments")
                }
            }
        })?,
    };
    cx.put(args.output.as_deref(), &text)?;
    Ok(Exit::Done)
}

/// What to do where a file is given to a game that takes its contents.
fn of_file(name: &str, file: &str) -> String {
    match name.to_ascii_lowercase().as_str() {
        "sokoban" => format!("levels in files are given by `--level {file}`"),
        "map" => format!(
            "`{file}` is a file, and the rows themselves are expected: of a map of the Moving AI Lab \
             those below the line `map`, divided by `/`, with `G` at the goal"
        ),
        _ => format!("`{file}` is a file, and the arguments themselves are expected"),
    }
}
