//! Groups of permutations by a base and a strong generating set (Sims 1970).
//!
//! The *base* is a sequence of points b_0, b_1, .. The group of level l holds all elements that fix
//! the points before b_l, and its *orbit* is the set of images of b_l. The order of the group is
//! the product of the lengths of these orbits, and every element is a unique product of
//! representatives, one of each level.

use psvn_ir::random::SplitMix64;

use super::cardinality::Cardinality;

/// A permutation of points: where each goes.
pub(super) type Permutation = Box<[u16]>;

/// The most points. A level keeps a permutation for each point of its orbit.
pub(super) const MOST_POINTS: usize = 256;

/// Products of generators are tried until this number in a row are already in the group. A proof
/// then finds the missing elements.
const MISSES: usize = 12;

/// The seed of these products. They affect how fast the group is found, but not the result.
const SEED: u64 = 1;

/// The remaining work of a computation, in images of points.
pub(super) struct Budget<'a> {
    pub(super) left: u64,
    pub(super) stop: &'a dyn Fn() -> bool,
}

/// An error: the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spent;

impl Budget<'_> {
    /// Take note of that many images of points.
    pub(super) fn spend(&mut self, work: usize) -> Result<(), Spent> {
        /// The work between two calls of `stop`.
        const BETWEEN_CHECKS: u64 = 1 << 20;
        let before = self.left;
        self.left = before.checked_sub(work as u64).ok_or(Spent)?;
        if before / BETWEEN_CHECKS != self.left / BETWEEN_CHECKS && (self.stop)() {
            Err(Spent)
        } else {
            Ok(())
        }
    }
}

pub(super) fn identity(n: usize) -> Permutation {
    (0..n as u16).collect()
}

/// First `a`, then `b`.
pub(super) fn product(a: &[u16], b: &[u16]) -> Permutation {
    a.iter().map(|point| b[usize::from(*point)]).collect()
}

pub(super) fn inverse(a: &[u16]) -> Permutation {
    let mut inverse = vec![0; a.len()];
    for (from, to) in a.iter().enumerate() {
        inverse[usize::from(*to)] = from as u16;
    }
    inverse.into()
}

/// The first point that a permutation moves.
fn first_moved(a: &[u16]) -> Option<usize> {
    a.iter()
        .enumerate()
        .position(|(from, to)| from != usize::from(*to))
}

/// The group that fixes the base points before one of them.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The base point.
    pub(super) base: usize,
    /// The orbit of the base point, in order of discovery.
    pub(super) orbit: Vec<usize>,
    /// For each point of the orbit, an element of this level that maps the base point there.
    to: Vec<Option<Permutation>>,
    /// The inverses of these elements.
    back: Vec<Option<Permutation>>,
    /// Generators that fix all base points before this one.
    generators: Vec<Permutation>,
}

impl Level {
    fn new(base: usize, n: usize) -> Self {
        let mut level = Self {
            base,
            orbit: vec![base],
            to: vec![None; n],
            back: vec![None; n],
            generators: Vec::new(),
        };
        level.to[base] = Some(identity(n));
        level.back[base] = Some(identity(n));
        level
    }

    /// An element that maps the base point to a point of its orbit.
    pub(super) fn to(&self, point: usize) -> Option<&[u16]> {
        self.to[point].as_deref()
    }

    fn back(&self, point: usize) -> Option<&[u16]> {
        self.back[point].as_deref()
    }

    /// Add a generator, and extend the orbit by it.
    fn add(&mut self, generator: Permutation, budget: &mut Budget<'_>) -> Result<(), Spent> {
        self.generators.push(generator);
        // The points known before need only the new generator; new points need all.
        let known = self.orbit.len();
        let mut next = 0;
        while next < self.orbit.len() {
            let point = self.orbit[next];
            let first = if next < known {
                self.generators.len() - 1
            } else {
                0
            };
            for generator in &self.generators[first..] {
                let image = usize::from(generator[point]);
                let (None, Some(to)) = (&self.to[image], &self.to[point]) else {
                    continue;
                };
                budget.spend(2 * generator.len())?;
                let to = product(to, generator);
                self.back[image] = Some(inverse(&to));
                self.to[image] = Some(to);
                self.orbit.push(image);
            }
            next += 1;
        }
        Ok(())
    }
}

