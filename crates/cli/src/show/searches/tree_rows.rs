//! The rows of a table of a tree.

use psvn::solve::{TreeColumn, TreeReport};

/// The maximum number of rows without counts in a table that a limit cut short.
const MAX_EMPTY_ROWS: u64 = 1000;

/// The counts at a depth, one for each column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// The depth.
    pub(super) depth: usize,
    /// The counts.
    pub(super) cells: Vec<Cell>,
}

/// The nodes of a column at a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// The number of nodes, where the count is complete.
    pub(super) nodes: Option<u128>,
    /// The factor to the number one depth above.
    pub(super) growth: Option<f64>,
}

/// Return the number of depths that some column counts.
fn n_depths(report: &TreeReport) -> usize {
    let lengths = report.columns.iter().map(|column| column.nodes.len());
    lengths.max().unwrap_or(0)
}

/// Return the counts by depth, down to the end of all trees.
pub(super) fn rows(report: &TreeReport) -> Vec<Row> {
    let nodes = |column: &TreeColumn, depth: usize| column.nodes.get(depth).map(|n| n.0);
    let is_empty = |depth: usize| {
        let mut counts = report.columns.iter().map(|column| nodes(column, depth));
        counts.all(|count| count == Some(0))
    };
    let cell = |column: &TreeColumn, depth: usize| {
        let count = nodes(column, depth);
        let above = depth.checked_sub(1).and_then(|above| nodes(column, above));
        let growth = match (above.filter(|n| *n > 0), count) {
            (Some(above), Some(n)) => Some(n as f64 / above as f64),
            _ => None,
        };
        Cell {
            nodes: count,
            growth,
        }
    };
    (0..n_depths(report))
        .take_while(|depth| *depth == 0 || !is_empty(depth - 1))
        .map(|depth| Row {
            depth,
            cells: report.columns.iter().map(|it| cell(it, depth)).collect(),
        })
        .collect()
}

/// Return the requested depths that no column counts because of a limit, such as `7..12`.
pub(super) fn uncounted(report: &TreeReport) -> Option<String> {
    let next = n_depths(report) as u64;
    if report.columns.iter().any(|column| column.complete) {
        return None;
    }
    match report.depth {
        None => Some(format!("{next}..")),
        Some(last) if last < next => None,
        Some(last) if last == next => Some(last.to_string()),
        Some(last) => Some(format!("{next}..{last}")),
    }
}

/// Return the number of rows of a table that includes depths without counts.
pub(super) fn n_rows_with_uncounted(report: &TreeReport) -> usize {
    let is_short = !report.complete && !report.columns.is_empty();
    let asked = report.depth.filter(|_| is_short);
    let n_asked = asked.map_or(0, |depth| depth.saturating_add(1).min(MAX_EMPTY_ROWS));
    n_depths(report).max(n_asked as usize)
}

#[cfg(test)]
mod tests {
    use psvn::solve::{TreeRequest, goal_state};
    use psvn::{Environment, Game, Limits};

    use super::*;

    fn report(reference: &str, request: &TreeRequest) -> TreeReport {
        let env = Environment::default();
        let game = Game::built_in(reference, &env).expect("a built-in game");
        let start = goal_state(&game).expect("a goal");
        TreeReport::count(&game, &start, request, &env).expect("a small tree")
    }

    #[test]
    fn rows_say_how_the_tree_grows() {
        let lengths = vec![0];
        let request = TreeRequest {
            lengths,
            ..TreeRequest::to_depth(2)
        };
        let report = report("topspin:14:3", &request);
        let cells: Vec<Cell> = rows(&report).iter().map(|row| row.cells[0]).collect();
        let cell = |nodes, growth| Cell {
            nodes: Some(nodes),
            growth,
        };
        let expected = [cell(1, None), cell(14, Some(14.0)), cell(196, Some(14.0))];
        assert_eq!(cells, expected);
        assert_eq!(
            (uncounted(&report), n_rows_with_uncounted(&report)),
            (None, 3)
        );
    }

    #[test]
    fn depths_behind_a_limit_are_named() {
        let request = TreeRequest {
            lengths: vec![0],
            limits: Limits {
                nodes: Some(100),
                ..Limits::default()
            },
            ..TreeRequest::to_depth(6)
        };
        let report = report("topspin:14:3", &request);
        assert_eq!(uncounted(&report).as_deref(), Some("2..6"));
        assert_eq!(n_rows_with_uncounted(&report), 7);
    }
}
