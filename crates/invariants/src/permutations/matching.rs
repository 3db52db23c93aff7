//! Finds elements of a group that map one coloring of the points to another.
//!
//! An element is a product of one representative of each level of a [`Chain`], the first level's
//! last. So a search chooses the images of the base points, one after the other. The rest of the
//! element moves points only within the orbits of its level, so the image of each orbit must have
//! the required colors. That ends most branches at once, and all of them if all pieces are
//! distinct.

use super::cardinality::Cardinality;
use super::chain::{Budget, Chain, Permutation, Spent, identity, orbits, product};

/// A group, ready for questions about colorings.
#[derive(Clone, Debug)]
pub(super) struct Matcher {
    n: usize,
    chain: Chain,
    /// For each level, and after the last one, the orbits of the group that fixes the earlier base
    /// points.
    orbits: Vec<Vec<Vec<usize>>>,
}

/// The colors of points before, and the required ones afterwards; `None` allows any color. Colors
/// are small numbers.
pub(super) struct Question<'a> {
    pub(super) from: &'a [usize],
    pub(super) to: &'a [Option<usize>],
}

impl Matcher {
    pub(super) fn new(n: usize, chain: Chain) -> Self {
        let n_levels = chain.levels.len();
        let orbits = (0..=n_levels).map(|level| chain.orbits(level)).collect();
        Self { n, chain, orbits }
    }

    /// Whether an element of the group maps one coloring to the other.
    pub(super) fn carries(
        &self,
        question: &Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Spent> {
        let start = identity(self.n);
        Ok(self.find(question, 0, start, budget)?.is_some())
    }

    /// The number of colorings that the group makes of one.
    pub(super) fn n_images(
        &self,
        colors: &[usize],
        budget: &mut Budget<'_>,
    ) -> Result<Cardinality, Spent> {
        let to: Vec<Option<usize>> = colors.iter().copied().map(Some).collect();
        let question = Question {
            from: colors,
            to: &to,
        };
        // The elements that keep all colors, level by level from the last one, each with the image
        // of its base point.
        let mut keeping: Vec<Permutation> = Vec::new();
        let mut lengths = Vec::new();
        for (l, level) in self.chain.levels.iter().enumerate().rev() {
            let mut classes = orbits(self.n, &keeping);
            let class_of = |classes: &[Vec<usize>], point: usize| {
                let found = classes.iter().find(|class| class.contains(&point));
                found.expect("each point is in a class").clone()
            };
            let mut failed: Vec<bool> = vec![false; self.n];
            for point in &level.orbit {
                budget.spend(self.n)?;
                let same_color = colors[*point] == colors[level.base];
                let reached = class_of(&classes, level.base);
                if !same_color || failed[*point] || reached.contains(point) {
                    continue;
                }
                let Some(to) = level.to(*point) else { continue };
                match self.find(&question, l + 1, to.into(), budget)? {
                    Some(element) => {
                        keeping.push(element);
                        classes = orbits(self.n, &keeping);
                    }
                    // No element that keeps the colors maps the base point to this class.
                    None => class_of(&classes, *point)
                        .into_iter()
                        .for_each(|point| failed[point] = true),
                }
            }
            lengths.push(class_of(&classes, level.base).len());
        }
        Ok(self
            .chain
            .order()
            .divided_by(&Cardinality::product(lengths)))
    }

    /// An element that answers the question: an element of a level, and then `last`.
    fn find(
        &self,
        question: &Question<'_>,
        level: usize,
        last: Permutation,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Permutation>, Spent> {
        // For each open level, the elements of the later levels, and the next point of its orbit.
        let mut open: Vec<(Permutation, usize)> = Vec::new();
        let mut entered = Some(last);
        loop {
            if let Some(last) = entered.take()
                && self.fits(question, level + open.len(), &last, budget)?
            {
                if level + open.len() == self.chain.levels.len() {
                    return Ok(Some(last));
                }
                open.push((last, 0));
            }
            let depth = open.len();
            let Some((last, next)) = open.last_mut() else {
                return Ok(None);
            };
            let here = &self.chain.levels[level + depth - 1];
            let Some(point) = here.orbit.get(*next) else {
                open.pop();
                continue;
            };
            *next += 1;
            let image = usize::from(last[*point]);
            let asked = question.to[image];
            if asked.is_none_or(|asked| asked == question.from[here.base])
                && let Some(to) = here.to(*point)
            {
                budget.spend(self.n)?;
                entered = Some(product(to, last));
            }
        }
    }

    /// Whether the image of each orbit of a level has the required colors.
    fn fits(
        &self,
        question: &Question<'_>,
        level: usize,
        last: &[u16],
        budget: &mut Budget<'_>,
    ) -> Result<bool, Spent> {
        budget.spend(2 * self.n)?;
        let n_colors = question.from.iter().max().map_or(0, |most| most + 1);
        let mut there = vec![0_usize; n_colors];
        for orbit in &self.orbits[level] {
            for point in orbit {
                there[question.from[*point]] += 1;
            }
            let mut fits = true;
            for point in orbit {
                let Some(asked) = question.to[usize::from(last[*point])] else {
                    continue;
                };
                match there.get_mut(asked) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => fits = false,
                }
            }
            if !fits {
                return Ok(false);
            }
            for point in orbit {
                there[question.from[*point]] = 0;
            }
        }
        Ok(true)
    }
}
