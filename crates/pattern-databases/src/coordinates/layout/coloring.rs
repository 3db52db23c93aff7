//! Colorings of the goal's positions. In another state, the content of a position has the color of
//! that content's position in the goal.

use std::collections::{BTreeMap, BTreeSet};

/// Colors by position, numbered in the order of their first positions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Coloring(Vec<u16>);

impl Coloring {
    /// Number any keys of positions.
    pub(crate) fn of<K: Ord>(keys: impl IntoIterator<Item = K>) -> Self {
        let mut numbers = BTreeMap::new();
        let number = |key| {
            let next = numbers.len() as u16;
            *numbers.entry(key).or_insert(next)
        };
        Self(keys.into_iter().map(number).collect())
    }

    /// Return the color of a position.
    pub(crate) fn color(&self, position: usize) -> u16 {
        self.0[position]
    }

    /// Return the coloring that gives each position the color of its image.
    pub(crate) fn image(&self, positions: &[usize]) -> Self {
        Self::of(positions.iter().map(|to| self.color(*to)))
    }

    /// Return the least of the colorings by some maps of positions: the same for all of them.
    pub(crate) fn least_image<'m>(
        &self,
        maps: impl IntoIterator<Item = &'m Vec<usize>>,
    ) -> Option<Self> {
        maps.into_iter()
            .map(|positions| self.image(positions))
            .min()
    }

    /// Return the coarsest coloring that is finer than all of these.
    pub(crate) fn join<'c>(n: usize, colorings: impl IntoIterator<Item = &'c Self>) -> Self {
        let one = Self(vec![0; n]);
        let join = |one: Self, other: &Self| Self::of(one.0.iter().zip(&other.0));
        colorings.into_iter().fold(one, join)
    }

    /// Return, by color, the color that a map of positions turns it into; `None` if it doesn't map
    /// the coloring to itself.
    pub(crate) fn renaming(&self, positions: &[usize]) -> Option<Vec<u16>> {
        let n_colors = self.0.iter().max().map_or(0, |most| usize::from(*most) + 1);
        let mut renamed = vec![u16::MAX; n_colors];
        for (from, to) in positions.iter().enumerate() {
            let (color, there) = (usize::from(self.0[from]), self.0[*to]);
            if renamed[color] != u16::MAX && renamed[color] != there {
                return None;
            }
            renamed[color] = there;
        }
        // The number of colors must stay the same: two of them may not become one.
        let distinct: BTreeSet<&u16> = renamed.iter().collect();
        (distinct.len() == n_colors).then_some(renamed)
    }

    /// Return the color of this coloring by the color of a finer one.
    pub(crate) fn by_finer(&self, finer: &Self) -> Vec<u16> {
        let n_colors = finer
            .0
            .iter()
            .max()
            .map_or(0, |most| usize::from(*most) + 1);
        let mut colors = vec![0; n_colors];
        for (color, finer) in self.0.iter().zip(&finer.0) {
            colors[usize::from(*finer)] = *color;
        }
        colors
    }
}
