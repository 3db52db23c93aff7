//! Tests whether a move has won, and counts of the goals that a player may still reach.
//!
//! The facts that the goals of a player require are the bits of a word, by value and then by
//! variable. Lines of a board become runs of bits at equal distances. So all lines of one
//! direction, wherever they are, are found at once by a few shifts: bit i of
//! `f & f >> d & f >> 2d & f >> 3d` is set if bits i, i + d, i + 2d and i + 3d are, and a mask of
//! *anchors* keeps those i where a line of the game begins. Programs for a single game do this with
//! bitboards; here the distances come from the goals. Goals of another form are compared one by
//! one, and only those that the last move may have completed.

use std::collections::BTreeMap;

use crate::form::planes::{Plane, Planes};
use crate::game::ground::{Fact, Move};

/// The number of directions that are tested together.
const LANES: usize = 4;

/// The number of doubling steps by which a run is found.
const STEPS: usize = 3;

/// The longest run that [`STEPS`] steps can find.
const LONGEST_RUN: u32 = 1 << STEPS;

/// The number of directions that are used even if each has few goals.
const FEW_DIRECTIONS: usize = 8;

/// The maximum number of directions: with more, goals are compared one by one.
const MOST_DIRECTIONS: usize = 32;

/// Runs of bits in up to four directions. A lane that isn't used has no anchors.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Runs {
    shifts: [[u64; LANES]; STEPS],
    anchors: [u64; LANES],
}

impl Runs {
    /// Return the beginnings of runs, for each direction.
    #[inline(always)]
    fn begins(&self, facts: u64) -> [u64; LANES] {
        let mut found = [facts; LANES];
        for shifts in &self.shifts {
            for (found, shift) in found.iter_mut().zip(shifts) {
                *found &= *found >> (*shift & 63);
            }
        }
        for (found, anchors) in found.iter_mut().zip(&self.anchors) {
            *found &= *anchors;
        }
        found
    }
}

/// The goals whose facts are in one word.
#[derive(Clone, Debug)]
struct Block {
    /// The word of the facts that hold.
    facts: usize,
    /// The word of the facts that can no longer become true.
    lost: usize,
    runs: Vec<Runs>,
}

/// Part of a goal: these facts of a word must hold.
#[derive(Clone, Copy, Debug)]
struct Part {
    facts: usize,
    lost: usize,
    mask: u64,
}

/// The goals that one player may reach by a move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    blocks: Vec<Block>,
    /// Goals that are not runs, each with all its parts.
    others: Vec<Box<[Part]>>,
    /// For each move of the player, the goals of `others` that it may make true.
    touched: Vec<Box<[u32]>>,
}

/// The knowledge about the facts of a game.
pub(crate) struct Knowledge<'a> {
    /// The variable of the turn.
    pub(crate) turn: u32,
    /// The moves of this player.
    pub(crate) own: &'a [Move],
    /// The moves of the other player.
    pub(crate) their: &'a [Move],
    /// For a fact, the values of its variable from which it can no longer become true.
    pub(crate) lost: &'a dyn Fn(Fact) -> Vec<u32>,
}

