//! Trees from top to bottom.

use crate::TooLarge;
use crate::cells::Cells;
use crate::style::{escape, open, put, width};

/// Larger trees are not drawn.
pub const MOST_NODES: usize = 400;

const LINE: f64 = 15.0;
const GAP: f64 = 14.0;
/// The distance from the bottom of a box to the top of the boxes below.
const DOWN: f64 = 62.0;

/// The role of a node of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// A node like any other.
    #[default]
    Plain,
    /// A goal of the search.
    Goal,
    /// A node that a search has made and not expanded: drawn dotted.
    Open,
    /// A node that is left out: drawn dashed.
    Pruned,
}

/// A node of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// The text in it, line by line.
    pub lines: Vec<String>,
    /// The board in it, drawn instead of the first lines, one for each of its rows.
    pub board: Option<Cells>,
    /// The label of the branch that leads to it.
    pub edge: String,
    /// The text below it, such as why it was pruned.
    pub note: String,
    /// Its role.
    pub status: Status,
    /// The places of its children in [`Tree::nodes`], all after its own.
    pub children: Vec<usize>,
}

impl TreeNode {
    fn lines_below_board(&self) -> &[String] {
        let n_rows = self.board.as_ref().map_or(0, Cells::rows);
        self.lines.get(n_rows..).unwrap_or_default()
    }
}

/// A tree. Its first node is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Its title.
    pub title: String,
    /// The nodes: parents before their children.
    pub nodes: Vec<TreeNode>,
}

/// The position of a box: its middle and its top.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spot {
    x: f64,
    top: f64,
}

impl Tree {
    /// Draw the tree as SVG.
    ///
    /// # Errors
    /// The tree has more than [`MOST_NODES`] nodes.
    pub fn svg(&self) -> Result<String, TooLarge> {
        if self.nodes.len() > MOST_NODES {
            return Err(TooLarge {
                what: "nodes",
                found: self.nodes.len(),
                most: MOST_NODES,
            });
        }
        let spots = self.spots();
        let (box_width, box_height) = (self.box_width(), self.box_height());
        let mut area = [0.0, -12.0, 0.0, 0.0f64];
        for (node, spot) in self.nodes.iter().zip(&spots) {
            let half = self.half_width(node).max(box_width / 2.0) + 10.0;
            area[0] = f64::min(area[0], spot.x - half);
            area[2] = f64::max(area[2], spot.x + half);
            area[3] = area[3].max(spot.top + box_height + LINE + 14.0);
        }
        let mut out = open(&self.title, area);
        for (node, spot) in self.nodes.iter().zip(&spots) {
            for child in &node.children {
                self.branch(*spot, *child, &spots, &mut out);
            }
        }
        for (node, spot) in self.nodes.iter().zip(&spots) {
            self.node(node, *spot, &mut out);
        }
        out.push_str("</svg>\n");
        Ok(out)
    }

    fn box_width(&self) -> f64 {
        let of = |node: &TreeNode| {
            let board = node.board.as_ref().map_or(0.0, |board| board.size().0);
            let lines = node.lines_below_board().iter().map(|line| width(line));
            lines.fold(board, f64::max)
        };
        self.nodes.iter().map(of).fold(0.0, f64::max) + 14.0
    }

    fn box_height(&self) -> f64 {
        let of = |node: &TreeNode| {
            let board = node.board.as_ref().map_or(0.0, |board| board.size().1);
            board + node.lines_below_board().len() as f64 * LINE
        };
        self.nodes.iter().map(of).fold(LINE, f64::max) + 10.0
    }

    /// Half of the width of a node with all its text.
    fn half_width(&self, node: &TreeNode) -> f64 {
        (self.box_width())
            .max(width(&node.edge))
            .max(width(&node.note) * 0.95)
            / 2.0
    }

