//! Work, counted in steps that are the same on every machine.
//!
//! A choice by the clock would vary with the machine and with its load. So searches are counted by
//! their nodes and tables by their ranks, each worth a number of steps: of about a nanosecond on a
//! usual processor, measured once and then fixed.

use std::time::Duration;

use advisor::{SECOND, Steps};
use heuristics::{Combined, Named};
use pattern_databases::CoordinateTable;
use search::Heuristic;

use budget::amounts::format_seconds;

/// The steps of a node where estimates are sums over values, which don't read the whole state.
const OF_SUMS: Steps = 6.0;
/// Those of a node with any other heuristic with a name.
const OF_NAMED: Steps = 50.0;
/// Those of a node with tables, and for each look-up in one.
const OF_TABLES: Steps = 20.0;
const OF_LOOKUP: Steps = 10.0;

/// The same where ranks are those of pieces, which are found from the places of all of them.
const OF_PIECES: Steps = 60.0;
const OF_PIECES_LOOKUP: Steps = 35.0;
/// The same for a table of coordinates, whose numbers change by tables.
const OF_COORDINATES: Steps = 60.0;
const OF_COORDINATES_LOOKUP: Steps = 20.0;
/// The same where the children of a node are looked up together.
const OF_COORDINATES_TOGETHER: Steps = 30.0;
const OF_COORDINATES_LOOKUP_TOGETHER: Steps = 15.0;
/// Those of a node for each look-up of its dual: few nodes are looked up so, but each takes long.
const OF_DUAL_LOOKUP: Steps = 40.0;
const OF_DUAL_LOOKUP_TOGETHER: Steps = 10.0;
/// The steps of a byte of a table that is read from a file with its checksum, rather than built.
pub(crate) const STEPS_OF_BYTE: Steps = 1.0;
/// The steps to make Cartesian abstractions, whose size is limited.
pub(crate) const STEPS_OF_ABSTRACTIONS: Steps = 0.75 * SECOND;

/// Return the steps of each node of a search.
pub fn steps_of_node(estimate: &Combined) -> Steps {
    if estimate.properties().value_sums.is_some() {
        return OF_SUMS;
    }
    let of_named = |named: &Named| {
        OF_NAMED + named.steps_of_cuts().unwrap_or(0.0) + named.steps_of_abstractions()
    };
    let named = estimate.named().map_or(0.0, of_named);
    let tables = estimate.patterns().map_or(0.0, |patterns| {
        if let Some(table) = patterns.coordinates() {
            let (node, lookup) = if table.has_batches() {
                (OF_COORDINATES_TOGETHER, OF_COORDINATES_LOOKUP_TOGETHER)
            } else {
                (OF_COORDINATES, OF_COORDINATES_LOOKUP)
            };
            let own = node + lookup * table.n_lookups() as f64;
            return if table.has_duals() {
                own + steps_of_duals(table)
            } else {
                own
            };
        }
        let lookups: usize = patterns.sums().iter().map(Vec::len).sum();
        if patterns.are_of_pieces() {
            OF_PIECES + OF_PIECES_LOOKUP * lookups as f64
        } else {
            OF_TABLES + OF_LOOKUP * lookups as f64
        }
    });
    named + tables
}

/// The steps of each node for look-ups of its dual in a table of coordinates.
pub(crate) fn steps_of_duals(table: &CoordinateTable) -> Steps {
    let each = if table.has_batches() {
        OF_DUAL_LOOKUP_TOGETHER
    } else {
        OF_DUAL_LOOKUP
    };
    each * table.n_lookups() as f64
}

/// Steps as a time, for people.
pub(crate) fn format_steps(steps: Steps) -> String {
    format_seconds(Duration::from_secs_f64((steps / SECOND).clamp(0.0, 1e12)))
}