/// A group with its levels.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    n: usize,
    pub(super) levels: Vec<Level>,
}

impl Chain {
    /// Generate the group of some permutations of `n` points.
    ///
    /// Products of the generators fill the levels. Then completeness is proved, by the greatest
    /// order that the group can have or by Schreier's generators, of which missing ones are added.
    /// Time grows with the fifth power of the number of points at worst.
    pub(super) fn generate(
        n: usize,
        generators: &[Permutation],
        budget: &mut Budget<'_>,
    ) -> Result<Self, Spent> {
        let levels = Vec::new();
        let mut chain = Self { n, levels };
        for generator in generators {
            chain.insert(generator.clone(), budget)?;
        }
        chain.insert_products(generators, budget)?;
        if chain.order() != greatest_order(n, generators) {
            chain.complete(budget)?;
        }
        Ok(chain)
    }

    /// The number of elements.
    pub(super) fn order(&self) -> Cardinality {
        let lengths = self.levels.iter().map(|level| level.orbit.len());
        Cardinality::product(lengths)
    }

    /// The orbits of the group that fixes the base points before `level`.
    pub(super) fn orbits(&self, level: usize) -> Vec<Vec<usize>> {
        let generators = self.levels.get(level).map(|level| &*level.generators);
        orbits(self.n, generators.unwrap_or_default())
    }

