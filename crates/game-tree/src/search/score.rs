//! Scores: symmetric, and far from overflow.

/// A score from the point of view of the player to move. The other player's is its negative.
///
/// Evaluations lie within ±[`MAX_EVALUATION`]; a won or lost game lies beyond, at ±[`WIN`] or up to
/// [`MAX_PLY`] further out. So a score can always be negated, and no window needs more than 32
/// bits.
pub type Score = i32;

/// The score of a won game, at least.
pub const WIN: Score = 1_000_000_000;

/// The greatest score of a game that isn't over, and that an evaluator may give.
pub const MAX_EVALUATION: Score = WIN - 1;

/// The most moves that a search may look ahead.
pub const MAX_PLY: u32 = 60_000;

/// Says that a search was stopped. It is no score, and is never negated.
pub(crate) const STOPPED: Score = Score::MIN;

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The player to move wins, whatever the other one does; within this number of moves of both
    /// players, if that was asked for.
    Win(Option<u32>),
    /// The other player does.
    Loss(Option<u32>),
    /// Neither was found; the evaluation of what is best for both.
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
    /// The score of a win that is on the board when this number of moves was left to look ahead.
    #[inline(always)]
    pub(crate) fn score(self, remaining: u32) -> Score {
        match self {
            Wins::ByDistance => WIN + remaining as Score,
            Wins::Equal => WIN,
        }
    }

    /// The same score where more moves were left to look ahead.
    #[inline(always)]
    pub(crate) fn shift(self, score: Score, more: u32) -> Score {
        match self {
            Wins::ByDistance if score >= WIN => score + more as Score,
            Wins::ByDistance if score <= -WIN => score - more as Score,
            _ => score,
        }
    }

    /// What the score of a search over `ply` moves says.
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
