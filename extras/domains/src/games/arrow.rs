//! The N-arrow puzzle.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "arrow",
    usage: "arrow N",
    summary: "N arrows in a row, up or down; move i flips arrows i and i+1 (4(N-1) rules)",
    options: &[],
    example: "arrow 16",
    build,
};

/// Rules move by move, and within each move by the values tested: 00, 01, 10, 11 (Burch & Holte
/// 2011, Table 2).
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_arrows = args.number("N", 2..=10_000)?;
    args.finish()?;
    args.check_size(n_arrows, 4 * (n_arrows - 1))?;

    let mut game = Game::new([
        format!("The {n_arrows}-arrow puzzle"),
        "A row of arrows, each pointing up (1) or down (0). Move i flips arrows i and i+1.\n\
         The goal is that all arrows point up. A move flips two arrows, so only starts with an\n\
         even number of arrows down can be solved."
            .to_owned(),
        "Encoding: one 0/1 variable for each arrow. A rule cannot flip an unknown value, so each\n\
         move takes four rules, one for each pair of values: Ri-00, Ri-01, Ri-10, Ri-11."
            .to_owned(),
        "Source: Korf, \"Toward a model of representation changes\" (1980); the rules in this order:\n\
         Burch & Holte, \"Automatic Move Pruning in General Single-Player Games\" (2011), Table 2."
            .to_owned(),
    ]);
    game.grid(1, n_arrows, "show 0 v show 1 ^");
    game.domain("arrow", ["0", "1"]);
    game.variables(vec!["arrow"; n_arrows], "");
    for first in 0..n_arrows - 1 {
        for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let rule = Rule::new(format!("R{}-{left}{right}", first + 1))
                .change(first, left, 1 - left)
                .change(first + 1, right, 1 - right);
            game.rule(rule);
        }
    }
    game.goal(vec![1; n_arrows], "All arrows up.");
    Ok(game)
}
