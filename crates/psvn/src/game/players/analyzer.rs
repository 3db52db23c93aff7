//! An analyzer with either evaluation.

use game_tree::{
    Analysis, Analyzer, BoardEvaluation, Iteration, NoEvaluation, Settings, TwoPlayerGame,
};
use psvn_ir::State;

use super::no_position;
use super::options::Evaluation;
use crate::error::Error;

/// An analyzer of positions, by the evaluation that is asked for.
pub(super) enum AnyAnalyzer<'g> {
    Board(Analyzer<'g, BoardEvaluation>),
    None(Analyzer<'g, NoEvaluation>),
}

impl<'g> AnyAnalyzer<'g> {
    pub(super) fn new(game: &'g TwoPlayerGame, evaluation: Evaluation, settings: Settings) -> Self {
        match evaluation {
            Evaluation::Board => Self::Board(Analyzer::new(game, BoardEvaluation, settings)),
            Evaluation::None => Self::None(Analyzer::new(game, NoEvaluation, settings)),
        }
    }

    pub(super) fn analyze(
        &mut self,
        state: &State,
        ply: u32,
        on_iteration: impl FnMut(&Iteration),
    ) -> Result<Analysis, Error> {
        match self {
            Self::Board(analyzer) => analyzer.analyze(state, ply, on_iteration),
            Self::None(analyzer) => analyzer.analyze(state, ply, on_iteration),
        }
        .map_err(no_position)
    }
}
