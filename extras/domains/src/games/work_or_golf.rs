//! Work or Golf: eight letters and two larger pieces in a tray.
//!
//! The difficulty is to let one rule move any letter without letting it move a part of a larger
//! piece. Each cell has two variables: the kind of its content, and the letter. A rule for a letter
//! tests the kind and moves the letter as a variable symbol; a rule for a larger piece only tests
//! and changes kinds.

use std::ops::Range;

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "work-or-golf",
    usage: "work-or-golf",
    summary: "exchange the words WORK and GOLF in a tray with two larger pieces (90 rules)",
    options: &[],
    example: "work-or-golf",
    build,
};

const N_ROWS: usize = 5;
const N_COLUMNS: usize = 4;
const N_CELLS: usize = N_ROWS * N_COLUMNS;

/// The kind of a cell with a letter, and of an empty cell.
const TILE: &str = "t";
const FREE: &str = "_";
/// The letter variable of a cell without a letter.
const NO_LETTER: &str = ".";

/// Name of a direction, and what it adds to row and column.
const DIRECTIONS: [(&str, isize, isize); 4] = [
    ("up", -1, 0),
    ("right", 0, 1),
    ("down", 1, 0),
    ("left", 0, -1),
];

/// A cell by row and column, from the top left.
type Cell = (usize, usize);

/// A larger piece: its cells relative to the top left corner of its bounding box.
struct Piece {
    name: &'static str,
    kind: &'static str,
    cells: &'static [Cell],
    home: Cell,
    /// Rows and columns that the box's corner can reach. Both pieces are three rows high in a tray
    /// of five, so they always share a row and cannot pass each other: the bar stays on the left.
    rows: Range<usize>,
    columns: Range<usize>,
}

const PIECES: [Piece; 2] = [
    Piece {
        name: "bar",
        kind: "a",
        cells: &[(0, 0), (1, 0), (2, 0)],
        home: (1, 0),
        rows: 0..3,
        columns: 0..2,
    },
    Piece {
        name: "bracket",
        kind: "b",
        cells: &[(0, 0), (0, 1), (1, 1), (2, 0), (2, 1)],
        home: (1, 2),
        rows: 0..3,
        columns: 1..3,
    },
];

impl Piece {
    /// The cells covered when the corner of the bounding box is at `corner`.
    fn cells_at(&self, corner: Cell) -> Vec<Cell> {
        self.cells
            .iter()
            .map(|(row, column)| (corner.0 + row, corner.1 + column))
            .collect()
    }
}

/// Rules for letters first, by direction and then by cell; then for the bar and the bracket in the
/// same way.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    args.finish()?;
    let mut game = Game::new(about());
    // The letter, or else the kind of the cell.
    let rows = (0..N_ROWS).map(|row| {
        let cells = (0..N_COLUMNS).map(|column| (row, column));
        let places = cells.map(|cell| format!("{}/{}", letter_of(cell) + 1, kind_of(cell) + 1));
        places.collect::<Vec<String>>()
    });
    let shown = format!("blank {NO_LETTER} show {FREE} {NO_LETTER}");
    game.board(N_ROWS, N_COLUMNS, &shown, rows);
    game.start("usual", arrangement("WORK", "GOLF"));
    game.domain("kind", [TILE, FREE, PIECES[0].kind, PIECES[1].kind]);
    game.domain("letter", ["W", "O", "R", "K", "G", "L", "F", NO_LETTER]);
    for row in 1..=N_ROWS {
        game.variables(["kind"; N_COLUMNS], &format!("row {row}: kinds"));
    }
    for row in 1..=N_ROWS {
        game.variables(["letter"; N_COLUMNS], &format!("row {row}: letters"));
    }
    for direction in DIRECTIONS {
        for from in cells() {
            if let Some(to) = step(from, direction, 0..N_ROWS, 0..N_COLUMNS) {
                game.rule(letter_rule(from, to));
            }
        }
    }
    for piece in &PIECES {
        for direction in DIRECTIONS {
            for row in piece.rows.clone() {
                for column in piece.columns.clone() {
                    let corner = (row, column);
                    if let Some(target) =
                        step(corner, direction, piece.rows.clone(), piece.columns.clone())
                    {
                        game.rule(piece_rule(piece, corner, target, direction.0));
                    }
                }
            }
        }
    }
    game.goal(
        arrangement("GOLF", "WORK"),
        "The words exchanged, everything else as at the start.",
    );
    Ok(game)
}

fn cells() -> impl Iterator<Item = Cell> {
    (0..N_CELLS).map(|index| (index / N_COLUMNS, index % N_COLUMNS))
}

