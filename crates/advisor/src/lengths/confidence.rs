//! How far analyses are expected to find what could be gained.

use super::analyzed::AnalyzedLengths;
use super::potential::Potential;

/// The part of the possible gain that analyses are expected to find, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Confidence {
    /// By longer sequences.
    pub(super) longer: f64,
    /// By splits.
    pub(super) splits: f64,
}

impl Default for Confidence {
    /// The confidence before the first analysis. These are priors that the first analysis replaces:
    /// longer sequences rarely find less, and the choice of splits is heuristic.
    fn default() -> Self {
        Self {
            longer: 0.8,
            splits: 0.5,
        }
    }
}

impl Confidence {
    /// The confidence that remains after an analysis that gained nothing: later ones are still
    /// tried, for ten times the prospect.
    pub(super) const LEAST: f64 = 0.1;

    /// Update it after an analysis, by the possible gain before and after it.
    pub fn learn(
        &mut self,
        (before, known): (&Potential, &AnalyzedLengths),
        (after, found): (&Potential, &AnalyzedLengths),
    ) {
        let length = found.length;
        let gained = before.excess(length) - after.excess(length);
        let part = |of: f64, before: f64| {
            if of > 0.0 {
                (gained / of + Self::LEAST).clamp(Self::LEAST, 1.0)
            } else {
                // Nothing was to be gained as far as was counted.
                before
            }
        };
        if found.is_split {
            self.splits = part(before.excess(length), self.splits);
        } else {
            if found.tried_splits.get(&length) > known.tried_splits.get(&length) {
                // More steps may find what fewer didn't.
                self.splits = if found.has_tried_all() {
                    Self::LEAST
                } else {
                    (self.splits / 2.0).max(Self::LEAST)
                };
            }
            if length > known.length {
                let counted = part(
                    before.excess(length) - before.excess(known.length),
                    self.longer,
                );
                let by_growth = known.fall_to(found, before).map(|fall| {
                    let of_move = before.excess_of_move(known.length, length);
                    if of_move > 0.0 {
                        (fall / of_move).clamp(Self::LEAST, 1.0)
                    } else {
                        1.0
                    }
                });
                // There may be more to gain near these states than elsewhere.
                self.longer = by_growth.map_or(counted, |it| it.min(counted));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lengths::samples::{known, promising};

    #[test]
    fn an_analysis_shows_how_far_to_trust_the_next_one() {
        let (before, half) = (promising(1).potential, {
            let left = 12.0 * 0.75_f64.sqrt();
            Potential::from_counts([1.0, 3.0, 6.0, left], [1.0, 3.0, 6.0, 9.0])
        });
        let mut confidence = Confidence::default();
        confidence.learn((&before, &known(2)), (&half, &known(3)));
        assert!((confidence.longer - 0.6).abs() < 1e-9, "{confidence:?}");
        assert_eq!(confidence.splits, Confidence::default().splits);
        confidence.learn((&before, &known(2)), (&before, &known(3)));
        assert_eq!(confidence.longer, Confidence::LEAST);
        let in_vain = known(3).with_tried(None, 3, Some(1 << 20));
        confidence.learn((&half, &known(3)), (&half, &in_vain));
        assert_eq!(confidence.splits, Confidence::LEAST);
    }
}
