//! A machine as SVG.

use drawing::{Edge, Graph, GraphState};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let edge = |from, to, label: &str| Edge {
        from,
        to,
        label: label.to_owned(),
    };
    let graph = Graph {
        title: "No move that undoes the one before".to_owned(),
        states: ["start", "left", "right"].map(GraphState::named).to_vec(),
        edges: vec![
            edge(0, 1, "left"),
            edge(0, 2, "right"),
            edge(1, 1, "left"),
            edge(2, 2, "right"),
        ],
        notes: Vec::new(),
    };
    let svg = graph.svg()?;
    println!("{svg}");
    assert!(svg.starts_with("<svg"));
    Ok(())
}
