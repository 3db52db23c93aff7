//! The positions of a graph's parts, and how they are drawn.

use std::cmp::Ordering;

use crate::curve::{Curve, Place, distance};
use crate::layers::{layers, layers_as_given};
use crate::style::{escape, open, put, width};

use super::shape::{RADIUS, Shape};
use super::{Edge, Graph};

/// The vertical gap between the nodes of a layer.
const GAP: f64 = 26.0;
/// The gap below nodes with arrows to themselves.
const GAP_FOR_LOOPS: f64 = 54.0;
/// From one line of the notes to the next one.
const NOTE: f64 = 17.0;

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
pub(super) struct Picture {
    nodes: Vec<Shape>,
    lines: Vec<Vec<Place>>,
    labels: Vec<Label>,
}

impl Picture {
    pub(super) fn of(graph: &Graph) -> Self {
        let pairs: Vec<(usize, usize)> = graph
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to))
            .collect();
        let given: Option<Vec<usize>> = graph.states.iter().map(|state| state.layer).collect();
        let layers = match given {
            Some(layer_of) => layers_as_given(&layer_of, &pairs),
            None => layers(graph.states.len(), &pairs),
        };
        let mut nodes: Vec<Shape> = graph.states.iter().map(Shape::of).collect();
        let layer_of = place(&mut nodes, &layers, graph);
        let mut picture = Self {
            nodes,
            lines: Vec::new(),
            labels: Vec::new(),
        };
        for edge in &graph.edges {
            let twin = pairs.contains(&(edge.to, edge.from));
            let curve = picture.curve(edge, [layer_of[edge.from], layer_of[edge.to]], twin);
            let [from, to] = [edge.from, edge.to].map(|node| picture.nodes[node]);
            let line = curve.between(
                |place| from.outside(place) >= 2.0,
                |place| to.outside(place) >= 2.0,
            );
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

    fn curve(&self, edge: &Edge, [from_layer, to_layer]: [usize; 2], has_twin: bool) -> Curve {
        let (from, to) = (&self.nodes[edge.from], &self.nodes[edge.to]);
        let (a, b) = (from.at, to.at);
        if edge.from == edge.to {
            // The top of the curve is at three quarters of this height.
            let up = a.1 - (from.half.1 + 29.5) / 0.75;
            return Curve([a, (a.0 - 42.0, up), (a.0 + 42.0, up), a]);
        }
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let straight = from.rightward(to);
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
        if from_layer + 1 == to_layer && !has_twin {
            return straight;
        }
        let beside = match (from_layer.cmp(&to_layer), has_twin) {
            (Ordering::Equal, false) => Some(from.around(to)),
            (Ordering::Greater, false) => Some(from.leftward(to)),
            _ => None,
        };
        // The flattest curve that passes no other node; to the right only if no arrow comes back.
        let shares = [1.0, -1.0, 1.6, -1.6, 2.3, -2.3];
        let allowed = shares.into_iter().filter(|share| *share > 0.0 || !has_twin);
        let curves: Vec<Curve> = beside.into_iter().chain(allowed.map(bent)).collect();
        let passed = |curve: &Curve| self.n_passed(curve, [edge.from, edge.to]);
        let best = curves.into_iter().min_by_key(passed);
        best.unwrap_or(straight)
    }

    /// The number of points of a curve that lie on nodes, other than those at its ends.
    fn n_passed(&self, curve: &Curve, ends: [usize; 2]) -> usize {
        let points = (1..32).map(|i| curve.at(f64::from(i) / 32.0));
        let others = self.nodes.iter().enumerate();
        let others = others.filter(|(number, _)| !ends.contains(number));
        let near = |point: Place| {
            let mut others = others.clone();
            others.any(|(_, node)| node.outside(point) < 5.0)
        };
        points.filter(|point| near(*point)).count()
    }

    /// A place on a line where a label hides as little as possible.
    fn free_place(&self, line: &[Place], text: &str) -> Place {
        let mut best = (f64::INFINITY, (0.0, 0.0));
        // From the middle outward, on the line first and then above and below it.
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
            let hides = |node: &Shape| overlap(extent, node.extent());
            let nodes: f64 = self.nodes.iter().map(hides).sum();
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
        let left = self.nodes.first().map_or(-RADIUS, |node| node.extent()[0]);
        cover([left - 53.0, -RADIUS, RADIUS, RADIUS]);
        self.nodes.iter().for_each(|node| cover(node.extent()));
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

    pub(super) fn svg(&self, graph: &Graph) -> String {
        let mut area = self.area();
        let below = area[3];
        if !graph.notes.is_empty() {
            let widths = graph.notes.iter().map(|note| width(note));
            area[2] = area[2].max(area[0] + widths.fold(0.0, f64::max) + 24.0);
            area[3] += graph.notes.len() as f64 * NOTE + 8.0;
        }
        let mut out = open(&graph.title, area);
        for line in &self.lines {
            arrow(line, &mut out);
        }
        if let Some(start) = self.nodes.first() {
            let (left, y) = (start.extent()[0], start.at.1);
            arrow(&[(left - 41.0, y), (left - 2.0, y)], &mut out);
        }
        for (number, (shape, state)) in self.nodes.iter().zip(&graph.states).enumerate() {
            let start = if number == 0 { " start" } else { "" };
            let ([left, top, ..], (half_width, half_height)) = (shape.extent(), shape.half);
            put(
                &mut out,
                format_args!(
                    "<rect class=\"shape{start}\" x=\"{left:.1}\" y=\"{top:.1}\" \
                     width=\"{:.1}\" height=\"{:.1}\" rx=\"{RADIUS}\"/>",
                    2.0 * half_width,
                    2.0 * half_height,
                ),
            );
            let (lines, remark) = shape.base_lines(state);
            for (y, line) in lines.iter().zip(&state.name) {
                text("state", (shape.at.0, *y), line, &mut out);
            }
            if !state.remark.is_empty() {
                text("note", (shape.at.0, remark), &state.remark, &mut out);
            }
            out.push('\n');
        }
        for label in &self.labels {
            text(
                "label",
                (label.at.0, label.at.1 + 4.0),
                &label.text,
                &mut out,
            );
            out.push('\n');
        }
        for (number, note) in (1..).zip(&graph.notes) {
            put(
                &mut out,
                format_args!(
                    "<text style=\"text-anchor:start;fill:var(--soft)\" x=\"{:.1}\" \
                     y=\"{:.1}\">{}</text>\n",
                    area[0] + 12.0,
                    below + NOTE * f64::from(number),
                    escape(note)
                ),
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

/// Place the nodes of layers. Returns the layer of each node.
fn place(nodes: &mut [Shape], layers: &[Vec<usize>], graph: &Graph) -> Vec<usize> {
    let labels = graph.edges.iter().map(|edge| width(&edge.label));
    let across = (labels.fold(0.0, f64::max) + 46.0).clamp(76.0, 306.0);
    let has_loops = graph.edges.iter().any(|edge| edge.from == edge.to);
    let gap = if has_loops { GAP_FOR_LOOPS } else { GAP };
    let mut layer_of = vec![0; nodes.len()];
    let mut x = 0.0;
    for (number, layer) in layers.iter().enumerate() {
        let widest = layer.iter().map(|node| nodes[*node].half.0);
        let half = widest.fold(RADIUS, f64::max);
        x += if number == 0 { 0.0 } else { half };
        let heights = layer.iter().map(|node| 2.0 * nodes[*node].half.1 + gap);
        let mut top = -heights.sum::<f64>() / 2.0;
        for node in layer {
            let height = 2.0 * nodes[*node].half.1 + gap;
            // Neighbors in a row would hide the arrows that pass them.
            let aside = (number % 2) as f64 * 9.0;
            nodes[*node].at = (x, top + height / 2.0 + aside);
            layer_of[*node] = number;
            top += height;
        }
        x += half + across;
    }
    layer_of
}

/// A text in the middle of a place.
fn text(class: &str, (x, y): Place, text: &str, out: &mut String) {
    put(
        out,
        format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
            escape(text)
        ),
    );
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
    use super::super::GraphState;
    use super::super::tests::graph;
    use super::*;

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
                assert!(distance(a.at, b.at) > 2.0 * RADIUS);
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
            let gap = |end: Option<&Place>, node: usize| picture.nodes[node].outside(*end.unwrap());
            assert!((0.0..8.0).contains(&gap(line.first(), edge.from)));
            assert!((0.0..8.0).contains(&gap(line.last(), edge.to)));
        }
    }

    #[test]
    fn states_stand_in_the_layers_that_are_given() {
        let mut graph = graph(4, &[(0, 1), (0, 2), (1, 3), (3, 0), (2, 2)]);
        let names = ["start", "a long name", "b", "a long name again"];
        for (state, (name, layer)) in graph.states.iter_mut().zip(names.iter().zip([0, 2, 1, 2])) {
            *state = GraphState::named(*name);
            state.layer = Some(layer);
        }
        let picture = Picture::of(&graph);
        let x = |node: usize| picture.nodes[node].at.0;
        assert!(x(0) < x(2) && x(2) < x(1) && x(1) == x(3));
        for (i, a) in picture.nodes.iter().enumerate() {
            for b in &picture.nodes[i + 1..] {
                assert_eq!(overlap(a.extent(), b.extent()), 0.0);
            }
        }
    }
}
