//! Duals of coordinates: whether looking them up pays.
//!
//! A table of coordinates gives the estimates of duals slowly before anything more is built. So
//! what they would say is known exactly, and what remains to be weighed is the work of building and
//! of the look-ups.

use budget::Progress;
use heuristics::Combined;
use heuristics::tables::{Candidate, ends_of_long_walks};
use pattern_databases::BuildError;

use super::next::Rest;
use super::work::{self, SECOND, STEPS_OF_BYTE, Steps};
use super::{Best, Choice, Considered, Fate, StopReason, how_far, options};

/// Look-ups of duals that the best table can have.
#[derive(Clone)]
pub(super) struct DualsOfBest {
    /// The table with them.
    with: Candidate,
    /// The nodes with them, for each node without.
    nodes: f64,
    /// The steps of a node with them.
    of_node: Steps,
    /// The work to build or read what they need, and that together with the table's.
    pub(super) work: Steps,
    work_with_table: Steps,
}

impl Choice<'_> {
    /// Find what duals would say beside a table of coordinates that was just built, if they fit the
    /// memory. `work` was that of the table.
    pub(super) fn duals_of(
        &self,
        tables: &Candidate,
        work: Steps,
        estimate: &Combined,
    ) -> Option<DualsOfBest> {
        let request = self.request;
        let table = estimate.patterns()?.coordinates()?;
        let options = self.options(None);
        let with = tables.with_duals(request.game, &options)?;
        if with.peak_bytes() > request.memory() as u128 {
            return None;
        }
        let building = (with.work() - tables.work()) as f64;
        let reading = (with.bytes() - tables.bytes()) as f64 * STEPS_OF_BYTE;
        let of_duals = if with.is_kept(request.game, &options) {
            building.min(reading)
        } else {
            building
        };
        let pairs = ends_of_long_walks(&self.scale.samples).map(|state| {
            let own = estimate.of_state(state);
            (own, own.max(table.of_dual_by_path(state)))
        });
        Some(DualsOfBest {
            nodes: self.forecast.nodes_of_pairs(pairs)?,
            of_node: work::of_node(estimate) + work::of_duals(table),
            work: of_duals,
            work_with_table: work + of_duals,
            with,
        })
    }

    /// The steps of a search with duals, for each step of the search without.
    fn ratio_with_duals(&self, duals: &DualsOfBest) -> f64 {
        duals.nodes * self.ratio(self.best.score, duals.of_node)
    }

    /// What duals would add to the best table, if a search with them takes less work.
    pub(super) fn useful_duals(&self) -> Option<&DualsOfBest> {
        let duals = self.best.duals.as_ref();
        duals.filter(|duals| self.ratio_with_duals(duals) < 1.0)
    }

    /// The work to build what duals of the best table need, and of the rest of the search with
    /// them; `None` if the former is more than `affordable`.
    pub(super) fn total_with_duals(&self, rest: Rest, affordable: Steps) -> Option<Steps> {
        let duals = self.useful_duals()?;
        (duals.work <= affordable).then(|| duals.work + rest.steps * self.ratio_with_duals(duals))
    }

    /// The row of duals among the choices that were compared; `search` gives the seconds of a
    /// search by the mean estimate and the steps of a node.
    pub(super) fn row_of_duals(&self, search: impl Fn(f64, Steps) -> f64) -> Option<Considered> {
        let best = &self.best;
        let row = |with: &Candidate, work, score, of_node, fate| Considered {
            heuristic: with.words().to_owned(),
            bytes: u64::try_from(with.bytes()).unwrap_or(u64::MAX),
            build_seconds: work / SECOND,
            search_seconds: search(score, of_node),
            fate,
        };
        if let Some(duals) = &best.duals {
            let score = best.score + self.forecast.more(1.0 / duals.nodes);
            let work = duals.work_with_table;
            return Some(row(&duals.with, work, score, duals.of_node, Fate::NotBuilt));
        }
        let with = best.tables.as_ref().filter(|tables| tables.has_duals())?;
        // Kept tables that are named with duals have a row of their own.
        let work = self.work_with_duals;
        (work > 0.0).then(|| row(with, work, best.score, best.of_node, Fate::Chosen))
    }

    /// Look up duals in the best table from now on. If there is nothing more to do, return why.
    pub(super) fn add_duals(&mut self, rest: Rest) -> Option<String> {
        let duals = self.best.duals.take()?;
        let request = self.request;
        let words = duals.with.words().to_owned();
        let work = work::in_words(duals.work);
        self.tell(|| format!("building what {words} needs, which takes {work}"));
        let ratio = self.ratio_with_duals(&duals);
        let added = {
            let shown = request.env.begin();
            shown.show(|| format!("preparing {words}"), None);
            let progress = |progress: &Progress| shown.show(|| how_far(progress, &words), None);
            let options = options(request, self.deadline, &self.store, Some(&progress));
            let estimate = &mut self.best.estimate;
            let add = || estimate.add_duals_of_coordinates(request.game, &options, &words);
            request.env.install(add)
        };
        self.spent += duals.work;
        match added {
            Ok(true) => {
                let best: &mut Best = &mut self.best;
                best.score = self.scale.score_and_note(&best.estimate);
                best.of_node = work::of_node(&best.estimate);
                best.tables = Some(duals.with);
                best.tried = None;
                best.progress = Vec::new();
                best.expected = rest.steps * ratio;
                self.work_with_duals = duals.work_with_table;
                None
            }
            Err(BuildError::Stopped(StopReason::Time)) => {
                Some("the time for choosing is over".to_owned())
            }
            Err(BuildError::Stopped(_)) => Some("the choice was interrupted".to_owned()),
            // The table stays as it is.
            Ok(false) | Err(_) => None,
        }
    }
}
