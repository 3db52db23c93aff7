//! What the advisor sees of searches by IDA*: their iterations, as numbers.

use advisor::{Deepening, Iteration, SearchedWithTable, WithTable};
use search::{Part, SolveReport};

/// Return the figures of finished iterations.
pub fn iterations_of(finished: &[search::Iteration]) -> Vec<Iteration> {
    let figures = |it: &search::Iteration| Iteration {
        bound: it.bound,
        nodes: it.generated,
    };
    finished.iter().map(figures).collect()
}

/// Return the expected nodes of the iteration after the finished ones; 0 where nothing is known.
pub fn next_nodes(finished: &[search::Iteration], next: Option<u64>) -> f64 {
    let finished = iterations_of(finished);
    let between = Deepening {
        finished: &finished,
        next,
    };
    between.next_nodes()
}

/// Return the part of a search that is one iteration alone.
pub fn only(with_table: &WithTable) -> Part {
    Part {
        first_bound: with_table.bound,
        last_generated: 0,
        pause_above: 0,
    }
}

/// Return the figures of an iteration that was searched with a transposition table.
pub fn searched_with_table(report: &SolveReport) -> SearchedWithTable {
    let finished = iterations_of(&report.iterations).pop();
    SearchedWithTable {
        nodes: u64::try_from(report.totals.generated).unwrap_or(u64::MAX),
        finished: finished.filter(|_| report.next_bound.is_some()),
    }
}
