//! Tables of pieces with orientations.
//!
//! For each node the [code](crate::dual::piece_codes) of every piece is kept, and for duals that of
//! each piece in the dual state. A rule leads from codes to codes, whatever else there is, so a
//! child's are looked up from its parent's without the state. All tables, whichever image of the
//! state they are looked up for, read their ranks from the same codes.

use std::sync::Arc;

use abstraction::PieceSystem;
use psvn_ir::{Game, RuleId};
use search::Cell;

use super::{MOST_SLOTS, MOST_TABLES, PatternMemo, UNKNOWN, fits};
use crate::database::PatternDatabase;
use crate::dual::piece_codes::{GamePieces, OrbitPieces};
use crate::ranking::oriented_pieces::{Motion, OrientedPieces};
use crate::ranking::partial_permutation::rank_singles;
use crate::ranking::symmetric::SymmetricPieces;

/// The number of tables whose entries are prefetched. The others are looked up less often, since
/// the first ones mostly suffice.
const PREFETCHED: usize = 2;

/// The bits of an [entry](Part::entries) that are added to the rank; above them is the place.
const ADDED_BITS: u32 = 26;

/// The codes of an orbit's pieces, in the memo.
#[derive(Clone, Debug)]
struct Group {
    orbit: usize,
    first: usize,
    /// Where the next group begins.
    end: usize,
    /// By home of the piece in the state, or in the dual state.
    of_dual: bool,
}

/// Where a slot's code comes from.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The slot of the parent.
    source: u8,
    /// Where the map of codes begins.
    map: u16,
}

/// A table's pieces in the memo.
#[derive(Clone, Debug)]
struct Part {
    /// The slots of its pieces. Those whose places are ranked come first.
    slots: Vec<u8>,
    /// The numbers of free places for those.
    sizes: Vec<u64>,
    orientations: u64,
    /// By piece and code: its place in the table's terms, and what its orientation adds to the
    /// rank.
    entries: Vec<u32>,
    /// What leads to the rank up to symmetries, if it is that.
    symmetric: Option<Symmetric>,
    /// All codes are less.
    n_codes: usize,
    /// All places, of whatever piece.
    n_places: usize,
    /// Which [group](Group) it reads.
    group: usize,
    sum: usize,
    in_sum: usize,
}

/// How ranks up to symmetries are found.
#[derive(Clone, Debug)]
struct Symmetric {
    pieces: Arc<SymmetricPieces>,
    /// By symmetry, piece and code: what the orientation adds to the rank after the symmetry.
    adds: Vec<u32>,
}

/// How a set of tables of pieces is looked up along paths.
#[derive(Debug)]
pub(crate) struct PieceLookup {
    pieces: GamePieces,
    groups: Vec<Group>,
    n_slots: usize,
    /// By rule and slot.
    steps: Vec<Step>,
    maps: Vec<u8>,
    /// Sum by sum, those first that say more on average: mostly what comes later needn't be looked
    /// up then.
    parts: Vec<Part>,
}

/// Return the only factor of a table that has more than one rank.
fn blocks_of(table: &PatternDatabase) -> Option<&OrientedPieces> {
    let ranking = &table.ranking;
    let symmetric = ranking.as_symmetric_pieces();
    let blocks = symmetric.map(|pieces| pieces.blocks());
    blocks.or_else(|| ranking.as_oriented_pieces())
}

/// Return the orbit whose pieces a table ranks.
fn orbit_of(table: &PatternDatabase, pieces: &GamePieces) -> Option<usize> {
    let var = blocks_of(table)?.vars().next()?;
    let concrete = table.reader.variables[var as usize];
    let mut orbits = pieces.orbits().iter();
    orbits.position(|orbit| orbit.holds(concrete as usize))
}

