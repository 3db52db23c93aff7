//! Searches that are handed out.

use budget::StopReason;
use search::{HandOut, Piece, SearchPiece};

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
        bound: u64,
        pieces: u64,
        search: &SearchPiece<'_>,
        goes_on: &mut dyn FnMut(u64) -> Result<(), StopReason>,
    ) -> Result<Vec<Piece>, StopReason> {
        let round = Round {
            parameter: bound,
            pieces,
        };
        Crew::round(self, round, search, goes_on)
    }
}
