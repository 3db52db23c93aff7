//! What the library calls settings and tasks, as options and commands.

use psvn::text::{Parameter, Setting, Task, Terms};

/// The terms of the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandTerms;

impl Terms for CommandTerms {
    fn setting(&self, setting: &Setting) -> String {
        let parameter = setting.parameter;
        let value = setting.value.as_deref();
        let option = match (parameter, value) {
            (Parameter::Letters, _) => "operators".to_owned(),
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

    fn task(&self, task: Task) -> String {
        match task {
            Task::ListBuiltInGames => "`psvn gen --list` lists",
            Task::WriteBuiltInGame => "`psvn gen`",
            Task::WriteMachineFile => "`psvn analyze GAME --max-length L -o FILE.fsm` writes",
            Task::SizeTables => "`psvn pdb --size` says",
            Task::BuildTables => "`psvn pdb`",
            Task::BuildAdditiveTables => "`psvn pdb --additive` builds",
            Task::WriteAdditiveTables => "`psvn pdb --additive -o FILE.pdb`",
            Task::DrawTree => "`psvn tree --svg` draws",
            Task::Measure => "`psvn experiment SPEC`",
            Task::PrintSolveRecord => "`psvn solve --format json` prints",
            other => other.phrase(),
        }
        .to_owned()
    }
}

/// A value as a shell takes it, where it is one to be typed: other values are examples, with the
/// quotes that they need.
fn quoted(parameter: Parameter, value: &str) -> String {
    let is_plain = match parameter {
        // Names of tables hold blanks and parentheses; whoever copies the option needs quotes.
        Parameter::Heuristic => value == "auto",
        Parameter::Map => value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-./=".contains(&byte)),
        _ => true,
    };
    match is_plain {
        true => value.to_owned(),
        // A quote that ends, one by itself, and another one that begins.
        false => format!("'{}'", value.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    /// The long names of all options, of all subcommands.
    fn options(command: &clap::Command, found: &mut BTreeSet<String>) {
        let names = command.get_arguments().filter_map(clap::Arg::get_long);
        found.extend(names.map(str::to_owned));
        for subcommand in command.get_subcommands() {
            options(subcommand, found);
        }
    }

    #[test]
    fn every_parameter_is_an_option() {
        let mut known = BTreeSet::new();
        options(&Cli::command(), &mut known);
        let none = Parameter::Backward.is("none");
        let settings = Parameter::ALL.iter().map(|parameter| Setting {
            parameter: *parameter,
            value: None,
        });
        for setting in settings.chain([none]) {
            let text = CommandTerms.setting(&setting);
            let name = text.strip_prefix("--").expect("an option");
            assert!(known.contains(name), "no command takes {text}");
        }
    }

    #[test]
    fn every_task_is_a_command() {
        let cli = Cli::command();
        for task in Task::ALL {
            let text = CommandTerms.task(*task);
            let name = text.strip_prefix("`psvn ").expect("a command");
            let name = name.split([' ', '`']).next().expect("its name");
            assert!(cli.find_subcommand(name).is_some(), "{text}");
        }
    }

    #[test]
    fn values_are_quoted_for_shells() {
        let option = |setting: Setting| CommandTerms.setting(&setting);
        assert_eq!(option(Parameter::Map.is("_=0")), "--map _=0");
        assert_eq!(option(Parameter::Map.is("*=0")), "--map '*=0'");
        assert_eq!(
            option(Parameter::Heuristic.is("it's")),
            r"--heuristic 'it'\''s'"
        );
        assert_eq!(
            option(Parameter::Letters.is("labels")),
            "--operators labels"
        );
    }
}
