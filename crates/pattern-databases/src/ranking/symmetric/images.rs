//! The effects of a game's symmetries on its pieces.

use std::iter::zip;

use abstraction::Symmetry;
use psvn_ir::{Game, Value, VarId};

use crate::ranking::oriented_pieces::OrientedPieces;
use crate::ranking::partial_permutation::{
    MOST_POSITIONS, PartialPermutation, PlaceArray, nth_free,
};

/// The maximum number of symmetries that are used.
const MOST_SYMMETRIES: usize = 128;

/// The effect of one symmetry on pieces: their new blocks, kinds and orientations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Image {
    /// By piece: its image.
    pub(super) pieces: Vec<u8>,
    /// By block: its image.
    pub(super) blocks: Vec<u8>,
    /// By piece, block and orientation: the image's orientation.
    turned: Vec<u8>,
    /// By piece, block and orientation: the addend of the image to the rank.
    adds: Vec<u64>,
}

impl Image {
    /// Return the blocks of all pieces in the image of an arrangement.
    pub(super) fn arrangement(&self, blocks: &PlaceArray) -> PlaceArray {
        let mut there: PlaceArray = [0; MOST_POSITIONS];
        for (piece, block) in zip(&self.pieces, blocks) {
            there[usize::from(*piece)] = self.blocks[usize::from(*block)];
        }
        there
    }
}

/// Symmetries of the ranks of some pieces: a group, of which the first one is the identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Images {
    n_blocks: usize,
    n_orientations: usize,
    /// By piece: its kind.
    kinds: Vec<u32>,
    pub(super) images: Vec<Image>,
    /// By image: its inverse.
    pub(super) inverse: Vec<u8>,
}

impl Images {
    /// Find the symmetries of a game that map the pieces which `blocks` distinguishes to each
    /// other. `None` if there is only the identity, or if several kept pieces look alike.
    ///
    /// Pieces that are not kept are then mapped to such pieces, since a symmetry is one to one.
    pub(crate) fn find(game: &Game, blocks: &OrientedPieces) -> Option<Self> {
        let singles = blocks.single_pieces()?;
        let mut found = Self {
            n_blocks: blocks.n_blocks(),
            n_orientations: blocks.n_orientations() as usize,
            kinds: singles.iter().map(|(kind, _)| *kind).collect(),
            images: Vec::new(),
            inverse: Vec::new(),
        };
        for symmetry in Symmetry::group(game, MOST_SYMMETRIES)? {
            let image = found.image(game, blocks, &singles, &symmetry);
            let image = image.filter(|it| found.keeps_sum(blocks, it));
            // Two symmetries of the game may have the same effect on these pieces.
            if let Some(image) = image.filter(|it| !found.images.contains(it)) {
                found.images.push(image);
            }
        }
        if found.images.len() < 2 {
            return None;
        }
        let inverse = |image| found.images.iter().position(|it| found.undoes(image, it));
        let inverse = found.images.iter().map(|image| Some(inverse(image)? as u8));
        found.inverse = inverse.collect::<Option<_>>()?;
        Some(found)
    }

    fn image(
        &self,
        game: &Game,
        blocks: &OrientedPieces,
        singles: &[(u32, Vec<Vec<u64>>)],
        symmetry: &Symmetry,
    ) -> Option<Image> {
        let domain = game.variables()[blocks.vars().next()? as usize].index();
        let to = |var: u32| symmetry.variable(VarId(var)).0;
        let value = |value: u32| symmetry.value(domain, Value(value)).0;
        let mut image = Image {
            pieces: vec![u8::MAX; self.kinds.len()],
            blocks: vec![u8::MAX; self.n_blocks],
            turned: Vec::new(),
            adds: Vec::new(),
        };
        // Return whether a slot is unset or has this number already.
        let agrees = |slot: &mut u8, number: usize| {
            let is_new = *slot == u8::MAX;
            *slot = if is_new { number as u8 } else { *slot };
            usize::from(*slot) == number
        };
        for (piece, kind) in self.kinds.iter().enumerate() {
            for block in 0..self.n_blocks {
                for orientation in 0..self.n_orientations {
                    let content = (*kind, orientation as u32);
                    let (target, (kind, turned)) = blocks.image(block, content, to, value)?;
                    let other = self.kinds.iter().position(|it| *it == kind)?;
                    if !agrees(&mut image.pieces[piece], other)
                        || !agrees(&mut image.blocks[block], target)
                    {
                        return None;
                    }
                    image.turned.push(turned as u8);
                    image.adds.push(singles[other].1[target][turned as usize]);
                }
            }
        }
        Some(image)
    }

