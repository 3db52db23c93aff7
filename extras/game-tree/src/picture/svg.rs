//! A tree as SVG.

use std::fmt::Write as _;

use super::{ShowPosition, caption, cut, score, window};
use crate::game::TwoPlayerGame;
use crate::search::recorded::RecordedTree;

/// The width of a character, the height of a line, and the distances between nodes, in pixels.
const CHARACTER: f64 = 7.3;
const LINE: f64 = 15.0;
const GAP: f64 = 14.0;
const LEVEL_GAP: f64 = 42.0;
const MARGIN: f64 = 20.0;
const PADDING: f64 = 6.0;

/// Return the horizontal position of each node's middle, and the width.
fn columns(children: &[Vec<usize>], width: f64) -> (Vec<f64>, f64) {
    let mut middles = vec![0.0; children.len()];
    let mut next = MARGIN;
    // Parents come before their children, so their places are computed in the opposite order;
    // leaves get theirs in the order in which they were visited.
    for (place, below) in children.iter().enumerate() {
        if below.is_empty() {
            middles[place] = next + width / 2.0;
            next += width + GAP;
        }
    }
    for (place, below) in children.iter().enumerate().rev() {
        if let (Some(first), Some(last)) = (below.first(), below.last()) {
            middles[place] = f64::midpoint(middles[*first], middles[*last]);
        }
    }
    (middles, next - GAP + MARGIN)
}

/// Write the tree as SVG: each position with its score and window, each edge with its move. The
/// best moves are bold, games that are over have a thick frame, and cut-off moves are listed below
/// in red.
pub fn to_svg(game: &TwoPlayerGame, tree: &RecordedTree, show: &ShowPosition<'_>) -> String {
    let children = tree.children();
    let lines: Vec<Vec<String>> = tree
        .nodes
        .iter()
        .map(|node| {
            let mut lines = show(&node.state);
            lines.push(score(node));
            lines.push(window(node));
            lines
        })
        .collect();
    let characters = lines
        .iter()
        .flatten()
        .map(|line| line.chars().count())
        .max();
    let box_width = characters.unwrap_or(1) as f64 * CHARACTER + 2.0 * PADDING;
    let n_lines = lines.iter().map(Vec::len).max().unwrap_or(1);
    let box_height = n_lines as f64 * LINE + 2.0 * PADDING;
    let (middles, width) = columns(&children, box_width);
    let caption = caption(game, tree);
    let width = width.max(caption.chars().count() as f64 * CHARACTER + 2.0 * MARGIN);
    let depth = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    let level = box_height + LEVEL_GAP;
    let top = |depth: u32| 2.0 * MARGIN + f64::from(depth) * level;
    let height = top(depth) + level;

    let mut svg = String::new();
    let _ = writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="monospace" font-size="12">"#
    );
    let _ = writeln!(svg, r#"<rect width="100%" height="100%" fill="white"/>"#);
    let _ = writeln!(
        svg,
        r#"<text x="{MARGIN}" y="{MARGIN}">{}</text>"#,
        escape(&caption)
    );
    for (place, node) in tree.nodes.iter().enumerate() {
        let (middle, y) = (middles[place], top(node.depth));
        if let (Some(parent), Some(rule)) = (node.parent, node.rule) {
            let (x, from) = (middles[parent], top(node.depth - 1) + box_height);
            let stroke = if node.is_best { 3 } else { 1 };
            let _ = writeln!(
                svg,
                r#"<line x1="{x:.1}" y1="{from:.1}" x2="{middle:.1}" y2="{y:.1}" stroke="gray" stroke-width="{stroke}"/>"#
            );
            let _ = writeln!(
                svg,
                r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle" font-size="10">{}</text>"#,
                y - 4.0,
                escape(&game.game().rule(rule).label)
            );
        }
        let stroke = if node.is_over { 3 } else { 1 };
        let _ = writeln!(
            svg,
            r##"<rect x="{:.1}" y="{y:.1}" width="{box_width:.1}" height="{box_height:.1}" fill="#f6f6f0" stroke="black" stroke-width="{stroke}"/>"##,
            middle - box_width / 2.0
        );
        for (number, line) in lines[place].iter().enumerate() {
            let weight = if number + 2 == lines[place].len() {
                "bold"
            } else {
                "normal"
            };
            let _ = writeln!(
                svg,
                r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle" font-weight="{weight}" xml:space="preserve">{}</text>"#,
                y + PADDING + LINE * (number as f64 + 0.8),
                escape(line)
            );
        }
        if let Some(cut) = cut(node) {
            let _ = writeln!(
                svg,
                r#"<text x="{middle:.1}" y="{:.1}" text-anchor="middle" fill="red">{cut}</text>"#,
                y + box_height + LINE
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
