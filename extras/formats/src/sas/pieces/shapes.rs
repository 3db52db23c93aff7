//! Kinds of pieces that move alike, and the orientations of pieces.
//!
//! Two kinds move alike if their places can be matched such that each operator does the same to
//! both (an isomorphism of permutation representations). A matching of a kind's places with
//! themselves is a symmetry. It commutes with all operators, so places that it maps to each other
//! stay together: they are one place of a puzzle, and the symmetry turns the piece there.

use super::kinds::Kind;
use super::refusal::Refusal;
use crate::meter::Meter;
use crate::twisty::{Arrangement, Turn};

/// A matching: for each place of one kind, the place of the other.
type Matching = Vec<usize>;

/// Kinds that share the places of a set of a puzzle, with the operators' effects on it.
#[derive(Debug)]
pub(super) struct Shape {
    /// The number of orientations of a piece.
    pub(super) orientations: usize,
    /// The kinds in the order of their numbers. What is left empty has the number behind them.
    pub(super) kinds: Vec<usize>,
    /// The effect of each operator.
    pub(super) turns: Vec<Turn>,
    pub(super) start: Arrangement,
    pub(super) goal: Arrangement,
}

/// Kinds that move alike: each with the ways to match its places with those of the first one.
type Alike = Vec<(usize, Vec<Matching>)>;

/// Give all kinds of pieces places.
pub(super) fn shapes(kinds: &[Kind], meter: &Meter<'_>) -> Result<Vec<Shape>, Refusal> {
    let mut classes: Vec<Alike> = Vec::new();
    'kinds: for (number, kind) in kinds.iter().enumerate() {
        for class in &mut classes {
            let found = matchings(kind, &kinds[class[0].0], meter)?;
            if !found.is_empty() {
                class.push((number, found));
                continue 'kinds;
            }
        }
        classes.push(vec![(number, matchings(kind, kind, meter)?)]);
    }
    let mut shapes = Vec::new();
    for class in classes {
        if let Some(shape) = together(kinds, &class) {
            shapes.push(shape);
            continue;
        }
        // They may come to one place, so each has places of its own.
        for (number, _) in class {
            let alone = vec![(number, matchings(&kinds[number], &kinds[number], meter)?)];
            shapes.extend(together(kinds, &alone));
        }
    }
    Ok(shapes)
}

/// All ways to match the places of one kind with those of another such that operators do the same.
fn matchings(one: &Kind, other: &Kind, meter: &Meter<'_>) -> Result<Vec<Matching>, Refusal> {
    let mut found = Vec::new();
    if one.places.len() == other.places.len() {
        for image in 0..other.places.len() {
            found.extend(matching(one, other, image, meter)?);
        }
    }
    Ok(found)
}

/// The matching that matches the first place with `image`: operators lead from it to all others.
fn matching(
    one: &Kind,
    other: &Kind,
    image: usize,
    meter: &Meter<'_>,
) -> Result<Option<Matching>, Refusal> {
    let mut matched: Vec<Option<usize>> = vec![None; one.places.len()];
    matched[0] = Some(image);
    let mut open = vec![(0, image)];
    while let Some((place, image)) = open.pop() {
        meter.work(one.to.len())?;
        for (to, other_to) in one.to.iter().zip(&other.to) {
            let (place, image) = (to[place], other_to[image]);
            match matched[place] {
                None => {
                    matched[place] = Some(image);
                    open.push((place, image));
                }
                Some(it) if it != image => return Ok(None),
                Some(_) => {}
            }
        }
    }
    Ok(matched.into_iter().collect())
}

/// The places of a puzzle, of which each is several places of a kind.
struct Blocks {
    orientations: usize,
    /// For each place of a kind, the place of the puzzle and the orientation.
    seat: Vec<(usize, usize)>,
    /// For each place of the puzzle, the place of the kind without turn.
    first: Vec<usize>,
}

impl Blocks {
    /// The places that a symmetry maps to each other.
    fn of(symmetry: &[usize]) -> Self {
        let mut seat: Vec<Option<(usize, usize)>> = vec![None; symmetry.len()];
        let mut first = Vec::new();
        let mut orientations = 1;
        for begin in 0..symmetry.len() {
            if seat[begin].is_some() {
                continue;
            }
            let (mut place, mut turn) = (begin, 0);
            while seat[place].is_none() {
                seat[place] = Some((first.len(), turn));
                place = symmetry[place];
                turn += 1;
            }
            // As many for each: a symmetry that leaves one place alone is the identity.
            orientations = turn;
            first.push(begin);
        }
        Self {
            orientations,
            seat: seat.into_iter().flatten().collect(),
            first,
        }
    }

    /// What an operator does to the pieces in these places.
    fn turn(&self, to: &[usize]) -> Turn {
        let n = self.first.len();
        let mut turn = Turn {
            from: vec![0; n],
            twist: vec![0; n],
        };
        for (from, first) in self.first.iter().enumerate() {
            let (place, twist) = self.seat[to[*first]];
            turn.from[place] = from;
            turn.twist[place] = twist;
        }
        turn
    }
}

/// What is in each place of a puzzle: a piece and its orientation.
type Seats = Vec<Option<(usize, usize)>>;

/// Put the pieces of a kind into places of a puzzle, unless one is taken.
fn seated(
    mut seats: Seats,
    blocks: &Blocks,
    places: &[usize],
    matching: &[usize],
    piece: usize,
) -> Option<Seats> {
    for place in places {
        let (block, turn) = blocks.seat[matching[*place]];
        if seats[block].replace((piece, turn)).is_some() {
            return None;
        }
    }
    Some(seats)
}

/// Give kinds that move alike the places of one set, with as many orientations as possible. `None`
/// if pieces could come to one place.
fn together(kinds: &[Kind], class: &Alike) -> Option<Shape> {
    let (_, symmetries) = &class[0];
    let mut all: Vec<Blocks> = symmetries.iter().map(|it| Blocks::of(it)).collect();
    all.sort_by_key(|blocks| std::cmp::Reverse(blocks.orientations));
    all.iter().find_map(|blocks| {
        let mut start = vec![None; blocks.first.len()];
        let mut goal = start.clone();
        for (piece, (kind, matchings)) in class.iter().enumerate() {
            let kind = &kinds[*kind];
            (start, goal) = matchings.iter().find_map(|matching| {
                let start = seated(start.clone(), blocks, &kind.start, matching, piece)?;
                let goal = seated(goal.clone(), blocks, &kind.goal, matching, piece)?;
                Some((start, goal))
            })?;
        }
        let arrangement = |seats: Seats| {
            let filled = seats.into_iter().map(|it| it.unwrap_or((class.len(), 0)));
            let (pieces, orientation) = filled.unzip();
            Arrangement {
                pieces,
                orientation,
            }
        };
        let first = &kinds[class[0].0];
        Some(Shape {
            orientations: blocks.orientations,
            kinds: class.iter().map(|(kind, _)| *kind).collect(),
            turns: first.to.iter().map(|to| blocks.turn(to)).collect(),
            start: arrangement(start),
            goal: arrangement(goal),
        })
    })
}
