//! What the library's messages call settings and tasks, the command has.

// The command is a program, so that its tests take this part of it in by its path.
#[path = "../../src/output/terms.rs"]
mod of_the_command;

use std::collections::BTreeSet;

use psvn::text::{Parameter, Setting, Task, Terms};

use self::of_the_command::CommandTerms;
use crate::help::{commands, help};
use crate::run;

/// The long names of all options that a help text lists.
fn options() -> BTreeSet<String> {
    let pages = commands();
    let pages = pages.iter().map(|name| help(name.as_deref(), "--help", 80));
    pages
        .flat_map(|page| {
            let words = page.split_whitespace();
            let names = words.filter_map(|word| word.strip_prefix("--"));
            let name = |name: &str| {
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
                let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
                name[..end].to_owned()
            };
            names.map(name).collect::<Vec<String>>()
        })
        .collect()
}

/// Whether a command takes an option that no help text lists.
fn is_taken(option: &str) -> bool {
    commands().iter().flatten().any(|name| {
        let ran = run(&[name, &format!("--{option}")]);
        !ran.stderr.contains("unexpected argument")
    })
}

#[test]
fn every_parameter_is_an_option() {
    let listed = options();
    let none = Parameter::Backward.is("none");
    let settings = Parameter::ALL.iter().map(|parameter| Setting {
        parameter: *parameter,
        value: None,
    });
    for setting in settings.chain([none]) {
        let text = CommandTerms.setting(&setting);
        let name = text.strip_prefix("--").expect("an option");
        assert!(
            listed.contains(name) || is_taken(name),
            "no command takes {text}"
        );
    }
    assert!(!is_taken("no-such-option"));
}

#[test]
fn every_task_is_a_command() {
    let commands = commands();
    for task in Task::ALL {
        let text = CommandTerms.task(*task);
        let name = text.strip_prefix("`psvn ").expect("a command");
        let name = name.split([' ', '`']).next().map(str::to_owned);
        assert!(commands.contains(&name), "{text}");
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
