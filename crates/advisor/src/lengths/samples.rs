//! Searches and analyses for tests.

use std::collections::BTreeMap;

use super::analyzed::{AnalyzedLengths, MOST_STATES};
use super::confidence::Confidence;
use super::forecast::{EarlierSearches, SearchForecast};
use super::potential::Potential;

/// Each length has three times as many words as the one before, of ten times as many
/// compositions.
pub(super) fn known(length: usize) -> AnalyzedLengths {
    let levels = (1..=length as i32).map(|at| (10.0 * 3_f64.powi(at), 3_f64.powi(at)));
    AnalyzedLengths {
        length,
        levels: levels.collect(),
        growth: Some(2.5),
        fall_before: None,
        n_states: 10,
        most_states: MOST_STATES,
        is_open: true,
        is_split: false,
        split_steps: 0.0,
        tried_splits: BTreeMap::new(),
    }
}

/// Return a search without a possible gain up to length 2; greater lengths are unknown.
pub(super) fn forecast(last: u64) -> SearchForecast {
    SearchForecast {
        last_nodes: last,
        nodes_before: last / 4,
        least_growth: 1.0,
        generated: last as f64 / 3.0 * 4.0,
        invested: 0.0,
        moves: 20.0,
        steps_of_node: 10.0,
        n_starts: 1,
        earlier: EarlierSearches::default(),
        potential: Potential::from_counts([1.0, 3.0, 6.0], [1.0, 3.0, 6.0]),
        confidence: Confidence::default(),
    }
}

/// Four sequences of length 3 lead to three states.
pub(super) fn promising(last: u64) -> SearchForecast {
    let counts = [1.0, 3.0, 6.0, 12.0];
    SearchForecast {
        potential: Potential::from_counts(counts, [1.0, 3.0, 6.0, 9.0]),
        ..forecast(last)
    }
}
