//! Finds invariants of a puzzle from its rules.

use invariants::Invariants;

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two tiles and a gap in a row.
    let loaded = psvn_ir::load(
        "3  3 3 3
         0 A - => A 0 -   A 0 - => 0 A -
         - 0 A => - A 0   - A 0 => - 0 A
         GOAL 0 1 2",
    );
    let game = loaded.game.ok_or("the text has errors")?;
    let invariants = Invariants::from_goals(&game);
    for line in invariants.to_lines(&game) {
        println!("{line}");
    }
    assert_eq!(invariants.counts().len(), 3);

    let two_gaps = game.parse_state("0 0 2")?;
    assert!(invariants.check_state(&game, &two_gaps).is_err());
    Ok(())
}
