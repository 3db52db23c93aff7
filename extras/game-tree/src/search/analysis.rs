//! Analyzing a position: the best move, its score, and the line of play that follows.

use std::collections::HashMap;
use std::time::Duration;

use budget::{Limits, StopReason};
use psvn_ir::{RuleId, State};

use crate::form::board::{Board, with_board};
use crate::form::{Form, Needs};
use crate::game::ground::{Fact, Move};
use crate::game::turn::Player;
use crate::game::{PositionError, Status, TwoPlayerGame};
use crate::search::book::Book;
use crate::search::evaluator::Evaluator;
use crate::search::modern::{Experience, Memory};
use crate::search::score::{MAX_PLY, STOPPED, Score, Value, WIN, Wins};
use crate::search::table::Table;
use crate::search::unquiet::Unquiet;
use crate::search::walk::Walk;
use crate::visits::Visits;

/// The algorithm of a search. All give the same score and the same best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// One player takes the maximum of the children's scores, the other one the minimum.
    Minimax,
    /// Each score is the maximum of the children's negated scores.
    NegMax,
    /// NegMax without positions that can no longer change the score.
    AlphaBeta,
    /// AlphaBeta, one move deeper each time, with a transposition table and move ordering.
    #[default]
    Deepening,
}

/// Settings of an analysis.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// How wins are scored.
    pub wins: Wins,
    /// The bytes of the transposition table; 0 for none. For [`Algorithm::Deepening`].
    pub table_bytes: usize,
    /// Whether moves are ordered by earlier results, instead of by rule. For
    /// [`Algorithm::Deepening`].
    pub order_moves: bool,
    /// The rules that are followed beyond the last move that a search looks ahead, such as
    /// captures: a position is evaluated where no such move is better than that.
    pub unquiet: Vec<RuleId>,
    /// Whether to find the line of play after the best move, which takes more searches.
    pub find_line: bool,
    /// The limits of the analysis.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            wins: Wins::default(),
            table_bytes: 64 << 20,
            order_moves: true,
            unquiet: Vec::new(),
            find_line: true,
            limits: Limits::default(),
        }
    }
}

/// The result for a position at one depth of search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The number of moves that the search looked ahead.
    pub ply: u32,
    /// The score for the player to move.
    pub score: Score,
    /// The best move; of equally good ones, the first in the order of the rules. `None` when there
    /// isn't a move, or none was searched.
    pub best: Option<RuleId>,
    /// The positions visited so far, including the root.
    pub nodes: u64,
    /// The time since the analysis began.
    pub elapsed: Duration,
}

/// The analysis of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The player to move.
    pub player: Player,
    /// The status of the position by the rules.
    pub status: Status,
    /// The finished iterations, in order. [`Algorithm::Deepening`] has one for each number of
    /// moves, until the outcome is certain; the others have one. Only a search that was stopped may
    /// have none.
    pub iterations: Vec<Iteration>,
    /// Whether looking further ahead would change nothing.
    pub is_certain: bool,
    /// The moves that follow with best play by both, each found by the same analysis of one move
    /// less; empty unless [requested](Settings::find_line).
    pub line: Vec<RuleId>,
    /// The positions visited to find the score and the best move.
    pub nodes: u64,
    /// The positions whose table entry had a usable score.
    pub table_hits: u64,
    /// The time to find the score and the best move.
    pub elapsed: Duration,
    /// Why the search stopped early, if it did.
    pub stopped: Option<StopReason>,
    wins: Wins,
}

impl Analysis {
    /// Return the last finished iteration.
    pub fn last(&self) -> Option<&Iteration> {
        self.iterations.last()
    }

    /// Return the meaning of the last score; `None` when the search was stopped before there was
    /// one.
    pub fn value(&self) -> Option<Value> {
        self.last()
            .map(|iteration| self.wins.value(iteration.score, iteration.ply))
    }
}