impl Goals {
    /// Prepare the goals that hold after a move of one player, given as facts by variable.
    pub(crate) fn new(goals: &[Vec<Fact>], known: &Knowledge<'_>, planes: &mut Planes) -> Self {
        // After a move of this player, the turn is right.
        let goals: Vec<Vec<Fact>> = goals
            .iter()
            .map(|goal| {
                let facts = goal.iter().copied();
                facts.filter(|(var, _)| *var != known.turn).collect()
            })
            .collect();
        let mut facts: Vec<Fact> = goals.iter().flatten().copied().collect();
        facts.sort_by_key(|(var, value)| (*value, *var));
        facts.dedup();
        let places: BTreeMap<Fact, usize> = facts.iter().copied().zip(0..).collect();
        let words: Vec<(usize, usize)> = facts
            .chunks(64)
            .map(|chunk| {
                let (mut holds, mut lost) = (Plane::default(), Plane::default());
                for (bit, fact) in chunk.iter().enumerate() {
                    holds.add(*fact, 1 << bit);
                    for value in (known.lost)(*fact) {
                        lost.add((fact.0, value), 1 << bit);
                    }
                }
                (planes.place(holds), planes.place(lost))
            })
            .collect();
        // By word and direction (the distances of the bits), the goals there with their anchors.
        let mut directions: BTreeMap<(usize, u64), Vec<(usize, u64)>> = BTreeMap::new();
        let mut parts: Vec<BTreeMap<usize, u64>> = Vec::with_capacity(goals.len());
        for (number, goal) in goals.iter().enumerate() {
            let mut masks: BTreeMap<usize, u64> = BTreeMap::new();
            for fact in goal {
                let place = places[fact];
                *masks.entry(place / 64).or_default() |= 1 << (place % 64);
            }
            if let (1, Some((word, mask))) = (masks.len(), masks.first_key_value()) {
                let low = mask.trailing_zeros();
                if Run::of(mask >> low).is_some() {
                    let goals = directions.entry((*word, mask >> low)).or_default();
                    goals.push((number, 1 << low));
                }
            }
            parts.push(masks);
        }
        let few = directions.len() <= FEW_DIRECTIONS;
        directions.retain(|_, goals| few || goals.len() > 1);
        while directions.len() > MOST_DIRECTIONS {
            directions.pop_last();
        }
        let mut is_run = vec![false; goals.len()];
        let mut blocks: Vec<Block> = Vec::new();
        for (word, (facts, lost)) in words.iter().enumerate() {
            let here: Vec<(Run, u64)> = directions
                .iter()
                .filter(|((at, _), _)| *at == word)
                .filter_map(|((_, pattern), goals)| {
                    let anchors = goals.iter().fold(0, |a, (_, anchor)| a | anchor);
                    goals.iter().for_each(|(number, _)| is_run[*number] = true);
                    Some((Run::of(*pattern)?, anchors))
                })
                .collect();
            if !here.is_empty() {
                blocks.push(Block {
                    facts: *facts,
                    lost: *lost,
                    runs: here.chunks(LANES).map(Runs::of).collect(),
                });
            }
        }
        let rest: Vec<usize> = (0..goals.len()).filter(|number| !is_run[*number]).collect();
        let others: Vec<Box<[Part]>> = rest
            .iter()
            .map(|number| {
                let masks = parts[*number].iter();
                masks
                    .map(|(word, mask)| Part {
                        facts: words[*word].0,
                        lost: words[*word].1,
                        mask: *mask,
                    })
                    .collect()
            })
            .collect();
        let touched = touched(&goals, &rest, known);
        Self {
            blocks,
            others,
            touched,
        }
    }

    /// Return whether a goal holds after a move of this player from a state in which none held.
    /// With `all`, goals that the move doesn't touch are tested, too.
    #[inline(always)]
    pub(crate) fn reached(&self, number: usize, all: bool, word: impl Fn(usize) -> u64) -> bool {
        let mut found = 0;
        for block in &self.blocks {
            let facts = word(block.facts);
            for runs in &block.runs {
                found |= runs.begins(facts).iter().fold(0, |a, b| a | b);
            }
        }
        found != 0 || (!self.others.is_empty() && self.other_reached(number, all, &word))
    }

    fn other_reached(&self, number: usize, all: bool, word: &dyn Fn(usize) -> u64) -> bool {
        let holds = |parts: &[Part]| {
            parts
                .iter()
                .all(|part| word(part.facts) & part.mask == part.mask)
        };
        if all {
            self.others.iter().any(|parts| holds(parts))
        } else {
            self.touched[number]
                .iter()
                .any(|goal| holds(&self.others[*goal as usize]))
        }
    }

