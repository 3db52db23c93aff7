//! The pancake puzzle.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::games::permutations::tokens;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule, symbol};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "pancake",
    usage: "pancake N [sizes=K] [cost=unit|size]",
    summary: "a stack of N pancakes; a move turns over the top 2, 3, .. or N of them (N-1 rules)",
    options: &[
        OptionInfo::new(
            "sizes=K",
            "only K different sizes, each about as often as the others (default: N)",
        ),
        OptionInfo::new(
            "cost=unit|size",
            "size: turning over k pancakes costs k (default: unit)",
        ),
    ],
    example: "pancake 9",
    build,
};

/// Rule i (from 0) reverses the first i+2 positions.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_pancakes = args.number("N", 2..=10_000)?;
    let n_sizes = args
        .optional_number("sizes", 2..=n_pancakes)?
        .unwrap_or(n_pancakes);
    let by_size = args.choice("cost", &["unit", "size"])? == "size";
    args.finish()?;
    args.check_size(n_pancakes, n_pancakes - 1)?;

    let mut game = Game::new(about(n_pancakes, n_sizes, by_size));
    game.grid(n_pancakes, 1, "");
    game.domain("size", 1..=n_sizes);
    game.variables(vec!["size"; n_pancakes], "");
    for n_turned in 2..=n_pancakes {
        let mut rule = Rule::new(format!("flip{n_turned}"));
        if by_size {
            rule = rule.cost(n_turned as u32);
        }
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
    let sorted = tokens::in_runs(n_pancakes, n_sizes).map(|token| token + 1);
    game.goal(sorted, "Sorted, the smallest on top.");
    Ok(game)
}

fn about(n_pancakes: usize, n_sizes: usize, by_size: bool) -> [String; 4] {
    let sizes = if n_sizes == n_pancakes {
        "different sizes, 1 the smallest".to_owned()
    } else {
        format!("{n_sizes} sizes, 1 the smallest")
    };
    let cost = if by_size {
        "\nCost: turning over k pancakes costs k."
    } else {
        ""
    };
    [
        format!("The {n_pancakes}-pancake puzzle"),
        format!(
            "A stack of pancakes of {sizes}. A move slips a spatula into the\n\
             stack and turns over everything above it. The goal is the stack sorted by size."
        ),
        format!(
            "Encoding: one variable for each place, from the top; its value is the size that lies there.\n\
             Rules in the order of the number of pancakes turned: 2, 3, .., all.{cost}"
        ),
        "Source: Dweighter, Problem E2569, American Mathematical Monthly 82 (1975).".to_owned(),
    ]
}