    /// Where the boxes are: leaves side by side, parents above the middle of their children.
    fn spots(&self) -> Vec<Spot> {
        let mut spots = vec![Spot::default(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            for child in &node.children {
                spots[*child].top = spots[place].top + self.box_height() + DOWN;
            }
        }
        // All are as wide as the widest, or a wide parent would overlap its neighbor.
        let half = self
            .nodes
            .iter()
            .map(|node| self.half_width(node))
            .fold(0.0, f64::max);
        let mut right = 0.0;
        // Children in order, before their parents; without recursion, since trees may be deep.
        let mut stack = if self.nodes.is_empty() {
            Vec::new()
        } else {
            vec![(0, false)]
        };
        while let Some((place, is_done)) = stack.pop() {
            let node = &self.nodes[place];
            match (node.children.first(), node.children.last()) {
                (Some(_), Some(_)) if !is_done => {
                    stack.push((place, true));
                    stack.extend(node.children.iter().rev().map(|child| (*child, false)));
                }
                (Some(first), Some(last)) => {
                    spots[place].x = (spots[*first].x + spots[*last].x) / 2.0;
                }
                _ => {
                    spots[place].x = right + half;
                    right += 2.0 * half + GAP;
                }
            }
        }
        spots
    }

    fn branch(&self, parent: Spot, child: usize, spots: &[Spot], out: &mut String) {
        let (node, spot) = (&self.nodes[child], spots[child]);
        let cut = if node.status == Status::Pruned {
            " cut"
        } else {
            ""
        };
        put(
            out,
            format_args!(
                "<path class=\"edge{cut}\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>",
                parent.x,
                parent.top + self.box_height(),
                spot.x,
                spot.top
            ),
        );
        if !node.edge.is_empty() {
            put(
                out,
                format_args!(
                    "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                    spot.x,
                    spot.top - 9.0,
                    escape(&node.edge)
                ),
            );
        }
    }

    fn node(&self, node: &TreeNode, spot: Spot, out: &mut String) {
        let (box_width, box_height) = (self.box_width(), self.box_height());
        let class = match node.status {
            Status::Plain | Status::Open => "",
            Status::Goal => " goal",
            Status::Pruned => " cut",
        };
        // An attribute, so that the style sheet of other pictures stays unchanged.
        let dots = match node.status {
            Status::Open => " stroke-dasharray=\"1.5 3\"",
            _ => "",
        };
        put(
            out,
            format_args!(
                "<rect class=\"shape{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{box_width:.1}\" height=\"{box_height:.1}\" rx=\"5\"{dots}/>",
                spot.x - box_width / 2.0,
                spot.top
            ),
        );
        let mut top = spot.top + 5.0;
        if let Some(board) = &node.board {
            let (board_width, board_height) = board.size();
            board.draw((spot.x - board_width / 2.0, top), out);
            top += board_height;
        }
        for (number, line) in node.lines_below_board().iter().enumerate() {
            put(
                out,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" xml:space=\"preserve\">{}</text>",
                    spot.x,
                    top + LINE * (number as f64 + 0.75),
                    escape(line)
                ),
            );
        }
        if !node.note.is_empty() {
            put(
                out,
                format_args!(
                    "<text class=\"note\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    spot.x,
                    spot.top + box_height + LINE,
                    escape(&node.note)
                ),
            );
        }
        out.push('\n');
    }

