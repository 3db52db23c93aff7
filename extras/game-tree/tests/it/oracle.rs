//! The references: random games, and Minimax written out by the rules of the game alone.

use game_tree::{
    Evaluator, MAX_BEYOND, MAX_EVALUATION, NoMove, Score, Turn, TwoPlayerGame, View, WIN, Wins,
};
use psvn_ir::testing::{GameShape, SplitMix64, random_game};
use psvn_ir::{Cell, Domain, Game, GameBuilder, RuleId, State, TermKind, Value, VarId};

/// Return a built-in game.
pub(crate) fn built_in(reference: &str, no_move: NoMove) -> TwoPlayerGame {
    let text = domains::generate_reference(reference).unwrap();
    let game = psvn_ir::load(&text).game.unwrap();
    TwoPlayerGame::new(&game, Turn::find(&game).unwrap(), no_move).unwrap()
}

/// Make a random game with an added turn: each rule belongs to one player or to both. Goals test
/// the turn or don't.
pub(crate) fn random_two_player_game(seed: u64, no_move: NoMove) -> TwoPlayerGame {
    let shape = GameShape {
        n_variables: 3..=4,
        n_rules: 3..=5,
        several_domains: seed.is_multiple_of(3),
        lost_values: seed.is_multiple_of(2),
        ..GameShape::default()
    };
    let base = random_game(seed, &shape);
    let mut random = SplitMix64::new(seed ^ 0x7E11);
    let place = random.below(base.n_variables() + 1);
    let mut builder = GameBuilder::new();
    let domains: Vec<_> = (base.domains().iter())
        .map(|domain| builder.domain(domain.clone()))
        .collect();
    let player = builder.domain(Domain::new("player", ["A", "B"]).unwrap());
    for (i, domain) in base.variables().iter().enumerate() {
        if i == place {
            builder.variable(player);
        }
        builder.variable(domains[domain.index()]);
    }
    if place == base.n_variables() {
        builder.variable(player);
    }
    let turn = |value: usize| Cell::constant(Value(value as u32));
    let with = |cells: &[Cell], cell: Cell| {
        let mut cells = cells.to_vec();
        cells.insert(place, cell);
        cells
    };
    for rule in base.source_rules() {
        let owners = random.below(3);
        for player in 0..2 {
            if owners == player || owners == 2 {
                let lhs = with(&rule.lhs, turn(player));
                builder.rule(None, lhs, with(&rule.rhs, turn(1 - player)), 1);
            }
        }
    }
    for number in 0..1 + random.below(3) {
        let mut cells: Vec<Cell> = base.goals()[0]
            .conditions()
            .iter()
            .map(|term| match term.kind() {
                TermKind::Constant(value) => Cell::constant(value),
                TermKind::Variable(_) => Cell::DASH,
            })
            .collect();
        // The other goals differ in some places.
        for (i, cell) in cells.iter_mut().enumerate() {
            if number > 0 && random.chance(40) {
                let size = base.domain_of(VarId::from_index(i)).size();
                *cell = Cell::constant(Value::from_index(random.below(size)));
            }
        }
        let cell = [turn(0), turn(1), Cell::DASH][random.below(3)];
        builder.goal(with(&cells, cell));
    }
    let game = builder.build().unwrap();
    let turn = Turn::named(&game, VarId::from_index(place)).unwrap();
    TwoPlayerGame::new(&game, turn, no_move).unwrap()
}

/// Return a random state with a valid turn.
pub(crate) fn random_state(game: &Game, random: &mut SplitMix64) -> State {
    let values: Vec<Value> = (0..game.n_variables())
        .map(|i| random.below(game.domain_of(VarId::from_index(i)).size()))
        .map(Value::from_index)
        .collect();
    State::new(values)
}

/// Arbitrary values within ±3, so that many are equal.
#[derive(Clone, Copy)]
pub(crate) struct AnyWorth {
    pub(crate) n_variables: usize,
}

impl AnyWorth {
    pub(crate) fn of(values: impl Iterator<Item = Value>) -> Score {
        let mixed = values.fold(17u64, |sum, value| {
            (sum ^ u64::from(value.0))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(23)
        });
        (mixed % 7) as Score - 3
    }
}

impl Evaluator for AnyWorth {
    fn needs_values(&self) -> bool {
        true
    }

    fn evaluate(&self, view: &View<'_>) -> Score {
        Self::of((0..self.n_variables).map(|i| view.value(VarId::from_index(i))))
    }
}

/// Minimax by the rules: the score for the player to move, the best rule, and the positions
/// visited.
pub(crate) struct Oracle<'g> {
    pub(crate) game: &'g TwoPlayerGame,
    pub(crate) wins: Wins,
    /// The rules that are followed beyond the horizon.
    pub(crate) unquiet: Vec<RuleId>,
    pub(crate) visited: u64,
}

impl Oracle<'_> {
    pub(crate) fn best(&mut self, state: &State, ply: u32) -> (Score, Option<RuleId>) {
        self.visited += 1;
        let won = match self.wins {
            Wins::ByDistance => WIN + ply as Score,
            Wins::Equal => WIN,
        };
        if self.game.game().is_goal(state.values()) {
            return (-won, None);
        }
        let rules: Vec<RuleId> = self
            .game
            .game()
            .rules_with_ids()
            .filter(|(_, rule)| rule.canonical.applies_to(state.values()))
            .map(|(id, _)| id)
            .collect();
        if rules.is_empty() {
            let score = match self.game.no_move() {
                NoMove::Draw => 0,
                NoMove::Loss => -won,
                NoMove::Win => won,
            };
            return (score, None);
        }
        if ply == 0 {
            return (self.beyond(state, MAX_BEYOND), None);
        }
        let mut best: (Score, Option<RuleId>) = (-Score::MAX, None);
        for rule in rules {
            let next = self.game.after(state, rule);
            let score = -self.best(&next, ply - 1).0;
            if score > best.0 {
                best = (score, Some(rule));
            }
        }
        best
    }

    /// The score of a position that is neither won nor without moves, if players may stop or make
    /// one of the moves that are followed.
    fn beyond(&self, state: &State, most: u32) -> Score {
        let mut best = AnyWorth::of(state.values().iter().copied());
        if most == 0 {
            return best;
        }
        let game = self.game.game();
        for rule in &self.unquiet {
            if !game.rule(*rule).canonical.applies_to(state.values()) {
                continue;
            }
            let next = self.game.after(state, *rule);
            let goes_on = |rule: &psvn_ir::Rule| rule.canonical.applies_to(next.values());
            let score = if game.is_goal(next.values()) {
                MAX_EVALUATION
            } else if game.rules().iter().any(goes_on) {
                -self.beyond(&next, most - 1)
            } else {
                match self.game.no_move() {
                    NoMove::Draw => 0,
                    NoMove::Loss => MAX_EVALUATION,
                    NoMove::Win => -MAX_EVALUATION,
                }
            };
            best = best.max(score);
        }
        best
    }
}
