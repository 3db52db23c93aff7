//! Gripper: a robot with two hands carries balls from one room to the other.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "gripper",
    usage: "gripper BALLS",
    summary: "a robot with two hands carries balls between two rooms (4*BALLS + 2 rules)",
    options: &[],
    example: "gripper 5",
    build,
};

/// The robot's hands: name and variable.
const HANDS: [(&str, usize); 2] = [("left", 1), ("right", 2)];

/// The variable of ball `ball` (from 1).
fn place(ball: usize) -> usize {
    ball + 2
}

/// The layout: a row for each room, with the robot and the balls that are in it, and a row for the
/// hands.
fn rooms_and_hands(n_balls: usize) -> [Vec<String>; 3] {
    let room = |name: &str| {
        let mut row = vec![name.to_owned(), format!("1@{name}=R")];
        row.extend((1..=n_balls).map(|ball| format!("{}@{name}={ball}", place(ball) + 1)));
        row
    };
    let mut hands = vec![">".to_owned(), "2".to_owned(), "3".to_owned()];
    hands.resize(n_balls + 2, "-".to_owned());
    [room("a"), room("b"), hands]
}

/// Rules: pick up ball by ball with the left and the right hand, then drop likewise, then the two
/// moves.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_balls = args.number("BALLS", 1..=5_000)?;
    args.finish()?;
    args.check_size(n_balls + 3, 4 * n_balls + 2)?;

    let mut game = Game::new([
        format!("Gripper with {n_balls} balls"),
        "A robot in one of two rooms has two hands; each can carry one ball. It picks balls up, drops\n\
         them where it is, and goes to the other room. The goal is all balls in room b, and the robot\n\
         there with empty hands; the usual start is the same with room a."
            .to_owned(),
        "Encoding: the robot's room, the ball in the left and in the right hand (none, or its number),\n\
         then for each ball its room, or `held`. The robot's place comes from the same domain as the\n\
         balls', so that one rule with the symbol R serves both rooms. As a board: a row for each room,\n\
         with the robot R and its balls, and what the robot carries behind the sign >."
            .to_owned(),
        "Source: the gripper domain of the first planning competition (1998); Holte & Burch,\n\
         \"Automatic Move Pruning for Single-Agent Search\" (2014), report counts for it."
            .to_owned(),
    ]);
    game.board(3, n_balls + 2, "blank none", rooms_and_hands(n_balls));
    let in_room_a = ["a", "none", "none"].into_iter();
    game.start("usual", in_room_a.chain(std::iter::repeat_n("a", n_balls)));
    game.domain("place", ["a", "b", "held"]);
    game.domain(
        "ball",
        std::iter::once("none".to_owned()).chain((1..=n_balls).map(|ball| ball.to_string())),
    );
    game.variables(["place"], "where the robot is");
    game.variables(["ball", "ball"], "what its left and right hand hold");
    game.variables(vec!["place"; n_balls], "");
    for ball in 1..=n_balls {
        for (name, hand) in HANDS {
            let rule = Rule::new(format!("pick-{name}-{ball}"));
            game.rule(rule.change(0, "R", "R").change(hand, "none", ball).change(
                place(ball),
                "R",
                "held",
            ));
        }
    }
    for ball in 1..=n_balls {
        for (name, hand) in HANDS {
            let rule = Rule::new(format!("drop-{name}-{ball}"));
            game.rule(rule.change(0, "R", "R").change(hand, ball, "none").change(
                place(ball),
                "held",
                "R",
            ));
        }
    }
    game.rule(Rule::new("go-a-b").change(0, "a", "b"));
    game.rule(Rule::new("go-b-a").change(0, "b", "a"));
    let goal = ["b", "none", "none"]
        .into_iter()
        .chain(std::iter::repeat_n("b", n_balls));
    game.goal(goal, "Everything in room b.");
    Ok(game)
}