impl PieceLookup {
    /// `None` when the tables are of other kinds, or too many.
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
        };
        for sum in super::by_estimates(sums) {
            for (in_sum, table) in sums[sum].iter().enumerate() {
                let orbit = orbit_of(table, &lookup.pieces)?;
                let group = lookup.group(orbit, table.dual().is_some());
                let part = Part::new(table, &lookup, group, (sum, in_sum))?;
                lookup.parts.push(part);
            }
        }
        if lookup.n_slots > MOST_SLOTS {
            return None;
        }
        for permutation in system.permutations() {
            lookup.add_steps(permutation)?;
        }
        Some(lookup)
    }

    /// The number of the group of an orbit's pieces.
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

    /// How one rule changes all slots.
    fn add_steps(&mut self, permutation: &[usize]) -> Option<()> {
        for group in &self.groups {
            let orbit = &self.pieces.orbits()[group.orbit];
            let motions = orbit.motions(permutation)?;
            if group.of_dual {
                // The piece that comes to a block was in another one, and is turned, so in the dual
                // state its place is turned back.
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

    /// Find the codes of all pieces. `None` for a state that has no rank.
    fn find<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        state: &[C],
        codes: &mut [u8; MOST_SLOTS],
    ) -> Option<()> {
        for table in sums.iter().flatten() {
            table.rank_of(state)?;
        }
        for group in &self.groups {
            let orbit = &self.pieces.orbits()[group.orbit];
            for block in 0..orbit.n_blocks() {
                let (home, turned) = orbit.at(block, |var| state[var].index())?;
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
    pub(crate) fn start<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        state: &[C],
    ) -> (u64, PatternMemo) {
        let mut memo = PatternMemo::default();
        if self.find(sums, state, &mut memo.places).is_none() {
            // It breaks what is known of the states that matter, so the places of its children
            // are found anew.
            memo.places[0] = UNKNOWN;
            return (0, memo);
        }
        let mut greatest = Greatest::default();
        for part in &self.parts {
            let rank = part.rank(|slot| memo.places[slot]);
            greatest.add(part.sum, sums[part.sum][part.in_sum].at(rank));
        }
        (greatest.total(), memo)
    }

    /// How a rule changes all slots.
    #[inline(always)]
    fn steps(&self, rule: RuleId) -> &[Step] {
        &self.steps[rule.index() * self.n_slots..][..self.n_slots]
    }

    #[inline(always)]
    fn code(&self, step: Step, memo: &PatternMemo) -> u8 {
        let code = memo.places[usize::from(step.source) % MOST_SLOTS];
        self.maps[usize::from(step.map) + usize::from(code)]
    }

    /// Fetches what the first tables say of a child.
    #[inline(always)]
    pub(crate) fn prefetch(&self, sums: &[Vec<PatternDatabase>], rule: RuleId, memo: &PatternMemo) {
        if memo.places[0] == UNKNOWN {
            return;
        }
        let steps = self.steps(rule);
        for part in self.parts.iter().take(PREFETCHED) {
            let rank = part.rank(|slot| self.code(steps[slot], memo));
            sums[part.sum][part.in_sum].table.fetch(rank);
        }
    }

    /// As [`Heuristic::child_bounded`](search::Heuristic::child_bounded).
    #[inline(always)]
    pub(crate) fn child<C: Cell>(
        &self,
        sums: &[Vec<PatternDatabase>],
        rule: RuleId,
        child: &[C],
        memo: &PatternMemo,
        enough: u64,
    ) -> (u64, PatternMemo) {
        if memo.places[0] == UNKNOWN {
            return self.start(sums, child);
        }
        let mut next = PatternMemo::default();
        let steps = self.steps(rule);
        let follow = |next: &mut PatternMemo, group: &Group| {
            let slots = group.first..group.end;
            for (code, step) in next.places[slots.clone()].iter_mut().zip(&steps[slots]) {
                *code = self.code(*step, memo);
            }
        };
        let mut greatest = Greatest::default();
        // Groups are in the order in which parts come to need them. Most children are left out
        // before all are needed.
        let mut n_groups = 0;
        for part in &self.parts {
            if part.group == n_groups {
                follow(&mut next, &self.groups[n_groups]);
                n_groups += 1;
            }
            let rank = part.rank(|slot| next.places[slot]);
            greatest.add(part.sum, sums[part.sum][part.in_sum].at(rank));
            if greatest.total() > enough {
                break;
            }
        }
        (greatest.total(), next)
    }
}

/// Where a map of codes begins; one that is there is used again.
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

/// The greatest of sums, whose parts come sum by sum.
#[derive(Default)]
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
        // From a dead end on it stays one.
        self.so_far = self.so_far.saturating_add(estimate);
    }

    #[inline(always)]
    fn total(&self) -> u64 {
        self.so_far.max(self.of_others)
    }
}

impl Part {
    fn new(
        table: &PatternDatabase,
        lookup: &PieceLookup,
        group: usize,
        (sum, in_sum): (usize, usize),
    ) -> Option<Self> {
        let all = &lookup.pieces;
        let Group { orbit, first, .. } = lookup.groups[group];
        let blocks = blocks_of(table)?;
        let singles = blocks.single_pieces()?;
        let (places, orientations) = blocks.parts();
        if !fits(table) || orientations >> ADDED_BITS != 0 || places.vars.len() > 64 {
            return None;
        }
        let of_orbit = &all.orbits()[orbit];
        let n_codes = of_orbit.n_codes();
        let mut slots = vec![None; singles.len()];
        let mut entries = vec![0; singles.len() * n_codes];
        let pieces = table.ranking.as_symmetric_pieces();
        let mut symmetric = pieces.map(|pieces| Symmetric {
            pieces: Arc::clone(pieces),
            adds: vec![0; pieces.images().len() * entries.len()],
        });
        for home in 0..of_orbit.n_blocks() {
            for code in of_orbit.codes() {
                // Where the table sees the piece.
                let state = all.with_piece(orbit, home, code);
                let value =
                    |var: usize| table.reader.value(var, |concrete| state[concrete] as usize);
                let (block, _) = of_orbit.parts(code);
                let position = of_orbit.positions(block)[0];
                let var = table
                    .reader
                    .variables
                    .iter()
                    .position(|it| *it == position)?;
                let block = blocks.block_of(var)?;
                let (kind, orientation) = blocks.content(block, value)?;
                let Some(piece) = singles.iter().position(|(single, _)| *single == kind) else {
                    continue;
                };
                let slot = slots[piece].get_or_insert(first + home);
                if *slot != first + home {
                    return None;
                }
                let adds = singles[piece].1[block][orientation as usize];
                let place = piece * n_codes + code;
                entries[place] = (block as u32) << ADDED_BITS | adds as u32;
                if let Some(Symmetric { pieces, adds }) = &mut symmetric {
                    let places = adds.iter_mut().skip(place).step_by(entries.len());
                    for (image, adds) in places.enumerate() {
                        let images = pieces.images();
                        *adds = images.adds(image, piece, block, orientation as usize) as u32;
                    }
                }
            }
        }
        let slots = slots.into_iter().map(|slot| Some(slot? as u8));
        Some(Self {
            slots: slots.collect::<Option<_>>()?,
            sizes: (0..places.items.len())
                .map(|i| (places.vars.len() - i) as u64)
                .collect(),
            orientations,
            entries,
            symmetric,
            n_codes,
            n_places: places.vars.len(),
            group,
            sum,
            in_sum,
        })
    }

    #[inline(always)]
    fn rank(&self, code: impl Fn(usize) -> u8) -> u64 {
        if let Some(symmetric) = &self.symmetric {
            return self.symmetric_rank(symmetric, code);
        }
        let entries = self.entries.chunks_exact(self.n_codes);
        let mut entries = self
            .slots
            .iter()
            .zip(entries)
            .map(|(slot, entries)| entries[usize::from(code(usize::from(*slot)))]);
        let added = |entry| entry & ((1 << ADDED_BITS) - 1);
        let mut turned = 0_u32;
        let digits = self.sizes.iter().zip(&mut entries).map(|(size, entry)| {
            turned += added(entry);
            ((entry >> ADDED_BITS) as u8, *size)
        });
        let arrangement = rank_singles(self.n_places, digits);
        // The place of the last of as many pieces as places is what is left.
        turned += entries.map(added).sum::<u32>();
        arrangement * self.orientations + u64::from(turned)
    }

    #[inline(always)]
    fn symmetric_rank(&self, symmetric: &Symmetric, code: impl Fn(usize) -> u8) -> u64 {
        // By piece: where its code is among the entries.
        let mut places = [0; MOST_SLOTS];
        let slots = self.slots.iter().enumerate();
        for (place, (piece, slot)) in places.iter_mut().zip(slots) {
            *place = piece * self.n_codes + usize::from(code(usize::from(*slot)));
        }
        let places = &places[..self.slots.len().min(MOST_SLOTS)];
        let digits = self.sizes.iter().zip(places);
        let digits =
            digits.map(|(size, place)| ((self.entries[*place] >> ADDED_BITS) as u8, *size));
        let arrangement = rank_singles(self.n_places, digits);
        let (class, image) = symmetric.pieces.class_of(arrangement);
        let adds = &symmetric.adds[image * self.entries.len()..][..self.entries.len()];
        let turned: u32 = places.iter().map(|place| adds[*place]).sum();
        class * self.orientations + u64::from(turned)
    }
}
