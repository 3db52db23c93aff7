//! Block permutations: games whose rules move pieces of several positions at once.
//!
//! On a cube, stickers never move alone: a corner carries three. Positions then fall into *blocks* that all rules
//! map to blocks (a block system of the permutation group that the rules generate; found as in Atkinson 1975, "An algorithm
//! for finding the blocks of a permutation group"). What stands in a block is a *piece* in an *orientation*. If the ways in which
//! a block can come back to itself are a cyclic group, and each rule turns all its pieces together by nothing, the sum of
//! the orientations is conserved.

use std::collections::HashMap;

use ahash::RandomState;
use psvn_ir::{Game, VarId};

use crate::ranking::places::Places;

/// The most ways in which a block may come back to itself.
const MOST_SYMMETRIES: usize = 120;
/// The most contents of a block that are told apart by a table.
const MOST_CONTENTS: usize = 1 << 20;

/// A rank for pieces with orientations on blocks of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    /// The variables of each block, in corresponding order.
    frames: Vec<Vec<u32>>,
    /// The number of values that tell contents apart.
    radix: usize,
    /// By content: `piece * n_orientations + orientation`, or `u32::MAX`.
    codes: Vec<u32>,
    /// By code: the values in the order of the frame.
    contents: Vec<Vec<u32>>,
    /// Where the pieces are.
    places: Places,
    n_orientations: u64,
    /// The sum of all orientations, if it is conserved.
    sum: Option<u64>,
    /// The number of orientations of all pieces together.
    orientations: u64,
}

impl Blocks {
    /// For each orbit of positions that falls into blocks its rank. Empty unless all rules of the game only
    /// permute positions, whatever stands there, and the goal is one state.
    pub(crate) fn find(game: &Game) -> Vec<Blocks> {
        let permutations: Option<Vec<Vec<usize>>> = game
            .rules()
            .iter()
            .map(|rule| permutation(&rule.canonical))
            .collect();
        let (Some(permutations), Some(goal)) = (permutations, game.goal_state()) else {
            return Vec::new();
        };
        let goal: Vec<u32> = goal.values().iter().map(|value| value.0).collect();
        let n = game.n_variables();
        let same_domain = |orbit: &[usize]| {
            let first = game.variables()[orbit[0]];
            orbit.iter().all(|i| game.variables()[*i] == first)
        };
        let orbits = classes(n, |union| {
            for permutation in &permutations {
                for (from, to) in permutation.iter().enumerate() {
                    union.join(from, *to);
                }
            }
        });
        orbits
            .into_iter()
            .filter(|orbit| orbit.len() > 1 && same_domain(orbit))
            .filter_map(|orbit| {
                let blocks = smallest_blocks(&orbit, &permutations)?;
                let radix = game.domain_of(VarId::from_index(orbit[0])).size();
                Self::of_orbit(&blocks, &permutations, &goal, radix)
            })
            .collect()
    }

    fn of_orbit(
        blocks: &[Vec<usize>],
        permutations: &[Vec<usize>],
        goal: &[u32],
        radix: usize,
    ) -> Option<Self> {
        let width = blocks[0].len();
        let n_contents = radix
            .checked_pow(width as u32)
            .filter(|n| *n <= MOST_CONTENTS)?;
        let mut block_of: HashMap<usize, usize, RandomState> = HashMap::default();
        for (b, block) in blocks.iter().enumerate() {
            block_of.extend(block.iter().map(|i| (*i, b)));
        }
        // Carry the order of the first block's positions to all blocks.
        let mut frames: Vec<Option<Vec<usize>>> = vec![None; blocks.len()];
        frames[0] = Some(blocks[0].clone());
        let mut queue = vec![0];
        while let Some(b) = queue.pop() {
            let frame = frames[b].clone()?;
            for permutation in permutations {
                let moved: Vec<usize> = frame.iter().map(|i| permutation[*i]).collect();
                let target = *block_of.get(&moved[0])?;
                if frames[target].is_none() {
                    frames[target] = Some(moved);
                    queue.push(target);
                }
            }
        }
        let frames: Vec<Vec<usize>> = frames.into_iter().collect::<Option<_>>()?;
        // How each rule turns each block.
        let twist = |permutation: &[usize], b: usize| -> Option<Vec<usize>> {
            let target = &frames[*block_of.get(&permutation[frames[b][0]])?];
            let place = |i: &usize| target.iter().position(|other| *other == permutation[*i]);
            frames[b].iter().map(place).collect()
        };
        let twists: Vec<Vec<Vec<usize>>> = permutations
            .iter()
            .map(|permutation| (0..frames.len()).map(|b| twist(permutation, b)).collect())
            .collect::<Option<_>>()?;
        let group = Group::generated(width, twists.iter().flatten())?;
        // The pieces, each in all its orientations.
        let mut contents: Vec<Vec<u32>> = Vec::new();
        let mut codes = vec![u32::MAX; n_contents];
        let code_of = |content: &[u32]| {
            let digits = content.iter();
            digits.fold(0, |code, value| code * radix + *value as usize)
        };
        let mut n_orientations = 0;
        let mut counts = Vec::new();
        let mut sum = 0;
        for frame in &frames {
            let content: Vec<u32> = frame.iter().map(|i| goal[*i]).collect();
            if codes[code_of(&content)] == u32::MAX {
                let orbit = group.orbit(&content);
                if n_orientations != 0 && orbit.len() != n_orientations {
                    return None;
                }
                n_orientations = orbit.len();
                for content in orbit {
                    codes[code_of(&content)] = contents.len() as u32;
                    contents.push(content);
                }
                counts.push(0);
            }
            let code = codes[code_of(&content)] as usize;
            counts[code / n_orientations] += 1;
            sum += (code % n_orientations) as u64;
        }
        let is_conserved = group.is_cyclic
            && n_orientations == group.elements.len()
            && n_orientations > 1
            && twists.iter().all(|by_block| {
                let turns = by_block.iter().map(|twist| group.number(twist));
                turns.sum::<usize>() % n_orientations == 0
            });
        let n_free = frames.len() - usize::from(is_conserved);
        let orientations = (n_orientations as u64).checked_pow(n_free as u32)?;
        let places = Places::new((0..frames.len() as u32).collect(), &counts, &[])?;
        Some(Self {
            frames: frames
                .into_iter()
                .map(|frame| frame.into_iter().map(|i| i as u32).collect())
                .collect(),
            radix,
            codes,
            contents,
            places,
            n_orientations: n_orientations as u64,
            sum: is_conserved.then_some(sum % n_orientations as u64),
            orientations,
        })
    }

