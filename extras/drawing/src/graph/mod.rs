//! Graphs: states and arrows, from left to right.

mod picture;
mod shape;

use crate::TooLarge;
use picture::Picture;

/// Graphs with more states are not drawn.
pub const MOST_STATES: usize = 60;

/// Graphs with more arrows are not drawn, since they would be unreadable.
pub const MOST_ARROWS: usize = 60;

/// An arrow of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its source: the place of a state in [`Graph::states`].
    pub from: usize,
    /// Its target.
    pub to: usize,
    /// Its label.
    pub label: String,
}

/// A state of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphState {
    /// Its name, line by line.
    pub name: Vec<String>,
    /// A remark; small, below its name.
    pub remark: String,
    /// The layer of the state, from the left. Unless all states have one, layers are computed from
    /// the arrows.
    pub layer: Option<usize>,
}

impl GraphState {
    /// A state with a name of one line.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: vec![name.into()],
            ..Self::default()
        }
    }
}

/// A graph. Its first state is the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its title.
    pub title: String,
    /// Its states.
    pub states: Vec<GraphState>,
    /// The arrows between them.
    pub edges: Vec<Edge>,
    /// How to read the picture, line by line, printed below it.
    pub notes: Vec<String>,
}

impl Graph {
    /// Draw the graph as SVG.
    ///
    /// # Errors
    /// The graph has more than [`MOST_STATES`] states or more than [`MOST_ARROWS`] arrows.
    pub fn svg(&self) -> Result<String, TooLarge> {
        let at_most = |what, found, most| {
            if found <= most {
                Ok(())
            } else {
                Err(TooLarge { what, found, most })
            }
        };
        at_most("states", self.states.len(), MOST_STATES)?;
        at_most("arrows", self.edges.len(), MOST_ARROWS)?;
        Ok(Picture::of(self).svg(self))
    }

    /// Write the graph in the DOT language of Graphviz, whatever its size.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"");
            text.replace('\n', "\\n")
        };
        let mut dot = format!(
            "digraph machine {{\n    label=\"{}\";\n    rankdir=LR;\n    \
             node [shape=box, style=rounded];\n",
            quoted(&std::iter::once(&self.title).chain(&self.notes).fold(
                String::new(),
                |all, line| if all.is_empty() {
                    line.clone()
                } else {
                    format!("{all}\n{line}")
                }
            ))
        );
        if !self.states.is_empty() {
            dot.push_str("    start [shape=none, label=\"\"];\n    start -> s1;\n");
        }
        for (number, state) in (1..).zip(&self.states) {
            let mut lines = state.name.clone();
            lines.extend((!state.remark.is_empty()).then(|| state.remark.clone()));
            let label = quoted(&lines.join("\n"));
            dot.push_str(&format!("    s{number} [label=\"{label}\"];\n"));
        }
        for edge in &self.edges {
            let (from, to, label) = (edge.from + 1, edge.to + 1, quoted(&edge.label));
            dot.push_str(&format!("    s{from} -> s{to} [label=\"{label}\"];\n"));
        }
        dot.push_str("}\n");
        dot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn graph(n: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            title: "machine".to_owned(),
            states: (1..=n).map(|n| GraphState::named(n.to_string())).collect(),
            edges: edges
                .iter()
                .map(|(from, to)| Edge {
                    from: *from,
                    to: *to,
                    label: format!("{from}<{to}"),
                })
                .collect(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn pictures_are_well_formed() {
        let mut some = graph(3, &[(0, 1), (1, 2), (2, 2)]);
        some.states[1].remark = "not \"a\" & b".to_owned();
        some.notes.push("a note < to be read".to_owned());
        let svg = some.svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |class: &str| {
            let all = document.descendants();
            all.filter(|n| n.attribute("class") == Some(class)).count()
        };
        assert_eq!((of("shape"), of("shape start"), of("edge")), (2, 1, 3 + 1));
        assert_eq!(of("note"), 1);
        assert!(svg.contains("0&lt;1") && svg.contains("a note &lt; to be read"));
        let dot = some.dot();
        assert!(
            dot.contains("s2 [label=\"2\\nnot \\\"a\\\" & b\"];"),
            "{dot}"
        );
        assert!(dot.contains("s3 -> s3 [label=\"2<2\"];"), "{dot}");
    }

    #[test]
    fn what_nobody_could_follow_is_refused() {
        assert!(graph(0, &[]).svg().is_ok());
        assert!(graph(60, &[]).svg().is_ok());
        assert_eq!(graph(61, &[]).svg().unwrap_err().what, "states");
        let many = |n: usize| graph(10, &vec![(0, 1); n]);
        assert!(many(60).svg().is_ok());
        assert_eq!(many(61).svg().unwrap_err().what, "arrows");
        assert!(many(61).dot().contains("s1 -> s2"));
    }
}
