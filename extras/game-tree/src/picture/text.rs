//! A tree as indented text, one line for each position.

use std::fmt::Write as _;

use super::{ShowPosition, caption, cut, score, title, window};
use crate::game::TwoPlayerGame;
use crate::search::recorded::RecordedTree;

/// Write the tree as text. The root's position is shown whole; below, each move has a line with its
/// score, its window, and the number of cut-off moves. The best moves are marked with `*`.
pub fn to_text(game: &TwoPlayerGame, tree: &RecordedTree, show: &ShowPosition<'_>) -> String {
    let mut text = format!("{}\n\n", caption(game, tree));
    for line in show(&tree.nodes[0].state) {
        let _ = writeln!(text, "  {line}");
    }
    text.push('\n');
    let width = tree
        .nodes
        .iter()
        .map(|node| 2 * node.depth as usize + title(game, node).chars().count())
        .max()
        .unwrap_or(0);
    for node in &tree.nodes {
        let indent = 2 * node.depth as usize;
        let title = title(game, node);
        let mark = if node.is_best && node.depth > 0 {
            '*'
        } else {
            ' '
        };
        let _ = write!(
            text,
            "{:indent$}{title:rest$} {mark} {:>4}  {}",
            "",
            score(node),
            window(node),
            rest = width - indent
        );
        if node.is_over {
            text.push_str("  over");
        }
        if let Some(cut) = cut(node) {
            let _ = write!(text, "  {cut}");
        }
        text.push('\n');
    }
    text
}