/// Analyzes positions of one game.
///
/// Results for one position are used for the next: the table and the move ordering are kept.
pub struct Analyzer<'g> {
    game: &'g TwoPlayerGame,
    evaluator: Box<dyn Evaluator + 'g>,
    settings: Settings,
    form: Form,
    memory: Memory,
    unquiet: Option<Unquiet>,
}

impl<'g> Analyzer<'g> {
    /// Make an analyzer of a game.
    ///
    /// If there isn't enough memory for the table, the analyzer works without it.
    pub fn new(
        game: &'g TwoPlayerGame,
        evaluator: impl Evaluator + 'g,
        settings: Settings,
    ) -> Self {
        let deepens = settings.algorithm == Algorithm::Deepening;
        let has_table = deepens && settings.table_bytes > 0;
        let needs = Needs {
            key: has_table,
            values: evaluator.needs_values(),
        };
        let table = has_table
            .then(|| Table::new(settings.table_bytes))
            .flatten();
        let experience = (deepens && settings.order_moves).then(|| Experience::new(worths(game)));
        Self {
            game,
            unquiet: Unquiet::of(game, &settings.unquiet),
            evaluator: Box::new(evaluator),
            form: Form::new(game, needs),
            memory: Memory {
                table,
                experience,
                horizon: false,
                table_hits: 0,
            },
            settings,
        }
    }

    /// Analyze a position, looking up to `ply` moves ahead (at most [`MAX_PLY`]). `on_iteration`
    /// gets each iteration when it is finished.
    ///
    /// # Errors
    /// If the state is not a position of the game.
    pub fn analyze(
        &mut self,
        state: &State,
        ply: u32,
        mut on_iteration: impl FnMut(&Iteration),
    ) -> Result<Analysis, PositionError> {
        let player = self.game.player(state)?;
        let status = self.game.status(state)?;
        let ply = ply.min(MAX_PLY);
        self.memory.table_hits = 0;
        let n_words = self.form.planes.all().len();
        let limits = self.settings.limits.clone();
        Ok(
            with_board!(n_words, B => self.run::<B>(state, player, status, ply, &limits, &mut on_iteration)),
        )
    }

    fn run<B: Board>(
        &mut self,
        state: &State,
        player: Player,
        status: Status,
        ply: u32,
        limits: &Limits,
        on_iteration: &mut dyn FnMut(&Iteration),
    ) -> Analysis {
        let deltas = B::deltas(self.game, &self.form);
        let mut watch = Visits::new(limits);
        let mut analysis = Analysis {
            player,
            status,
            iterations: Vec::new(),
            is_certain: status != Status::Open,
            line: Vec::new(),
            nodes: 0,
            table_hits: 0,
            elapsed: Duration::ZERO,
            stopped: None,
            wins: self.settings.wins,
        };
        let algorithm = self.settings.algorithm;
        let least = match algorithm {
            Algorithm::Deepening => ply.min(1),
            _ => ply,
        };
        for ply in least..=ply {
            let first = analysis.last().and_then(|last| last.best);
            let found = match status {
                Status::Open => self.search::<B>(&deltas, algorithm, state, ply, first, &mut watch),
                Status::Won(winner) if watch.visit() => {
                    let score = self.settings.wins.score(ply);
                    Some((if winner == player { score } else { -score }, None))
                }
                Status::Drawn if watch.visit() => Some((0, None)),
                Status::Won(_) | Status::Drawn => None,
            };
            let Some((score, best)) = found else { break };
            let iteration = Iteration {
                ply,
                score,
                best,
                nodes: watch.nodes(),
                elapsed: watch.elapsed(),
            };
            on_iteration(&iteration);
            analysis.iterations.push(iteration);
            let is_forced = self.settings.wins == Wins::ByDistance && score.abs() >= WIN;
            let is_complete = algorithm == Algorithm::Deepening && ply > 0 && !self.memory.horizon;
            if status != Status::Open || is_forced || is_complete {
                analysis.is_certain = true;
                break;
            }
        }
        analysis.nodes = watch.nodes();
        analysis.elapsed = watch.elapsed();
        analysis.table_hits = self.memory.table_hits;
        analysis.stopped = watch.stopped();
        if !self.settings.find_line {
            return analysis;
        }
        analysis.line = self.line::<B>(&deltas, &analysis, state, &mut watch);
        analysis
    }

