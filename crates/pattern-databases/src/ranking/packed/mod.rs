//! Ranks of packed states: short numbers for files of states.

mod permutations;
mod sums;

use abstraction::{AbstractGame, Abstraction};
use invariants::Invariants;
use psvn_ir::{Game, VarId};
use search::PackedStates;

use self::permutations::{Permutations, Prefix};
use self::sums::Sums;
use super::{Ranking, choose};

/// The bits that a slow ranking must save.
const WORTH_SOME_TIME: u32 = 8;

/// Numbers for packed states: a rank each for all states that can be reached from the goal states
/// of a game, in one word. Fewer bits tell ranks apart than packed states.
///
/// ```
/// use pattern_databases::StateRanks;
/// use search::{Direction, PackedStates};
///
/// let text = domains::generate("sliding-tiles", &["3", "3"])?;
/// let game = psvn_ir::load(&text).game.expect("a game without errors");
/// let states = PackedStates::new(&game);
/// let goal = states.pack(&game.goal_state().expect("one goal state"))?;
/// let ranks = StateRanks::new(&game, &states, &[goal.clone()]).expect("places of tiles");
/// assert_eq!(ranks.size(), 181_440); // 9! / 2
/// let mut ranker = ranks.ranker(&states);
/// let rank = ranker.rank(&goal).expect("a state");
/// assert_eq!(ranker.unrank(rank), goal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StateRanks {
    kind: Kind,
    ranking: Ranking,
    size: u64,
    is_halved: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Permutations(Permutations),
    Sums(Sums),
    Other,
}

impl StateRanks {
    /// Find ranks for the states that can be reached from the goal states of a game, given these as
    /// `roots`.
    ///
    /// `None` if a root lacks an invariant of the goals, there are more ranks than a word can tell
    /// apart, or they are hardly shorter than packed states.
    pub fn new(game: &Game, states: &PackedStates, roots: &[Vec<u64>]) -> Option<Self> {
        let same = AbstractGame::new(game, &Abstraction::identity(game)).ok()?;
        let invariants = Invariants::from_goals(game);
        let ranking = choose(game, &same, &invariants, None, &|_, _| false).ok()?;
        let n_bits = |size: u128| u128::BITS - size.saturating_sub(1).leading_zeros();
        let n_packed: u32 = (0..game.n_variables())
            .map(|var| states.bits(VarId::from_index(var)).len() as u32)
            .sum();
        if ranking.n_variables() != game.n_variables() {
            return None;
        }
        let size = u64::try_from(ranking.size()).ok()?;
        let (kind, size, is_halved) =
            if let Some(permutations) = Permutations::new(game, states, &ranking, roots) {
                let (size, is_halved) = (permutations.size(), permutations.is_halved());
                (Kind::Permutations(permutations), size, is_halved)
            } else if let Some(sums) = Sums::new(states, &ranking) {
                (Kind::Sums(sums), size, false)
            } else {
                (Kind::Other, size, false)
            };
        let saved = n_packed.saturating_sub(n_bits(size.into()));
        let is_worth_it = match kind {
            Kind::Other => saved >= WORTH_SOME_TIME,
            _ => saved > 0,
        };
        let ranks = Self {
            kind,
            ranking,
            size,
            is_halved,
        };
        (is_worth_it && ranks.hold(states, roots)).then_some(ranks)
    }

    /// Return whether states have ranks, from which they are found again.
    fn hold(&self, states: &PackedStates, roots: &[Vec<u64>]) -> bool {
        let mut ranker = self.ranker(states);
        let mut values = vec![0; states.n_variables()];
        roots.iter().all(|root| {
            states.values(root, &mut values);
            self.ranking.rank_of(&values).is_some()
                && ranker
                    .rank(root)
                    .is_some_and(|rank| rank < self.size && ranker.unrank(rank) == *root)
        })
    }

    /// Return the number of ranks, which are the numbers below it.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Return a number below [`n_kept`](Self::n_kept) that few moves change: a rank without the
    /// place of the blank, for sliding tiles. Neighboring ranks have neighboring numbers.
    #[inline]
    pub fn kept(&self, rank: u64) -> u64 {
        match &self.kind {
            Kind::Permutations(permutations) => permutations.without_marker(rank),
            _ => rank,
        }
    }

