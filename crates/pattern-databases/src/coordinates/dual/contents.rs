//! The homes of a state's pieces, read quickly.

use crate::coordinates::moves::{Moves, Orbit};

/// The maximum number of pieces.
pub(super) const MOST_BLOCKS: usize = 64;
/// The maximum number of possible contents of a block, including those that don't occur.
const MOST_CODES: usize = 1 << 16;
/// Marks a content that isn't a piece. It exceeds all sums of codes.
const NONE: u32 = u32::MAX / 32;

/// By block of positions, the tables that give the home of its piece.
#[derive(Debug)]
pub(super) struct Contents {
    orbits: Vec<OrbitContents>,
    pub(super) n_rows: usize,
}

/// The tables of an orbit.
#[derive(Debug)]
pub(super) struct OrbitContents {
    /// The number of positions of a block.
    width: usize,
    /// The positions of the blocks, one block after the other.
    blocks: Vec<u16>,
    n_values: usize,
    /// By place in a block and value: the addend to the code.
    addends: Vec<u32>,
    /// By code: the number, in the orbit, of the home of the content of the block's first position.
    homes: Vec<u32>,
    /// The number of positions of the orbit.
    n_homes: usize,
    first_row: usize,
}

/// A block with a piece in it.
pub(super) struct Placed {
    /// The number of this pair of a block and a piece, turned in some way.
    pub(super) row: usize,
    /// The positions of the block.
    pub(super) places: Vec<usize>,
    /// By place in the block: the home of its content.
    pub(super) homes: Vec<usize>,
}

impl Contents {
    /// Return `None` if there are too many pieces or values, or if the home of one position's
    /// content doesn't give those of its block's other positions.
    pub(super) fn new(moves: &Moves) -> Option<Self> {
        let n_blocks: usize = moves.orbits.iter().map(|orbit| orbit.blocks.len()).sum();
        if n_blocks > MOST_BLOCKS || moves.n_positions > usize::from(u16::MAX) {
            return None;
        }
        let mut n_rows = 0;
        let mut orbits = Vec::new();
        for orbit in &moves.orbits {
            let contents = OrbitContents::new(moves, orbit, n_rows)?;
            n_rows += contents.n_homes * orbit.blocks.len();
            orbits.push(contents);
        }
        Some(Self { orbits, n_rows })
    }

    /// Return the row of each block with its piece, and their number.
    #[inline(always)]
    pub(super) fn rows(&self, value: impl Fn(usize) -> usize) -> Option<Rows> {
        let mut rows = Rows {
            rows: [0; MOST_BLOCKS],
            n: 0,
        };
        for orbit in &self.orbits {
            let mut first_row = orbit.first_row;
            for block in orbit.blocks.chunks_exact(orbit.width) {
                let mut code = 0_u32;
                for (place, position) in block.iter().enumerate() {
                    let value = value(usize::from(*position));
                    if value >= orbit.n_values {
                        return None;
                    }
                    code += orbit.addends[place * orbit.n_values + value];
                }
                let home = *orbit.homes.get(code as usize)?;
                if home == NONE {
                    return None;
                }
                rows.rows[rows.n] = (first_row + home as usize) as u32;
                rows.n += 1;
                first_row += orbit.n_homes;
            }
        }
        Some(rows)
    }

    /// List all pairs of a block and a piece.
    pub(super) fn placed<'m>(&'m self, moves: &'m Moves) -> impl Iterator<Item = Placed> + 'm {
        let all = self.orbits.iter().zip(&moves.orbits);
        all.flat_map(move |(contents, orbit)| {
            let pairs = arrangements(moves, orbit).into_iter();
            pairs.map(move |(block, homes)| {
                let home = orbit.positions.iter().position(|it| *it == homes[0]);
                let home = home.expect("each home is a position of the orbit");
                Placed {
                    row: contents.first_row + block * contents.n_homes + home,
                    places: orbit.blocks[block].clone(),
                    homes,
                }
            })
        })
    }
}

/// The rows of a state's blocks.
pub(super) struct Rows {
    rows: [u32; MOST_BLOCKS],
    n: usize,
}

impl Rows {
    #[inline(always)]
    pub(super) fn all(&self) -> &[u32] {
        &self.rows[..self.n]
    }
}

/// Return all blocks with all pieces that rules bring there: the number of the block, and the home
/// of each of its positions' contents.
fn arrangements(moves: &Moves, orbit: &Orbit) -> Vec<(usize, Vec<usize>)> {
    let mut found = Vec::new();
    for home in &orbit.blocks {
        let mut reached: Vec<Vec<usize>> = vec![home.clone()];
        let mut seen = std::collections::HashSet::from([home.clone()]);
        let mut next = 0;
        while let Some(places) = reached.get(next).cloned() {
            next += 1;
            for permutation in &moves.permutations {
                let there: Vec<usize> = places.iter().map(|place| permutation[*place]).collect();
                if seen.insert(there.clone()) {
                    reached.push(there);
                }
            }
        }
        for places in reached {
            let is_there = |block: &Vec<usize>| block.contains(&places[0]);
            let block = orbit.blocks.iter().position(is_there);
            let block = block.expect("rules map blocks to blocks");
            let at = |position: &usize| {
                let slot = places.iter().position(|place| place == position);
                home[slot.expect("rules map blocks to blocks")]
            };
            found.push((block, orbit.blocks[block].iter().map(at).collect()));
        }
    }
    found
}

impl OrbitContents {
    fn new(moves: &Moves, orbit: &Orbit, first_row: usize) -> Option<Self> {
        let width = orbit.blocks[0].len();
        if orbit.blocks.iter().any(|block| block.len() != width) {
            return None;
        }
        let value = |position: &usize| moves.goal_value(*position).index();
        let mut values: Vec<usize> = orbit.positions.iter().map(value).collect();
        values.sort_unstable();
        values.dedup();
        let n_values = values.last()? + 1;
        let n_codes = values.len().checked_pow(width as u32)?;
        if n_codes > MOST_CODES {
            return None;
        }
        let mut addends = vec![NONE; width * n_values];
        for (digit, value) in values.iter().enumerate() {
            for place in 0..width {
                addends[place * n_values + value] = (digit * values.len().pow(place as u32)) as u32;
            }
        }
        let mut homes = vec![NONE; n_codes];
        // By block and home of its first position's content: the homes of all.
        let mut of_first = std::collections::HashMap::new();
        for (block, all) in arrangements(moves, orbit) {
            let code: u32 = all
                .iter()
                .enumerate()
                .map(|(place, home)| addends[place * n_values + value(home)])
                .sum();
            let home = orbit.positions.iter().position(|it| *it == all[0])? as u32;
            let known = &mut homes[code as usize];
            if *known != NONE && *known != home {
                return None;
            }
            *known = home;
            if *of_first.entry((block, home)).or_insert_with(|| all.clone()) != all {
                return None;
            }
        }
        Some(Self {
            width,
            blocks: orbit.blocks.iter().flatten().map(|i| *i as u16).collect(),
            n_values,
            addends,
            homes,
            n_homes: orbit.positions.len(),
            first_row,
        })
    }
}
