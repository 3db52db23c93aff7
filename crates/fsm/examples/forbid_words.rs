//! A machine that forbids two words, and how fast the number of the others grows.

use fsm::{Machine, WordAutomaton, growth, minimize};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Letters 0, 1 and 2. Forbidden: 0 twice in a row, and 1 before 0.
    let machine = WordAutomaton::forbidding(3, [[0, 0], [1, 0]])?.build()?;
    let small = minimize(&machine)?;
    println!(
        "{} states, {} after minimization",
        machine.n_states(),
        small.n_states()
    );

    let after_1 = small.next(small.start(), 1).ok_or("1 is allowed")?;
    assert!(small.next(after_1, 0).is_none());
    assert!(small.next(after_1, 2).is_some());

    let factor = growth(&small).value();
    println!("{factor:.3} times as many words of each length as of the one before");
    assert!(2.0 < factor && factor < 3.0);
    Ok(())
}
