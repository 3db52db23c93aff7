//! States by the moves that lead there.

use psvn_ir::State;
use psvn_ir::moves::{MoveProblem, Mover, Walk};

use crate::error::Error;
use crate::game::Game;
use crate::text::{Parameter, message};

impl From<MoveProblem> for Error {
    fn from(problem: MoveProblem) -> Self {
        let error = if problem.is_limit() {
            Self::limit(problem.to_string())
        } else {
            Self::input(problem.to_string())
        };
        match problem.hint() {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }
}

impl Game {
    /// Return the state where scrambles begin: the goal, or the declared start if the goal isn't a
    /// single state.
    ///
    /// # Errors
    /// When there is neither.
    pub fn scramble_start(&self) -> Result<State, Error> {
        if let Some(state) = self.ir().goal_state() {
            return Ok(state);
        }
        self.declared_start()?.ok_or_else(|| {
            let message = format!("the goal of {} isn't one state to begin with", self.name());
            Error::usage(message).with_hint(message!["give a state with `", Parameter::Start, "`"])
        })
    }

    /// Return the state to which moves lead from [the goal](Self::scramble_start). They are read as
    /// by [`walk`](Self::walk).
    ///
    /// # Errors
    /// When there is no such move, a move can't be made, or its effect is ambiguous.
    pub fn scramble(&self, text: &str) -> Result<State, Error> {
        let walk = self.walk(&self.scramble_start()?, text)?;
        Ok(walk.end().clone())
    }

    /// Make moves from a state. A move is a label, or a name that a comment `# alias: NAME = MOVES`
    /// declares. After any other name, a number repeats the move, and `'` or `-` undoes it.
    ///
    /// A comment `# rotation: NAME = MOVE -> MOVE ..` declares a turn of the whole puzzle. It
    /// changes no state: the state is that of the puzzle held as in the beginning. But the moves
    /// behind it become those that are made at the same places of the turned puzzle.
    ///
    /// # Errors
    /// When there is no such move, a move can't be made, or its effect is ambiguous.
    pub fn walk(&self, start: &State, text: &str) -> Result<Walk, Error> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let found = self.mover(start.clone()).walk(&words);
        found.map_err(|wrong| wrong.problem.into())
    }

    /// What reads moves from a state.
    pub(crate) fn mover(&self, begin: State) -> Mover<'_> {
        Mover::new(&self.game, &self.name, &self.comments, begin)
    }
}
