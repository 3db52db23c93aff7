//! A computation that keeps to its limits.

use budget::{Limits, StopReason, Watch};

/// Count up until a limit stops it.
fn count(watch: &Watch) -> (u64, StopReason) {
    let mut n = 0;
    loop {
        if let Err(reason) = watch.check(n, 0) {
            return (n, reason);
        }
        n += 1;
    }
}

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() {
    let watch = Watch::new(Limits {
        nodes: Some(1_000),
        ..Limits::default()
    });
    let (n, reason) = count(&watch);
    println!("{n} nodes, then {reason}");
    assert_eq!((n, reason), (1_000, StopReason::Nodes));
}
