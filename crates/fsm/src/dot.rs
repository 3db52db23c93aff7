//! Machines as text for Graphviz.

use std::fmt::Write;

use crate::machine::Machine;
use crate::machine::dense::Dense;

/// Return the machine in the DOT language. Letters with the same source and target state share an
/// arrow; the rejecting state and the arrows into it are left out, as in Taylor's figures 2 and 4.
#[expect(clippy::missing_panics_doc, reason = "it can't happen")]
pub fn to_dot(machine: &Dense, letter_name: impl Fn(u32) -> String) -> String {
    let mut dot = String::from("digraph machine {\n    rankdir=LR;\n    node [shape=circle];\n");
    let start = machine.number(machine.start());
    let mut line = |text: std::fmt::Arguments<'_>| {
        dot.write_fmt(text)
            .expect("writing to a string doesn't fail");
        dot.push('\n');
    };
    line(format_args!("    start [shape=none, label=\"START\"];"));
    line(format_args!("    start -> s{start};"));
    for state in 1..=machine.n_states() {
        let mut arrows: Vec<(usize, Vec<String>)> = Vec::new();
        for (letter, next) in machine
            .successors(state)
            .enumerate()
            .filter(|(_, next)| *next != 0)
        {
            let name = letter_name(letter as u32);
            match arrows.iter_mut().find(|(target, _)| *target == next) {
                Some((_, names)) => names.push(name),
                None => arrows.push((next, vec![name])),
            }
        }
        line(format_args!("    s{state} [label=\"{state}\"];"));
        for (next, names) in arrows {
            let label = names.join(", ").replace('\\', "\\\\").replace('"', "\\\"");
            line(format_args!("    s{state} -> s{next} [label=\"{label}\"];"));
        }
    }
    dot.push_str("}\n");
    dot
}
