//! Slide-jump: pegs of two colors change sides over one free hole.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "slide-jump",
    usage: "slide-jump N [one-way]",
    summary: "N pegs on each side of a free hole change sides by slides and jumps (8N-2 rules)",
    options: &[OptionInfo::new(
        "one-way",
        "pegs never go back, and jump over the other color only (default: both directions, over any peg)",
    )],
    example: "slide-jump 3",
    build,
};

/// Rules: slides to the right by hole, slides to the left, then jumps to the right and to the left.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_pegs = args.number("N", 1..=2_000)?;
    let one_way = args.flag("one-way");
    args.finish()?;
    let n_holes = 2 * n_pegs + 1;
    args.check_size(n_holes, 2 * (n_holes - 1) + 2 * (n_holes - 2))?;

    let mut game = Game::new(about(n_pegs, one_way));
    game.grid(1, n_holes, "blank _");
    let pegs = |peg| std::iter::repeat_n(peg, n_pegs);
    game.start("usual", pegs("x").chain(["_"]).chain(pegs("o")));
    game.domain("hole", ["x", "o", "_"]);
    game.variables(vec!["hole"; n_holes], "");
    // The peg that moves right, and the one that moves left; a symbol stands for either.
    let (rightward, leftward) = if one_way { ("x", "o") } else { ("P", "P") };
    let slides = (0..n_holes - 1).map(|hole| (hole, hole + 1));
    for (from, to) in slides.clone() {
        game.rule(slide(from, to, rightward));
    }
    for (to, from) in slides {
        game.rule(slide(from, to, leftward));
    }
    let jumps = (0..n_holes - 2).map(|hole| (hole, hole + 2));
    for (from, to) in jumps.clone() {
        game.rule(jump(from, to, rightward, one_way.then_some("o")));
    }
    for (to, from) in jumps {
        game.rule(jump(from, to, leftward, one_way.then_some("x")));
    }
    let side = |peg| std::iter::repeat_n(peg, n_pegs);
    game.goal(
        side("o").chain(["_"]).chain(side("x")),
        "The sides are exchanged.",
    );
    Ok(game)
}

fn slide(from: usize, to: usize, peg: &str) -> Rule {
    Rule::new(format!("slide-{}-{}", from + 1, to + 1))
        .change(from, peg, "_")
        .change(to, "_", peg)
}

fn jump(from: usize, to: usize, peg: &str, over: Option<&str>) -> Rule {
    let rule = Rule::new(format!("jump-{}-{}", from + 1, to + 1))
        .change(from, peg, "_")
        .change(to, "_", peg);
    match over {
        Some(peg) => rule.test(from.midpoint(to), peg),
        None => rule,
    }
}

fn about(n_pegs: usize, one_way: bool) -> [String; 4] {
    let moves = if one_way {
        "A move slides an x to the right or an o to the left into the free hole next to it, or jumps in\n\
         the same direction over one peg of the other color into the free hole behind it."
    } else {
        "A move slides a peg into the free hole next to it, or jumps over one peg of any color into the\n\
         free hole behind it."
    };
    [
        format!("Slide-jump with {n_pegs} pegs on each side"),
        format!(
            "A row of {} holes; one is free, the others hold pegs of two colors, x and o. {}\n\
             The goal is that the colors have changed sides; the usual start has all x on the left.",
            2 * n_pegs + 1,
            moves
        ),
        "Encoding: one variable for each hole: x, o, or _ for the free one. Labels name the holes from\n\
         and to, counted from 1."
            .to_owned(),
        "Source: an old puzzle, also known as sheep and goats, or frogs and toads; Berlekamp, Conway &\n\
         Guy, \"Winning Ways for your Mathematical Plays\" (1982)."
            .to_owned(),
    ]
}
