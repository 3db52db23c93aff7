//! The sliding-tile puzzle on any rectangle.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::{DomainInfo, OptionInfo};
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "sliding-tiles",
    usage: "sliding-tiles ROWS COLS [blank=POS] [goal=blank-first|blank-last] [order=label|position|nutshell]",
    summary: "tiles on a rectangle with one square empty: 3 3 is the 8-puzzle, 4 4 the 15-puzzle",
    options: &[
        OptionInfo::new(
            "blank=POS",
            "the goal has its blank at position POS, counted from 0 row by row (default 0)",
        ),
        OptionInfo::new(
            "goal=blank-first|blank-last",
            "short for blank=0 and for blank at the last position",
        ),
        OptionInfo::new(
            "order=label|position|nutshell",
            "rules by label U, R, D, L and positions within each (default), or by position and labels within each; nutshell: by label D, L, U, R",
        ),
    ],
    example: "sliding-tiles 4 4",
    build,
};

/// A move of the blank: label, and change of row and column.
const MOVES: [(&str, isize, isize); 4] = [("U", -1, 0), ("R", 0, 1), ("D", 1, 0), ("L", 0, -1)];

struct Board {
    n_rows: usize,
    n_columns: usize,
}

impl Board {
    fn n_squares(&self) -> usize {
        self.n_rows * self.n_columns
    }

    /// The square the blank reaches from `square`, if the move stays on the board.
    fn neighbor(&self, square: usize, (_, down, right): (&str, isize, isize)) -> Option<usize> {
        let row = (square / self.n_columns).checked_add_signed(down)?;
        let column = (square % self.n_columns).checked_add_signed(right)?;
        (row < self.n_rows && column < self.n_columns).then_some(row * self.n_columns + column)
    }
}

fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_rows = args.number("ROWS", 1..=5_000)?;
    let n_columns = args.number("COLS", 1..=5_000)?;
    let board = Board { n_rows, n_columns };
    if board.n_squares() < 2 {
        return Err(args.invalid("COLS", n_columns, "a board of at least 2 squares"));
    }
    let last = board.n_squares() - 1;
    let blank = args.optional_number("blank", 0..=last)?;
    let goal = args.choice("goal", &["blank-first", "blank-last"])?;
    let order = args.choice("order", &["label", "position", "nutshell"])?;
    args.finish()?;
    // Each pair of neighbors gives two rules, one for either direction.
    let n_rules = 2 * (n_rows * (n_columns - 1) + n_columns * (n_rows - 1));
    args.check_size(board.n_squares(), n_rules)?;
    let blank = match (blank, goal) {
        (Some(position), "blank-last") if position != last => {
            return Err(args.invalid(
                "blank",
                position,
                format!("{last}, since goal=blank-last is given too"),
            ));
        }
        (Some(position), _) => position,
        (None, "blank-last") => last,
        (None, _) => 0,
    };

    let mut game = Game::new(about(&board, order));
    game.domain("tile", 0..board.n_squares());
    for _ in 0..n_rows {
        game.variables(vec!["tile"; n_columns], "");
    }
    if order != "position" {
        let mut moves = MOVES;
        if order == "nutshell" {
            moves.rotate_left(2);
        }
        for step in moves {
            for square in 0..board.n_squares() {
                add_rule(&mut game, &board, square, step);
            }
        }
    } else {
        for square in 0..board.n_squares() {
            for step in MOVES {
                add_rule(&mut game, &board, square, step);
            }
        }
    }
    let mut solved: Vec<usize> = (1..board.n_squares()).collect();
    solved.insert(blank, 0);
    game.goal(solved, "");
    Ok(game)
}

/// Add the rule that moves the blank from `square`, if the move stays on the board.
fn add_rule(game: &mut Game, board: &Board, square: usize, step: (&str, isize, isize)) {
    if let Some(target) = board.neighbor(square, step) {
        game.rule(
            Rule::new(step.0)
                .change(square, "0", "X")
                .change(target, "X", "0"),
        );
    }
}

fn about(board: &Board, order: &str) -> [String; 5] {
    let (n_rows, n_columns) = (board.n_rows, board.n_columns);
    let order = match order {
        "label" => {
            "Rules label by label (U, R, D, L) and within each by the blank's square, row by row."
        }
        "nutshell" => {
            "Rules label by label (D, L, U, R: the order in which the program of \"Algorithms in a Nutshell\"\n\
             tries them) and within each by the blank's square, row by row."
        }
        _ => "Rules by the blank's square, row by row, and within each by label (U, R, D, L).",
    };
    [
        format!("The {}-puzzle: sliding tiles on {n_rows} rows of {n_columns}", board.n_squares() - 1),
        "Numbered tiles on a board with one empty square. A move slides a neighboring tile into the\n\
         empty square. The goal is the tiles in order, row by row."
            .to_owned(),
        format!(
            "Encoding: one variable for each square, row by row; its value is the tile there, 0 the blank.\n\
             Labels are moves of the blank: U, R, D, L (up, right, down, left); many rules share a label.\n\
             {order}"
        ),
        "Source: Slocum & Sonneveld, \"The 15 Puzzle\" (2006).".to_owned(),
        format!("layout: rows {n_rows} columns {n_columns} blank 0"),
    ]
}
