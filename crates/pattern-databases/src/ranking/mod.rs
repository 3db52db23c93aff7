//! Numberings of the states of an abstract game, with few numbers that belong to no state.

pub(crate) mod bit_counts;
mod choose;
pub(crate) mod digits;
pub(crate) mod listed;
pub(crate) mod oriented_pieces;
pub(crate) mod packed;
pub(crate) mod partial_permutation;
pub(crate) mod symmetric;

use std::iter::zip;
use std::sync::Arc;

use psvn_ir::{Game, VarId};

use self::digits::{Digit, OneOf};
use self::listed::Listed;
use self::oriented_pieces::OrientedPieces;
use self::partial_permutation::PartialPermutation;
use self::symmetric::{Images, SymmetricPieces};

pub(crate) use self::choose::choose;

/// A variable, and numbers of some of its values.
pub(crate) type Numbers = (usize, Vec<(u32, u64)>);

/// A set of variables with its own ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    Digit(Digit),
    OneOf(OneOf),
    PartialPermutation(PartialPermutation),
    OrientedPieces(OrientedPieces),
    SymmetricPieces(Arc<SymmetricPieces>),
    /// All variables, by a list of states.
    Listed(Listed),
}

impl Factor {
    pub(crate) fn size(&self) -> u128 {
        match self {
            Self::Digit(digit) => digit.size(),
            Self::OneOf(group) => group.size(),
            Self::PartialPermutation(places) => places.size(),
            Self::OrientedPieces(blocks) => blocks.size(),
            Self::SymmetricPieces(pieces) => pieces.size(),
            Self::Listed(listed) => listed.size(),
        }
    }

    #[inline(always)]
    pub(crate) fn rank(&self, value: &impl Fn(usize) -> u32) -> Option<u64> {
        match self {
            Self::Digit(digit) => digit.rank(value),
            Self::OneOf(group) => group.rank(value),
            Self::PartialPermutation(places) => places.rank(value),
            Self::OrientedPieces(blocks) => blocks.rank(value),
            Self::SymmetricPieces(pieces) => pieces.rank(value),
            Self::Listed(listed) => listed.rank(value),
        }
    }

    /// Return the rank of a state that is in memory.
    pub(crate) fn rank_of(&self, state: &[u32]) -> Option<u64> {
        self.rank(&|var| state[var])
    }

    pub(crate) fn unrank(&self, rank: u64, state: &mut [u32]) {
        match self {
            Self::Digit(digit) => digit.unrank(rank, state),
            Self::OneOf(group) => group.unrank(rank, state),
            Self::PartialPermutation(places) => places.unrank(rank, state),
            Self::OrientedPieces(blocks) => blocks.unrank(rank, state),
            Self::SymmetricPieces(pieces) => pieces.unrank(rank, state),
            Self::Listed(listed) => listed.unrank(rank, state),
        }
    }

    pub(crate) fn vars(&self) -> Vec<u32> {
        match self {
            Self::Digit(digit) => vec![digit.var],
            Self::OneOf(group) => group.facts.iter().map(|(var, _)| *var).collect(),
            Self::PartialPermutation(places) => places.vars.clone(),
            Self::OrientedPieces(blocks) => blocks.vars().collect(),
            Self::SymmetricPieces(pieces) => pieces.blocks().vars().collect(),
            Self::Listed(listed) => (0..listed.n_variables() as u32).collect(),
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Digit(digit) => format!("variable {}", VarId(digit.var + 1).0),
            Self::OneOf(group) if group.or_none => {
                format!("at most one of {} facts", group.facts.len())
            }
            Self::OneOf(group) => format!("one of {} facts", group.facts.len()),
            Self::PartialPermutation(places) => format!(
                "{} places of {} values among {} variables",
                places.n_places,
                places.items.len(),
                places.vars.len()
            ),
            Self::Listed(_) => "a list of states".to_owned(),
            Self::OrientedPieces(blocks) => in_words(blocks),
            Self::SymmetricPieces(pieces) => {
                up_to_symmetries(&in_words(pieces.blocks()), pieces.images().len())
            }
        }
    }
}

