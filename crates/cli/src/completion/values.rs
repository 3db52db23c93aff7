//! The values of options and arguments.

use std::path::{MAIN_SEPARATOR, Path};

use clap::{Arg, Command};
use psvn::heuristic::Name;
use psvn::instance;
use psvn::solve::Algorithm;
use psvn::text::built_in_games;

use super::Candidate;

/// The endings of files that are games.
const GAMES: [&str; 5] = ["psvn", "sas", "tws", "json", "def"];

/// The values of an option or argument that begin with a text.
pub(super) fn of(command: &Command, arg: &Arg, text: &str) -> Vec<Candidate> {
    let id = arg.get_id().as_str();
    // In a list, the last part is completed.
    let is_list = arg.get_value_delimiter().is_some() || id == "heuristic";
    let ends: &[char] = if id == "heuristic" {
        &[',', '+']
    } else {
        &[',']
    };
    let begun = match text.rfind(ends) {
        Some(at) if is_list => at + 1,
        _ => 0,
    };
    let (done, text) = text.split_at(begun);
    let mut found = values(command.get_name(), arg, text);
    for candidate in &mut found {
        candidate.text.insert_str(0, done);
    }
    found
}

fn values(command: &str, arg: &Arg, text: &str) -> Vec<Candidate> {
    let possible = arg.get_possible_values();
    if !possible.is_empty() {
        let shown = possible.iter().filter(|value| !value.is_hide_set());
        let named = shown.map(|value| {
            let about = value.get_help().map(ToString::to_string);
            Candidate::new(value.get_name(), about.unwrap_or_default())
        });
        return named.collect();
    }
    match (command, arg.get_id().as_str()) {
        ("solve", "algorithm") => Algorithm::names()
            .map(|(name, algorithm)| Candidate::new(name, algorithm.name()))
            .collect(),
        (_, "heuristic") => heuristics(text),
        #[cfg(feature = "experiments")]
        ("experiment", "preset") => experiment::PRESETS
            .iter()
            .map(|preset| Candidate::new(preset.name, preset.about))
            .collect(),
        #[cfg(feature = "experiments")]
        ("report", "table") => report::TABLE_NAMES
            .iter()
            .map(|table| Candidate::new(*table, ""))
            .collect(),
        ("check", "explain") => lint::codes()
            .iter()
            .map(|code| Candidate::new(code.name, ""))
            .collect(),
        ("gen", "name") => built_in_games()
            .iter()
            .map(|game| Candidate::new(game.name, game.summary))
            .collect(),
        ("gen", "args") => Vec::new(),
        ("import", "file") => files(text, &["sas", "tws", "json", "def"]),
        ("check-plan", "plan") => files(text, &["plan", "txt", "jsonl", "json"]),
        (_, "file" | "files" | "to" | "from" | "game") => games(text),
        (_, "instances" | "optimal") => {
            let sets = instance::built_in_names().into_iter();
            let sets = sets.map(|name| Candidate::new(format!("gen:{name}"), ""));
            sets.chain(files(text, &["txt", "instances"])).collect()
        }
        ("experiment", "spec") => files(text, &["toml"]),
        _ => by_value_name(arg, text),
    }
}

/// The candidates in the name of a value: `none|parent|L|FILE.fsm`.
fn by_value_name(arg: &Arg, text: &str) -> Vec<Candidate> {
    let names = arg.get_value_names().unwrap_or_default();
    let alternatives = names.iter().flat_map(|name| name.split('|'));
    let mut found = Vec::new();
    for alternative in alternatives.map(|name| name.trim_end_matches(",..")) {
        let is_word = |text: &str| {
            let mut characters = text.chars();
            characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        match alternative.split_once('.') {
            Some((_, ending)) => found.extend(files(text, &[ending])),
            None if ["FILE", "DIR", "FOLDER"].contains(&alternative) => {
                found.extend(files(text, &[]));
            }
            None if is_word(alternative) => found.push(Candidate::new(alternative, "")),
            None => {}
        }
    }
    found
}

fn heuristics(text: &str) -> Vec<Candidate> {
    let auto = Candidate::new("auto", "the one that pays");
    let names = Name::ALL
        .iter()
        .map(|name| Candidate::new(name.as_str(), ""));
    let tables = files(text, &["pdb"]);
    std::iter::once(auto).chain(names).chain(tables).collect()
}

/// Built-in games, and files that are games.
fn games(text: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    if let Some(reference) = text.strip_prefix("gen:") {
        let (name, args) = reference.split_once(':').unwrap_or((reference, ""));
        for game in built_in_games() {
            let example = game.example.replace(' ', ":");
            found.push(Candidate::new(format!("gen:{example}"), game.summary));
            if game.name != name || !args.contains(':') {
                continue;
            }
            // After the numbers, the options of the game.
            let (done, _) = text.rsplit_once(':').unwrap_or((text, ""));
            for option in game.options {
                let (key, choices) = match option.name.split_once('=') {
                    Some((key, choices)) => (format!("{key}="), choices),
                    None => (String::new(), option.name),
                };
                let choices = choices
                    .split('|')
                    .filter(|it| !it.contains(char::is_uppercase));
                found
                    .extend(choices.map(|choice| {
                        Candidate::new(format!("{done}:{key}{choice}"), option.help)
                    }));
            }
        }
    } else if "gen:".starts_with(text) {
        found.push(Candidate::new("gen:", "a built-in game"));
    }
    found.extend(files(text, &GAMES));
    found
}

/// The files with one of these endings whose path begins with a text, and folders; all files where
/// no ending is given.
fn files(text: &str, endings: &[&str]) -> Vec<Candidate> {
    let (folder, begun) = match text.rfind(MAIN_SEPARATOR) {
        Some(at) => text.split_at(at + 1),
        None => ("", text),
    };
    let path = if folder.is_empty() { "." } else { folder };
    let Ok(entries) = std::fs::read_dir(path) else {
        return Vec::new();
    };
    let mut found: Vec<Candidate> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_shown =
                name.starts_with(begun) && (begun.starts_with('.') || !name.starts_with('.'));
            let is_folder = entry.path().is_dir();
            let ending = Path::new(&name)
                .extension()
                .and_then(|ending| ending.to_str());
            let fits = endings.is_empty() || ending.is_some_and(|it| endings.contains(&it));
            let end = if is_folder { "/" } else { "" };
            (is_shown && (is_folder || fits))
                .then(|| Candidate::new(format!("{folder}{name}{end}"), ""))
        })
        .collect();
    found.sort_by(|one, other| one.text.cmp(&other.text));
    found
}