    /// Divide an element by the representatives of the levels. Return the remainder and the level
    /// at which it stops; `None` if the element is in the group.
    fn sift(
        &self,
        mut element: Permutation,
        from: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(Permutation, usize)>, Spent> {
        for (l, level) in self.levels.iter().enumerate().skip(from) {
            let image = usize::from(element[level.base]);
            if image == level.base {
                continue;
            }
            let Some(back) = level.back(image) else {
                return Ok(Some((element, l)));
            };
            budget.spend(self.n)?;
            for point in &mut element {
                *point = back[usize::from(*point)];
            }
        }
        let end = self.levels.len();
        Ok(first_moved(&element).map(|_| (element, end)))
    }

    /// Add an element unless the group has it. Returns whether it was missing, and the last level
    /// that it changed.
    fn insert(
        &mut self,
        element: Permutation,
        budget: &mut Budget<'_>,
    ) -> Result<Option<usize>, Spent> {
        let Some((residue, last)) = self.sift(element, 0, budget)? else {
            return Ok(None);
        };
        self.add_at(residue, 0, last, budget)?;
        Ok(Some(last))
    }

    /// Add a generator to the levels from `first` to `last`. It fixes all earlier base points.
    fn add_at(
        &mut self,
        generator: Permutation,
        first: usize,
        last: usize,
        budget: &mut Budget<'_>,
    ) -> Result<(), Spent> {
        if last == self.levels.len()
            && let Some(point) = first_moved(&generator)
        {
            self.levels.push(Level::new(point, self.n));
        }
        for l in first..=last {
            // A level whose base point it moves is the last one that it belongs to.
            self.levels[l].add(generator.clone(), budget)?;
        }
        Ok(())
    }

    /// Add products of generators, made by product replacement (Celler et al. 1995) from a fixed
    /// seed, until the group contains many in a row.
    fn insert_products(
        &mut self,
        generators: &[Permutation],
        budget: &mut Budget<'_>,
    ) -> Result<(), Spent> {
        if generators.is_empty() {
            return Ok(());
        }
        const SLOTS: usize = 10;
        const WARM_UP: usize = 40;
        let mut random = SplitMix64::new(SEED);
        let mut slots: Vec<Permutation> = generators
            .iter()
            .cycle()
            .take(SLOTS.max(generators.len()))
            .cloned()
            .collect();
        let mut gathered = identity(self.n);
        let (mut misses, mut n_made) = (0, 0);
        while misses < MISSES {
            let (i, j) = (random.below(slots.len()), random.below(slots.len()));
            if i == j {
                continue;
            }
            budget.spend(2 * self.n)?;
            slots[i] = if random.chance(50) {
                product(&slots[i], &slots[j])
            } else {
                product(&slots[j], &slots[i])
            };
            gathered = product(&gathered, &slots[i]);
            n_made += 1;
            if n_made > WARM_UP {
                match self.insert(gathered.clone(), budget)? {
                    Some(_) => misses = 0,
                    None => misses += 1,
                }
            }
        }
        Ok(())
    }

    /// Prove level by level, from the last one, that the group has all Schreier generators, and add
    /// the missing ones.
    fn complete(&mut self, budget: &mut Budget<'_>) -> Result<(), Spent> {
        let mut open = self.levels.len();
        while open > 0 {
            let l = open - 1;
            match self.missing_at(l, budget)? {
                None => open = l,
                Some((generator, last)) => {
                    self.add_at(generator, l + 1, last, budget)?;
                    open = last + 1;
                }
            }
        }
        Ok(())
    }

    /// A Schreier generator (a representative, a generator, and another representative back) that
    /// the next levels lack, with the level that lacks it.
    fn missing_at(
        &self,
        l: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(Permutation, usize)>, Spent> {
        let level = &self.levels[l];
        for point in &level.orbit {
            let Some(to) = level.to(*point) else { continue };
            for generator in &level.generators {
                let image = usize::from(generator[*point]);
                let Some(back) = level.back(image) else {
                    continue;
                };
                budget.spend(self.n)?;
                let schreier: Permutation = to
                    .iter()
                    .map(|point| back[usize::from(generator[usize::from(*point)])])
                    .collect();
                if let Some(missing) = self.sift(schreier, l + 1, budget)? {
                    return Ok(Some(missing));
                }
            }
        }
        Ok(None)
    }
}

/// The orbits of some permutations, in ascending order.
pub(super) fn orbits(n: usize, generators: &[Permutation]) -> Vec<Vec<usize>> {
    let mut sets = psvn_ir::DisjointSets::new(n);
    for generator in generators {
        for (from, to) in generator.iter().enumerate() {
            sets.join(from, usize::from(*to));
        }
    }
    let mut orbits = vec![Vec::new(); n];
    for point in 0..n {
        orbits[sets.root(point)].push(point);
    }
    orbits.retain(|orbit| !orbit.is_empty());
    orbits
}

/// An upper bound on the order of the group: all permutations of each orbit, without those excluded
/// by the signs of the generators on the orbits.
fn greatest_order(n: usize, generators: &[Permutation]) -> Cardinality {
    let mut orbits = orbits(n, generators);
    orbits.retain(|orbit| orbit.len() > 1);
    let mut signs: Vec<Vec<bool>> = generators
        .iter()
        .map(|generator| {
            let sign = |orbit: &Vec<usize>| is_odd(generator, orbit);
            orbits.iter().map(sign).collect()
        })
        .collect();
    let rank = rank(&mut signs);
    let factorials = orbits.iter().flat_map(|orbit| 2..=orbit.len());
    Cardinality::product(factorials)
        .divided_by(&Cardinality::product((rank..orbits.len()).map(|_| 2)))
}

/// Whether a permutation is odd on a set of points that it maps to itself.
fn is_odd(permutation: &[u16], points: &[usize]) -> bool {
    let mut seen = vec![false; permutation.len()];
    let mut odd = false;
    for start in points {
        let mut point = *start;
        while !std::mem::replace(&mut seen[point], true) {
            point = usize::from(permutation[point]);
            odd ^= point != *start;
        }
    }
    odd
}

/// The rank of a matrix of bits.
fn rank(rows: &mut [Vec<bool>]) -> usize {
    let n_columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..n_columns {
        let Some(pivot) = (rank..rows.len()).find(|row| rows[*row][column]) else {
            continue;
        };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        for row in rest.iter_mut().filter(|row| row[column]) {
            for (bit, pivot) in row.iter_mut().zip(&done[rank]) {
                *bit ^= pivot;
            }
        }
        rank += 1;
    }
    rank
}
