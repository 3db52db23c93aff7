//! Explorations in words.

use explore::{ExploreError, FileError, StoredAs};

use crate::error::Error;

/// Return the name and the description of a storage of some processes with some threads each.
pub(super) fn storage_in_words(
    stored_as: &StoredAs,
    processes: usize,
    threads: usize,
) -> (&'static str, String) {
    match stored_as {
        StoredAs::Ranks {
            ranks,
            ranking,
            layers_before,
        } => {
            let from = match layers_before {
                0 => String::new(),
                n => format!("; up to distance {} in memory", n - 1),
            };
            (
                "ranked",
                format!("two bits for each of {ranks} ranks ({ranking}){from}"),
            )
        }
        StoredAs::Packed {
            bytes_of_state,
            forgets,
            symmetries,
        } => {
            let (kept, one_for) = (kept(*forgets), one_for(*symmetries));
            (
                "memory",
                format!("{bytes_of_state} bytes a state in memory{one_for}; {kept}"),
            )
        }
        StoredAs::Disk {
            forgets,
            symmetries,
            ranking,
            ..
        } => {
            let stored = in_files(ranking.as_deref());
            let (kept, one_for) = (kept(*forgets), one_for(*symmetries));
            (
                "disk",
                format!("differences of {stored} in sorted files{one_for}; {kept}"),
            )
        }
        StoredAs::Cluster {
            forgets, ranking, ..
        } => (
            "cluster",
            format!(
                "differences of {} in sorted files of {processes} {} of {threads} {}; {}",
                in_files(ranking.as_deref()),
                plural(processes, "process", "processes"),
                plural(threads, "thread", "threads"),
                kept(*forgets),
            ),
        ),
        _ => ("other", String::new()),
    }
}

/// Return what files hold.
fn in_files(ranking: Option<&str>) -> String {
    match ranking {
        Some(ranking) => format!("ranks ({ranking})"),
        None => "states".to_owned(),
    }
}

fn one_for(symmetries: usize) -> String {
    match symmetries {
        1 => String::new(),
        n => format!(", one for all its images under {n} symmetries"),
    }
}

fn plural<'w>(n: usize, one: &'w str, several: &'w str) -> &'w str {
    if n == 1 { one } else { several }
}

/// Return which layers are kept.
fn kept(forgets: bool) -> &'static str {
    if forgets {
        "the last layers are kept, since each move can be undone"
    } else {
        "all states are kept, since some move can't be undone"
    }
}

/// Return the error that an exploration fails, with a hint.
pub(super) fn explained(error: ExploreError) -> Error {
    let message = error.to_string();
    match &error {
        ExploreError::NoGoal => Error::input(message).with_hint("give a start state"),
        ExploreError::TooManyGoals(_) => Error::limit(message)
            .with_hint("give a start state, or explore by rank where the game allows it"),
        ExploreError::TooWide(_) | ExploreError::TooManySymmetries(_) => Error::limit(message),
        ExploreError::RankedSymmetries => {
            Error::usage(message).with_hint("store packed states, in memory or on a disk")
        }
        ExploreError::GoalsNotCounted => {
            Error::usage(message).with_hint("give a start, and no other storage than memory")
        }
        ExploreError::NotRanked(_) => {
            Error::limit(message).with_hint("store packed states, in memory or on a disk")
        }
        ExploreError::OtherExploration { .. } | ExploreError::Files(FileError::Damaged { .. }) => {
            Error::input(message).with_hint("use another folder, or remove this one")
        }
        _ => Error::input(message),
    }
}
