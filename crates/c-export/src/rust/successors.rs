//! Which rules apply to a state: sets of rules, or a decision tree.

use std::fmt::Write;

use super::heading;
use crate::c_text::list;
use crate::successors::sets::{Sets, Word};
use crate::successors::tree::{Node, conditions};
use crate::successors::{Form, RuleList};

/// Add the type of iterators.
pub(super) fn write_iterator(text: &mut String, form: &Form) {
    text.push_str(&heading("Successors"));
    let _ = match form {
        Form::Sets { n_words } => writeln!(
            text,
            "/// The rules that apply to a state, in ascending order.\n\
             #[derive(Clone, Debug)]\n\
             pub struct RuleIter {{\n    \
             /// Those that are still to come: bit b of word w is rule 64 w + b.\n    \
             sets: [u64; {n_words}],\n    word: usize,\n}}\n\n{}",
            include_str!("runtime/sets.rs").trim_end()
        ),
        Form::Tree { most } => writeln!(
            text,
            "/// The rules that apply to a state, in ascending order.\n\
             #[derive(Clone, Debug)]\n\
             pub struct RuleIter {{\n    rules: [u32; {most}],\n    next: usize,\n    count: usize,\n}}\n\n{}",
            include_str!("runtime/listed.rs").trim_end()
        ),
    };
}

/// Add the function that finds the rules of a direction that apply.
pub(super) fn write_init(text: &mut String, form: &Form, list: &RuleList<'_>, upper: &str) {
    let rules = list.rules.as_slice();
    let open = format!(
        "/// The rules that apply to a state.\n\
         pub fn init_{}_iter(state: &State) -> RuleIter {{\n    let vars = &state.vars;\n",
        list.id
    );
    match form {
        Form::Sets { n_words } => {
            let sets = Sets::of(rules, &list.domain_sizes);
            write_tables(text, &sets, upper);
            text.push_str(&open);
            let _ = writeln!(text, "    let mut sets = [0_u64; {n_words}];");
            for (number, word) in sets.words.iter().enumerate() {
                write_word(text, word, number, upper);
            }
            text.push_str("    RuleIter { sets, word: 0 }\n}\n\n");
        }
        Form::Tree { most } => {
            text.push_str(&open);
            let _ = writeln!(
                text,
                "    let mut iter = RuleIter {{\n        rules: [0; {most}],\n        next: 0,\n        \
                 count: 0,\n    }};"
            );
            write_node(text, &Node::of(rules), 4);
            text.push_str("    iter.sort();\n    iter\n}\n\n");
        }
    }
}

fn write_tables(text: &mut String, sets: &Sets, upper: &str) {
    for (number, word) in sets.words.iter().enumerate() {
        for (variable, constants) in &word.constants {
            if constants.single().is_some() {
                continue;
            }
            let size = sets.sizes[*variable];
            let _ = writeln!(
                text,
                "static {}: [u64; {size}] = [",
                table(upper, number, *variable)
            );
            let entries = (0..size).map(|value| hexadecimal(word.allowed(constants, value)));
            list(text, 4, entries);
            text.push_str("];\n\n");
        }
    }
}

fn write_word(text: &mut String, word: &Word, number: usize, upper: &str) {
    let all = hexadecimal(word.all);
    let _ = writeln!(text, "    let mut set: u64 = {all};");
    for (variable, constants) in &word.constants {
        let untested = hexadecimal(word.all & !constants.testing);
        let _ = match constants.single() {
            Some(value) => writeln!(
                text,
                "    set &= if vars[{variable}] == {value} {{ {all} }} else {{ {untested} }};"
            ),
            None => writeln!(
                text,
                "    set &= {}[vars[{variable}] as usize];",
                table(upper, number, *variable)
            ),
        };
    }
    for ((first, second), rules) in &word.equal {
        let rest = hexadecimal(word.all & !rules);
        let _ = writeln!(
            text,
            "    set &= if vars[{first}] == vars[{second}] {{ {all} }} else {{ {rest} }};"
        );
    }
    let _ = writeln!(text, "    sets[{number}] = set;");
}

fn write_node(text: &mut String, node: &Node, indent: usize) {
    for (number, tests) in &node.rules {
        let tests = conditions(tests);
        let _ = match tests.is_empty() {
            true => writeln!(text, "{:indent$}iter.add({number});", ""),
            false => writeln!(
                text,
                "{0:indent$}if {1} {{\n{0:indent$}    iter.add({number});\n{0:indent$}}}",
                "",
                tests.join(" && ")
            ),
        };
    }
    for (var, children) in &node.branches {
        let _ = writeln!(text, "{:indent$}match vars[{}] {{", "", var.0);
        for (value, child) in children {
            let _ = writeln!(text, "{:indent$}    {value} => {{", "");
            write_node(text, child, indent + 8);
            let _ = writeln!(text, "{:indent$}    }}", "");
        }
        let _ = writeln!(text, "{0:indent$}    _ => {{}}\n{0:indent$}}}", "");
    }
}

fn table(upper: &str, word: usize, variable: usize) -> String {
    format!("{upper}_RULES_{word}_{variable}")
}

fn hexadecimal(set: u64) -> String {
    format!("0x{set:X}")
}
