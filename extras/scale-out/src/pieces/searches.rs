//! Searches that are handed out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use budget::StopReason;
use search::{HandOut, Piece, Subtrees};

use crate::pieces::result::PieceResult;
use crate::pieces::{Crew, Round};

impl PieceResult for Piece {
    fn nodes(&self) -> u64 {
        self.generated()
    }

    fn is_last(&self) -> bool {
        self.has_found()
    }
}

impl HandOut for Crew<Piece> {
    fn round(
        &self,
        subtrees: &Subtrees<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason> {
        let round = Round {
            parameter: subtrees.bound(),
            pieces: subtrees.n(),
        };
        let search = |number: u64, stop: &Arc<AtomicBool>| subtrees.search(number, stop);
        Crew::round(self, round, &search, goes_on)
    }
}
