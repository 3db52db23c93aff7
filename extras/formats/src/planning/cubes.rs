//! Rubik's cube as the planning competition of 2023 has it: facts that say which colors a piece
//! shows in a place, and operators without conditions whose effects have some.

use std::collections::HashMap;

use psvn_syntax::Span;

use super::builder::{Builder, Random};
use crate::sas::{Effect, Fact, Operator, Task};

/// A direction or a place, by its coordinates from -1 to 1: right, up, front.
type Place = [i8; 3];

/// The colors of a piece's stickers along the three axes; 0 where it has none.
type Colors = [u8; 3];

/// The faces, each by its letter, its axis, its side and the color that belongs there.
const FACES: [(char, usize, i8, &str); 6] = [
    ('r', 0, 1, "red"),
    ('l', 0, -1, "orange"),
    ('u', 1, 1, "white"),
    ('d', 1, -1, "yellow"),
    ('f', 2, 1, "green"),
    ('b', 2, -1, "blue"),
];

/// A piece as it is seen: its place and its colors.
type Seen = (Place, Colors);

/// Where a quarter turn of a face carries a piece, clockwise as seen from outside, or back.
fn turned((place, colors): Seen, (axis, side): (usize, i8), is_back: bool) -> Seen {
    if place[axis] != side {
        return (place, colors);
    }
    let (one, other) = ((axis + 1) % 3, (axis + 2) % 3);
    let sign = if is_back { side } else { -side };
    let (mut to, mut shown) = (place, colors);
    to[one] = -sign * place[other];
    to[other] = sign * place[one];
    shown.swap(one, other);
    (to, shown)
}

/// The name of a place, after its faces, and of what it shows there.
fn atom((place, colors): Seen) -> String {
    let faces = FACES
        .iter()
        .filter(|(_, axis, side, _)| place[*axis] == *side);
    let (letters, shown): (String, Vec<&str>) = faces
        .map(|(letter, axis, ..)| (*letter, FACES[usize::from(colors[*axis]) - 1].3))
        .unzip();
    format!("{letters}({})", shown.join(", "))
}

/// All pieces where they belong: those that a turn can move.
fn solved() -> Vec<Seen> {
    let places = (0..27_i8).map(|it| [it / 9 - 1, it / 3 % 3 - 1, it % 3 - 1]);
    let is_moved = |place: &Place| place.iter().filter(|it| **it != 0).count() >= 2;
    let seen = places.filter(is_moved).map(|place| {
        let mut colors = [0; 3];
        for (color, (_, axis, side, _)) in (1..).zip(FACES) {
            if place[axis] == side {
                colors[axis] = color;
            }
        }
        (place, colors)
    });
    seen.collect()
}

/// Rubik's cube after some random quarter turns, no two of one face in a row: 480 facts, and 12
/// operators with conditional effects.
pub fn cube(turns: usize, seed: u64) -> Task {
    let moves: Vec<(String, (usize, i8), bool)> = FACES
        .iter()
        .flat_map(|(letter, axis, side, _)| {
            [("", false), ("rev", true)]
                .map(|(suffix, is_back)| (format!("{letter}{suffix}"), (*axis, *side), is_back))
        })
        .collect();
    // Everything that can be seen, and its number.
    let mut seen = solved();
    let mut numbers: HashMap<Seen, usize> = seen.iter().copied().zip(0..).collect();
    let mut next = 0;
    while let Some(from) = seen.get(next).copied() {
        for (_, face, is_back) in &moves {
            let to = turned(from, *face, *is_back);
            numbers.entry(to).or_insert_with(|| {
                seen.push(to);
                seen.len() - 1
            });
        }
        next += 1;
    }
    let mut random = Random(seed);
    let mut pieces = solved();
    let mut last = None;
    for _ in 0..turns {
        // Turns of one face in a row are fewer turns.
        let others: Vec<_> = moves
            .iter()
            .filter(|(_, face, _)| last != Some(*face))
            .collect();
        let (_, face, is_back) = others[random.below(others.len())];
        last = Some(*face);
        pieces
            .iter_mut()
            .for_each(|it| *it = turned(*it, *face, *is_back));
    }
    let mut builder = Builder::default();
    for it in &seen {
        builder.switch(&atom(*it), pieces.contains(it));
    }
    for it in solved() {
        builder.goal(numbers[&it], 0);
    }
    let mut task = builder.task();
    for (name, face, is_back) in moves {
        let effects = seen.iter().flat_map(|from| {
            let to = turned(*from, face, is_back);
            let carried = (to != *from).then(|| carried(numbers[from], numbers[&to]));
            carried.into_iter().flatten()
        });
        task.operators.push(Operator {
            name,
            prevail: Vec::new(),
            effects: effects.collect(),
            cost: 1,
            span: Span::default(),
        });
    }
    task
}

/// The effects that make a fact hold where another one held, and not otherwise.
fn carried(from: usize, to: usize) -> [Effect; 2] {
    let fact = |variable, value| Fact { variable, value };
    let effect = |conditions, after| Effect {
        conditions,
        variable: to,
        before: None,
        after,
    };
    [
        effect(vec![fact(from, 0)], 0),
        effect(vec![fact(from, 1), fact(to, 0)], 1),
    ]
}