    /// Return whether an image keeps the sum of all orientations, if it is conserved and the last
    /// one is not part of the rank. It does if each orientation is mapped to itself or its
    /// opposite, plus an addend for the piece and one for the block.
    fn keeps_sum(&self, blocks: &OrientedPieces, image: &Image) -> bool {
        let Some(sum) = blocks.conserved_sum() else {
            return true;
        };
        let m = self.n_orientations;
        let turned = |piece, block, o| usize::from(image.turned[self.place(piece, block, o)]);
        let factor = turned(0, 0, 1 % m) + m - turned(0, 0, 0);
        let constant = |piece, block| turned(piece, block, 0);
        let is_affine = (0..self.kinds.len()).all(|piece| {
            (0..self.n_blocks).all(|block| {
                let by_parts = constant(piece, 0) + constant(0, block);
                (constant(piece, block) + constant(0, 0)) % m == by_parts % m
                    && (0..m).all(|o| {
                        turned(piece, block, o) == (constant(piece, block) + factor * o) % m
                    })
            })
        });
        let of_pieces: usize = (0..self.kinds.len()).map(|piece| constant(piece, 0)).sum();
        let of_blocks: usize = (0..self.n_blocks).map(|block| constant(0, block)).sum();
        let twice = self.n_blocks * constant(0, 0);
        let image_sum = factor * sum as usize + of_pieces + of_blocks + m * self.n_blocks - twice;
        self.kinds.len() == self.n_blocks && is_affine && image_sum % m == sum as usize
    }

    fn undoes(&self, one: &Image, other: &Image) -> bool {
        let back = |there: &[u8], back: &[u8]| {
            let mut there = there.iter().enumerate();
            there.all(|(i, image)| usize::from(back[usize::from(*image)]) == i)
        };
        back(&one.pieces, &other.pieces)
            && back(&one.blocks, &other.blocks)
            && (0..self.kinds.len()).all(|piece| {
                (0..self.n_blocks).all(|block| {
                    (0..self.n_orientations).all(|o| {
                        let there = self.follow(one, (piece, block, o));
                        self.follow(other, there) == (piece, block, o)
                    })
                })
            })
    }

    fn place(&self, piece: usize, block: usize, orientation: usize) -> usize {
        (piece * self.n_blocks + block) * self.n_orientations + orientation
    }

    fn follow(
        &self,
        image: &Image,
        (piece, block, orientation): (usize, usize, usize),
    ) -> (usize, usize, usize) {
        let turned = image.turned[self.place(piece, block, orientation)];
        (
            usize::from(image.pieces[piece]),
            usize::from(image.blocks[block]),
            usize::from(turned),
        )
    }

    /// Return the number of symmetries, including the identity.
    pub(crate) fn len(&self) -> usize {
        self.images.len()
    }

    /// Return the kind of each piece.
    pub(crate) fn kinds(&self) -> &[u32] {
        &self.kinds
    }

    /// Return the addend of a piece's image to the rank.
    #[inline(always)]
    pub(crate) fn adds(&self, image: usize, piece: usize, block: usize, orientation: usize) -> u64 {
        self.images[image].adds[self.place(piece, block, orientation)]
    }

    /// Return the same for the image of an image.
    pub(crate) fn adds_then(
        &self,
        (first, then): (usize, usize),
        piece: usize,
        block: usize,
        orientation: usize,
    ) -> u64 {
        let there = self.follow(&self.images[first], (piece, block, orientation));
        self.images[then].adds[self.place(there.0, there.1, there.2)]
    }

    /// Return the blocks of all pieces in an arrangement, as ranked by `places`.
    pub(crate) fn unrank(&self, places: &PartialPermutation, arrangement: u64) -> PlaceArray {
        let mut blocks: PlaceArray = [0; MOST_POSITIONS];
        let used = places.unrank_places(arrangement, &mut blocks);
        // If there are as many pieces as blocks, the last one has no number.
        if self.kinds.len() > places.items.len() {
            blocks[places.items.len()] = nth_free(used, 0);
        }
        blocks
    }

    /// Return the number of classes of arrangements under the symmetries: by Burnside's lemma, the
    /// mean number of arrangements that a symmetry leaves unchanged.
    pub(crate) fn n_classes(&self) -> u128 {
        let fixed: u128 = self.images.iter().map(n_fixed).sum();
        fixed / self.images.len() as u128
    }
}

/// Return how many arrangements an image leaves unchanged. It permutes the pieces in cycles, and
/// each cycle must be on a cycle of equally many blocks, turned in any way.
fn n_fixed(image: &Image) -> u128 {
    let pieces = cycles(&image.pieces);
    let mut free = cycles(&image.blocks);
    let mut ways = 1_u128;
    for length in pieces {
        let n_free = free.iter().filter(|it| **it == length).count();
        ways *= n_free as u128 * length as u128;
        if let Some(used) = free.iter().position(|it| *it == length) {
            free.swap_remove(used);
        }
    }
    ways
}

/// Return the lengths of the cycles of a permutation.
fn cycles(to: &[u8]) -> Vec<usize> {
    let mut seen = vec![false; to.len()];
    let mut lengths = Vec::new();
    for first in 0..to.len() {
        let (mut at, mut length) = (first, 0);
        while !std::mem::replace(&mut seen[at], true) {
            at = usize::from(to[at]);
            length += 1;
        }
        if length > 0 {
            lengths.push(length);
        }
    }
    lengths
}
