//! Tables of pieces with orientations.
//!
//! For each node the [code](crate::dual::piece_codes) of every piece is kept, and for duals the
//! code of each piece in the dual state. A rule maps codes to codes, whatever else is in the state,
//! so a child's codes are looked up from its parent's without the state. All tables, whichever
//! image of the state they are looked up for, read their ranks from the same codes.

use std::iter::zip;

use abstraction::PieceSystem;
use psvn_ir::{Game, RuleId};
use search::{Sibling, count_lookups};

use super::memo::{MOST_SIBLINGS, MOST_SLOTS, MOST_TABLES, PatternMemo, UNKNOWN};
use super::order::by_estimates;
use super::piece_ranks::{Part, blocks_of};
use crate::database::PatternDatabase;
use crate::dual::piece_codes::{GamePieces, OrbitPieces};
use crate::ranking::oriented_pieces::Motion;

/// The maximum number of tables whose entries are prefetched. The others are looked up less often,
/// since the first ones usually suffice.
const MOST_PREFETCHED: usize = 2;
/// The minimum bytes of a table that is prefetched. Smaller ones stay in the processor's caches,
/// and computing the ranks of all children in advance takes longer than waiting for the entries.
const LEAST_PREFETCHED: u64 = 8 << 20;

/// The codes of an orbit's pieces, in the memo.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) orbit: usize,
    pub(super) first: usize,
    /// The place where the next group begins.
    end: usize,
    /// Whether the codes are those of the pieces in the dual state.
    of_dual: bool,
}

/// The source of a slot's code.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The slot of the parent.
    source: u8,
    /// Where the map of codes begins.
    map: u16,
}

/// The data to look up a set of tables of pieces along paths.
#[derive(Debug)]
pub(crate) struct PieceLookup {
    pieces: GamePieces,
    groups: Vec<Group>,
    n_slots: usize,
    /// By rule and slot.
    steps: Vec<Step>,
    maps: Vec<u8>,
    /// Sum by sum, those with the larger mean estimates first: usually the later ones need not be
    /// looked up then.
    parts: Vec<Part>,
    /// The number of parts, from the first on, that are prefetched.
    n_prefetched: usize,
}

/// Return the orbit with the pieces that a table ranks.
fn orbit_of(table: &PatternDatabase, pieces: &GamePieces) -> Option<usize> {
    let var = blocks_of(table)?.vars().next()?;
    let concrete = table.reader.variables[var as usize];
    let mut orbits = pieces.orbits().iter();
    orbits.position(|orbit| orbit.holds(concrete as usize))
}

impl PieceLookup {
    /// Return `None` when the tables are of other kinds, or too many.
    pub(crate) fn new(game: &Game, sums: &[Vec<PatternDatabase>]) -> Option<Self> {
        let n_tables: usize = sums.iter().map(Vec::len).sum();
        if n_tables > MOST_TABLES || sums.iter().flatten().any(|it| blocks_of(it).is_none()) {
            return None;
        }
        let system = PieceSystem::find(game)?;
        let pieces = GamePieces::find(game, &system)?;
        let mut lookup = Self {
            pieces,
            groups: Vec::new(),
            n_slots: 0,
            steps: Vec::new(),
            maps: Vec::new(),
            parts: Vec::new(),
            n_prefetched: 0,
        };
        for sum in by_estimates(sums) {
            for (in_sum, table) in sums[sum].iter().enumerate() {
                let orbit = orbit_of(table, &lookup.pieces)?;
                let group = lookup.group(orbit, table.dual().is_some());
                let numbered = (group, &lookup.groups[group]);
                let part = Part::new(table, &lookup.pieces, numbered, (sum, in_sum))?;
                lookup.parts.push(part);
            }
        }
        if lookup.n_slots > MOST_SLOTS {
            return None;
        }
        for permutation in system.permutations() {
            lookup.add_steps(permutation)?;
        }
        let mut first = lookup.parts.iter().take(MOST_PREFETCHED);
        let is_large = |part: &&Part| sums[part.sum][part.in_sum].n_bytes() >= LEAST_PREFETCHED;
        lookup.n_prefetched = first
            .rposition(|part| is_large(&part))
            .map_or(0, |last| last + 1);
        Some(lookup)
    }

    /// Return the number of the group of an orbit's pieces.
    fn group(&mut self, orbit: usize, of_dual: bool) -> usize {
        let mut groups = self.groups.iter();
        if let Some(known) = groups.position(|it| it.orbit == orbit && it.of_dual == of_dual) {
            return known;
        }
        let first = self.n_slots;
        self.n_slots += self.pieces.orbits()[orbit].n_blocks();
        self.groups.push(Group {
            orbit,
            first,
            end: self.n_slots,
            of_dual,
        });
        self.groups.len() - 1
    }

