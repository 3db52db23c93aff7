//! Pictures of recorded trees: as indented text, for Graphviz, and as self-contained SVG.
//!
//! Each node shows its score, its window (α, β), and where moves were cut off. The caller decides
//! how a position is shown.

mod dot;
mod svg;
mod text;

use std::fmt::Write as _;

use psvn_ir::State;

use crate::game::TwoPlayerGame;
use crate::search::recorded::{RecordedNode, RecordedTree};
use crate::search::score::{Score, WIN};

pub use dot::to_dot;
pub use svg::to_svg;
pub use text::to_text;

/// A function that shows a position as lines of text.
pub type ShowPosition<'a> = dyn Fn(&State) -> Vec<String> + 'a;

/// Format a score for readers: a number, or `+∞` for a win and `-∞` for a loss.
pub fn show_score(score: Score) -> String {
    match score {
        WIN.. => "+∞".to_owned(),
        _ if score <= -WIN => "-∞".to_owned(),
        _ => score.to_string(),
    }
}

fn window(node: &RecordedNode) -> String {
    let (alpha, beta) = node.window;
    format!("[{}, {}]", show_score(alpha), show_score(beta))
}

fn score(node: &RecordedNode) -> String {
    node.score.map_or_else(|| "?".to_owned(), show_score)
}

/// Return the move that leads to a node, or the player to move at the root.
fn title(game: &TwoPlayerGame, node: &RecordedNode) -> String {
    match node.rule {
        Some(rule) => format!(
            "{} {}",
            game.name(node.player.other()),
            game.game().rule(rule).label
        ),
        None => format!("{} to move", game.name(node.player)),
    }
}

/// Describe the number of moves that weren't searched; `None` if there are none.
fn cut(node: &RecordedNode) -> Option<String> {
    (node.cut > 0).then(|| {
        let noun = if node.cut == 1 { "move" } else { "moves" };
        format!("✂ {} {noun}", node.cut)
    })
}

/// Return a line that describes the picture.
fn caption(game: &TwoPlayerGame, tree: &RecordedTree) -> String {
    let mut caption = format!(
        "{} to move, {} ahead: {} positions below the root",
        game.name(tree.nodes[0].player),
        tree.ply,
        tree.n_below_root()
    );
    if tree.by_root {
        let _ = write!(
            caption,
            "; scores are those of {}",
            game.name(tree.nodes[0].player)
        );
    } else {
        caption.push_str("; scores are those of the player to move");
    }
    if let Some(reason) = tree.stopped {
        let _ = write!(caption, "; not all, since {reason}");
    }
    caption
}
