//! The ranks of a table of pieces, from the codes of the pieces.

use std::iter::zip;
use std::sync::Arc;

use super::memo::{MOST_SLOTS, fits};
use super::oriented_pieces::Group;
use crate::database::PatternDatabase;
use crate::dual::piece_codes::GamePieces;
use crate::ranking::oriented_pieces::OrientedPieces;
use crate::ranking::partial_permutation::rank_singles;
use crate::ranking::symmetric::SymmetricPieces;

/// The bits of an [entry](Part::entries) that are added to the rank; the place is above them.
const ADDED_BITS: u32 = 26;

/// A table's pieces in the memo.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The slots of its pieces. Those whose places are ranked come first.
    slots: Vec<u8>,
    /// The numbers of free places for those.
    sizes: Vec<u64>,
    orientations: u64,
    /// By piece and code: its place in the table's numbering, and the addend of its orientation to
    /// the rank.
    entries: Vec<u32>,
    /// The data for a rank up to symmetries, if it is one.
    symmetric: Option<Symmetric>,
    /// A number that exceeds all codes.
    n_codes: usize,
    /// The set of all places of all pieces.
    n_places: usize,
    /// The [group](Group) that it reads.
    pub(super) group: usize,
    pub(super) sum: usize,
    pub(super) in_sum: usize,
}

/// The data for ranks up to symmetries.
#[derive(Clone, Debug)]
struct Symmetric {
    pieces: Arc<SymmetricPieces>,
    /// By symmetry, piece and code: the addend of the orientation to the rank after the symmetry.
    adds: Vec<u32>,
}

/// Return the only factor of a table that has more than one rank.
pub(super) fn blocks_of(table: &PatternDatabase) -> Option<&OrientedPieces> {
    let ranking = &table.ranking;
    let symmetric = ranking.as_symmetric_pieces();
    let blocks = symmetric.map(|pieces| pieces.blocks());
    blocks.or_else(|| ranking.as_oriented_pieces())
}

impl Part {
    /// Make a part. `group` is the number of the group of the table's pieces, and the group.
    pub(super) fn new(
        table: &PatternDatabase,
        all: &GamePieces,
        (number, group): (usize, &Group),
        (sum, in_sum): (usize, usize),
    ) -> Option<Self> {
        let Group { orbit, first, .. } = *group;
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
                // Find the variables through which the table reads the piece.
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
                let (kind, orientation) = blocks.content(block, &value)?;
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
            group: number,
            sum,
            in_sum,
        })
    }

    #[inline(always)]
    pub(super) fn rank(&self, code: impl Fn(usize) -> u8) -> u64 {
        if let Some(symmetric) = &self.symmetric {
            return self.symmetric_rank(symmetric, code);
        }
        let entry = |piece: usize, slot: u8| {
            self.entries[piece * self.n_codes + usize::from(code(usize::from(slot)))]
        };
        let added = |entry| entry & ((1 << ADDED_BITS) - 1);
        let mut turned = 0_u32;
        let ranked = zip(&self.sizes, &self.slots).enumerate();
        let digits = ranked.map(|(piece, (size, slot))| {
            let entry = entry(piece, *slot);
            turned += added(entry);
            ((entry >> ADDED_BITS) as u8, *size)
        });
        let arrangement = rank_singles(self.n_places, digits);
        // If there are as many pieces as places, the last one gets the remaining place.
        for (piece, slot) in self.slots.iter().enumerate().skip(self.sizes.len()) {
            turned += added(entry(piece, *slot));
        }
        arrangement * self.orientations + u64::from(turned)
    }

    #[inline(always)]
    fn symmetric_rank(&self, symmetric: &Symmetric, code: impl Fn(usize) -> u8) -> u64 {
        // By piece: the place of its code among the entries.
        let mut places = [0_u16; MOST_SLOTS];
        for (piece, (place, slot)) in zip(&mut places, &self.slots).enumerate() {
            *place = (piece * self.n_codes + usize::from(code(usize::from(*slot)))) as u16;
        }
        let places = &places[..self.slots.len().min(MOST_SLOTS)];
        let digits = zip(&self.sizes, places);
        let digits = digits.map(|(size, place)| {
            let entry = self.entries[usize::from(*place)];
            ((entry >> ADDED_BITS) as u8, *size)
        });
        let arrangement = rank_singles(self.n_places, digits);
        let (class, image) = symmetric.pieces.class_of(arrangement);
        let adds = &symmetric.adds[image * self.entries.len()..][..self.entries.len()];
        let mut turned = 0;
        for place in places {
            turned += adds[usize::from(*place)];
        }
        class * self.orientations + u64::from(turned)
    }
}
