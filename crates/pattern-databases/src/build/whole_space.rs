//! All states of a game by rank, two bits for each.

use abstraction::Abstraction;
use psvn_ir::{Game, State, Value};

use crate::database::{Prepared, Recipe};
use crate::progress::{BuildError, Options};

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
/// space.count(&options, 1, None, &mut |_| true)?;
/// // 1, 4, 12, 35, 48 and 20 states are 0 to 5 moves away.
/// assert_eq!(*reached.lock().expect("one thread"), [1, 5, 17, 52, 100, 120]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WholeSpace<'g> {
    game: &'g Game,
    prepared: Prepared,
}

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
        let halves = match self.n_ranks() < ranking.size() {
            true => ", half of them by parity",
            false => "",
        };
        format!("{}{halves}", ranking.describe())
    }

    /// Count the states by their distance to a goal. After each distance, [`Options::progress`]
    /// gets the number of states up to it. `goes_on` is called before a distance is expanded, with
    /// up to `n_listed` of its states, the first ones by rank. The search ends at the distance
    /// `last`.
    ///
    /// # Errors
    /// If the table doesn't fit the memory, or the work was stopped. Counts reported before are
    /// still right.
    ///
    /// # Panics
    /// Never: each value of a state by its rank is that of a concrete one.
    pub fn count(
        &mut self,
        options: &Options<'_>,
        n_listed: usize,
        last: Option<u64>,
        goes_on: &mut dyn FnMut(Vec<State>) -> bool,
    ) -> Result<(), BuildError> {
        let Prepared {
            abstract_game,
            plan,
            ..
        } = &mut self.prepared;
        let game = self.game;
        let ranking = plan.ranking.clone();
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
            options,
            n_listed,
            last,
            &mut |ranks| goes_on(ranks.into_iter().map(&mut unrank).collect()),
        )
    }
}