    /// Return the number of different results of [`kept`](Self::kept).
    pub fn n_kept(&self) -> u64 {
        self.kept(self.size - 1) + 1
    }

    /// Describe the ranking in a few words.
    pub fn describe(&self) -> String {
        let halves = if self.is_halved {
            ", half of them by parity"
        } else {
            ""
        };
        format!("{}{halves}", self.ranking.describe())
    }

    /// Return what ranks states, with its own scratch memory: one for each thread. `states` are
    /// those for which the ranks were made.
    pub fn ranker<'r>(&'r self, states: &'r PackedStates) -> Ranker<'r> {
        Ranker {
            ranks: self,
            states,
            values: vec![0; states.n_variables()],
            packed: vec![0; states.n_words()],
            prefix: Prefix::default(),
        }
    }
}

/// Ranks packed states, and finds states by their ranks.
#[derive(Clone, Debug)]
pub struct Ranker<'r> {
    ranks: &'r StateRanks,
    states: &'r PackedStates,
    values: Vec<u32>,
    packed: Vec<u64>,
    prefix: Prefix,
}

impl Ranker<'_> {
    /// Return the rank of a state. `None` if it was found that the state can't be reached from the
    /// goals; not all of these are found.
    ///
    /// # Panics
    /// When the number of words is not that of a state.
    #[inline]
    pub fn rank(&mut self, state: &[u64]) -> Option<u64> {
        match (&self.ranks.kind, state) {
            (Kind::Permutations(permutations), [state]) => Some(permutations.rank(*state)),
            (Kind::Sums(sums), _) => Some(sums.rank(state)),
            _ => {
                self.states.values(state, &mut self.values);
                self.ranks.ranking.rank_of(&self.values)
            }
        }
    }

    /// Replace packed states of one word by their ranks: faster than one by one. Return `false` if
    /// it was found that one of them can't be reached from the goals.
    ///
    /// # Panics
    /// When a state has more words.
    #[must_use]
    pub fn rank_all(&mut self, states: &mut [u64]) -> bool {
        if let Kind::Permutations(permutations) = &self.ranks.kind {
            permutations.rank_all(states);
            return true;
        }
        states.iter_mut().all(|state| {
            let rank = self.rank(&[*state]);
            rank.is_some_and(|rank| {
                *state = rank;
                true
            })
        })
    }

    /// Return the packed state of a rank. Ascending ranks take the least time.
    ///
    /// # Panics
    /// May panic if there is no such rank.
    #[inline]
    pub fn unrank(&mut self, rank: u64) -> &[u64] {
        if let Kind::Permutations(permutations) = &self.ranks.kind {
            self.packed[0] = permutations.unrank(rank, &mut self.prefix);
        } else {
            self.ranks.ranking.unrank(rank, &mut self.values);
            self.states.pack_values(&self.values, &mut self.packed);
        }
        &self.packed
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use psvn_ir::testing::{GameShape, SplitMix64, all_states, random_game};
    use psvn_ir::{State, Value};
    use search::Direction;

    use crate::testing::domain;

    use super::*;

    /// Return all packed states that can be reached from some, at most about `most`.
    fn reachable(states: &PackedStates, roots: &[Vec<u64>], most: usize) -> HashSet<Vec<u64>> {
        let mut found: HashSet<Vec<u64>> = roots.iter().cloned().collect();
        let mut open: Vec<Vec<u64>> = roots.to_vec();
        let mut moves = states.moves(Direction::Forward);
        while let Some(state) = open.pop() {
            if found.len() >= most {
                break;
            }
            moves.each(&state, |_, child| {
                if found.insert(child.to_vec()) {
                    open.push(child.to_vec());
                }
            });
        }
        found
    }

    fn check(game: &Game, roots: &[State], most: usize) -> Option<String> {
        let game = game.with_goal_states(roots);
        let states = PackedStates::new(&game);
        let roots: Vec<Vec<u64>> = roots.iter().map(|it| states.pack(it).unwrap()).collect();
        let ranks = StateRanks::new(&game, &states, &roots)?;
        let mut ranker = ranks.ranker(&states);
        let found = reachable(&states, &roots, most);
        let mut all: Vec<(u64, Vec<u64>)> = found
            .into_iter()
            .map(|state| {
                let rank = ranker.rank(&state).expect("a rank");
                assert!(rank < ranks.size());
                (rank, state)
            })
            .collect();
        all.sort_unstable();
        assert!(
            all.windows(2).all(|pair| pair[0].0 < pair[1].0),
            "each once"
        );
        if states.n_words() == 1 {
            let mut words: Vec<u64> = all.iter().map(|(_, state)| state[0]).collect();
            assert!(ranker.rank_all(&mut words));
            assert!(words.iter().eq(all.iter().map(|(rank, _)| rank)));
        }
        for (rank, state) in &all {
            assert_eq!(ranker.unrank(*rank), state, "{rank}");
            assert!(ranks.kept(*rank) < ranks.n_kept(), "{rank}");
        }
        if let Kind::Permutations(permutations) = &ranks.kind {
            let of_place = ranks.size
                / if permutations.has_marker() {
                    states.n_variables() as u64
                } else {
                    1
                };
            let ranked = all.iter().map(|(rank, _)| *rank);
            let mut some = ranked.chain([0, ranks.size - 1]);
            assert!(some.all(|rank| ranks.kept(rank) == rank % of_place));
        }
        // In any order.
        let mut random = SplitMix64::new(7);
        for _ in 0..all.len().min(1_000) {
            let (rank, state) = &all[random.below(all.len())];
            assert_eq!(ranker.unrank(*rank), state, "{rank}");
        }
        Some(ranks.describe())
    }

    #[test]
    fn states_of_known_games_have_ranks() {
        for (reference, words) in [
            ("sliding-tiles:3:3", "9 variables, half of them by parity"),
            ("sliding-tiles:2:5:blank=3", "half of them by parity"),
            ("sliding-tiles:4:4", "16 variables, half of them by parity"),
            ("sliding-tiles:3:4", "half of them by parity"),
            ("pancake:9", "9 variables"),
            ("pancake:16", "16 variables"),
            ("topspin:10:4", "9 variables"),
            ("hanoi:4:6", "6 x (1 places of 1 values among 4 variables)"),
            ("rubik:2:fixed", "orientations"),
            ("rubik:2", "orientations"),
        ] {
            let game = domain(reference);
            let goal = game.goal_state().expect("one goal state");
            let found = check(&game, &[goal], 200_000);
            let found = found.unwrap_or_else(|| panic!("{reference}: no ranks"));
            assert!(found.contains(words), "{reference}: {found}");
        }
    }

    /// Even rules leave half of the arrangements without a blank, too.
    #[test]
    fn parity_needs_no_marker() {
        for n in [2_usize, 3, 9, 12, 16] {
            let mut text = format!("{n}\n{}\n", format!("{} ", n.max(9)).repeat(n));
            for first in 0..n.saturating_sub(2) {
                let name = |place: usize| format!("X{place} ");
                let turned = |place: usize| match place.wrapping_sub(first) {
                    0 | 1 => name(place + 1),
                    2 => name(first),
                    _ => name(place),
                };
                let [before, after]: [String; 2] =
                    [(0..n).map(name).collect(), (0..n).map(turned).collect()];
                text += &format!("{before}=> {after}\n{after}=> {before}\n");
            }
            let game = psvn_ir::load(&text).game.expect("a game");
            let values: Vec<Value> = (0..n as u32).map(|i| Value(i * 5 % n as u32)).collect();
            if values.iter().collect::<HashSet<_>>().len() < n {
                continue;
            }
            let found = check(&game, &[State::new(values)], 20_000);
            assert!(
                n < 3 || found.is_some_and(|it| it.ends_with("by parity")),
                "{n}"
            );
        }
    }

    #[test]
    fn states_of_random_games_have_ranks() {
        let mut n_ranked = 0;
        for seed in 0..psvn_ir::testing::cases(1_000) {
            let game = random_game(seed, &GameShape::default());
            let all: Vec<State> = all_states(&game).map(State::new).collect();
            let mut random = SplitMix64::new(seed);
            let n = 1 + random.below(3);
            let roots: Vec<State> = (0..n)
                .map(|_| all[random.below(all.len())].clone())
                .collect();
            n_ranked += usize::from(check(&game, &roots, usize::MAX).is_some());
        }
        assert!(n_ranked > 50, "{n_ranked}");
    }
}