    /// Search a position in which the game isn't over. `None` when the search was stopped.
    fn search<B: Board>(
        &mut self,
        deltas: &B::Deltas,
        algorithm: Algorithm,
        state: &State,
        ply: u32,
        first: Option<RuleId>,
        watch: &mut Visits,
    ) -> Option<(Score, Option<RuleId>)> {
        let player = self.game.turn().player(state)?;
        let mut board = B::new(&self.form.words(state));
        let mut walk = Walk {
            form: &self.form,
            deltas,
            evaluator: &*self.evaluator,
            no_move: self.game.no_move(),
            wins: self.settings.wins,
            all_goals: self.game.is_goal_but_for_the_turn(state),
            unquiet: self.unquiet.as_ref(),
            watch,
            observer: (),
        };
        if ply == 0 {
            let may = walk.watch.visit();
            let score = may.then(|| walk.at_horizon(&mut board, player));
            return score
                .filter(|score| *score != STOPPED)
                .map(|score| (score, None));
        }
        let book = |book| {
            move |walk: &mut Walk<'_, B, ()>, board: &mut B| {
                walk.by_the_book(book, board, player, ply)
            }
        };
        let (score, number) = match algorithm {
            Algorithm::Minimax => book(Book::Minimax)(&mut walk, &mut board),
            Algorithm::NegMax => book(Book::NegMax)(&mut walk, &mut board),
            Algorithm::AlphaBeta => book(Book::AlphaBeta)(&mut walk, &mut board),
            Algorithm::Deepening => {
                self.memory.horizon = false;
                let first = first.and_then(|rule| self.game.move_of(player, rule, state));
                walk.best(&mut self.memory, &mut board, player, ply, first)
            }
        }?;
        let rule = self.game.moves[player.index()][number].rule;
        Some((score, Some(rule)))
    }

    /// Return the best moves one after the other, each found by a search of one move less.
    fn line<B: Board>(
        &mut self,
        deltas: &B::Deltas,
        analysis: &Analysis,
        state: &State,
        watch: &mut Visits,
    ) -> Vec<RuleId> {
        let mut line = Vec::new();
        let Some(last) = analysis.last() else {
            return line;
        };
        let algorithm = match self.settings.algorithm {
            Algorithm::Deepening => Algorithm::Deepening,
            _ => Algorithm::AlphaBeta,
        };
        let (mut next, mut state, mut ply) = (last.best, state.clone(), last.ply);
        while let Some(rule) = next {
            line.push(rule);
            state = self.game.after(&state, rule);
            ply -= 1;
            let is_open = self.game.status(&state) == Ok(Status::Open);
            if ply == 0 || !is_open || watch.stopped().is_some() {
                break;
            }
            let found = self.search::<B>(deltas, algorithm, &state, ply, None, watch);
            next = found.and_then(|(_, best)| best);
        }
        line
    }
}

/// Return the initial values of moves: the number of goals of the player that they serve.
fn worths(game: &TwoPlayerGame) -> [Vec<i32>; 2] {
    [0, 1].map(|player| {
        let mut uses: HashMap<Fact, i32, ahash::RandomState> = HashMap::default();
        for fact in game.goals[player].iter().flatten() {
            *uses.entry(*fact).or_default() += 1;
        }
        let worth = |a: &Move| {
            let facts = a.changes.iter().map(|(var, _, new)| (*var, *new));
            let facts = facts.filter(|(var, _)| *var != game.turn().variable.0);
            facts.filter_map(|fact| uses.get(&fact)).sum()
        };
        game.moves[player].iter().map(worth).collect()
    })
}