    /// Add the change of all slots by one rule.
    fn add_steps(&mut self, permutation: &[usize]) -> Option<()> {
        for group in &self.groups {
            let orbit = &self.pieces.orbits()[group.orbit];
            let motions = orbit.motions(permutation)?;
            if group.of_dual {
                // The piece that comes to a block was in another one and is turned. In the dual
                // state its place is turned back instead.
                for block in 0..orbit.n_blocks() {
                    let comes = |motion: &Motion| usize::from(motion.to) == block;
                    let from = motions.iter().position(comes)?;
                    let back = orbit.back(usize::from(motions[from].turn));
                    let map = add_map(&mut self.maps, orbit, |block, turned| {
                        (block, orbit.both(turned, back))
                    })?;
                    let source = (group.first + from) as u8;
                    self.steps.push(Step { source, map });
                }
            } else {
                let map = add_map(&mut self.maps, orbit, |block, turned| {
                    let motion = motions[block];
                    let turned = orbit.both(turned, usize::from(motion.turn));
                    (usize::from(motion.to), turned)
                })?;
                let step = |slot| Step {
                    source: slot as u8,
                    map,
                };
                self.steps.extend((group.first..group.end).map(step));
            }
        }
        Some(())
    }

    /// Find the codes of all pieces. `None` for a state without a rank.
    fn find(
        &self,
        sums: &[Vec<PatternDatabase>],
        state: &[u8],
        codes: &mut [u8; MOST_SLOTS],
    ) -> Option<()> {
        for table in sums.iter().flatten() {
            table.rank_of(state)?;
        }
        for group in &self.groups {
            let orbit = &self.pieces.orbits()[group.orbit];
            for block in 0..orbit.n_blocks() {
                let (home, turned) = orbit.at(block, |var| usize::from(state[var]))?;
                if group.of_dual {
                    let code = orbit.code(home, orbit.back(turned));
                    codes[group.first + block] = code as u8;
                } else {
                    codes[group.first + home] = orbit.code(block, turned) as u8;
                }
            }
        }
        Some(())
    }

    #[inline]
    pub(crate) fn start(&self, sums: &[Vec<PatternDatabase>], state: &[u8]) -> (u64, PatternMemo) {
        let mut memo = PatternMemo::default();
        if self.find(sums, state, &mut memo.places).is_none() {
            // The state breaks the assumed invariants, so the places of its children are computed
            // from scratch.
            memo.places[0] = UNKNOWN;
            return (0, memo);
        }
        let mut greatest = Greatest::default();
        for part in &self.parts {
            let rank = part.rank(|slot| memo.places[slot]);
            count_lookups(1);
            greatest.add(part.sum, sums[part.sum][part.in_sum].at(rank));
        }
        (greatest.total(), memo)
    }

    /// Return the change of all slots by a rule.
    #[inline(always)]
    fn steps(&self, rule: RuleId) -> &[Step] {
        &self.steps[rule.index() * self.n_slots..][..self.n_slots]
    }

    #[inline(always)]
    fn code(&self, step: Step, memo: &PatternMemo) -> u8 {
        let code = memo.places[usize::from(step.source)];
        self.maps[usize::from(step.map) + usize::from(code)]
    }

    /// Return whether the children of a node are better estimated together.
    pub(crate) fn has_batches(&self) -> bool {
        self.n_prefetched > 0
    }

    /// Return the estimate and memo of a child, or a lower bound above `cutoff`.
    #[inline(always)]
    pub(crate) fn child(
        &self,
        sums: &[Vec<PatternDatabase>],
        rule: RuleId,
        child: &[u8],
        memo: &PatternMemo,
        cutoff: u64,
    ) -> (u64, PatternMemo) {
        if memo.places[0] == UNKNOWN {
            return self.start(sums, child);
        }
        let mut next = PatternMemo::default();
        let mut greatest = Greatest::default();
        // Groups are in the order in which parts need them, and most children are left out before
        // all of them are needed.
        let mut n_groups = 0;
        let mut n_lookups = 0;
        for part in &self.parts {
            if part.group == n_groups {
                self.follow(rule, &self.groups[n_groups], memo, &mut next);
                n_groups += 1;
            }
            let rank = part.rank(|slot| next.places[slot]);
            n_lookups += 1;
            greatest.add(part.sum, sums[part.sum][part.in_sum].at(rank));
            if greatest.total() > cutoff {
                break;
            }
        }
        count_lookups(n_lookups);
        (greatest.total(), next)
    }

