//! The tree that an algorithm visits, position by position, for pictures.

use budget::StopReason;
use psvn_ir::{RuleId, State};

use crate::form::board::{Board, with_board};
use crate::form::{Form, Needs};
use crate::game::turn::Player;
use crate::game::{PositionError, Status, TwoPlayerGame};
use crate::search::analysis::{Algorithm, Settings};
use crate::search::book::Book;
use crate::search::evaluator::Evaluator;
use crate::search::score::{Score, Wins};
use crate::search::unquiet::Unquiet;
use crate::search::walk::{End, Observer, Walk};
use crate::visits::Visits;

/// A position that was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedNode {
    /// The index of the parent in the list of all nodes; `None` for the root.
    pub parent: Option<usize>,
    /// The number of moves from the root.
    pub depth: u32,
    /// The rule that leads here; `None` for the root.
    pub rule: Option<RuleId>,
    /// The position.
    pub state: State,
    /// The player to move.
    pub player: Player,
    /// The window (α, β) when the position was reached, for the player to move. Minimax and NegMax
    /// search everything, and have the largest window.
    pub window: (Score, Score),
    /// The returned score: for the player at the root with Minimax, else for the player to move.
    /// AlphaBeta's lies within the window if there were moves to search. `None` when the search was
    /// stopped before.
    pub score: Option<Score>,
    /// Whether the game is over here.
    pub is_over: bool,
    /// Whether this is the best searched move of the parent, or the root.
    pub is_best: bool,
    /// The number of moves from here that weren't searched.
    pub cut: usize,
}

/// A tree that was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTree {
    /// The positions in the order in which they were visited; the root is the first one.
    pub nodes: Vec<RecordedNode>,
    /// How wins are scored.
    pub wins: Wins,
    /// The number of moves looked ahead.
    pub ply: u32,
    /// Whether scores are for the player at the root.
    pub by_root: bool,
    /// Why the search was stopped, if it was.
    pub stopped: Option<StopReason>,
}

impl RecordedTree {
    /// Return the children of each node, in the order in which they were visited. Takes time
    /// proportional to the number of nodes.
    pub(crate) fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(place);
            }
        }
        children
    }

    /// Return the number of positions below the root, which "Algorithms in a Nutshell" counts in
    /// its figures.
    pub fn n_below_root(&self) -> usize {
        self.nodes.len() - 1
    }
}

/// Record the tree that an algorithm visits. [`Algorithm::Deepening`] is recorded as AlphaBeta,
/// since it searches many trees.
///
/// # Errors
/// If the state is not a position of the game.
pub fn record(
    game: &TwoPlayerGame,
    evaluator: &dyn Evaluator,
    settings: &Settings,
    state: &State,
    ply: u32,
) -> Result<RecordedTree, PositionError> {
    let player = game.player(state)?;
    let status = game.status(state)?;
    let needs = Needs {
        values: evaluator.needs_values(),
        ..Needs::default()
    };
    let form = Form::new(game, needs);
    let (book, by_root) = match settings.algorithm {
        Algorithm::Minimax => (Book::Minimax, true),
        Algorithm::NegMax => (Book::NegMax, false),
        Algorithm::AlphaBeta | Algorithm::Deepening => (Book::AlphaBeta, false),
    };
    let top = settings.wins.score(ply);
    let root = RecordedNode {
        parent: None,
        depth: 0,
        rule: None,
        state: state.clone(),
        player,
        window: (-top, top),
        score: None,
        is_over: status != Status::Open,
        is_best: true,
        cut: 0,
    };
    let mut recorder = Recorder {
        game,
        by_root,
        nodes: vec![root],
        path: vec![0],
        best: vec![None],
    };
    let mut watch = Visits::new(&settings.limits);
    let unquiet = Unquiet::of(game, &settings.unquiet);
    let score = with_board!(form.planes.all().len(), B => {
        let deltas = B::deltas(game, &form);
        let mut board = B::new(&form.words(state));
        let mut walk = Walk {
            form: &form,
            deltas: &deltas,
            evaluator,
            no_move: game.no_move(),
            wins: settings.wins,
            all_goals: game.is_goal_but_for_the_turn(state),
            unquiet: unquiet.as_ref(),
            watch: &mut watch,
            observer: &mut recorder,
        };
        match status {
            Status::Open if ply == 0 => {
                let score = walk.at_horizon(&mut board, player);
                (score != crate::search::score::STOPPED).then_some(score)
            }
            Status::Open => walk.by_the_book(book, &mut board, player, ply).map(|(score, _)| score),
            Status::Won(winner) if winner == player => Some(top),
            Status::Won(_) => Some(-top),
            Status::Drawn => Some(0),
        }
    });
    recorder.nodes[0].score = score;
    recorder.mark_best(recorder.best[0]);
    Ok(RecordedTree {
        nodes: recorder.nodes,
        wins: settings.wins,
        ply,
        by_root,
        stopped: watch.stopped(),
    })
}

struct Recorder<'g> {
    game: &'g TwoPlayerGame,
    by_root: bool,
    nodes: Vec<RecordedNode>,
    /// The nodes from the root to the current one.
    path: Vec<usize>,
    /// For each of them, the best child so far with its score for the player to move there.
    best: Vec<Option<(Score, usize)>>,
}

impl Recorder<'_> {
    fn mark_best(&mut self, best: Option<(Score, usize)>) {
        if let Some((_, child)) = best {
            self.nodes[child].is_best = true;
        }
    }
}

impl Observer for &mut Recorder<'_> {
    fn enter(&mut self, player: Player, number: usize, window: (Score, Score)) {
        let parent = self.path.last().copied().unwrap_or_default();
        let rule = self.game.moves[player.index()][number].rule;
        let above = &self.nodes[parent];
        let node = RecordedNode {
            parent: Some(parent),
            depth: above.depth + 1,
            rule: Some(rule),
            state: self.game.after(&above.state, rule),
            player: player.other(),
            window,
            score: None,
            is_over: false,
            is_best: false,
            cut: 0,
        };
        self.path.push(self.nodes.len());
        self.best.push(None);
        self.nodes.push(node);
    }

    fn leave(&mut self, score: Score, end: End) {
        let (Some(place), Some(best)) = (self.path.pop(), self.best.pop()) else {
            return;
        };
        self.mark_best(best);
        let root = self.nodes[0].player;
        let node = &mut self.nodes[place];
        node.is_over = matches!(end, End::Won | End::NoMove);
        if score == crate::search::score::STOPPED {
            return;
        }
        let turned = self.by_root && node.player != root;
        node.score = Some(if turned { -score } else { score });
        if let Some(best) = self.best.last_mut()
            && best.is_none_or(|(best, _)| -score > best)
        {
            *best = Some((-score, place));
        }
    }

    fn cut(&mut self, n_left: impl FnOnce() -> usize) {
        if let Some(place) = self.path.last() {
            self.nodes[*place].cut = n_left();
        }
    }
}
