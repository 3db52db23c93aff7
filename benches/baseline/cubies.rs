//! Rubik's cube of size 2 and 3 by corners and edges: a byte says which one is there, and how it is
//! turned.
//!
//! The places of corners and the effects of turns are computed from the positions of stickers in
//! space.

use super::Tally;
use super::last_move::allowed;
use super::lines::{Move, Tree, Twists, apply, choices_by_last};

type Vector = [i32; 3];

/// The outward normal of each face, in the order of the toolkit's names.
fn normal(face: char) -> Vector {
    match face {
        'F' => [0, 0, 1],
        'B' => [0, 0, -1],
        'U' => [0, 1, 0],
        'D' => [0, -1, 0],
        'L' => [-1, 0, 0],
        _ => [1, 0, 0],
    }
}

fn dot(a: Vector, b: Vector) -> i32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// A quarter turn, clockwise as seen from outside of the face.
fn quarter(face: Vector, at: Vector) -> Vector {
    // Components along the axis stay; across it, clockwise is the negative sense.
    let along = dot(face, at);
    let turned = cross(at, face);
    std::array::from_fn(|i| turned[i] + along * face[i])
}

/// A place of a corner or edge.
struct Place {
    at: Vector,
    /// The directions of its stickers. Turned cubes have them in the same cyclic order.
    stickers: Vec<Vector>,
}

fn places(n_stickers: usize) -> Vec<Place> {
    // Three digits in base 3 give the position of a place on each axis.
    let all = (0..27).map(|number: i32| [number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1]);
    let of_kind = all.filter(|at| at.iter().filter(|x| **x != 0).count() == n_stickers);
    let place = |at: Vector| {
        let axis = |i: usize| -> Vector { std::array::from_fn(|j| if i == j { at[i] } else { 0 }) };
        // The sticker that counts: up or down if there is one.
        let mut stickers: Vec<Vector> = [1, 0, 2]
            .map(axis)
            .into_iter()
            .filter(|sticker| *sticker != [0; 3])
            .collect();
        if n_stickers == 3 && dot(cross(stickers[0], stickers[1]), stickers[2]) < 0 {
            stickers.swap(1, 2);
        }
        Place { at, stickers }
    };
    of_kind.map(place).collect()
}

/// A quarter turn of a face, for places that begin at byte `first` of a state.
fn add_quarter<const N: usize>(step: &mut Move<N>, places: &[Place], first: usize, face: Vector) {
    for (i, place) in places.iter().enumerate() {
        if dot(place.at, face) < 1 {
            continue;
        }
        let to = quarter(face, place.at);
        let to = places.iter().position(|other| other.at == to);
        let to = to.expect("turns take places to places");
        let sticker = quarter(face, place.stickers[0]);
        let twist = places[to].stickers.iter().position(|it| *it == sticker);
        // Places are counted from the beginning of a register's lane.
        step.from[first + to] = i as u8;
        step.twist[first + to] = (twist.expect("turns take stickers to stickers") as u8) << 4;
    }
}

/// The search for a cube with `N` bytes: corners from byte 0 on, edges from byte 16 on if there are
/// any.
fn cube<const N: usize>(
    faces: &str,
    scramble: &[usize],
    prune: bool,
) -> impl Fn(u64) -> Tally + use<N> {
    let (corners, edges) = (places(3), places(2));
    let has_edges = N > 16;
    // Unused bytes are 0xF: every modulus is larger.
    let mut goal = [0x0F; N];
    let mut modulo = [0x30; N];
    for (i, byte) in goal[..corners.len()].iter_mut().enumerate() {
        *byte = i as u8;
    }
    if has_edges {
        for (i, byte) in goal[16..][..edges.len()].iter_mut().enumerate() {
            *byte = i as u8;
        }
        modulo[16..][..edges.len()].fill(0x20);
    }
    let twists = Twists::Modulo(modulo);
    let mut turns: Vec<Move<N>> = Vec::new();
    for face in faces.chars().map(normal) {
        let mut once = Move::plain(std::array::from_fn(|i| i as u8 % 16));
        add_quarter(&mut once, &corners, 0, face);
        if has_edges {
            add_quarter(&mut once, &edges, 16, face);
        }
        let after = |one: &Move<N>, then: &Move<N>| Move {
            from: std::array::from_fn(|i| one.from[i / 16 * 16 + then.from[i] as usize]),
            twist: std::array::from_fn(|i| {
                let twist = one.twist[i / 16 * 16 + then.from[i] as usize] + then.twist[i];
                if twist >= modulo[i] {
                    twist - modulo[i]
                } else {
                    twist
                }
            }),
        };
        let twice = after(&once, &once);
        turns.extend([once, twice, after(&twice, &once)]);
    }
    let turn = |cube: &[u8; N], i: usize| apply(cube, &turns[i], &twists);
    let sets = allowed(turns.len(), goal, turn, prune);
    let start = scramble.iter().fold(goal, |cube, i| turn(&cube, *i));
    let tree = Tree::new(&choices_by_last(&turns, &sets), twists, goal);
    let nothing = turns.len();
    move |depth| tree.count(&start, nothing, depth)
}

/// The 2x2x2 cube of which all six faces turn, eight children at a time. `scramble` are moves by
/// their numbers in the order of `faces`.
pub(crate) fn pocket_cube(
    faces: &str,
    scramble: &[usize],
    prune: bool,
) -> impl Fn(u64) -> Tally + use<> {
    cube::<8>(faces, scramble, prune)
}

/// The 3x3x3 cube, two children at a time.
pub(crate) fn rubiks_cube(
    faces: &str,
    scramble: &[usize],
    prune: bool,
) -> impl Fn(u64) -> Tally + use<> {
    cube::<32>(faces, scramble, prune)
}
