//! A tree for Graphviz.

use std::fmt::Write as _;

use super::{ShowPosition, caption, cut, score, window};
use crate::game::TwoPlayerGame;
use crate::search::recorded::RecordedTree;

/// Write the tree in the language of Graphviz: each position with its score and window, each edge
/// with its move. The best moves are bold, games that are over have a double frame, and cut-off
/// moves are on a dashed edge.
pub fn to_dot(game: &TwoPlayerGame, tree: &RecordedTree, show: &ShowPosition<'_>) -> String {
    let mut dot = String::from("digraph game_tree {\n");
    let _ = writeln!(dot, "  label=\"{}\";", escape(&caption(game, tree)));
    dot.push_str("  node [shape=box, fontname=\"monospace\"];\n  edge [arrowhead=none];\n");
    for (place, node) in tree.nodes.iter().enumerate() {
        let mut lines = show(&node.state);
        lines.push(score(node));
        lines.push(window(node));
        let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
        let frame = if node.is_over { ", peripheries=2" } else { "" };
        let _ = writeln!(dot, "  n{place} [label=\"{}\"{frame}];", lines.join("\\n"));
        if let (Some(parent), Some(rule)) = (node.parent, node.rule) {
            let label = escape(&game.game().rule(rule).label);
            let best = if node.is_best { ", penwidth=3" } else { "" };
            let _ = writeln!(dot, "  n{parent} -> n{place} [label=\"{label}\"{best}];");
        }
        if let Some(cut) = cut(node) {
            let _ = writeln!(dot, "  c{place} [shape=plaintext, label=\"{cut}\"];");
            let _ = writeln!(dot, "  n{place} -> c{place} [style=dashed];");
        }
    }
    dot.push_str("}\n");
    dot
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
