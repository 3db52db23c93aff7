//! Two ways to do the same work, side by side.

use std::fmt::Debug;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Run two ways to do the same work in turns, and print the ratio of their best times.
///
/// On a machine that is shared or changes its clock speed, figures taken one after the other can't
/// be compared, so the two alternate.
///
/// # Panics
/// When the two results differ.
#[allow(
    clippy::print_stdout,
    reason = "a bench reports on the standard output"
)]
pub(crate) fn compare<T: PartialEq + Debug>(
    what: &str,
    (our_name, mut ours): (&str, impl FnMut() -> T),
    (other_name, mut other): (&str, impl FnMut() -> T),
) {
    const TURNS: usize = 5;
    let mut best = [Duration::MAX; 2];
    for _ in 0..TURNS {
        let started = Instant::now();
        let our_result = black_box(ours());
        best[0] = best[0].min(started.elapsed());
        let started = Instant::now();
        let other_result = black_box(other());
        best[1] = best[1].min(started.elapsed());
        assert_eq!(our_result, other_result, "{what}: the results differ");
    }
    let ratio = best[0].as_secs_f64() / best[1].as_secs_f64();
    println!(
        "{what}: {our_name} {:.2?}, {other_name} {:.2?}, ratio {ratio:.3}",
        best[0], best[1]
    );
}
