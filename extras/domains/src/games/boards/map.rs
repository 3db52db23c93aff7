//! A walk on a map with obstacles.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::games::boards::picture::{DIRECTIONS, Picture, Place, place_name};
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "map",
    usage: "map ROWS [diagonals]",
    summary: "a walk on a map with obstacles; rows of `.` and `#` divided by `/`, `G` the goal",
    options: &[OptionInfo::new(
        "diagonals",
        "steps to the four diagonal neighbors as well, where no corner is cut; they cost 14, others 10",
    )],
    example: "map ..../.##./..G.",
    build,
};

/// The characters of a map: free squares, obstacles (also `@` and `T`), the goal.
const CHARACTERS: &str = ".#@TG";

/// The four diagonal directions, clockwise from the upper right.
const DIAGONALS: [(&str, isize, isize); 4] = [
    ("UpRight", -1, 1),
    ("DownRight", 1, 1),
    ("DownLeft", 1, -1),
    ("UpLeft", -1, -1),
];

/// Rules by direction (Up, Right, Down, Left, then diagonals), for each direction by square.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let Some(text) = args.word() else {
        return Err(args.missing("ROWS", "rows such as `..#/..G`"));
    };
    let diagonals = args.flag("diagonals");
    args.finish()?;
    let picture = Picture::read(args, "ROWS", text, CHARACTERS)?;
    let free = picture.places_of(".G");
    let goals = picture.places_of("G");
    if free.len() < 2 || goals.len() != 1 {
        let found = format!("{} free squares and {} goals", free.len(), goals.len());
        return Err(args.invalid(
            "ROWS",
            found,
            "at least 2 free squares, one of them the goal `G`",
        ));
    }
    args.check_size(1, free.len() * if diagonals { 8 } else { 4 })?;

    let is_free = |place: Place| free.binary_search(&place).is_ok();
    let mut game = Game::new(about(&picture, diagonals));
    game.domain("place", free.iter().map(|place| place_name(*place)));
    game.variables(["place"], "where the walker is");
    let straight = if diagonals { 10 } else { 1 };
    for (name, (_, down, right)) in ["Up", "Right", "Down", "Left"].iter().zip(DIRECTIONS) {
        for &place in &free {
            if let Some(next) = Picture::step(place, down, right).filter(|next| is_free(*next)) {
                game.rule(step(name, place, next).cost(straight));
            }
        }
    }
    for (name, down, right) in DIAGONALS.into_iter().filter(|_| diagonals) {
        for &place in &free {
            let ways = [(down, 0), (0, right), (down, right)];
            let ways = ways.map(|(down, right)| Picture::step(place, down, right));
            if let [Some(one), Some(other), Some(next)] = ways
                && [one, other, next].into_iter().all(is_free)
            {
                game.rule(step(name, place, next).cost(14));
            }
        }
    }
    game.goal([place_name(goals[0])], "");
    Ok(game)
}

fn step(name: &str, from: Place, to: Place) -> Rule {
    Rule::new(name).change(0, place_name(from), place_name(to))
}

fn about(picture: &Picture, diagonals: bool) -> Vec<String> {
    let moves = if diagonals {
        "A move goes one square up, right, down, left or diagonally; a diagonal step needs both squares\n\
         beside it free. Straight steps cost 10, diagonal ones 14, about the square root of 2 times that."
    } else {
        "A move goes one square up, right, down or left."
    };
    let layout = picture.layout("walker 1 @", |_, c| match c {
        '.' | 'G' => c.to_string(),
        _ => "#".to_owned(),
    });
    let about = [
        format!("A walk on a map\n\n{}", picture.to_lines()),
        format!("Free squares are `.`, the goal is `G`, the rest is obstacles.\n{moves}"),
        "Encoding: one variable, the walker's square; `r2c3` is the third square of the second row.\n\
         A rule for each direction and square, in that order; all rules of a direction share its label."
            .to_owned(),
        "Source: Sturtevant, \"Benchmarks for Grid-Based Pathfinding\" (2012), whose maps have the same form."
            .to_owned(),
    ];
    about.into_iter().chain(layout).collect()
}
