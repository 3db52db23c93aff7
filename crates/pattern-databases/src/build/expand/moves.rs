//! Predecessors by moving places: for rules that only move values.

use std::iter::zip;

use psvn_ir::{CanonicalRule, Term};

use super::{Expander, Predecessor};
use crate::backward::Backward;
use crate::ranking::partial_permutation::{
    FILLER, MOST_POSITIONS, NEVER, PartialPermutation, PlaceArray,
};

/// A test that the places of an item (the last index: of the filler) contain some positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub(super) item: u8,
    pub(super) positions: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) tests: Vec<Test>,
    /// The new position of the value at each position.
    pub(super) destination: [u8; MOST_POSITIONS],
    pub(super) cost: u64,
}

/// Moves the places of values.
pub(crate) struct MoveExpander<'a> {
    pub(super) places: &'a PartialPermutation,
    /// Whether every item occurs once, so that places need no sorting.
    single: bool,
    all: u64,
    /// The item whose place selects the moves to try, if there is one.
    pub(super) key: Option<usize>,
    /// One list for each place of the key item; a single list without a key.
    pub(super) moves: Vec<Vec<Move>>,
}

impl<'a> MoveExpander<'a> {
    /// Return `None` when a rule does more than test constants and move values.
    pub(crate) fn new(places: &'a PartialPermutation, rules: &[Backward]) -> Option<Self> {
        let n = places.vars.len();
        let mut slot = vec![0_usize; n];
        for (position, var) in places.vars.iter().enumerate() {
            *slot.get_mut(*var as usize)? = position;
        }
        let mut moves = Vec::new();
        for backward in rules {
            let known = compile(places, &slot, &backward.rule)?;
            if let Some((tests, destination)) = known {
                moves.push(Move {
                    tests,
                    destination,
                    cost: backward.cost,
                });
            }
        }
        let tested_by_all = |item: &usize| {
            let tests = |known: &Move| {
                known
                    .tests
                    .iter()
                    .any(|test| usize::from(test.item) == *item)
            };
            places.items[*item].count == 1 && moves.iter().all(tests)
        };
        let key = (0..places.items.len()).find(tested_by_all);
        let moves = match key {
            None => vec![moves],
            Some(key) => {
                let mut by_place = vec![Vec::new(); n];
                for mut one in moves {
                    let mine = |test: &Test| usize::from(test.item) == key;
                    let Some(at) = one.tests.iter().position(mine) else {
                        continue;
                    };
                    let test = one.tests.remove(at);
                    // One value can't be in two places.
                    if test.positions.count_ones() == 1 {
                        by_place[test.positions.trailing_zeros() as usize].push(one);
                    }
                }
                by_place
            }
        };
        Some(Self {
            single: places.is_single(),
            all: if n == 64 { u64::MAX } else { (1 << n) - 1 },
            places,
            key,
            moves,
        })
    }
}

/// A rule that exchanges one value with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exchange {
    /// The value whose place selects the moves to try.
    pub(crate) item: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The item that is exchanged with it, or the filler.
    pub(crate) with: Option<usize>,
    pub(crate) cost: u64,
}

impl MoveExpander<'_> {
    /// Return the rules, if each exchanges one and the same item with a known value.
    pub(crate) fn exchanges(&self) -> Option<Vec<Exchange>> {
        let item = self.key?;
        let filler = self.places.items.len();
        let mut exchanges = Vec::new();
        for (from, moves) in self.moves.iter().enumerate() {
            for one in moves {
                let to = usize::from(one.destination[from]);
                let is_exchange = one.destination.iter().enumerate().all(|(i, after)| {
                    let expected = match i {
                        _ if i == from => to,
                        _ if i == to => from,
                        _ => i,
                    };
                    usize::from(*after) == expected
                });
                let [test] = one.tests.as_slice() else {
                    return None;
                };
                if !is_exchange || to == from || test.positions != 1 << to {
                    return None;
                }
                let with = Some(usize::from(test.item)).filter(|with| *with != filler);
                exchanges.push(Exchange {
                    item,
                    from,
                    to,
                    with,
                    cost: one.cost,
                });
            }
        }
        Some(exchanges)
    }
}