    /// Write the codes of a group's pieces in a child.
    #[inline(always)]
    fn follow(&self, rule: RuleId, group: &Group, memo: &PatternMemo, next: &mut PatternMemo) {
        let steps = self.steps(rule);
        let slots = group.first..group.end;
        if !group.of_dual {
            // Each piece stays in its slot, and one map serves all.
            let n_codes = self.pieces.orbits()[group.orbit].n_codes();
            let map = &self.maps[usize::from(steps[group.first].map)..][..n_codes];
            let codes = next.places[slots.clone()].iter_mut();
            for (code, before) in codes.zip(&memo.places[slots]) {
                *code = map[usize::from(*before)];
            }
            return;
        }
        for (code, step) in zip(&mut next.places[slots.clone()], &steps[slots]) {
            *code = self.code(*step, memo);
        }
    }

    /// Estimate several children of a node, table by table: all entries of one table are on their
    /// way before the first one is used.
    #[inline(never)]
    pub(crate) fn children<'s>(
        &self,
        sums: &[Vec<PatternDatabase>],
        siblings: &[Sibling],
        mut states: impl Iterator<Item = &'s [u8]>,
        memo: &PatternMemo,
        found: &mut dyn FnMut(usize, u64, PatternMemo),
    ) {
        if memo.places[0] == UNKNOWN {
            for number in 0..siblings.len() {
                let state = states.next().expect("each child has a state");
                let (estimate, memo) = self.start(sums, state);
                found(number, estimate, memo);
            }
            return;
        }
        let mut first = 0;
        for siblings in siblings.chunks(MOST_SIBLINGS) {
            let mut children = [Child::default(); MOST_SIBLINGS];
            let children = &mut children[..siblings.len()];
            let mut n_groups = 0;
            let mut n_lookups = 0;
            for part in &self.parts {
                let group = (part.group == n_groups).then(|| &self.groups[n_groups]);
                n_groups += usize::from(group.is_some());
                let table = &sums[part.sum][part.in_sum];
                let mut n_left = 0;
                for (child, sibling) in zip(&mut *children, siblings) {
                    if child.is_done {
                        continue;
                    }
                    if let Some(group) = group {
                        self.follow(sibling.rule, group, memo, &mut child.memo);
                    }
                    child.rank = part.rank(|slot| child.memo.places[slot]);
                    table.table.fetch(child.rank);
                    n_left += 1;
                }
                n_lookups += n_left;
                if n_left == 0 {
                    break;
                }
                for (child, sibling) in zip(&mut *children, siblings) {
                    if !child.is_done {
                        child.greatest.add(part.sum, table.at(child.rank));
                        child.is_done = child.greatest.total() > sibling.cutoff;
                    }
                }
            }
            count_lookups(n_lookups);
            for (number, child) in children.iter().enumerate() {
                found(first + number, child.greatest.total(), child.memo);
            }
            first += siblings.len();
        }
    }
}

/// A child among others.
#[derive(Clone, Copy, Default)]
struct Child {
    memo: PatternMemo,
    /// The rank in the present table.
    rank: u64,
    greatest: Greatest,
    /// Whether no further table is needed.
    is_done: bool,
}

/// Return where a map of codes begins; an equal one is reused.
fn add_map(
    maps: &mut Vec<u8>,
    orbit: &OrbitPieces,
    to: impl Fn(usize, usize) -> (usize, usize),
) -> Option<u16> {
    let mut map = vec![0; orbit.n_codes()];
    for code in orbit.codes() {
        let (block, turned) = orbit.parts(code);
        let (block, turned) = to(block, turned);
        map[code] = u8::try_from(orbit.code(block, turned)).ok()?;
    }
    if orbit.n_codes() >= usize::from(UNKNOWN) {
        return None;
    }
    let known = maps.windows(map.len()).position(|other| other == map);
    let first = known.unwrap_or_else(|| {
        maps.extend(&map);
        maps.len() - map.len()
    });
    u16::try_from(first).ok()
}

/// The maximum of sums, whose parts come sum by sum.
#[derive(Clone, Copy, Default)]
struct Greatest {
    of_others: u64,
    sum: usize,
    so_far: u64,
}

impl Greatest {
    #[inline(always)]
    fn add(&mut self, sum: usize, estimate: u64) {
        if sum != self.sum {
            self.of_others = self.total();
            self.so_far = 0;
            self.sum = sum;
        }
        // A dead end stays one.
        self.so_far = self.so_far.saturating_add(estimate);
    }

    #[inline(always)]
    fn total(&self) -> u64 {
        self.so_far.max(self.of_others)
    }
}
