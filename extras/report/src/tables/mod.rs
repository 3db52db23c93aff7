//! Which tables there are.

mod analyses;
pub(crate) mod cells;
mod costs;
mod coverage;
pub(crate) mod laws;
mod levels;
mod methods;
pub(crate) mod published;
mod steps;
mod summary;
mod totals;

use crate::stats::Group;

pub(crate) use analyses::analyses;
use analyses::is_analysis;
pub(crate) use cells::cells;
pub(crate) use costs::{COSTS, costs, costs_of};
pub(crate) use coverage::{coverage, finished, is_search, searches};
pub(crate) use levels::{level_caption, level_words, levels, lower, mean_levels};
pub(crate) use methods::methods;
pub(crate) use steps::{by_steps, kept, kept_or_generated, steps_of};
pub(crate) use summary::summary;
pub(crate) use totals::{SHORT, Totals};

/// The definition of generated nodes, for captions.
const NODES: &str = "Generated nodes of depth-first searches and of trees include nodes that are counted without \
     being made one by one: leaves at the bound, and plies at which all rules apply. Nodes per second are \
     these counts divided by the time.";

/// The groups of each domain whose methods have the same command.
pub(crate) fn comparable<'g, 'a>(groups: &'g [Group<'a>]) -> Vec<(&'a str, Vec<&'g Group<'a>>)> {
    let mut found: Vec<(&str, Vec<&Group<'_>>)> = Vec::new();
    for group in groups {
        let same = found.iter_mut().find(|(domain, others)| {
            *domain == group.domain && others.iter().any(|other| other.command == group.command)
        });
        match same {
            Some((_, others)) => others.push(group),
            None => found.push((group.domain, vec![group])),
        }
    }
    found
}

/// The domains, in order.
pub(crate) fn domains<'a>(groups: &[Group<'a>]) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for group in groups {
        if !names.contains(&group.domain) {
            names.push(group.domain);
        }
    }
    names
}
