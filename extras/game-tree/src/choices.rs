//! The names of choices.

use budget::Choice;

use crate::{Algorithm, NoMove, Wins};

/// Names and summaries of the values of a type.
macro_rules! choices {
    ($($type:ident { $($value:ident = $name:literal: $summary:literal,)* })*) => {
        $(impl Choice for $type {
            const ALL: &'static [Self] = &[$(Self::$value,)*];

            fn name(self) -> &'static str {
                match self { $(Self::$value => $name,)* }
            }

            fn summary(self) -> &'static str {
                match self { $(Self::$value => $summary,)* }
            }
        })*
    };
}

choices! {
    Algorithm {
        Minimax = "minimax": "The greatest and the least value of the next positions, in turn",
        NegMax = "negmax": "The greatest of the negated values of the next positions",
        AlphaBeta = "alphabeta": "Skips moves that can't change the score",
        Deepening = "deepening":
            "AlphaBeta, one move further each time, with a table and an order of moves",
    }
    NoMove {
        Draw = "draw": "The game is drawn",
        Loss = "loss": "Who can't move has lost",
        Win = "win": "Who can't move has won",
    }
    Wins {
        ByDistance = "distance": "Quick wins are better",
        Equal = "equal": "All wins are equal",
    }
}
