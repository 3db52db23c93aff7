//! The library's settings and tasks as arguments and methods of the Python package.

use psvn::text::{Parameter, Setting, Task, Terms};

/// The terms of the Python package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PythonTerms;

impl Terms for PythonTerms {
    fn setting(&self, setting: &Setting) -> String {
        let name = match setting.parameter {
            Parameter::Ply => "depth",
            Parameter::InstanceFormat => "format",
            other => other.name(),
        };
        match setting.value.as_deref() {
            None => name.to_owned(),
            Some(value) => format!("{name}={}", literal(value)),
        }
    }

    fn task(&self, task: Task) -> String {
        match task {
            Task::ListBuiltInGames => "`psvn.builtin_games()` returns",
            Task::WriteBuiltInGame => "`Game.builtin(..).text`",
            Task::CheckGame => "`game.warnings` has",
            Task::ListRules => "`game.rules` has",
            Task::WriteMachineFile => "`game.analyze(max_length).machine.save(path)` writes",
            Task::SizeTables => "`game.pattern_database(pattern).report` says",
            Task::BuildTables => "`game.pattern_database(pattern)`",
            Task::BuildAdditiveTables => {
                "`game.pattern_database(pattern, .., additive=True)` builds"
            }
            Task::WriteAdditiveTables => {
                "`game.pattern_database(pattern, .., additive=True, path=path)`"
            }
            Task::DrawTree => "`game.draw_tree(depth)` draws",
            Task::Measure => "`psvn.experiment(spec)`",
            Task::PrintSolveRecord => "`json.dump(found.to_dict(), file)` writes",
            // The library's phrase would name a function of Rust.
            _ => "the package",
        }
        .to_owned()
    }
}

/// A value as Python writes it: numbers as they are, all else as text.
fn literal(value: &str) -> String {
    let is_number = value.parse::<f64>().is_ok_and(f64::is_finite);
    let is_quoted = value.starts_with(['"', '\'']);
    match value {
        "true" => "True".to_owned(),
        "false" => "False".to_owned(),
        _ if is_number || is_quoted => value.to_owned(),
        _ => format!("\"{value}\""),
    }
}
