//! Experiments that come with the program.

use serde::Serialize;

/// An experiment that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its description, in one line.
    pub about: &'static str,
    /// The experiment as TOML.
    #[serde(skip)]
    pub text: &'static str,
    /// A smaller form, which takes seconds.
    #[serde(skip)]
    pub quick: &'static str,
}

/// All of them.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "table4",
        about: "Burch & Holte 2011, Table 4: nodes of depth-first search with parent and move pruning",
        text: include_str!("../presets/table4.toml"),
        quick: include_str!("../presets/table4-quick.toml"),
    },
    Preset {
        name: "taylor",
        about: "Taylor 1992: duplicate operator sequences and the sizes of their machines",
        text: include_str!("../presets/taylor.toml"),
        quick: include_str!("../presets/taylor-quick.toml"),
    },
    Preset {
        name: "taylor-searches",
        about: "Taylor 1992: IDA* on Korf's 15-puzzles, WIDA* on 24-puzzles, 1,000 8-puzzles",
        text: include_str!("../presets/taylor-searches.toml"),
        quick: include_str!("../presets/taylor-searches-quick.toml"),
    },
    Preset {
        name: "taylor-sweep",
        about: "Taylor 1992, Figure 11: weighted searches by weight, three curves",
        text: include_str!("../presets/taylor-sweep.toml"),
        quick: include_str!("../presets/taylor-sweep-quick.toml"),
    },
    Preset {
        name: "nutshell-7-1",
        about: "Algorithms in a Nutshell, Table 7-1: Minimax and AlphaBeta on tic-tac-toe",
        text: include_str!("../presets/nutshell-7-1.toml"),
        quick: include_str!("../presets/nutshell-7-1-quick.toml"),
    },
    Preset {
        name: "nutshell-7-2",
        about: "Algorithms in a Nutshell, Table 7-2 and Figure 7-28: A* with three evaluators",
        text: include_str!("../presets/nutshell-7-2.toml"),
        // It takes less than a second.
        quick: include_str!("../presets/nutshell-7-2.toml"),
    },
    Preset {
        name: "nutshell-7-3",
        about: "Algorithms in a Nutshell, Table 7-3: blind searches and A* on scrambled 8-puzzles",
        text: include_str!("../presets/nutshell-7-3.toml"),
        quick: include_str!("../presets/nutshell-7-3-quick.toml"),
    },
    Preset {
        name: "heuristics",
        about: "A* by each heuristic on 44 planning tasks and 50 starts of 10 puzzles",
        text: include_str!("../presets/heuristics.toml"),
        quick: include_str!("../presets/heuristics-quick.toml"),
    },
    Preset {
        name: "course",
        about: "algorithms on small puzzles: cost, h0, generated nodes, time for each cell",
        text: include_str!("../presets/course.toml"),
        quick: include_str!("../presets/course-quick.toml"),
    },
];

#[cfg(test)]
mod tests {
    use super::PRESETS;
    use crate::Spec;

    #[test]
    fn presets_can_be_read() {
        for preset in PRESETS {
            for text in [preset.text, preset.quick] {
                let spec = Spec::parse(text);
                assert!(spec.is_ok(), "{}: {spec:?}", preset.name);
            }
        }
    }
}
