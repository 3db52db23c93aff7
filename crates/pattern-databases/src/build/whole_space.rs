//! All states of a game by rank, two bits for each.

use abstraction::Abstraction;
use psvn_ir::{Game, State, Value};

use crate::build::two_bit::{EachRank, First, Mark};
use crate::database::{Prepared, Recipe, StateReader};
use crate::progress::{BuildError, Options};
use crate::ranking::Ranking;

/// The states of a game as numbered by the invariants of its goal states, to be counted by their
/// distance to a goal in moves.
///
/// ```
/// use std::sync::Mutex;
///
/// use pattern_databases::{Options, Progress, WholeSpace};
///
/// let text = domains::generate("pancake", &["5"])?;
/// let game = psvn_ir::load(&text).game.expect("a game without errors");
/// let reached = Mutex::new(Vec::new());
/// let on_progress = |progress: &Progress| {
///     reached.lock().expect("one thread").push(progress.done);
/// };
/// let options = Options { progress: Some(&on_progress), ..Options::default() };
/// let mut space = WholeSpace::new(&game, &options)?;
/// space.count(None, &options, 1, None, &mut |_| true)?;
/// // 1, 4, 12, 35, 48 and 20 states are 0 to 5 moves away.
/// assert_eq!(*reached.lock().expect("one thread"), [1, 5, 17, 52, 100, 120]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WholeSpace<'g> {
    game: &'g Game,
    prepared: Prepared,
}

/// A state of layers that were found before, with their distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBefore {
    /// It is in the last layer, so its neighbors are to be found.
    Last,
    /// It is in the layer before.
    Older,
}

/// Layers that were found in another way, in a game whose moves can all be undone: a neighbor of a
/// state at distance d is at d - 1, d, or d + 1, so the last two are enough.
pub struct LayersBefore<'l> {
    /// The distance of the last one.
    pub distance: u64,
    /// The number of states at smaller distances.
    pub n_before: u64,
    /// Calls its argument with each state of the last two layers.
    pub each: &'l dyn Fn(EachFound<'_>),
}

/// Receives a state of layers that were found before, from any thread.
pub type EachFound<'e> = &'e (dyn Fn(&State, FoundBefore) + Sync);

impl std::fmt::Debug for WholeSpace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WholeSpace")
            .field("ranking", &self.prepared.plan.ranking)
            .finish_non_exhaustive()
    }
}

impl<'g> WholeSpace<'g> {
    /// Number the states of a game.
    ///
    /// # Errors
    /// If the game has no goal, or too many rules to run them backwards.
    pub fn new(game: &'g Game, options: &Options<'_>) -> Result<Self, BuildError> {
        let recipe = Recipe::of(Abstraction::identity(game));
        let prepared = Prepared::new(game, &recipe, options)?;
        Ok(Self { game, prepared })
    }

    /// Return the number of ranks (saturated at 128 bits).
    pub fn n_ranks(&self) -> u128 {
        self.ranks().0
    }

    /// Return the bytes that [`count`](Self::count) needs.
    pub fn bytes(&self) -> u128 {
        self.ranks().1
    }

    fn ranks(&self) -> (u128, u128) {
        let game = self.prepared.abstract_game.game();
        self.prepared.plan.ranks_of_two_bits(game)
    }

    /// Return whether most ranks are likely to belong to states that reach a goal.
    pub fn is_dense(&self) -> bool {
        self.prepared.plan.ranking.is_tight()
    }

    /// Describe the ranking in a few words.
    pub fn describe(&self) -> String {
        let ranking = &self.prepared.plan.ranking;
        let halves = if self.n_ranks() < ranking.size() {
            ", half of them by parity"
        } else {
            ""
        };
        format!("{}{halves}", ranking.describe())
    }

    /// Return the rank of a state; `None` if it lacks an invariant of the goal states.
    pub fn rank_of(&self, state: &State) -> Option<u64> {
        let Prepared { plan, reader, .. } = &self.prepared;
        plan.ranking
            .rank_of(&numbers_of(reader, &plan.ranking, state))
    }

    /// Count the states by their distance to a goal, or continue after layers that were found
    /// before, beginning with a count of the last of these. After each distance,
    /// [`Options::progress`] gets the number of states up to it. `goes_on` is called before a
    /// distance is expanded, with up to `n_listed` of its states, the first ones by rank. The
    /// search ends at the distance `last`.
    ///
    /// # Errors
    /// If the table doesn't fit the memory, or the work was stopped. Counts reported before are
    /// still right.
    ///
    /// # Panics
    /// If a state of an earlier layer has no rank. Each has one if the goal states have, and all
    /// moves can be undone.
    pub fn count(
        &mut self,
        before: Option<&LayersBefore<'_>>,
        options: &Options<'_>,
        n_listed: usize,
        last: Option<u64>,
        goes_on: &mut dyn FnMut(Vec<State>) -> bool,
    ) -> Result<(), BuildError> {
        let Prepared {
            abstract_game,
            plan,
            reader,
            ..
        } = &mut self.prepared;
        let game = self.game;
        let ranking = plan.ranking.clone();
        let mark = |each: EachRank<'_>| {
            let Some(before) = before else { return };
            (before.each)(&|state, found| {
                let rank = ranking
                    .rank_of(&numbers_of(reader, &ranking, state))
                    .expect("moves that can be undone keep the invariants of the goals");
                let mark = match found {
                    FoundBefore::Last => Mark::Open,
                    FoundBefore::Older => Mark::Done,
                };
                each(rank, mark);
            });
        };
        let first = before.map(|before| First {
            level: before.distance,
            n_before: before.n_before,
            mark: &mark,
        });
        let mut values = vec![0; ranking.n_variables()];
        let mut unrank = |rank| {
            ranking.unrank(rank, &mut values);
            let mut state = vec![Value(0); game.n_variables()];
            for (number, var) in abstract_game.variables().iter().enumerate() {
                let images = abstract_game.values(psvn_ir::VarId::from_index(number));
                let concrete = images.iter().position(|image| image.0 == values[number]);
                let concrete = concrete.expect("each value of an abstract game is an image");
                state[var.index()] = Value(concrete as u32);
            }
            State::new(state)
        };
        plan.count_levels(
            abstract_game.game(),
            first.as_ref(),
            options,
            n_listed,
            last,
            &mut |ranks| goes_on(ranks.into_iter().map(&mut unrank).collect()),
        )
    }
}

/// Return the values of a state's abstract variables.
fn numbers_of(reader: &StateReader, ranking: &Ranking, state: &State) -> Vec<u32> {
    let value = |var| reader.value(var, |concrete| state.values()[concrete].index());
    (0..ranking.n_variables()).map(value).collect()
}