type Compiled = (Vec<Test>, [u8; MOST_POSITIONS]);

/// Compile a rule to tests and destinations. `None` when the rule does something else, `Some(None)`
/// when it never applies.
fn compile(
    places: &PartialPermutation,
    slot: &[usize],
    rule: &CanonicalRule,
) -> Option<Option<Compiled>> {
    let (p, a) = (rule.preconditions(), rule.actions());
    let n = p.len();
    let mut tests: Vec<Test> = Vec::new();
    let mut destination: [u8; MOST_POSITIONS] = std::array::from_fn(|i| i as u8);
    let mut used = vec![false; n];
    let mut sources: Vec<Option<usize>> = vec![None; n];
    for (var, term) in rule.tests() {
        let value = term.as_constant()?;
        let item = match places.item_of.get(value.index()).copied().unwrap_or(NEVER) {
            NEVER => return Some(None),
            FILLER => places.items.len() as u8,
            item => item,
        };
        let position = 1 << slot[var.index()];
        match tests.iter_mut().find(|test| test.item == item) {
            Some(test) => test.positions |= position,
            None => tests.push(Test {
                item,
                positions: position,
            }),
        }
    }
    let mut take = |to: usize, from: usize, sources: &mut Vec<Option<usize>>| {
        let is_new = !std::mem::replace(&mut used[from], true);
        sources[to] = Some(from);
        is_new
    };
    for i in 0..n {
        if let Some(var) = a[i].as_variable() {
            if !take(i, var.index(), &mut sources) {
                return None;
            }
        } else if a[i] == p[i] && !take(i, i, &mut sources) {
            return None;
        }
    }
    // A constant that is written must be one that was tested and is moved.
    for i in 0..n {
        if sources[i].is_none() {
            let same = |from: &usize| p[*from] == a[i] && Term::is_constant(p[*from]);
            let free: Vec<usize> = (0..n).filter(same).collect();
            let from = free
                .into_iter()
                .find(|from| !sources.contains(&Some(*from)))?;
            take(i, from, &mut sources);
        }
    }
    for (to, from) in sources.iter().enumerate() {
        destination[slot[(*from)?]] = slot[to] as u8;
    }
    tests.sort_by_key(|test| test.item);
    Some(Some((tests, destination)))
}

impl Expander for MoveExpander<'_> {
    type Scratch = ();

    fn scratch(&self) {}

    #[inline(always)]
    fn expand(&self, rank: u64, (): &mut (), found: &mut Vec<Predecessor>) {
        let mut places: PlaceArray = [0; MOST_POSITIONS];
        let used = self.places.unrank_places(rank, &mut places);
        let list = match self.key {
            None => &self.moves[0],
            Some(key) => &self.moves[usize::from(places[self.places.items[key].first as usize])],
        };
        let filler = self.places.items.len();
        let holds = |test: &Test| {
            let item = usize::from(test.item);
            let mine = if item == filler {
                self.all & !used
            } else {
                let item = &self.places.items[item];
                let mine = &places[item.first as usize..][..item.count as usize];
                mine.iter()
                    .fold(0, |set, place| set | 1_u64 << (place & 63))
            };
            mine & test.positions == test.positions
        };
        let n_places = self.places.n_places;
        for one in list {
            if !one.tests.iter().all(holds) {
                continue;
            }
            let mut moved: PlaceArray = [0; MOST_POSITIONS];
            for (moved, place) in zip(&mut moved, &places[..n_places]) {
                *moved = one.destination[usize::from(place & 63)];
            }
            if !self.single {
                for item in self.places.items.iter().filter(|item| item.count > 1) {
                    moved[item.first as usize..][..item.count as usize].sort_unstable();
                }
            }
            found.push(Predecessor {
                rank: self.places.rank_places(&moved),
                cost: one.cost,
            });
        }
    }
}
