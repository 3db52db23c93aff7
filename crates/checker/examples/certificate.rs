//! Proves a certificate, and rejects its reverse.

use checker::{Certificate, Order, check_words};
use psvn_ir::RuleId;

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two switches that don't disturb each other.
    let loaded = psvn_ir::load(
        "2  2 2
         0 - => 1 -  LABEL left
         - 0 => - 1  LABEL right
         GOAL 1 1",
    );
    let game = loaded.game.ok_or("the text has errors")?;
    let (left, right) = (RuleId(0), RuleId(1));
    let check = |word: &[RuleId], replacement: &[RuleId]| {
        let certificate = Certificate { word, replacement };
        check_words(&game, [certificate], Order::LengthLexicographic)
    };
    // "right left" can be replaced by "left right", which comes earlier.
    assert_eq!(check(&[right, left], &[left, right]), Ok(1));
    // The reverse claim fails: one of two sequences has to stay.
    let failure = check(&[left, right], &[right, left]);
    println!("{failure:?}");
    assert!(failure.is_err());
    Ok(())
}
