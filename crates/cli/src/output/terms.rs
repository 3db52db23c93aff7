//! The library's settings and tasks as options and commands.

use psvn::text::{OptionName, Parameter, Setting, Task, Terms};

/// The terms of the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandTerms;

impl Terms for CommandTerms {
    fn setting(&self, setting: &Setting) -> String {
        let parameter = setting.parameter;
        let value = setting.value.as_deref();
        let option = match (parameter, value) {
            (Parameter::Letters, _) => "operators".to_owned(),
            (Parameter::Ply, _) => "depth".to_owned(),
            (Parameter::SearchFor, _) => "for".to_owned(),
            (Parameter::DropFailing, _) => "drop".to_owned(),
            (Parameter::Backward, Some("none")) => return "--no-backward".to_owned(),
            _ => parameter.name().replace('_', "-"),
        };
        match value {
            None => format!("--{option}"),
            Some(value) => format!("--{option} {}", quoted(parameter, value)),
        }
    }

    fn option(&self, option: &OptionName) -> String {
        let name = match option.0.as_str() {
            "count-depths" => "stats",
            "letters" => "operators",
            "search-for" => "for",
            other => other,
        };
        format!("--{name}")
    }

    fn task(&self, task: Task) -> String {
        match task {
            Task::ListBuiltInGames => "`psvn gen --list` lists",
            Task::WriteBuiltInGame => "`psvn gen`",
            Task::CheckGame => "`psvn check FILE` shows",
            Task::ListRules => "`psvn show FILE` lists",
            Task::WriteMachineFile => "`psvn analyze GAME --max-length L -o FILE.fsm` writes",
            Task::SizeTables => "`psvn pdb --size` says",
            Task::BuildTables => "`psvn pdb`",
            Task::BuildAdditiveTables => "`psvn pdb --additive` builds",
            Task::WriteAdditiveTables => "`psvn pdb --additive -o FILE.pdb`",
            Task::DrawTree => "`psvn tree -o FILE.svg` draws",
            Task::MakeSecret => "`psvn secret FILE` makes",
            Task::Measure => "`psvn experiment SPEC`",
            Task::PrintSolveRecord => "`psvn solve --format json` prints",
            other => other.phrase(),
        }
        .to_owned()
    }
}

/// Quote a value for a shell, if it is meant to be typed. Other values are examples that include
/// their quotes.
fn quoted(parameter: Parameter, value: &str) -> String {
    let is_plain = match parameter {
        // Names of tables hold blanks and parentheses, so a copied option needs quotes.
        Parameter::Heuristic => value == "auto",
        Parameter::Map => value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-./=".contains(&byte)),
        _ => true,
    };
    if is_plain {
        value.to_owned()
    } else {
        // A closing quote, an escaped one, and an opening one.
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}
