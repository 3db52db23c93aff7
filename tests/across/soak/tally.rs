//! What a soak run tried.

use std::collections::BTreeMap;

/// The searches that a run made, and the answers that it judged, by kind.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) games: usize,
    /// Explorations by rank that weren't refused.
    pub(super) ranked: usize,
    /// By algorithm and outcome.
    answers: BTreeMap<(String, String), usize>,
    /// Requests that were refused, by the kind of the error.
    refused: BTreeMap<String, usize>,
}

impl Tally {
    pub(super) fn answered(&mut self, what: &str, outcome: &str) {
        *self
            .answers
            .entry((what.to_owned(), outcome.to_owned()))
            .or_default() += 1;
    }

    pub(super) fn refused(&mut self, kind: impl std::fmt::Debug) {
        *self.refused.entry(format!("{kind:?}")).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.ranked += other.ranked;
        for (key, n) in other.answers {
            *self.answers.entry(key).or_default() += n;
        }
        for (key, n) in other.refused {
            *self.refused.entry(key).or_default() += n;
        }
    }

    /// The number of searches that were judged.
    pub(super) fn searches(&self) -> usize {
        self.answers.values().sum()
    }

    /// The number of answers with an outcome.
    pub(super) fn with_outcome(&self, wanted: &str) -> usize {
        let with = self.answers.iter().filter(|((_, it), _)| it == wanted);
        with.map(|(_, n)| n).sum()
    }

    /// The names under which searches were counted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.answers.keys().map(|(name, _)| &**name).collect();
        names.dedup();
        names.into_iter()
    }

    pub(super) fn print(&self) {
        let (games, searches) = (self.games, self.searches());
        println!(
            "{games} games, {searches} searches, refused: {:?}",
            self.refused
        );
        for ((what, outcome), n) in &self.answers {
            println!("{what:<28} {outcome:<18} {n:>9}");
        }
    }
}
