//! The order of look-ups.

use psvn_ir::random::SplitMix64;

use crate::database::PatternDatabase;

/// The number of entries that are read to estimate a table's mean.
const SAMPLED: usize = 1 << 12;

/// Return the numbers of the sums, those with the larger mean estimates first.
pub(super) fn by_estimates(sums: &[Vec<PatternDatabase>]) -> Vec<usize> {
    let means = sums.iter().map(|sum| sum.iter().map(mean).sum::<f64>());
    let means: Vec<f64> = means.collect();
    let mut numbers: Vec<usize> = (0..sums.len()).collect();
    numbers.sort_by(|one, other| means[*other].total_cmp(&means[*one]));
    numbers
}

/// Estimate the mean of a table: the mean of some of its entries.
fn mean(table: &PatternDatabase) -> f64 {
    let mut random = SplitMix64::new(1);
    let (mut sum, mut states) = (0.0, 0.0);
    for _ in 0..SAMPLED {
        let rank = random.next_u64() % table.n_entries().max(1);
        if let Some(entry) = table.table.get(rank) {
            let weight = table.ranking.n_states(rank) as f64;
            sum += (entry * table.unit) as f64 * weight;
            states += weight;
        }
    }
    if states > 0.0 { sum / states } else { 0.0 }
}
