//! Tokens that look alike.

/// The tokens of `n_places` places, numbered from 0: runs of equal ones, of about the same length,
/// in ascending order.
pub(super) fn in_runs(n_places: usize, n_tokens: usize) -> impl Iterator<Item = usize> {
    (0..n_places).map(move |place| place * n_tokens / n_places)
}
