//! Puzzles on a board: the pairs of positions that exchange values.

use std::collections::{BTreeMap, BTreeSet};

use psvn_ir::{Rule, RuleId};
use psvn_syntax::Diagnostic;

use crate::subject::{Subject, touched};

/// For each pair of positions that doesn't fit the grid, at least this many must fit.
const EVIDENCE: usize = 3;
/// The most pairs that may be missing or superfluous.
const MOST_ODD: usize = 2;

/// Warn if the pairs of positions that exchange values form a grid, row by row, except for one or
/// two pairs: a move wraps around an edge, or is missing.
pub(crate) fn lint(subject: &Subject<'_>, findings: &mut Vec<Diagnostic>) {
    let n = subject.game.n_variables();
    let mut edges: BTreeMap<(usize, usize), RuleId> = BTreeMap::new();
    for (id, rule) in subject.game.rules_with_ids() {
        match exchanged(rule) {
            Some(pair) => edges.entry(pair).or_insert(id),
            // Not a game of exchanges.
            None => return,
        };
    }
    let mut best: Option<(usize, usize, Odd)> = None;
    // A single row is skipped: with a pair of its ends it is a ring.
    for rows in 2..=n / 2 {
        if !n.is_multiple_of(rows) {
            continue;
        }
        let columns = n / rows;
        let odd = compare(&edges, rows, columns);
        if best
            .as_ref()
            .is_none_or(|(_, _, other)| odd.len() < other.len())
        {
            best = Some((rows, columns, odd));
        }
    }
    let Some((rows, columns, odd)) = best else {
        return;
    };
    let n_regular = edges.len() - odd.extra.len();
    if odd.len() == 0 || odd.len() > MOST_ODD || n_regular < EVIDENCE * odd.len() {
        return;
    }
    let board = format!("a {rows} by {columns} board");
    let place = |position: usize| {
        format!(
            "position {} (row {}, column {})",
            position + 1,
            position / columns + 1,
            position % columns + 1
        )
    };
    for pair in &odd.extra {
        findings.push(
            subject
                .warn_at(
                    edges[pair],
                    "irregular-grid",
                    format!(
                        "{} exchanges {} and {}, which aren't neighbors on {board}",
                        subject.title(edges[pair]),
                        place(pair.0),
                        place(pair.1)
                    ),
                    "all other moves are between neighbors",
                )
                .hint("a move may wrap around an edge of the board, or a position may be wrong"),
        );
    }
    for pair in &odd.missing {
        findings.push(
            Diagnostic::warning(
                "irregular-grid",
                format!(
                    "no rule exchanges {} and {}, as the rules do with all other neighbors on {board}",
                    place(pair.0),
                    place(pair.1)
                ),
            )
            .hint("a rule may be missing or wrong"),
        );
    }
}

/// The two positions that a rule exchanges the values of, if it only does that.
fn exchanged(rule: &Rule) -> Option<(usize, usize)> {
    let (p, a) = (rule.canonical.preconditions(), rule.canonical.actions());
    let touched = touched(rule);
    let mut positions = (0..touched.len()).filter(|i| touched[*i]);
    let (one, other) = (positions.next()?, positions.next()?);
    let exchange = p[one] == a[other] && p[other] == a[one];
    (exchange && positions.next().is_none()).then_some((one, other))
}

/// The differences between the pairs and the neighbors on a board.
struct Odd {
    missing: Vec<(usize, usize)>,
    extra: Vec<(usize, usize)>,
}

impl Odd {
    fn len(&self) -> usize {
        self.missing.len() + self.extra.len()
    }
}

fn compare(edges: &BTreeMap<(usize, usize), RuleId>, rows: usize, columns: usize) -> Odd {
    let mut neighbors: BTreeSet<(usize, usize)> = BTreeSet::new();
    for position in 0..rows * columns {
        if position % columns + 1 < columns {
            neighbors.insert((position, position + 1));
        }
        if position / columns + 1 < rows {
            neighbors.insert((position, position + columns));
        }
    }
    Odd {
        missing: neighbors
            .iter()
            .filter(|pair| !edges.contains_key(pair))
            .copied()
            .collect(),
        extra: edges
            .keys()
            .filter(|pair| !neighbors.contains(pair))
            .copied()
            .collect(),
    }
}
