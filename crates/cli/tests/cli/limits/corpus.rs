//! Inputs each of which is nasty in some way.

use std::fmt::Write;
use std::path::Path;

/// A file of the corpus.
pub(super) struct Input {
    pub(super) name: &'static str,
    /// A state of the game, or text that each command refuses where there is none.
    pub(super) start: String,
}

/// Write all files into a folder.
pub(super) fn write(folder: &Path) -> Vec<Input> {
    let input = |name: &'static str, text: String, start: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        Input {
            name,
            start: start.to_owned(),
        }
    };
    let alternating = |n: usize| Vec::from_iter((0..n).map(|i| ["0", "1"][i % 2])).join(" ");
    vec![
        // One rule that writes any value: thousands of rules, and pairs of values by the million.
        input(
            "writes.psvn",
            "2\n7000 7000\n0 - => 1 X\nGOAL 1 1\n".into(),
            "0 0",
        ),
        // One rule that no table can follow without an entry for each pair of values.
        input(
            "swap.psvn",
            "2\n4000 4000\nX Y => Y X\nGOAL 1 2\n".into(),
            "2 1",
        ),
        // More values than states are ever seen; they take half of the memory.
        input("values.psvn", values(900_000), "1 2 3"),
        // Rules that cost nothing and leave values open.
        input("free.psvn", free(6), "0 0 0 0 0 0"),
        // Long rows.
        input("reversals.psvn", reversals(200), &reversed_pair(200)),
        input("turns-60.tws", turns(3, 60), ""),
        input("turns-255.tws", turns(3, 255), ""),
        input("pieces-255.tws", turns(255, 1), ""),
        // What an edge adds is found by recursive axioms.
        input("axioms.sas", axioms(6), &alternating(30)),
        input("conditional.sas", conditional(120, 120), &alternating(120)),
    ]
}

fn values(n: usize) -> String {
    format!("3\n{n} {n} {n}\nX - - => - X -\n- X - => - - X\nGOAL 5 5 5\n")
}

/// Each rule sets one variable to any value.
fn free(n: usize) -> String {
    let mut text = format!("{n}\n{}\n", "3 ".repeat(n));
    for i in 0..n {
        let (before, after) = ("- ".repeat(i), "- ".repeat(n - i - 1));
        let cost = if i % 2 == 1 { "COST 0" } else { "" };
        writeln!(text, "{before}A {after}=> {before}B {after}{cost}").unwrap();
    }
    text + "GOAL " + &"2 ".repeat(n) + "\n"
}

/// Neighbors change places.
fn reversals(n: usize) -> String {
    let mut text = format!("{n}\n{}\n", format!("{n} ").repeat(n));
    for i in 0..n - 1 {
        let (before, after) = ("- ".repeat(i), "- ".repeat(n - i - 2));
        writeln!(text, "{before}X Y {after}=> {before}Y X {after}").unwrap();
    }
    let goal = (0..n).map(|i| i.to_string());
    text + "GOAL " + &Vec::from_iter(goal).join(" ") + "\n"
}

fn reversed_pair(n: usize) -> String {
    let values = [1, 0].into_iter().chain(2..n).map(|i| i.to_string());
    Vec::from_iter(values).join(" ")
}

/// A puzzle of one move, which takes the pieces around and turns every other one.
fn turns(n_pieces: usize, n_orientations: usize) -> String {
    let row = |number: &dyn Fn(usize) -> usize| {
        let numbers = (0..n_pieces).map(|i| number(i).to_string());
        Vec::from_iter(numbers).join(" ")
    };
    let solved = row(&|i| i + 1);
    let places = row(&|i| (i + 1) % n_pieces + 1);
    let turned = match n_orientations {
        1 => String::new(),
        _ => row(&|i| (i + 1) % 2) + "\n",
    };
    format!(
        "Name turns\nSet PIECE {n_pieces} {n_orientations}\nSolved\nPIECE\n{solved}\nEnd\n\
         Move T\nPIECE\n{places}\n{turned}End\n"
    )
}

/// The parts of a planning task in SAS+.
struct Task {
    /// The names of the variables, each of which is true (0) or not (1), and their axiom layers.
    variables: Vec<(String, i32)>,
    goal: Vec<usize>,
    operators: Vec<String>,
    axioms: Vec<String>,
}

impl Task {
    fn text(&self) -> String {
        let mut text = format!(
            "begin_version\n3\nend_version\nbegin_metric\n1\nend_metric\n{}\n",
            self.variables.len()
        );
        for (name, layer) in &self.variables {
            writeln!(
                text,
                "begin_variable\n{name}\n{layer}\n2\nAtom {name}()\nNegatedAtom {name}()\nend_variable"
            )
            .unwrap();
        }
        write!(
            text,
            "0\nbegin_state\n{}end_state\n",
            "1\n".repeat(self.variables.len())
        )
        .unwrap();
        writeln!(text, "begin_goal\n{}", self.goal.len()).unwrap();
        for variable in &self.goal {
            writeln!(text, "{variable} 0").unwrap();
        }
        writeln!(text, "end_goal\n{}", self.operators.len()).unwrap();
        for operator in &self.operators {
            writeln!(text, "begin_operator\n{operator}1\nend_operator").unwrap();
        }
        writeln!(text, "{}", self.axioms.len()).unwrap();
        for axiom in &self.axioms {
            writeln!(text, "begin_rule\n{axiom}end_rule").unwrap();
        }
        text
    }
}

/// Operators add the edges of a graph, and axioms say what can be reached over them.
fn axioms(n: usize) -> String {
    let pairs = || (0..n).flat_map(|i| (0..n).filter(move |j| *j != i).map(move |j| (i, j)));
    let edge = |i: usize, j: usize| i * (n - 1) + j - usize::from(j > i);
    let way = |i, j| n * (n - 1) + edge(i, j);
    let named = |name: &str, layer| {
        let name = name.to_owned();
        pairs().map(move |(i, j)| (format!("{name}{i}-{j}"), layer))
    };
    let mut axioms = Vec::new();
    for (i, j) in pairs() {
        let head = format!("{} 1 0\n", way(i, j));
        axioms.push(format!("1\n{} 0\n{head}", edge(i, j)));
        for k in (0..n).filter(|k| *k != i && *k != j) {
            axioms.push(format!("2\n{} 0\n{} 0\n{head}", way(i, k), edge(k, j)));
        }
    }
    Task {
        variables: named("edge", -1).chain(named("way", 0)).collect(),
        goal: (0..n).map(|i| way(i, (i + 1) % n)).collect(),
        operators: pairs()
            .map(|(i, j)| format!("add {i} {j}\n0\n1\n0 {} -1 0\n", edge(i, j)))
            .collect(),
        axioms,
    }
    .text()
}

/// Operators with very many effects, each under a condition.
fn conditional(n_variables: usize, n_effects: usize) -> String {
    let operator = |number: usize| {
        let mut text = format!("change {number}\n0\n{n_effects}\n");
        for effect in 0..n_effects {
            let read = (7 * number + effect) % n_variables;
            let written = (read + 1) % n_variables;
            let (before, after) = (effect % 2, effect / 2 % 2);
            writeln!(text, "1 {read} {before} {written} -1 {after}").unwrap();
        }
        text
    };
    Task {
        variables: (0..n_variables).map(|i| (format!("v{i}"), -1)).collect(),
        goal: (0..n_variables).collect(),
        operators: (0..6).map(operator).collect(),
        axioms: Vec::new(),
    }
    .text()
}
