//! The heuristics that a selection compared, each with its expected work.

use advisor::{Candidate, Family, Quality, SECOND};
use heuristics::Combined;

use crate::auto::considered::{CandidateDecision, Considered};
use crate::auto::purchase::Purchase;
use crate::auto::selection::Selection;
use crate::auto::steps::steps_of_node;

impl Selection<'_> {
    /// The heuristics that were compared, each with its expected work. `without` is the mean
    /// estimate of the one without tables.
    pub(crate) fn considered(&self, without: f64) -> Vec<Considered> {
        // The whole search, as far as it is known.
        let all = match self.incumbent.tried {
            Some(tried) if tried.is_complete() => tried.all(),
            _ => self.remaining().steps,
        };
        let search = |quality: Quality| all * self.ratio(quality) / SECOND;
        let mut rows = vec![Considered {
            heuristic: self.cheap.to_string(),
            bytes: 0,
            build_seconds: 0.0,
            search_seconds: search(Quality {
                estimate: without,
                steps_of_node: steps_of_node(&Combined::from(self.cheap.clone())),
            }),
            fate: if self.incumbent.tables.is_some() || self.incumbent.is(&Purchase::Abstractions) {
                CandidateDecision::Tried
            } else {
                CandidateDecision::Chosen
            },
        }];
        for (offered, quality, fate) in self.families.iter().flat_map(|it| self.rows_of(it)) {
            let bytes = match &offered.option {
                Purchase::Tables { candidate, .. } => candidate.bytes(),
                Purchase::Abstractions => 0,
            };
            let row = Considered {
                heuristic: offered.option.words().to_owned(),
                bytes: u64::try_from(bytes).unwrap_or(u64::MAX),
                build_seconds: offered.price / SECOND,
                search_seconds: search(quality),
                fate,
            };
            // Several families may begin with the same tables.
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        rows.extend(self.row_of_duals(search));
        rows
    }

    /// The members of a family that were built, and the next one.
    fn rows_of<'f>(
        &self,
        family: &'f Family<Purchase>,
    ) -> Vec<(&'f Candidate<Purchase>, Quality, CandidateDecision)> {
        let built = family.bought().iter().map(|built| {
            let offered = &family.candidates()[built.member];
            let is_kept = matches!(offered.option, Purchase::Tables { is_kept: true, .. });
            let fate = if self.incumbent.is(&offered.option) {
                CandidateDecision::Chosen
            } else if is_kept {
                CandidateDecision::Read
            } else {
                CandidateDecision::Tried
            };
            (offered, built.quality, fate)
        });
        let next = family.left().next().and_then(|member| {
            let quality = family.expected(member, self.growth)?;
            Some((
                &family.candidates()[member],
                quality,
                CandidateDecision::NotBuilt,
            ))
        });
        built.chain(next).collect()
    }
}
