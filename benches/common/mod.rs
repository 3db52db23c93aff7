//! Settings that all benches share.

use std::time::Duration;

use criterion::Criterion;

/// Few and short samples: the figures give orders of magnitude and ratios, and the whole set of
/// benches ends within minutes.
pub(crate) fn short() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .without_plots()
        .configure_from_args()
}
