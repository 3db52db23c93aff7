//! Duals of coordinates: whether looking them up pays.
//!
//! A table of coordinates gives the estimates of duals slowly before anything more is built. So
//! what they would say is known exactly, and what remains to be weighed is the work of building and
//! of the look-ups.

use advisor::{Quality, SECOND, Steps};
use budget::Progress;
use heuristics::Combined;
use heuristics::tables::{Candidate, ends_of_long_walks};

use crate::auto::considered::{CandidateDecision, Considered};
use crate::auto::selection::{Incumbent, Selection, end_after, options};
use crate::auto::steps::{STEPS_OF_BYTE, format_steps, steps_of_duals, steps_of_node};
use crate::specified::how_far;
use host::HostExt;

/// Look-ups of duals that the incumbent's table can have.
#[derive(Clone)]
pub(crate) struct DualsOfIncumbent {
    /// The table with them.
    with: Candidate,
    /// The nodes with them, for each node without.
    nodes: f64,
    /// The steps of a node with them.
    steps_of_node: Steps,
    /// The work to build or read what they need.
    pub(crate) price: Steps,
    /// The same together with the table's.
    price_with_table: Steps,
}

impl Selection<'_> {
    /// Find what duals would say beside a table of coordinates that was just built, if they fit the
    /// memory. `price` was that of the table.
    pub(crate) fn duals_of(
        &self,
        tables: &Candidate,
        price: Steps,
        estimate: &Combined,
    ) -> Option<DualsOfIncumbent> {
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
        let pairs = ends_of_long_walks(&self.samples.states).map(|state| {
            let own = estimate.of_state(state);
            (own, own.max(table.of_dual_by_path(state)))
        });
        Some(DualsOfIncumbent {
            nodes: self.growth.nodes_of_pairs(pairs)?,
            steps_of_node: steps_of_node(estimate) + steps_of_duals(table),
            price: of_duals,
            price_with_table: price + of_duals,
            with,
        })
    }

    /// The steps of a search with duals, for each step of the search without.
    pub(crate) fn ratio_with_duals(&self, duals: &DualsOfIncumbent) -> f64 {
        duals.nodes
            * self.ratio(Quality {
                estimate: self.incumbent.score,
                steps_of_node: duals.steps_of_node,
            })
    }

    /// The row of duals among the heuristics that were compared; `search` gives the seconds of a
    /// search by its quality.
    pub(crate) fn row_of_duals(&self, search: impl Fn(Quality) -> f64) -> Option<Considered> {
        let best = &self.incumbent;
        let row = |with: &Candidate, price, quality, fate| Considered {
            heuristic: with.words().to_owned(),
            bytes: u64::try_from(with.bytes()).unwrap_or(u64::MAX),
            build_seconds: price / SECOND,
            search_seconds: search(quality),
            fate,
        };
        if let Some(duals) = &best.duals {
            let quality = Quality {
                estimate: best.score + self.growth.difference(1.0 / duals.nodes),
                steps_of_node: duals.steps_of_node,
            };
            let price = duals.price_with_table;
            return Some(row(
                &duals.with,
                price,
                quality,
                CandidateDecision::NotBuilt,
            ));
        }
        let with = best.tables.as_ref().filter(|tables| tables.has_duals())?;
        // Kept tables that are named with duals have a row of their own.
        let price = self.work_with_duals;
        (price > 0.0).then(|| row(with, price, best.quality(), CandidateDecision::Chosen))
    }

    /// Look up duals in the incumbent's table from now on.
    pub(crate) fn add_duals(&mut self) -> Result<(), &'static str> {
        let remaining = self.remaining().steps;
        let Some(duals) = self.incumbent.duals.take() else {
            return Ok(());
        };
        let request = self.request;
        let words = duals.with.words().to_owned();
        let takes = format_steps(duals.price);
        request
            .host
            .step(&|| format!("building what {words} needs, which takes {takes}"));
        let expected = remaining * self.ratio_with_duals(&duals);
        let added = {
            let shown = request.host.begin();
            shown.show(&|| format!("preparing {words}"), None);
            let progress = |progress: &Progress| shown.show(&|| how_far(progress, &words), None);
            let options = options(request, self.deadline, &self.store, Some(&progress));
            let estimate = &mut self.incumbent.estimate;
            let add = || estimate.add_duals_of_coordinates(request.game, &options, &words);
            request.host.compute(add)
        };
        self.spent += duals.price;
        match added {
            Ok(true) => {
                let best: &mut Incumbent = &mut self.incumbent;
                best.score = self.samples.score_and_note(&best.estimate);
                best.steps_of_node = steps_of_node(&best.estimate);
                best.tables = Some(duals.with);
                best.tried = None;
                best.progress = Vec::new();
                best.expected = expected;
                self.work_with_duals = duals.price_with_table;
                Ok(())
            }
            // The table stays as it is.
            Ok(false) => Ok(()),
            Err(error) => end_after(&error).map_or(Ok(()), Err),
        }
    }
}
