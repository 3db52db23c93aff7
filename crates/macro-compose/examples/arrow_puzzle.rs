//! The macro-rule of two rules of the arrow puzzle (Burch & Holte 2011), step by step.

use macro_compose::{compose, compose_traced};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Each rule turns two neighboring arrows; these are two of the twelve.
    let loaded = psvn_ir::load(
        "4  2 2 2 2
         0 0 - - => 1 1 - -  LABEL R1-00
         - 1 0 - => - 0 1 -  LABEL R2-10
         GOAL 1 0 1 1",
    );
    let game = loaded.game.ok_or("the text has errors")?;
    let [first, second] = [0, 1].map(|rule| &game.rules()[rule].canonical);

    let both = compose(first, second)?;
    println!("{}", game.format_rule(&both));
    assert_eq!(game.format_rule(&both), "<0 0 0 x4> -> <1 0 1 x4>");

    // Which of the paper's seven subcases applied at which position?
    println!("{:?}", compose_traced(first, second));

    // R1-00 leaves arrow 1 up, so it can't follow itself.
    assert!(compose(first, first).is_err());
    Ok(())
}
