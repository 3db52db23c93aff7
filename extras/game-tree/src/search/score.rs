//! Scores: symmetric, and far from overflow.

/// A score from the point of view of the player to move. The other player's score is its negative.
///
/// Evaluations are within ±[`MAX_EVALUATION`]; a won or lost game is beyond, at ±[`WIN`] or up to
/// [`MAX_PLY`] further out. So a score can always be negated, and windows fit in 32 bits.
pub type Score = i32;

/// The minimum score of a won game.
pub const WIN: Score = 1_000_000_000;

/// The maximum score of a game that isn't over, and of an evaluator.
pub const MAX_EVALUATION: Score = WIN - 1;

/// The maximum number of moves that a search may look ahead.
pub const MAX_PLY: u32 = 60_000;

/// Marks a search that was stopped. It is not a score, and is never negated.
pub(crate) const STOPPED: Score = Score::MIN;

/// The meaning of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The player to move wins, whatever the other one does; within this number of moves of both
    /// players, if distances were requested.
    Win(Option<u32>),
    /// The other player wins.
    Loss(Option<u32>),
    /// Neither was found; the evaluation under best play by both.
    Open(Score),
}

/// How wins are scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wins {
    /// A quick win is better than a slow one, and a slow loss better than a quick one.
    #[default]
    ByDistance,
    /// All wins are the same, as in "Algorithms in a Nutshell".
    Equal,
}

impl Wins {
    /// Return the score of a win on the board when this number of moves was left to look ahead.
    #[inline(always)]
    pub(crate) fn score(self, remaining: u32) -> Score {
        match self {
            Wins::ByDistance => WIN + remaining as Score,
            Wins::Equal => WIN,
        }
    }

    /// Return the same score with more moves left to look ahead.
    #[inline(always)]
    pub(crate) fn shift(self, score: Score, more: u32) -> Score {
        match self {
            Wins::ByDistance if score >= WIN => score + more as Score,
            Wins::ByDistance if score <= -WIN => score - more as Score,
            _ => score,
        }
    }

    /// Return the meaning of the score of a search over `ply` moves.
    pub fn value(self, score: Score, ply: u32) -> Value {
        let moves = match self {
            Wins::ByDistance => Some(ply.saturating_sub((score.abs() - WIN).max(0) as u32)),
            Wins::Equal => None,
        };
        match score {
            WIN.. => Value::Win(moves),
            ..=LOSS => Value::Loss(moves),
            _ => Value::Open(score),
        }
    }
}

const LOSS: Score = -WIN;