    /// Write the tree in the DOT language of Graphviz.
    pub fn dot(&self) -> String {
        let quoted = |text: &str| {
            text.replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n")
        };
        let mut dot = String::from("digraph tree {\n    node [shape=box, fontname=monospace];\n");
        for (place, node) in self.nodes.iter().enumerate() {
            let mut label = node
                .lines
                .iter()
                .map(|line| quoted(line))
                .collect::<Vec<_>>()
                .join("\\n");
            if !node.note.is_empty() {
                label.push_str(&format!("\\n{}", quoted(&node.note)));
            }
            let style = match node.status {
                Status::Plain => "",
                Status::Goal => ", peripheries=2",
                Status::Open => ", style=dotted",
                Status::Pruned => ", style=dashed",
            };
            dot.push_str(&format!("    n{place} [label=\"{label}\"{style}];\n"));
            for child in &node.children {
                let style = if self.nodes[*child].status == Status::Pruned {
                    ", style=dashed"
                } else {
                    ""
                };
                let edge = quoted(&self.nodes[*child].edge);
                dot.push_str(&format!(
                    "    n{place} -> n{child} [label=\"{edge}\"{style}];\n"
                ));
            }
        }
        dot.push_str("}\n");
        dot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of boards with a pruned node.
    fn tree() -> Tree {
        let node = |lines: &[&str], edge: &str, children: &[usize]| TreeNode {
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            edge: edge.to_owned(),
            children: children.to_vec(),
            ..TreeNode::default()
        };
        let mut tree = Tree {
            title: "a < b".to_owned(),
            nodes: vec![
                node(&["0 1", "2 3"], "", &[1, 2]),
                node(&["1 0", "2 3"], "left", &[3, 4, 5]),
                node(&["2 1", "0 3"], "up", &[]),
                node(&["0 1", "2 3"], "back \"again\"", &[]),
                node(&["x"], "a", &[]),
                node(&["y"], "b", &[]),
            ],
        };
        tree.nodes[3].status = Status::Pruned;
        tree.nodes[3].note = "same as nothing".to_owned();
        tree
    }

    #[test]
    fn boxes_of_a_level_are_apart_and_below_their_parents() {
        let tree = tree();
        let spots = tree.spots();
        for (i, a) in spots.iter().enumerate() {
            for (j, b) in spots.iter().enumerate().skip(i + 1) {
                let apart = tree.half_width(&tree.nodes[i]) + tree.half_width(&tree.nodes[j]);
                assert!(a.top != b.top || (a.x - b.x).abs() >= apart, "{i} {j}");
            }
        }
        for (place, node) in tree.nodes.iter().enumerate() {
            for child in &node.children {
                assert!(spots[*child].top > spots[place].top + tree.box_height());
            }
        }
    }

    #[test]
    fn boards_take_the_place_of_text() {
        let layout = crate::BoardLayout::from_comments("# layout: rows 2 columns 2 blank 0\n");
        let plain = layout.unwrap().unwrap();
        let mut layout = plain.clone();
        layout.colors = [("1".to_owned(), "#ff0000".to_owned())].into();
        let mut tree = tree();
        for node in &mut tree.nodes {
            node.board = layout.cells(&["0", "1", "2", "3"]);
        }
        tree.nodes[0].lines.push("f = 7".to_owned());
        assert!(tree.box_height() < 60.0 && tree.box_width() < 60.0);
        let svg = tree.svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let cells = |n: &roxmltree::Node<'_, '_>| n.attribute("class") == Some("cell");
        assert_eq!(document.descendants().filter(cells).count(), 6 * 3);
        assert!(svg.contains("fill:#ff0000") && svg.contains(">f = 7<") && !svg.contains(">0 1<"));
        // Graphviz still shows the text.
        assert!(tree.dot().contains("0 1\\n2 3"));
        // Without colors, text shows as much.
        assert_eq!(plain.cells(&["0", "1", "2", "3"]), None);
    }

    #[test]
    fn what_is_left_out_is_dashed() {
        let svg = tree().svg().unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |class: &str| {
            document
                .descendants()
                .filter(|n| n.attribute("class") == Some(class))
                .count()
        };
        assert_eq!((of("edge"), of("edge cut")), (4, 1));
        assert_eq!((of("shape"), of("shape cut"), of("note")), (5, 1, 1));
        let dot = tree().dot();
        assert!(
            dot.contains("n1 -> n3 [label=\"back \\\"again\\\"\", style=dashed];"),
            "{dot}"
        );
        let nothing = Tree {
            title: String::new(),
            nodes: Vec::new(),
        };
        assert!(nothing.svg().is_ok());
        let many = Tree {
            title: String::new(),
            nodes: vec![TreeNode::default(); 401],
        };
        assert!(many.svg().is_err());
    }
}
