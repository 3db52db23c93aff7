//! Things with states, and actions with conditions and costs.

use std::fmt::Write as _;

/// A van that delivers `n` things.
pub(super) fn text(n: usize) -> String {
    let row = |van: &str, thing: usize, value: &str| {
        let mut row = vec!["-"; n + 1];
        row[0] = van;
        if let Some(cell) = row.get_mut(thing) {
            *cell = value;
        }
        row.join(" ")
    };
    // The van alone.
    let alone = |van: &str| row(van, n + 1, "-");
    let mut text = format!(
        "# My planning task: a van carries {n} things from the depot to the port.\n\
         #\n\
         # A state says where the van is, and where each thing is, on board or in a place. A rule tests\n\
         # the values on its left side and sets those on its right; `-` is any value, and stays. A cost\n\
         # is 1 where none is given. Change places, things, conditions and costs.\n\
         # start: {}\n\
         \nDOMAIN place 3 depot hill port\nDOMAIN thing 4 depot hill port aboard\n\n{}\nplace {}\n\n\
         # A ring of roads, each with its cost in both ways.\n",
        vec!["depot"; n + 1].join(" "),
        n + 1,
        vec!["thing"; n].join(" ")
    );
    for (label, from, to, cost) in [
        ("drive", "depot", "hill", 3),
        ("drive", "hill", "port", 2),
        ("drive", "port", "depot", 4),
        ("return", "hill", "depot", 3),
        ("return", "port", "hill", 2),
        ("return", "depot", "port", 4),
    ] {
        let (from, to) = (alone(from), alone(to));
        let _ = writeln!(text, "{from} => {to} LABEL {label} COST {cost}");
    }
    for thing in 1..=n {
        let _ = writeln!(
            text,
            "\n# Thing {thing} is loaded and unloaded where the van is."
        );
        for place in ["depot", "hill", "port"] {
            let (here, aboard) = (row(place, thing, place), row("-", thing, "aboard"));
            let _ = writeln!(text, "{here} => {aboard} LABEL load{thing}");
            let (here, there) = (row(place, thing, "aboard"), row("-", thing, place));
            let _ = writeln!(text, "{here} => {there} LABEL unload{thing}");
        }
    }
    let mut goal = vec!["port"; n + 1];
    goal[0] = "-";
    let _ = writeln!(
        text,
        "\n# Where the van is in the end doesn't matter.\nGOAL {}",
        goal.join(" ")
    );
    text
}
