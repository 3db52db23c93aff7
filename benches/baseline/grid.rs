//! A\* for grids alone: squares in an array, a binary heap, no rules.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use formats::maps::{DIAGONAL, STRAIGHT};
use psvn_ir::random::SplitMix64;

/// A grid of free and blocked squares, row by row.
pub(crate) struct Grid {
    size: usize,
    is_free: Vec<bool>,
}

impl Grid {
    /// A grid of which three fifths are free, with a free way along two sides.
    pub(crate) fn random(size: usize, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let is_free = (0..size * size).map(|square| {
            let is_side = square < size || square % size == size - 1;
            random.below(5) < 3 || is_side
        });
        Self {
            size,
            is_free: is_free.collect(),
        }
    }

    /// The grid in the format of the Moving AI Lab.
    pub(crate) fn text(&self) -> String {
        let size = self.size;
        let mut text = format!("type octile\nheight {size}\nwidth {size}\nmap\n");
        for row in self.is_free.chunks(size) {
            text.extend(row.iter().map(|is_free| if *is_free { '.' } else { '@' }));
            text.push('\n');
        }
        text
    }

    /// The least cost of a way from the first square to the last one.
    pub(crate) fn a_star(&self, is_blind: bool) -> Option<u32> {
        let size = self.size as i32;
        let goal = self.is_free.len() - 1;
        let estimate = |square: usize| {
            if is_blind {
                return 0;
            }
            let (row, column) = (square / self.size, square % self.size);
            let (across, down) = (self.size - 1 - column, self.size - 1 - row);
            let (less, more) = (across.min(down) as u32, across.max(down) as u32);
            less * DIAGONAL + (more - less) * STRAIGHT
        };
        let mut costs = vec![u32::MAX; self.is_free.len()];
        costs[0] = 0;
        let mut open = BinaryHeap::from([Reverse((estimate(0), 0))]);
        while let Some(Reverse((total, square))) = open.pop() {
            let cost = costs[square];
            if square == goal {
                return Some(cost);
            }
            if total > cost + estimate(square) {
                continue;
            }
            let (row, column) = ((square / self.size) as i32, (square % self.size) as i32);
            let free = |row: i32, column: i32| {
                let inside = (0..size).contains(&row) && (0..size).contains(&column);
                inside && self.is_free[(row * size + column) as usize]
            };
            for down in -1..=1 {
                for across in -1..=1 {
                    let is_step = (down, across) != (0, 0);
                    let is_open = free(row + down, column + across)
                        && free(row + down, column)
                        && free(row, column + across);
                    if !is_step || !is_open {
                        continue;
                    }
                    let to = ((row + down) * size + column + across) as usize;
                    let step = if down != 0 && across != 0 {
                        DIAGONAL
                    } else {
                        STRAIGHT
                    };
                    if cost + step < costs[to] {
                        costs[to] = cost + step;
                        open.push(Reverse((cost + step + estimate(to), to)));
                    }
                }
            }
        }
        None
    }
}