/// The variable for the kind of `cell`.
fn kind_of(cell: Cell) -> usize {
    cell.0 * N_COLUMNS + cell.1
}

/// The variable that holds the letter in `cell`.
fn letter_of(cell: Cell) -> usize {
    N_CELLS + kind_of(cell)
}

/// Column letter and row number, from the top left.
fn cell_name((row, column): Cell) -> String {
    format!("{}{}", ["a", "b", "c", "d"][column], row + 1)
}

fn step(
    from: Cell,
    (_, down, right): (&str, isize, isize),
    rows: Range<usize>,
    columns: Range<usize>,
) -> Option<Cell> {
    let to = (
        from.0.checked_add_signed(down)?,
        from.1.checked_add_signed(right)?,
    );
    (rows.contains(&to.0) && columns.contains(&to.1)).then_some(to)
}

fn letter_rule(from: Cell, to: Cell) -> Rule {
    Rule::new(format!("{}-{}", cell_name(from), cell_name(to)))
        .change(kind_of(from), TILE, FREE)
        .change(kind_of(to), FREE, TILE)
        .change(letter_of(from), "X", NO_LETTER)
        .change(letter_of(to), NO_LETTER, "X")
}

fn piece_rule(piece: &Piece, corner: Cell, target: Cell, direction: &str) -> Rule {
    let (before, after) = (piece.cells_at(corner), piece.cells_at(target));
    let mut rule = Rule::new(format!("{}-{}-{direction}", piece.name, cell_name(corner)));
    for &cell in &before {
        let left_free = !after.contains(&cell);
        rule = rule.change(
            kind_of(cell),
            piece.kind,
            if left_free { FREE } else { "-" },
        );
    }
    for cell in after.into_iter().filter(|cell| !before.contains(cell)) {
        rule = rule.change(kind_of(cell), FREE, piece.kind);
    }
    rule
}

/// The state with the given words in the top and bottom row and the larger pieces at home, by
/// variable.
fn arrangement(top: &str, bottom: &str) -> Vec<String> {
    let mut state = vec![FREE.to_owned(); N_CELLS];
    state.resize(2 * N_CELLS, NO_LETTER.to_owned());
    for (row, word) in [(0, top), (N_ROWS - 1, bottom)] {
        for (column, letter) in word.chars().enumerate() {
            state[kind_of((row, column))] = TILE.to_owned();
            state[letter_of((row, column))] = letter.to_string();
        }
    }
    for piece in &PIECES {
        for cell in piece.cells_at(piece.home) {
            state[kind_of(cell)] = piece.kind.to_owned();
        }
    }
    state
}

fn about() -> [String; 6] {
    [
        "Work or Golf".to_owned(),
        "A tray of 5 rows and 4 columns holds eight tiles with the letters of the words WORK and GOLF,\n\
         two larger pieces (the bar a and the bracket b) and four free cells. A move slides a tile or\n\
         piece by one cell. The goal is to exchange the two words.\n\n\
         \x20   W O R K\n\
         \x20   a _ b b\n\
         \x20   a _ _ b\n\
         \x20   a _ b b\n\
         \x20   G O L F\n\n\
         With bar and bracket where they are, this is Dudeney's Motor-Garage puzzle: 144 moves, or 150\n\
         if the two letters O are distinguished."
            .to_owned(),
        "Encoding: for each cell, row by row, what is there: t(ile), _ (nothing), or a part of piece a or\n\
         b; then, in the same order, the letter there, or a dot. A tile moves by one rule for each pair\n\
         of neighboring cells, whatever its letter is; a larger piece by one rule for each place and\n\
         direction. The two O are the same value. Cells are called a1 to d5 (column, row from the top);\n\
         labels name the tile's cells, or the piece, the corner of its bounding box, and the direction."
            .to_owned(),
        format!("The start, as a state: {}", arrangement("WORK", "GOLF").join(" ")),
        "Source: Burch & Holte, \"Automatic Move Pruning in General Single-Player Games\" (2011), Figure 2;\n\
         a sliding puzzle by Binary Arts after Dudeney (\"Amusements in Mathematics\", 1917)."
            .to_owned(),
        "What differs: the paper's file has 93 rules, this one 90 (62 for tiles, 14 for each piece). Here\n\
         each rule has an inverse, so that no outlines of the pieces give an odd number of rules. The\n\
         paper says that the two irregular pieces can move and that four cells are free; their outlines\n\
         here are the walls of Dudeney's garage. The pieces cannot pass each other, and rules for places\n\
         that they cannot reach are left out. Published node counts are therefore not expected to come\n\
         out."
            .to_owned(),
    ]
}
