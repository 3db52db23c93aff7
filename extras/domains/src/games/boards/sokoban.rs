//! Sokoban: a warehouse keeper pushes boxes to their places.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::games::boards::level::{CHARACTERS, Level, Wrong};
use crate::games::boards::picture::{DIRECTIONS, Picture, place_name};
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "sokoban",
    usage: "sokoban [LEVEL] [cost=moves|pushes]",
    summary: "Sokoban: push boxes to their places; a level is its usual rows divided by `/`",
    options: &[OptionInfo::new(
        "cost=moves|pushes",
        "what the cost of a solution counts; with pushes, a step without a push costs nothing (default: moves)",
    )],
    example: "sokoban #####/#@$.#/#####",
    build,
};

/// A level of 7 by 7 squares with two boxes, made for this crate.
const SAMPLE: &str = "#######/#  .  #/# #$  #/#  @$ #/# #   #/#  .  #/#######";

/// Rules square by square, row by row, and for each square by direction (u, r, d, l): the step,
/// then the push.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let text = args.word().unwrap_or(SAMPLE);
    let picture = Picture::read(args, "LEVEL", text, CHARACTERS)?;
    let level = Level::read(picture);
    let level = level.map_err(
        |Wrong {
             found, expected, ..
         }| { args.invalid("LEVEL", found, expected) },
    )?;
    build_level(args, &level)
}

/// The game of a level, with the remaining options.
pub(super) fn build_level(args: &mut Arguments<'_>, level: &Level) -> Result<Game, GenerateError> {
    let by_pushes = args.choice("cost", &["moves", "pushes"])? == "pushes";
    args.finish()?;
    args.check_size(1 + level.squares.len(), 8 * level.squares.len())?;

    let mut game = Game::new(about(level, by_pushes));
    let boxes = level
        .squares
        .iter()
        .map(|place| content(level.is_box(*place)).to_owned());
    let keeper = std::iter::once(place_name(level.keeper));
    game.start("usual", keeper.chain(boxes));
    game.domain(
        "place",
        level.squares.iter().map(|place| place_name(*place)),
    );
    game.domain("square", ["_", "box"]);
    game.variables(["place"], "where the keeper is");
    game.variables(vec!["square"; level.squares.len()], "");
    let step_cost = u32::from(!by_pushes);
    for (number, &place) in level.squares.iter().enumerate() {
        for direction in DIRECTIONS {
            let Some(next) = level.beside(place, direction) else {
                continue;
            };
            let keeper = |label: char| {
                let [from, to] = [number, next].map(|number| place_name(level.squares[number]));
                Rule::new(label).change(0, from, to)
            };
            let letter = direction.0;
            game.rule(keeper(letter).test(1 + next, "_").cost(step_cost));
            if let Some(behind) = level.beside(level.squares[next], direction) {
                let push = keeper(letter.to_ascii_uppercase());
                let push = push.change(1 + next, "box", "_");
                game.rule(push.change(1 + behind, "_", "box"));
            }
        }
    }
    let at_goal = level
        .squares
        .iter()
        .map(|place| content(level.is_goal(*place)));
    let goal = std::iter::once("-").chain(at_goal);
    game.goal(goal, "Each box on a goal, the keeper anywhere.");
    Ok(game)
}

fn content(is_box: bool) -> &'static str {
    if is_box { "box" } else { "_" }
}

fn about(level: &Level, by_pushes: bool) -> Vec<String> {
    let cost = if by_pushes {
        "Cost: a push costs 1, a step nothing."
    } else {
        "Cost: every rule costs 1."
    };
    let layout = level.picture.layout(
        "blank _ show _ _/. show box $/* walker 1 @/+",
        |place, c| match level.number(place) {
            Some(number) if level.is_goal(place) => format!("{}!", number + 2),
            Some(number) => (number + 2).to_string(),
            // A box on a goal behind the walls.
            None if matches!(c, '#' | '*') => "#".to_owned(),
            None => "-".to_owned(),
        },
    );
    let about = [
        format!("Sokoban\n\n{}", level.picture.to_lines()),
        "A keeper walks about a warehouse and pushes boxes, one at a time and never against another\n\
         box or a wall; nothing can be pulled. The goal is a box on each goal square."
            .to_owned(),
        format!(
            "Encoding: the keeper's square, then for each square inside the walls, row by row, whether a\n\
             box stands there. `r2c3` is the third square of the second row. Labels: u, r, d, l are\n\
             steps, U, R, D, L are pushes. {cost}"
        ),
        "Source: Thinking Rabbit, \"Sokoban\" (1982)."
            .to_owned(),
    ];
    about.into_iter().chain(layout).collect()
}
