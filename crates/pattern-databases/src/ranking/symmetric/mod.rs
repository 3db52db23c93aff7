//! Ranks of pieces up to symmetries: one number for all states that symmetries map to each other.
//!
//! The places of the pieces are one small number, their arrangement; their orientations are another
//! one. A table holds for each arrangement its class, and a symmetry that maps it to the first
//! arrangement of the class. The same symmetry, applied to the orientations, gives the rest of the
//! rank (two-part coordinates, as in Kociemba's cube solver). So the 88,179,840 states of a cube's
//! corners have 984 classes times 2,187 orientations.
//!
//! If a symmetry leaves an arrangement unchanged, several symmetries map it to the first one of its
//! class, and a state has several ranks. All of them have the same distance: a table is filled at
//! all of them, and read at one.

mod images;

use psvn_ir::Game;

pub(crate) use self::images::Images;
use crate::ranking::oriented_pieces::OrientedPieces;

/// The maximum number of arrangements: their classes are listed.
const MOST_ARRANGEMENTS: u128 = 1 << 25;
/// The bits of a class's entry that hold the symmetry.
const SYMMETRY_BITS: u32 = 8;
/// The bytes of an arrangement's entry, and of a class.
const ENTRY_BYTES: u128 = 4;
const CLASS_BYTES: u128 = 9;
/// The number of arrangements that are visited between two calls of `should_stop`.
const LOOKS: usize = 1 << 16;
/// No class yet.
const NONE: u32 = u32::MAX;

/// Pieces that are ranked up to symmetries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SymmetricPieces {
    blocks: OrientedPieces,
    images: Images,
    /// By kind: its piece, or `u8::MAX` for pieces that aren't kept.
    piece_of: Vec<u8>,
    /// By arrangement: its class, and the symmetry that maps it to the class's first arrangement.
    entries: Vec<u32>,
    /// By class: its first arrangement.
    first: Vec<u32>,
    /// By class: where the symmetries begin that leave its first arrangement unchanged, without the
    /// identity; and where the last ones end.
    begin: Vec<u32>,
    stabilizers: Vec<u8>,
}

/// Return the symmetries by which pieces can be ranked, if they are worth it.
pub(crate) fn images(game: &Game, blocks: &OrientedPieces) -> Option<Images> {
    let (places, _) = blocks.parts();
    let images = (places.size() <= MOST_ARRANGEMENTS).then(|| Images::find(game, blocks))??;
    // A class is stored beside its symmetry.
    (images.n_classes() < 1 << (u32::BITS - SYMMETRY_BITS)).then_some(images)
}

/// Return the number of ranks, and the bytes that ranking takes.
pub(crate) fn sizes(blocks: &OrientedPieces, images: &Images) -> [u128; 2] {
    let (places, orientations) = blocks.parts();
    let n_classes = images.n_classes();
    let of_entries = places.size().saturating_mul(ENTRY_BYTES);
    [
        n_classes.saturating_mul(u128::from(orientations)),
        of_entries.saturating_add(n_classes.saturating_mul(CLASS_BYTES)),
    ]
}

impl SymmetricPieces {
    /// List the classes. `None` when `should_stop` returns `true`.
    pub(crate) fn new(
        blocks: OrientedPieces,
        images: Images,
        should_stop: impl Fn() -> bool,
    ) -> Option<Self> {
        let n_kinds = images.kinds().iter().max().map_or(0, |kind| kind + 1);
        let mut piece_of = vec![u8::MAX; n_kinds as usize + 1];
        for (piece, kind) in images.kinds().iter().enumerate() {
            piece_of[*kind as usize] = piece as u8;
        }
        let (places, _) = blocks.parts();
        let mut entries = vec![NONE; places.size() as usize];
        let (mut first, mut begin, mut stabilizers) = (Vec::new(), vec![0], Vec::new());
        for arrangement in 0..entries.len() {
            if arrangement % LOOKS == 0 && should_stop() {
                return None;
            }
            if entries[arrangement] != NONE {
                continue;
            }
            let class = (first.len() as u32) << SYMMETRY_BITS;
            let of_pieces = images.unrank(places, arrangement as u64);
            for (number, image) in images.images.iter().enumerate() {
                let there = places.rank_places(&image.arrangement(&of_pieces)) as usize;
                if there == arrangement && number > 0 {
                    stabilizers.push(number as u8);
                } else if entries[there] == NONE {
                    entries[there] = class | u32::from(images.inverse[number]);
                }
            }
            first.push(arrangement as u32);
            begin.push(stabilizers.len() as u32);
        }
        debug_assert_eq!(first.len() as u128, images.n_classes());
        Some(Self {
            blocks,
            images,
            piece_of,
            entries,
            first,
            begin,
            stabilizers,
        })
    }

    pub(crate) fn blocks(&self) -> &OrientedPieces {
        &self.blocks
    }

    pub(crate) fn images(&self) -> &Images {
        &self.images
    }

    /// Return the number of ranks.
    pub(crate) fn size(&self) -> u128 {
        let (_, orientations) = self.blocks.parts();
        self.first.len() as u128 * u128::from(orientations)
    }

    /// Return the class of an arrangement, and the symmetry that maps it to the first arrangement.
    #[inline(always)]
    pub(crate) fn class_of(&self, arrangement: u64) -> (u64, usize) {
        let entry = self.entries[arrangement as usize];
        let symmetry = entry & ((1 << SYMMETRY_BITS) - 1);
        (u64::from(entry >> SYMMETRY_BITS), symmetry as usize)
    }

    /// Return the first arrangement of a class.
    pub(crate) fn first_of(&self, class: u64) -> u64 {
        u64::from(self.first[class as usize])
    }

    /// Return the symmetries that leave a class's first arrangement unchanged, without the
    /// identity.
    pub(crate) fn stabilizers(&self, class: u64) -> &[u8] {
        let begin = self.begin[class as usize] as usize;
        &self.stabilizers[begin..self.begin[class as usize + 1] as usize]
    }

    /// Return how many states are read at this rank.
    pub(crate) fn n_states(&self, rank: u64) -> u64 {
        let (_, orientations) = self.blocks.parts();
        let n_alike = self.stabilizers(rank / orientations).len() + 1;
        (self.images.len() / n_alike) as u64
    }

    #[inline]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        let (_, orientations) = self.blocks.parts();
        let arrangement = self.blocks.rank(value)? / orientations;
        let (class, symmetry) = self.class_of(arrangement);
        let mut turned = 0;
        for block in 0..self.blocks.n_blocks() {
            let (kind, orientation) = self.blocks.content(block, value)?;
            let piece = self.piece_of.get(kind as usize);
            if let Some(piece) = piece.filter(|piece| **piece != u8::MAX) {
                let piece = usize::from(*piece);
                turned += self
                    .images
                    .adds(symmetry, piece, block, orientation as usize);
            }
        }
        Some(class * orientations + turned)
    }

    /// Write one of the states of a rank.
    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        let (_, orientations) = self.blocks.parts();
        let first = self.first_of(rank / orientations);
        let raw = first * orientations + rank % orientations;
        self.blocks.unrank(raw, state);
    }
}