    pub(crate) fn vars(&self) -> impl Iterator<Item = u32> + '_ {
        self.frames.iter().flatten().copied()
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn n_orientations(&self) -> u64 {
        self.n_orientations
    }

    pub(crate) fn is_sum_conserved(&self) -> bool {
        self.sum.is_some()
    }

    pub(crate) fn size(&self) -> u128 {
        self.places
            .size()
            .saturating_mul(u128::from(self.orientations))
    }

    /// The numbers of arrangements of pieces, and of orientations.
    pub(crate) fn components(&self) -> [u128; 2] {
        [self.places.size(), u128::from(self.orientations)]
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: impl Fn(usize) -> u32) -> Option<u64> {
        let mut pieces = [0_u32; 64];
        let (mut turned, mut sum) = (0, 0);
        let last = self.frames.len() - usize::from(self.sum.is_some());
        for (b, frame) in self.frames.iter().enumerate() {
            let digits = frame.iter();
            let content = digits.fold(0, |code, var| {
                code * self.radix + value(*var as usize) as usize
            });
            let code = u64::from(*self.codes.get(content)?);
            if code == u64::from(u32::MAX) {
                return None;
            }
            pieces[b] = (code / self.n_orientations) as u32;
            let orientation = code % self.n_orientations;
            sum += orientation;
            if b < last {
                turned = turned * self.n_orientations + orientation;
            }
        }
        if self
            .sum
            .is_some_and(|expected| sum % self.n_orientations != expected)
        {
            return None;
        }
        let arrangement = self.places.rank(|b| pieces[b])?;
        Some(arrangement * self.orientations + turned)
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        let mut pieces = [0_u32; 64];
        self.places.unrank(rank / self.orientations, &mut pieces);
        let mut turned = rank % self.orientations;
        let m = self.n_orientations;
        let n_free = self.frames.len() - usize::from(self.sum.is_some());
        let mut sum = 0;
        let mut write = |b: usize, orientation: u64| {
            let code = u64::from(pieces[b]) * m + orientation;
            for (var, value) in self.frames[b].iter().zip(&self.contents[code as usize]) {
                state[*var as usize] = *value;
            }
        };
        for b in (0..n_free).rev() {
            write(b, turned % m);
            sum += turned % m;
            turned /= m;
        }
        if let Some(expected) = self.sum {
            write(n_free, (expected + m - sum % m) % m);
        }
    }
}

/// Where a rule without tests moves the value of each position; `None` if it does anything else.
fn permutation(rule: &psvn_ir::CanonicalRule) -> Option<Vec<usize>> {
    if rule.tests().next().is_some() {
        return None;
    }
    let mut moved = vec![None; rule.n_variables()];
    for (to, term) in rule.actions().iter().enumerate() {
        let from = term.as_variable()?.index();
        if moved[from].replace(to).is_some() {
            return None;
        }
    }
    moved.into_iter().collect()
}

/// Disjoint sets.
struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    /// Whether they were apart.
    fn join(&mut self, i: usize, j: usize) -> bool {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i.max(j)] = i.min(j);
        i != j
    }
}

/// The classes after joining, by their first members.
fn classes(n: usize, join: impl FnOnce(&mut Union)) -> Vec<Vec<usize>> {
    let mut union = Union((0..n).collect());
    join(&mut union);
    let mut members = vec![Vec::new(); n];
    for i in 0..n {
        members[union.root(i)].push(i);
    }
    members.retain(|members| !members.is_empty());
    members
}