    /// Return how many of the goals require only facts that can still become true.
    #[inline(always)]
    pub(crate) fn open(&self, word: impl Fn(usize) -> u64) -> u32 {
        let mut open = 0;
        for block in &self.blocks {
            let possible = !word(block.lost);
            for runs in &block.runs {
                let begins = runs.begins(possible);
                open += begins.iter().map(|begins| begins.count_ones()).sum::<u32>();
            }
        }
        for parts in &self.others {
            let is_open = parts.iter().all(|part| word(part.lost) & part.mask == 0);
            open += u32::from(is_open);
        }
        open
    }
}

/// Return, for each move, the goals of a list that it may make true.
fn touched(goals: &[Vec<Fact>], rest: &[usize], known: &Knowledge<'_>) -> Vec<Box<[u32]>> {
    let writes = |moves: &[Move], fact: &Fact| {
        let of = |a: &Move| a.changes.iter().any(|(var, _, new)| (*var, *new) == *fact);
        moves.iter().any(of)
    };
    // If the other player completes a goal before this player has moved, it holds after any next
    // move of this player.
    let completed_by_other: Vec<bool> = rest
        .iter()
        .map(|number| goals[*number].iter().any(|fact| writes(known.their, fact)))
        .collect();
    known
        .own
        .iter()
        .map(|a| {
            let after = |var: u32| a.changes.iter().find(|change| change.0 == var);
            rest.iter()
                .zip(0u32..)
                .filter(|(number, place)| {
                    let goal = &goals[**number];
                    let breaks = |(var, value): &Fact| after(*var).is_some_and(|c| c.2 != *value);
                    let makes = |(var, value): &Fact| after(*var).is_some_and(|c| c.2 == *value);
                    !goal.iter().any(breaks)
                        && (completed_by_other[*place as usize]
                            || goal.is_empty()
                            || goal.iter().any(makes))
                })
                .map(|(_, place)| place)
                .collect()
        })
        .collect()
}

/// Bits at equal distances, the lowest at place 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    distance: u32,
    length: u32,
}

impl Run {
    fn of(pattern: u64) -> Option<Self> {
        let length = pattern.count_ones();
        let without_first = pattern & pattern.wrapping_sub(1);
        let distance = match length {
            0 => return None,
            1 => 0,
            _ => without_first.trailing_zeros(),
        };
        let expected = (0..length).try_fold(0u64, |bits, i| {
            (distance * i < 64).then(|| bits | 1 << (distance * i))
        })?;
        (expected == pattern && length <= LONGEST_RUN).then_some(Self { distance, length })
    }

    /// Return the shift of each step.
    fn shifts(self) -> [u64; STEPS] {
        let mut have = 1;
        [(); STEPS].map(|()| {
            let step = have.min(self.length - have);
            have += step;
            u64::from(step * self.distance)
        })
    }
}

impl Runs {
    fn of(directions: &[(Run, u64)]) -> Self {
        let mut runs = Self::default();
        for (lane, (run, anchors)) in directions.iter().enumerate() {
            for (step, shift) in run.shifts().into_iter().enumerate() {
                runs.shifts[step][lane] = shift;
            }
            runs.anchors[lane] = *anchors;
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_recognized_and_found() {
        assert_eq!(
            Run::of(0b1001001),
            Some(Run {
                distance: 3,
                length: 3
            })
        );
        assert_eq!(Run::of(0b1001011), None);
        assert_eq!(Run::of(0x1FF), None, "longer than three doublings");
        for length in 1..=LONGEST_RUN {
            for distance in 1..=9 {
                let pattern = (0..length).fold(0u64, |bits, i| bits | 1 << (i * distance));
                let run = Run::of(pattern).expect("a run");
                let runs = Runs::of(&[(run, u64::MAX)]);
                for low in 0..64 - (length - 1) * distance {
                    let found = runs.begins(pattern << low)[0];
                    assert_eq!(found, 1 << low, "{length} at distance {distance}");
                    let (gap, all) = (1 << (low + (length / 2) * distance), pattern << low);
                    assert_eq!(runs.begins(all ^ gap)[0], 0);
                }
            }
        }
    }
}
