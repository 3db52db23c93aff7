//! The pancake puzzle.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule, symbol};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "pancake",
    usage: "pancake N",
    summary: "a stack of N pancakes; a move turns over the top 2, 3, .. or N of them (N-1 rules)",
    options: &[],
    example: "pancake 9",
    build,
};

/// Rule i (from 0) reverses the first i+2 positions.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_pancakes = args.number("N", 2..=10_000)?;
    args.finish()?;
    args.check_size(n_pancakes, n_pancakes - 1)?;

    let mut game = Game::new([
        format!("The {n_pancakes}-pancake puzzle"),
        "A stack of pancakes of different sizes, 1 the smallest. A move slips a spatula into the\n\
         stack and turns over everything above it. The goal is the stack sorted by size."
            .to_owned(),
        "Encoding: one variable for each place, from the top; its value is the size that lies there.\n\
         Rules in the order of the number of pancakes turned: 2, 3, .., all."
            .to_owned(),
        "Source: Dweighter, Problem E2569, American Mathematical Monthly 82 (1975)."
            .to_owned(),
    ]);
    game.domain("size", 1..=n_pancakes);
    game.variables(vec!["size"; n_pancakes], "");
    for n_turned in 2..=n_pancakes {
        let mut rule = Rule::new(format!("flip{n_turned}"));
        for position in 0..n_turned {
            let mirror = n_turned - 1 - position;
            rule = rule.change(
                position,
                symbol(position, n_pancakes),
                symbol(mirror, n_pancakes),
            );
        }
        game.rule(rule);
    }
    game.goal(1..=n_pancakes, "Sorted, the smallest on top.");
    Ok(game)
}
