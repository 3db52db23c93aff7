//! Published start states that come with the program.

/// Start states of a game, one a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstanceSet {
    /// Its name.
    pub name: &'static str,
    /// The game that it is for, as behind `gen:`.
    pub game: &'static str,
    /// Its description, in one line.
    pub summary: &'static str,
    /// The states: `NUMBER: STATE = COST` per line, with comments behind `#`.
    pub text: &'static str,
}

/// All of them.
pub const INSTANCE_SETS: &[InstanceSet] = &[
    InstanceSet {
        name: "korf15",
        game: "sliding-tiles:4:4",
        summary: "the hundred 15-puzzles of Korf 1985, with least costs",
        text: include_str!("../instances/korf15.txt"),
    },
    InstanceSet {
        name: "korf24",
        game: "sliding-tiles:5:5",
        summary: "the fifty 24-puzzles of Korf & Felner 2002, with least costs",
        text: include_str!("../instances/korf24.txt"),
    },
];

/// Find the start states of a name such as `korf15`, in any case.
pub fn instances(name: &str) -> Option<&'static InstanceSet> {
    let mut sets = INSTANCE_SETS.iter();
    sets.find(|set| set.name.eq_ignore_ascii_case(name))
}
