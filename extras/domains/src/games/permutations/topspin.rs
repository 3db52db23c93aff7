//! TopSpin: tokens on a ring with a turnstile that reverses a stretch of them.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::games::permutations::tokens;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule, symbol};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "topspin",
    usage: "topspin N K [basic] [tokens=T] [cost=unit|place]",
    summary: "N tokens on a ring, a turnstile reverses K neighbors (N rules)",
    options: &[
        OptionInfo::new(
            "basic",
            "all N tokens are variables and no rule turns the ring (default: the last token is the reference point)",
        ),
        OptionInfo::new(
            "tokens=T",
            "only T different tokens, each about as often as the others (default: all differ)",
        ),
        OptionInfo::new(
            "cost=unit|place",
            "place: rule turn<i> costs i + 1, so that places of the ring differ (default: unit)",
        ),
    ],
    example: "topspin 14 3",
    build,
};

/// Rule i (from 0) reverses the ring's positions i, i+1, .., i+K-1. In the compact encoding the
/// ring is read from the last token's position, so a rule that moves that token also rotates the
/// tokens back.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_tokens = args.number("N", 3..=10_000)?;
    let n_turned = args.number("K", 2..=n_tokens - 1)?;
    let basic = args.flag("basic");
    let n_variables = if basic { n_tokens } else { n_tokens - 1 };
    let n_values = args.optional_number("tokens", 2..=n_variables)?;
    let by_place = args.choice("cost", &["unit", "place"])? == "place";
    args.finish()?;
    let n_values = n_values.unwrap_or(n_variables);
    args.check_size(n_variables, n_tokens)?;

    let mut game = Game::new(about(n_tokens, n_turned, basic, n_values, by_place));
    // The ring as an oval: half of it above, the rest below and backward. In the compact encoding,
    // the last token needs no variable.
    let place = |place: usize| {
        if place < n_variables {
            (place + 1).to_string()
        } else {
            (n_tokens - 1).to_string() + "*"
        }
    };
    let above: Vec<String> = (0..n_tokens.div_ceil(2)).map(place).collect();
    let mut below: Vec<String> = (n_tokens.div_ceil(2)..n_tokens).rev().map(place).collect();
    below.resize(above.len(), "-".to_owned());
    game.board(2, above.len(), "", [above, below]);
    game.domain("token", 0..n_values);
    game.variables(vec!["token"; n_variables], "");
    for first in 0..n_tokens {
        let mut arrangement = reversed(n_tokens, first, n_turned);
        if !basic {
            rotate_last_home(&mut arrangement);
        }
        let mut rule = Rule::new(format!("turn{first}"));
        if by_place {
            rule = rule.cost(first as u32 + 1);
        }
        for (position, &source) in arrangement.iter().enumerate().take(n_variables) {
            if position != source {
                rule = rule.change(
                    position,
                    symbol(position, n_variables),
                    symbol(source, n_variables),
                );
            }
        }
        game.rule(rule);
    }
    let in_order = tokens::in_runs(n_variables, n_values);
    game.goal(in_order, "All tokens in order.");
    Ok(game)
}

/// For each position after a turn, the position that its token comes from.
fn reversed(n_tokens: usize, first: usize, n_turned: usize) -> Vec<usize> {
    let mut arrangement: Vec<usize> = (0..n_tokens).collect();
    for offset in 0..n_turned {
        let target = (first + offset) % n_tokens;
        arrangement[target] = (first + n_turned - 1 - offset) % n_tokens;
    }
    arrangement
}

/// Rotate the ring until the token that was in the last position is there again.
fn rotate_last_home(arrangement: &mut [usize]) {
    let last = arrangement.len() - 1;
    if let Some(place) = arrangement.iter().position(|&source| source == last) {
        arrangement.rotate_left((place + 1) % arrangement.len());
    }
}

fn about(
    n_tokens: usize,
    n_turned: usize,
    basic: bool,
    n_values: usize,
    by_place: bool,
) -> [String; 4] {
    let cost = if by_place {
        "\nCost: rule turn<i> costs i + 1."
    } else {
        ""
    };
    let name = if basic { "basic" } else { "compact" };
    let encoding = if basic {
        "Encoding (basic): one variable for each place of the ring; its value is the token there."
            .to_owned()
    } else {
        format!(
            "Encoding (compact): where the ring is turned to does not matter, so token {} is the reference\n\
             point and needs no variable. The variables are the {} places behind it; rules whose turn\n\
             moves the reference token also shift the others, so that it is last again.",
            n_tokens - 1,
            n_tokens - 1,
        )
    };
    let n_variables = if basic { n_tokens } else { n_tokens - 1 };
    let alike = if n_values == n_variables {
        String::new()
    } else {
        format!("\nThere are {n_values} different tokens, each of them several times.")
    };
    [
        format!("({n_tokens},{n_turned})-TopSpin, {name} encoding"),
        format!(
            "{n_tokens} tokens on a ring. A turnstile reverses {n_turned} neighbors; the ring itself can be\n\
             pushed around freely. The goal is the tokens in order.{alike}"
        ),
        format!(
            "{encoding}\nRule turn<i> reverses places i to i+{} of the ring, in the order of i.{cost}",
            n_turned - 1
        ),
        "Source: Chen & Skiena, \"Sorting with fixed-length reversals\" (1996).".to_owned(),
    ]
}
