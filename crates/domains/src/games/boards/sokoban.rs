//! Sokoban: a warehouse keeper pushes boxes to their places.

use std::collections::VecDeque;

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::games::boards::picture::{DIRECTIONS, Picture, Place, place_name};
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

/// What may stand in a level: wall, floor (also `-` and `_`), goal, box, box on a goal, keeper,
/// keeper on a goal.
const CHARACTERS: &str = "# -_.$*@+";

/// A level with what its pieces are.
struct Level {
    picture: Picture,
    keeper: Place,
    /// The squares that the keeper could reach if there were no boxes, row by row.
    squares: Vec<Place>,
}

impl Level {
    fn is_box(&self, place: Place) -> bool {
        matches!(self.picture.at(place), Some('$' | '*'))
    }

    fn is_goal(&self, place: Place) -> bool {
        matches!(self.picture.at(place), Some('.' | '*' | '+'))
    }

    /// The number of a square among those that can be reached.
    fn number(&self, place: Place) -> Option<usize> {
        self.squares.binary_search(&place).ok()
    }

    /// The number of the square next to another one.
    fn beside(&self, place: Place, (_, down, right): (char, isize, isize)) -> Option<usize> {
        self.number(Picture::step(place, down, right)?)
    }
}

/// Rules square by square, row by row, and for each one by direction (u, r, d, l): the step, then
/// the push.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let text = args.word().unwrap_or(SAMPLE);
    let by_pushes = args.choice("cost", &["moves", "pushes"])? == "pushes";
    args.finish()?;
    let level = read(args, text)?;
    args.check_size(1 + level.squares.len(), 8 * level.squares.len())?;

    let mut game = Game::new(about(&level, by_pushes));
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

fn read(args: &Arguments<'_>, text: &str) -> Result<Level, GenerateError> {
    let picture = Picture::read(args, "LEVEL", text, CHARACTERS)?;
    let refuse = |found: String, expected: &str| Err(args.invalid("LEVEL", found, expected));
    let keepers = picture.places_of("@+");
    let [keeper] = keepers[..] else {
        return refuse(
            format!("{} keepers", keepers.len()),
            "one keeper, `@` or `+`",
        );
    };
    let Some(squares) = inside(&picture, keeper) else {
        return refuse(
            "an open level".to_owned(),
            "walls `#` all around the keeper",
        );
    };
    let level = Level {
        picture,
        keeper,
        squares,
    };
    let boxes = level.picture.places_of("$*");
    let goals = level.picture.places_of(".*+");
    if boxes.is_empty() || boxes.len() != goals.len() {
        let found = format!("{} boxes and {} goals", boxes.len(), goals.len());
        return refuse(found, "as many boxes as goals, and at least one");
    }
    let outside = boxes
        .iter()
        .chain(&goals)
        .find(|place| level.number(**place).is_none());
    match outside {
        Some(place) => refuse(
            format!("a box or goal at {}", place_name(*place)),
            "all boxes and goals on the keeper's side of the walls",
        ),
        None => Ok(level),
    }
}

/// The squares that can be reached from one; `None` where the way leads out of the picture.
fn inside(picture: &Picture, start: Place) -> Option<Vec<Place>> {
    let mut squares = vec![start];
    let mut queue = VecDeque::from([start]);
    let mut seen = std::collections::HashSet::from([start]);
    while let Some(place) = queue.pop_front() {
        for (_, down, right) in DIRECTIONS {
            let next = Picture::step(place, down, right)?;
            if picture.at(next)? != '#' && seen.insert(next) {
                squares.push(next);
                queue.push_back(next);
            }
        }
    }
    squares.sort_unstable();
    Some(squares)
}

fn about(level: &Level, by_pushes: bool) -> [String; 5] {
    let cost = if by_pushes {
        "Cost: a push costs 1, a step nothing."
    } else {
        "Cost: every rule costs 1."
    };
    let boxes = level
        .squares
        .iter()
        .map(|place| content(level.is_box(*place)));
    let start: Vec<&str> = boxes.collect();
    [
        format!("Sokoban\n\n{}", level.picture.to_lines()),
        "A keeper walks about a warehouse and pushes boxes, one at a time and never against another\n\
         box or a wall; nothing can be pulled. The goal is a box on each goal square."
            .to_owned(),
        format!(
            "Encoding: the keeper's square, then for each square inside the walls, row by row, whether a\n\
             box stands there. `r2c3` is the third square of the second row. Labels: u, r, d, l are\n\
             steps, U, R, D, L are pushes. {cost}"
        ),
        format!(
            "Start:\n{} {}",
            place_name(level.keeper),
            start.join(" ")
        ),
        "Source: Thinking Rabbit, \"Sokoban\" (1982)."
            .to_owned(),
    ]
}
