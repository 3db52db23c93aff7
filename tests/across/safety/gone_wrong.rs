//! "Move Pruning Gone Wrong": the three redundancies and the eight lost solutions of the slides of
//! that name in Holte's talk on PSVN, on Work or Golf.
//!
//! The slides call a move by the row and the column of a tile and its direction: 12R moves the tile
//! in row 1, column 2 to the right. Here that is `b1-c1`.

use macro_compose::compose_all;
use move_prune::{Options, analyze};
use psvn_ir::{CanonicalRule, Game, RuleId, State};
use search::CompiledGame;

use crate::safety::sequences::contains;
use crate::safety::{canonical_rules, load};

/// The moves of the slides, with the labels of the rules.
const MOVES: [(&str, &str); 6] = [
    ("11D", "a1-a2"),
    ("12D", "b1-b2"),
    ("11R", "a1-b1"),
    ("12R", "b1-c1"),
    ("21R", "a2-b2"),
    ("31U", "a3-a2"),
];

/// Four cells are free: c1, a2, b2, and c4 within the bracket.
const START: &str = "t t _ t  _ _ t t  t a b b  t a _ b  t a b b \
                     W O . R  . . K G  L . . .  O . . .  F . . .";

/// The tiles of a1, b1 and a3 have gone to b2, c1 and a2.
const END: &str = "_ _ t t  t t t t  _ a b b  t a _ b  t a b b \
                   . . O R  L W K G  . . . .  O . . .  F . . .";

/// Work or Golf with its rules in the order that the slides imply: moves down come before those to
/// the right, and these before those up.
fn work_or_golf() -> Game {
    let text = domains::generate_reference("work-or-golf").unwrap();
    let rank = |line: &str| {
        let place = MOVES.iter().position(|(_, label)| {
            let label = format!(" LABEL {label}");
            line.ends_with(&label)
        });
        // Other rules follow in their order.
        place.unwrap_or(MOVES.len())
    };
    let (mut rules, others): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.contains(" LABEL "));
    rules.sort_by_key(|line| rank(line));
    let goal = others.iter().position(|line| line.starts_with("GOAL"));
    let (before, after) = others.split_at(goal.unwrap());
    load(&[before, &rules[..], after].concat().join("\n"))
}

/// The rules of moves such as "12R 11D".
fn rules(game: &Game, moves: &str) -> Vec<u32> {
    let rule = |name: &str| {
        let (_, label) = MOVES.iter().find(|(it, _)| *it == name).unwrap();
        let found = game
            .rules_with_ids()
            .find(|(_, rule)| &*rule.label == *label);
        found.unwrap().0.0
    };
    moves.split(' ').map(rule).collect()
}

fn compose(game: &Game, word: &[u32]) -> Option<CanonicalRule> {
    let rules = word
        .iter()
        .map(|letter| &game.rule(RuleId(*letter)).canonical);
    compose_all(game.n_variables(), rules).ok()
}

/// All sequences of some number of rules from one state to another.
fn solutions(game: &CompiledGame, from: &State, to: &State, length: usize) -> Vec<Vec<u32>> {
    if length == 0 {
        return if from == to {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    }
    let mut found = Vec::new();
    for rule in game.applicable_rules(from).unwrap() {
        let next = game.apply(from, rule).unwrap().unwrap();
        for rest in solutions(game, &next, to, length - 1) {
            found.push([&[rule.0], &rest[..]].concat());
        }
    }
    found
}

/// The sequences of up to three of the slides' moves that version 1 of the pruning leaves out: each
/// that another one replaces, and of two that replace each other the one that begins with the later
/// rule.
fn version_1(game: &Game) -> Vec<Vec<u32>> {
    let n_moves = MOVES.len() as u32;
    let mut words: Vec<Vec<u32>> = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..3 {
        let end = words.len();
        for place in std::mem::replace(&mut first, end)..end {
            let longer = (0..n_moves).map(|rule| [&words[place][..], &[rule]].concat());
            let longer: Vec<Vec<u32>> = longer.collect();
            words.extend(longer);
        }
    }
    let composed: Vec<(Vec<u32>, CanonicalRule)> = words
        .into_iter()
        .filter_map(|word| compose(game, &word).map(|rule| (word, rule)))
        .collect();
    let is_pruned = |place: usize| {
        let (word, rule) = &composed[place];
        composed.iter().enumerate().any(|(at, (_, other))| {
            let is_earlier = at < place || !rule.makes_redundant(other);
            at != place && other.makes_redundant(rule) && is_earlier && !word.is_empty()
        })
    };
    let pruned = (0..composed.len()).filter(|place| is_pruned(*place));
    pruned.map(|place| composed[place].0.clone()).collect()
}

#[test]
fn gone_wrong_on_work_or_golf() {
    let game = work_or_golf();
    let replaces = |one: &str, other: &str| {
        let macro_rule = |moves: &str| compose(&game, &rules(&game, moves)).unwrap();
        macro_rule(one).makes_redundant(&macro_rule(other))
    };
    // The three redundancies of the slides.
    assert!(replaces("12R 11D", "11D 12R") && replaces("11D 12R", "12R 11D"));
    assert!(replaces("12R 11R 12D", "11D 12R 21R") && !replaces("11D 12R 21R", "12R 11R 12D"));
    assert!(replaces("11D 21R 31U", "11R 12D 31U") && !replaces("11R 12D 31U", "11D 21R 31U"));

    // There are eight optimal solutions, among them those of the slides ...
    let state = |text: &str| game.parse_state(text).unwrap();
    let compiled = CompiledGame::new(&game);
    let (start, end) = (state(START), state(END));
    for shorter in 0..4 {
        assert!(solutions(&compiled, &start, &end, shorter).is_empty());
    }
    let found = solutions(&compiled, &start, &end, 4);
    assert_eq!(found.len(), 8);
    for moves in ["12R 11D 21R 31U", "12R 11R 12D 31U", "11D 12R 21R 31U"] {
        assert!(found.contains(&rules(&game, moves)), "{moves}");
    }

    // ... and version 1 loses them all.
    let survivors = |words: &[Vec<u32>]| -> Vec<Vec<u32>> {
        let survives = |solution: &&Vec<u32>| !words.iter().any(|part| contains(solution, part));
        found.iter().filter(survives).cloned().collect()
    };
    assert!(survivors(&version_1(&game)).is_empty());

    // The order keeps one.
    let canonical = canonical_rules(&game);
    let analysis = analyze(game.n_variables(), &canonical, &Options::up_to(3), |_| {});
    let words: Vec<Vec<u32>> = analysis.redundant_letters().collect();
    assert_eq!(survivors(&words).len(), 1);
}