/// Describe a ranking up to `n` symmetries, given the description of the ranking without them.
pub(crate) fn up_to_symmetries(words: &str, n: usize) -> String {
    format!("{words}, up to {n} symmetries")
}

fn in_words(blocks: &OrientedPieces) -> String {
    let (n, m) = (blocks.n_blocks(), blocks.n_orientations());
    let oriented = match m {
        1 => "1 orientation".to_owned(),
        m => format!("{m} orientations"),
    };
    match blocks.n_distinguished() {
        some if some < n => format!("{some} of {n} pieces with {oriented}"),
        _ if blocks.is_sum_conserved() => {
            format!("{n} pieces with {oriented}, their sum conserved")
        }
        _ => format!("{n} pieces with {oriented}"),
    }
}

/// Numbers for the states of a game: a bijection between the states that satisfy the proved
/// invariants and the numbers below [`size`](Self::size), or numbers for states up to symmetries of
/// the game.
///
/// The variables fall into factors, and a rank is a number with one digit for each factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    n_variables: usize,
    pub(crate) factors: Vec<Factor>,
    sizes: Vec<u64>,
    size: u128,
}

impl Ranking {
    pub(crate) fn new(n_variables: usize, factors: Vec<Factor>) -> Self {
        let sizes = factors.iter().map(Factor::size);
        let size = sizes.clone().fold(1, u128::saturating_mul);
        Self {
            n_variables,
            sizes: sizes
                .map(|size| u64::try_from(size).unwrap_or(u64::MAX))
                .collect(),
            factors,
            size,
        }
    }

    /// Return the number of ranks (saturated at 128 bits).
    pub fn size(&self) -> u128 {
        self.size
    }

    /// Return the number of variables of a state.
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// Return the rank of a state, given as a function from variables to values; `None` when the
    /// state breaks the proved invariants.
    #[inline(always)]
    pub fn rank(&self, value: impl Fn(usize) -> u32) -> Option<u64> {
        let mut rank = 0;
        for (factor, size) in zip(&self.factors, &self.sizes) {
            rank = rank * size + factor.rank(&value)?;
        }
        Some(rank)
    }

    /// Return the rank of a state that is in memory.
    pub(crate) fn rank_of(&self, state: &[u32]) -> Option<u64> {
        self.rank(|var| state[var])
    }

    /// Return the rank as a sum over the variables of one number for each of their values: by
    /// variable, the numbers of some values. `None` if it isn't such a sum.
    pub(crate) fn as_sum(&self) -> Option<Vec<Numbers>> {
        let mut numbers = Vec::new();
        let mut weight = 1_u64;
        for (factor, size) in zip(&self.factors, &self.sizes).rev() {
            let times = |i: usize| i as u64 * weight;
            match factor {
                Factor::Digit(digit) => {
                    let values = digit.values.iter().enumerate();
                    let values = values.map(|(i, value)| (*value, times(i)));
                    numbers.push((digit.var as usize, values.collect()));
                }
                Factor::OneOf(group) if !group.or_none => {
                    let facts = group.facts.iter().enumerate();
                    numbers
                        .extend(facts.map(|(i, (var, on))| (*var as usize, vec![(*on, times(i))])));
                }
                Factor::PartialPermutation(places) => {
                    // Only one value among the places is a sum.
                    let [item] = places.items.as_slice() else {
                        return None;
                    };
                    if item.count > 1 {
                        return None;
                    }
                    let vars = places.vars.iter().enumerate();
                    numbers
                        .extend(vars.map(|(i, var)| (*var as usize, vec![(item.value, times(i))])));
                }
                _ => return None,
            }
            weight = weight.checked_mul(*size)?;
        }
        Some(numbers)
    }

    /// Return whether a state satisfies the proved invariants.
    pub(crate) fn admits(&self, state: &[u32]) -> bool {
        let mut factors = self.factors.iter();
        factors.all(|factor| factor.rank_of(state).is_some())
    }

    /// Return whether most ranks are likely to belong to reachable states: places of values, and
    /// pieces with orientations, usually take all arrangements or half of them. Nothing is known
    /// about single variables.
    pub(crate) fn is_tight(&self) -> bool {
        let mut factors = self.factors.iter();
        factors.all(|factor| {
            matches!(
                factor,
                Factor::PartialPermutation(_)
                    | Factor::OrientedPieces(_)
                    | Factor::SymmetricPieces(_)
            )
        })
    }

