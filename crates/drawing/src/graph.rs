//! Graphs: states and arrows, from left to right.

use crate::TooLarge;
use crate::curve::{Curve, Place, distance};
use crate::layers::layers;
use crate::style::{escape, open, put, width};

/// Larger graphs are not drawn.
pub const MOST_STATES: usize = 60;

const RADIUS: f64 = 17.0;
/// From one node of a layer to the next one.
const DOWN: f64 = 88.0;

/// An arrow of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins: the place of a state in [`Graph::states`].
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Its label.
    pub label: String,
}

/// A graph. Its first state is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Its title.
    pub title: String,
    /// The labels of its states.
    pub states: Vec<String>,
    /// The arrows between them.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// Draw the graph as SVG.
    ///
    /// # Errors
    /// The graph has more than [`MOST_STATES`] states.
    pub fn svg(&self) -> Result<String, TooLarge> {
        if self.states.len() > MOST_STATES {
            return Err(TooLarge {
                what: "states",
                found: self.states.len(),
                most: MOST_STATES,
            });
        }
        Ok(Picture::of(self).svg(self))
    }
}

/// A label with its place.
struct Label {
    at: Place,
    text: String,
}

impl Label {
    /// Left, top, right, bottom.
    fn extent(&self) -> [f64; 4] {
        let half = width(&self.text) / 2.0 + 2.0;
        [
            self.at.0 - half,
            self.at.1 - 8.0,
            self.at.0 + half,
            self.at.1 + 8.0,
        ]
    }
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> f64 {
    let across = a[2].min(b[2]) - a[0].max(b[0]);
    let down = a[3].min(b[3]) - a[1].max(b[1]);
    if across > 0.0 && down > 0.0 {
        across * down
    } else {
        0.0
    }
}

/// A graph with the places of all that is drawn.
struct Picture {
    nodes: Vec<Place>,
    lines: Vec<Vec<Place>>,
    labels: Vec<Label>,
}

impl Picture {
    fn of(graph: &Graph) -> Self {
        let pairs: Vec<(usize, usize)> = graph
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to))
            .collect();
        let layers = layers(graph.states.len(), &pairs);
        let widest = graph
            .edges
            .iter()
            .map(|edge| width(&edge.label))
            .fold(0.0, f64::max);
        let across = (widest + 2.0 * RADIUS + 46.0).clamp(110.0, 340.0);
        let mut nodes = vec![(0.0, 0.0); graph.states.len()];
        let mut layer_of = vec![0; graph.states.len()];
        for (number, layer) in layers.iter().enumerate() {
            for (place, node) in layer.iter().enumerate() {
                let y = (place as f64 - (layer.len() as f64 - 1.0) / 2.0) * DOWN;
                // Neighbors in a row would hide the arrows that pass them.
                nodes[*node] = (number as f64 * across, y + (number % 2) as f64 * 9.0);
                layer_of[*node] = number;
            }
        }
        let mut picture = Self {
            nodes,
            lines: Vec::new(),
            labels: Vec::new(),
        };
        for edge in &graph.edges {
            let twin = pairs.contains(&(edge.to, edge.from));
            let curve = picture.curve(edge, layer_of[edge.from] + 1 == layer_of[edge.to], twin);
            let line = if edge.from == edge.to {
                (2..=46).map(|i| curve.at(f64::from(i) / 48.0)).collect()
            } else {
                curve.between(RADIUS + 2.0)
            };
            if !edge.label.is_empty() {
                let at = picture.free_place(&line, &edge.label);
                picture.labels.push(Label {
                    at,
                    text: edge.label.clone(),
                });
            }
            picture.lines.push(line);
        }
        picture
    }

    fn curve(&self, edge: &Edge, is_forward: bool, has_twin: bool) -> Curve {
        let (a, b) = (self.nodes[edge.from], self.nodes[edge.to]);
        if edge.from == edge.to {
            let up = a.1 - 62.0;
            return Curve([a, (a.0 - 42.0, up), (a.0 + 42.0, up), a]);
        }
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let straight = Curve([
            a,
            (a.0 + dx * 0.4, a.1 + dy * 0.15),
            (b.0 - dx * 0.4, b.1 - dy * 0.15),
            b,
        ]);
        // To the left of its direction, so that an arrow back passes on the other side.
        let length = distance(a, b).max(1.0);
        let bent = |share: f64| {
            let bend = share * (20.0 + length * 0.16);
            let (nx, ny) = (dy / length * bend, -dx / length * bend);
            Curve([
                a,
                (a.0 + dx * 0.3 + nx, a.1 + dy * 0.3 + ny),
                (b.0 - dx * 0.3 + nx, b.1 - dy * 0.3 + ny),
                b,
            ])
        };
        if is_forward && !has_twin {
            return straight;
        }
        // The flattest one that passes no other node; to the right only where no arrow comes back.
        let shares = [1.0, -1.0, 1.6, -1.6, 2.3, -2.3];
        let allowed = shares.into_iter().filter(|share| *share > 0.0 || !has_twin);
        let curves: Vec<Curve> = allowed.map(bent).collect();
        let passed = |curve: &Curve| self.n_passed(curve, [edge.from, edge.to]);
        let best = curves.into_iter().min_by_key(passed);
        best.unwrap_or(straight)
    }

    /// How many points of a curve lie upon nodes, other than those at its ends.
    fn n_passed(&self, curve: &Curve, ends: [usize; 2]) -> usize {
        let points = (1..32).map(|i| curve.at(f64::from(i) / 32.0));
        let others = self.nodes.iter().enumerate();
        let others = others.filter(|(number, _)| !ends.contains(number));
        let near = |point: Place| {
            let mut others = others.clone();
            others.any(|(_, node)| distance(point, *node) < RADIUS + 5.0)
        };
        points.filter(|point| near(*point)).count()
    }

    /// A place on a line where a label hides as little as possible.
    fn free_place(&self, line: &[Place], text: &str) -> Place {
        let mut best = (f64::INFINITY, (0.0, 0.0));
        // From the middle outwards, on the line first and then above and below it.
        let shares = (0..15).map(|i| 0.5 + [0.05, -0.05][i % 2] * i.div_ceil(2) as f64);
        let aside = [0.0, -10.0, 10.0, -19.0, 19.0];
        let tries = aside
            .iter()
            .flat_map(|aside| shares.clone().map(move |share| (share, *aside)));
        for (share, aside) in tries {
            let (x, y) = line[((line.len() - 1) as f64 * share) as usize];
            let at = (x, y + aside);
            let extent = Label {
                at,
                text: text.to_owned(),
            }
            .extent();
            let labels: f64 = self
                .labels
                .iter()
                .map(|other| overlap(extent, other.extent()))
                .sum();
            let circle = |node: &Place| {
                let r = RADIUS + 1.0;
                overlap(extent, [node.0 - r, node.1 - r, node.0 + r, node.1 + r])
            };
            let nodes: f64 = self.nodes.iter().map(circle).sum();
            let hidden = labels + nodes;
            if hidden < best.0 {
                best = (hidden, at);
            }
        }
        best.1
    }

    /// Left, top, right, bottom of everything.
    fn area(&self) -> [f64; 4] {
        let mut area = [
            f64::INFINITY,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
        ];
        let mut cover = |extent: [f64; 4]| {
            area = [
                area[0].min(extent[0]),
                area[1].min(extent[1]),
                area[2].max(extent[2]),
                area[3].max(extent[3]),
            ];
        };
        cover([-70.0, -RADIUS, RADIUS, RADIUS]);
        for (x, y) in &self.nodes {
            cover([x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS]);
        }
        self.lines
            .iter()
            .flatten()
            .for_each(|(x, y)| cover([*x, *y, *x, *y]));
        self.labels.iter().for_each(|label| cover(label.extent()));
        [
            area[0] - 12.0,
            area[1] - 12.0,
            area[2] + 12.0,
            area[3] + 12.0,
        ]
    }

    fn svg(&self, graph: &Graph) -> String {
        let mut out = open(&graph.title, self.area());
        for line in &self.lines {
            arrow(line, &mut out);
        }
        if let Some((x, y)) = self.nodes.first() {
            arrow(&[(x - 58.0, *y), (x - RADIUS - 2.0, *y)], &mut out);
        }
        for (number, ((x, y), label)) in self.nodes.iter().zip(&graph.states).enumerate() {
            let start = if number == 0 { " start" } else { "" };
            put(
                &mut out,
                format_args!(
                    "<circle class=\"shape{start}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>\
                 <text class=\"state\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
                    y + 4.0,
                    escape(label)
                ),
            );
        }
        for label in &self.labels {
            put(
                &mut out,
                format_args!(
                    "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                    label.at.0,
                    label.at.1 + 4.0,
                    escape(&label.text)
                ),
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// A line with a head at its end.
fn arrow(line: &[Place], out: &mut String) {
    let [.., before, tip] = line else {
        return;
    };
    let mut path = String::new();
    for (i, (x, y)) in line.iter().enumerate() {
        put(
            &mut path,
            format_args!("{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' }),
        );
    }
    let length = distance(*before, *tip).max(1e-6);
    let (ux, uy) = ((tip.0 - before.0) / length, (tip.1 - before.1) / length);
    let back = (tip.0 - ux * 8.0, tip.1 - uy * 8.0);
    put(
        out,
        format_args!(
            "<path class=\"edge\" d=\"{path}\"/><path class=\"head\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/>\n",
            tip.0,
            tip.1,
            back.0 - uy * 3.8,
            back.1 + ux * 3.8,
            back.0 + uy * 3.8,
            back.1 - ux * 3.8
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(n: usize, edges: &[(usize, usize)]) -> Graph {
        Graph {
            title: "machine".to_owned(),
            states: (1..=n).map(|n| n.to_string()).collect(),
            edges: edges
                .iter()
                .map(|(from, to)| Edge {
                    from: *from,
                    to: *to,
                    label: format!("{from}<{to}"),
                })
                .collect(),
        }
    }

    /// The machine of Taylor's figure 4: the last move isn't undone, and horizontal moves come
    /// first.
    fn grid() -> Graph {
        graph(
            5,
            &[
                (0, 1),
                (0, 2),
                (0, 3),
                (0, 4),
                (1, 1),
                (1, 3),
                (1, 4),
                (2, 2),
                (2, 3),
                (2, 4),
                (3, 3),
                (4, 4),
            ],
        )
    }

    #[test]
    fn states_and_labels_are_apart() {
        let graph = grid();
        let picture = Picture::of(&graph);
        for (i, a) in picture.nodes.iter().enumerate() {
            for b in &picture.nodes[i + 1..] {
                assert!(distance(*a, *b) > 2.0 * RADIUS);
            }
        }
        for (i, a) in picture.labels.iter().enumerate() {
            for b in &picture.labels[i + 1..] {
                assert!(
                    overlap(a.extent(), b.extent()) < 1.0,
                    "{} and {}",
                    a.text,
                    b.text
                );
            }
        }
    }

    #[test]
    fn arrows_go_from_state_to_state() {
        let graph = grid();
        let picture = Picture::of(&graph);
        for (edge, line) in graph
            .edges
            .iter()
            .zip(&picture.lines)
            .filter(|(edge, _)| edge.from != edge.to)
        {
            let gap =
                |end: Option<&Place>, node: usize| distance(*end.unwrap(), picture.nodes[node]);
            assert!((gap(line.first(), edge.from) - RADIUS).abs() < 8.0);
            assert!((gap(line.last(), edge.to) - RADIUS).abs() < 8.0);
        }
    }

    #[test]
    fn pictures_are_well_formed() {
        let svg = grid().svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |name: &str| {
            document
                .descendants()
                .filter(|n| n.tag_name().name() == name)
                .count()
        };
        assert_eq!(of("circle"), 5);
        assert_eq!(
            document
                .descendants()
                .filter(|n| n.attribute("class") == Some("edge"))
                .count(),
            12 + 1
        );
        assert!(svg.contains("0&lt;1"));
        assert!(graph(0, &[]).svg().is_ok());
        assert!(graph(60, &[]).svg().is_ok());
        assert!(graph(61, &[]).svg().is_err());
    }
}