/// The blocks of least size above 1; `None` if there are none but the whole orbit.
fn smallest_blocks(orbit: &[usize], permutations: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
    let n = permutations.first()?.len();
    let mut best: Option<Vec<Vec<usize>>> = None;
    for other in &orbit[1..] {
        let found = classes(n, |union| {
            union.join(orbit[0], *other);
            let mut changed = true;
            while changed {
                changed = false;
                for permutation in permutations {
                    for i in orbit {
                        let root = union.root(*i);
                        changed |= union.join(permutation[*i], permutation[root]);
                    }
                }
            }
        });
        let mut blocks = found;
        blocks.retain(|block| orbit.binary_search(&block[0]).is_ok());
        let is_better = best
            .as_ref()
            .is_none_or(|best| blocks[0].len() < best[0].len());
        if blocks.len() > 1 && is_better {
            best = Some(blocks);
        }
    }
    best.filter(|blocks| blocks.len() <= 64)
}

/// The ways in which a block comes back to itself.
struct Group {
    elements: Vec<Vec<usize>>,
    /// Whether the elements are the powers of the second one, in order.
    is_cyclic: bool,
}

impl Group {
    fn generated<'a>(
        width: usize,
        generators: impl Iterator<Item = &'a Vec<usize>>,
    ) -> Option<Self> {
        let identity: Vec<usize> = (0..width).collect();
        let mut generators: Vec<&Vec<usize>> = generators.collect();
        generators.sort();
        generators.dedup();
        let mut seen: HashMap<Vec<usize>, (), RandomState> = HashMap::default();
        let mut elements = vec![identity.clone()];
        seen.insert(identity, ());
        let mut next = 0;
        while next < elements.len() {
            for generator in &generators {
                let product = compose(&elements[next], generator);
                if seen.insert(product.clone(), ()).is_none() {
                    elements.push(product);
                    if elements.len() > MOST_SYMMETRIES {
                        return None;
                    }
                }
            }
            next += 1;
        }
        elements[1..].sort();
        for element in &elements {
            let mut powers = vec![elements[0].clone()];
            loop {
                let power = compose(&powers[powers.len() - 1], element);
                if power == elements[0] {
                    break;
                }
                powers.push(power);
            }
            if powers.len() == elements.len() {
                return Some(Self {
                    elements: powers,
                    is_cyclic: true,
                });
            }
        }
        Some(Self {
            elements,
            is_cyclic: false,
        })
    }

    /// All contents that a content can be turned into; in the order of the elements if these are as many.
    fn orbit(&self, content: &[u32]) -> Vec<Vec<u32>> {
        let mut orbit: Vec<Vec<u32>> = Vec::new();
        for element in &self.elements {
            let mut turned = vec![0; content.len()];
            for (i, value) in content.iter().enumerate() {
                turned[element[i]] = *value;
            }
            if !orbit.contains(&turned) {
                orbit.push(turned);
            }
        }
        orbit
    }

    fn number(&self, element: &[usize]) -> usize {
        let found = self.elements.iter().position(|other| other == element);
        found.unwrap_or(0)
    }
}

/// First one, then the other.
fn compose(one: &[usize], then: &[usize]) -> Vec<usize> {
    one.iter().map(|i| then[*i]).collect()
}

#[cfg(test)]
mod tests {
    use psvn_ir::testing::SplitMix64;

    use super::*;

    fn game(reference: &str) -> Game {
        let text = domains::generate_reference(reference).expect("a built-in game");
        psvn_ir::load(&text).game.expect("a game")
    }

    #[test]
    fn cubes_have_their_published_numbers_of_states() {
        let blocks = Blocks::find(&game("rubik:2:fixed"));
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].size(), 3_674_160);
        let blocks = Blocks::find(&game("rubik:3"));
        let mut sizes: Vec<u128> = blocks.iter().map(Blocks::size).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [88_179_840, 980_995_276_800]);
        assert!(blocks.iter().all(Blocks::is_sum_conserved));
        assert_eq!(Blocks::find(&game("pancake:5")), []);
        assert_eq!(Blocks::find(&game("sliding-tiles:3:3")), []);
    }

    #[test]
    fn ranks_go_both_ways() {
        let game = game("rubik:3");
        let mut random = SplitMix64::new(5);
        for blocks in Blocks::find(&game) {
            for _ in 0..2000 {
                let rank = (u128::from(random.next_u64()) % blocks.size()) as u64;
                let mut state = vec![0; 48];
                blocks.unrank(rank, &mut state);
                assert_eq!(blocks.rank(|var| state[var]), Some(rank));
                // A single turned piece is out of reach.
                let frame = &blocks.frames[random.below(blocks.frames.len())];
                let first = state[frame[0] as usize];
                for i in 1..frame.len() {
                    state[frame[i - 1] as usize] = state[frame[i] as usize];
                }
                state[frame[frame.len() - 1] as usize] = first;
                assert_eq!(blocks.rank(|var| state[var]), None);
            }
        }
    }
}