    /// Return the one factor with more than one rank.
    fn only_factor(&self) -> Option<(usize, &Factor)> {
        let mut factors = self.factors.iter().enumerate();
        let mut many = factors.by_ref().filter(|(_, factor)| factor.size() > 1);
        let found = many.next()?;
        many.next().is_none().then_some(found)
    }

    /// Return the pieces that it ranks, if it ranks nothing else.
    pub(crate) fn as_oriented_pieces(&self) -> Option<&OrientedPieces> {
        match self.only_factor()?.1 {
            Factor::OrientedPieces(blocks) => Some(blocks),
            _ => None,
        }
    }

    /// Return the pieces that it ranks up to symmetries, if it ranks nothing else.
    pub(crate) fn as_symmetric_pieces(&self) -> Option<&Arc<SymmetricPieces>> {
        match self.only_factor()?.1 {
            Factor::SymmetricPieces(pieces) => Some(pieces),
            _ => None,
        }
    }

    /// Return the symmetries of a game by which its states can be ranked, if only pieces are
    /// ranked.
    pub(crate) fn images(&self, game: &Game) -> Option<Images> {
        symmetric::images(game, self.as_oriented_pieces()?)
    }

    /// Return the same ranking, but up to symmetries. `None` when `should_stop` returns `true`, or
    /// the ranking isn't one of pieces.
    pub(crate) fn up_to(&self, images: Images, should_stop: impl Fn() -> bool) -> Option<Self> {
        let (number, _) = self.only_factor()?;
        let blocks = self.as_oriented_pieces()?.clone();
        let pieces = SymmetricPieces::new(blocks, images, should_stop)?;
        let mut factors = self.factors.clone();
        factors[number] = Factor::SymmetricPieces(Arc::new(pieces));
        Some(Self::new(self.n_variables, factors))
    }

    /// Return the bytes of the list of classes, if ranks are those of states up to symmetries.
    pub(crate) fn class_bytes(&self) -> u128 {
        let pieces = self.as_symmetric_pieces();
        pieces.map_or(0, |pieces| {
            symmetric::sizes(pieces.blocks(), pieces.images())[1]
        })
    }

    /// Return how many states are read at a rank.
    pub(crate) fn n_states(&self, rank: u64) -> u64 {
        let pieces = self.as_symmetric_pieces();
        pieces.map_or(1, |pieces| pieces.n_states(rank))
    }

    /// Return the list of states, if the ranks are places in one.
    pub(crate) fn as_listed(&self) -> Option<&Listed> {
        match self.factors.as_slice() {
            [Factor::Listed(listed)] => Some(listed),
            _ => None,
        }
    }

    /// Write the state of a rank.
    ///
    /// # Panics
    /// If there is no such rank, or the state has too few places.
    pub fn unrank(&self, mut rank: u64, state: &mut [u32]) {
        for (factor, size) in zip(&self.factors, &self.sizes).rev() {
            factor.unrank(rank % size, state);
            rank /= size;
        }
    }

    /// Describe the ranking in a few words.
    pub fn describe(&self) -> String {
        let mut kinds: Vec<(String, usize)> = Vec::new();
        for factor in &self.factors {
            let text = match factor {
                Factor::Digit(digit) => format!("a variable with {} values", digit.size()),
                other => other.describe(),
            };
            match kinds.iter_mut().find(|(known, _)| *known == text) {
                Some((_, n)) => *n += 1,
                None => kinds.push((text, 1)),
            }
        }
        let text = |(text, n): &(String, usize)| match n {
            1 => text.clone(),
            n => format!("{n} x ({text})"),
        };
        if kinds.is_empty() {
            "nothing".to_owned()
        } else {
            kinds.iter().map(text).collect::<Vec<_>>().join("; ")
        }
    }

    /// Return the one factor, if its ranks are places of values.
    pub(crate) fn as_partial_permutation(&self) -> Option<&PartialPermutation> {
        match self.factors.as_slice() {
            [Factor::PartialPermutation(places)] if places.vars.len() == self.n_variables => {
                Some(places)
            }
            _ => None,
        }
    }
}
