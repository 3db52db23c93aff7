//! Grids in the format of the Moving AI Lab (`type octile`).

use psvn_syntax::{Diagnostic, Span};

use super::{Map, Step};
use crate::lines::{Line, Lines};
use crate::problems::Problems;

/// The cost of a step along a row or column.
pub const STRAIGHT: u32 = 408;

/// The cost of a diagonal step: the square root of 2, as 577/408, which is right to six digits.
pub const DIAGONAL: u32 = 577;

/// The most squares of a map.
const MOST_SQUARES: usize = 100_000_000;

/// The directions: columns to the right, rows down, and the name.
const DIRECTIONS: [(isize, isize, &str); 8] = [
    (0, -1, "n"),
    (1, -1, "ne"),
    (1, 0, "e"),
    (1, 1, "se"),
    (0, 1, "s"),
    (-1, 1, "sw"),
    (-1, 0, "w"),
    (-1, -1, "nw"),
];

/// A kind of terrain. One walks within a kind, and not from one to another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terrain {
    Land,
    Water,
    Blocked,
}

impl Terrain {
    /// The terrain of a letter, as the format describes it.
    fn of(letter: char) -> Option<Self> {
        match letter {
            '.' | 'G' | 'S' => Some(Self::Land),
            'W' => Some(Self::Water),
            '@' | 'O' | 'T' => Some(Self::Blocked),
            _ => None,
        }
    }
}

/// A grid, row by row.
struct Grid {
    width: usize,
    height: usize,
    squares: Vec<Terrain>,
}

impl Grid {
    /// The terrain of a square; what is outside is blocked.
    fn at(&self, column: isize, row: isize) -> Terrain {
        let (column, row) = (usize::try_from(column), usize::try_from(row));
        match (column, row) {
            (Ok(column), Ok(row)) if column < self.width && row < self.height => {
                self.squares[row * self.width + column]
            }
            _ => Terrain::Blocked,
        }
    }

    fn map(&self, span: Span) -> Map {
        let (width, height) = (self.width, self.height);
        let mut map = Map {
            title: format!(
                "A grid of {width} columns and {height} rows, in the format of the Moving AI Lab.\n\n\
                 A place is `COLUMN,ROW`, from 0, as in scenarios. A step leads to one of eight \
                 neighbors;\na diagonal one needs both squares beside it. A straight step costs \
                 {STRAIGHT}, a diagonal one {DIAGONAL}:\n{DIAGONAL}/{STRAIGHT} is the square root of 2 to six \
                 digits."
            ),
            span,
            ..Map::default()
        };
        let mut number = vec![0; self.squares.len()];
        for (square, terrain) in self.squares.iter().enumerate() {
            if *terrain != Terrain::Blocked {
                number[square] = map.places.len();
                map.places
                    .push(format!("{},{}", square % width, square / width));
            }
        }
        for (square, terrain) in self.squares.iter().enumerate() {
            if *terrain == Terrain::Blocked {
                continue;
            }
            let (column, row) = ((square % width) as isize, (square / width) as isize);
            for (right, down, label) in DIRECTIONS {
                let is_free = |right, down| self.at(column + right, row + down) == *terrain;
                if is_free(right, down) && is_free(right, 0) && is_free(0, down) {
                    let to = (row + down) as usize * width + (column + right) as usize;
                    map.steps.push(Step {
                        from: number[square],
                        to: number[to],
                        cost: if right != 0 && down != 0 {
                            DIAGONAL
                        } else {
                            STRAIGHT
                        },
                        label: Some(label),
                    });
                }
            }
        }
        map
    }
}

/// The number behind a word of the head.
fn number(lines: &mut Lines<'_>, word: &str, problems: &mut Problems) -> usize {
    let span = lines.place();
    let line = lines.next();
    let said = line.and_then(|line| line.text.strip_prefix(word));
    match said.and_then(|said| said.trim().parse::<usize>().ok()) {
        Some(number) if number > 0 => number,
        _ => {
            let message = format!("expected `{word}` and a number from 1");
            let hint = "a map begins with the lines `type octile`, `height H`, `width W` and `map`";
            problems.push(
                Diagnostic::error("map-head", message)
                    .at(span, "")
                    .hint(hint),
            );
            1
        }
    }
}

/// Read a grid. Letters are those of the format: `.`, `G` and `S` for land, `W` for water, which
/// one can't enter from land, `@`, `O` and `T` for what blocks.
///
/// # Errors
/// All errors of the text, each with its place.
pub fn parse(text: &str) -> Result<Map, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let mut lines = Lines::new(text, |_| false);
    let kind = lines.next();
    if kind.is_none_or(|line| line.text.split_whitespace().nth(1) != Some("octile")) {
        let span = kind.map_or(lines.place(), |line| line.span);
        let found = Diagnostic::error("map-type", "only maps of the type octile are read");
        problems.push(found.at(span, ""));
    }
    let span = lines.place();
    let height = number(&mut lines, "height", &mut problems);
    let width = number(&mut lines, "width", &mut problems);
    let at = lines.place();
    if lines.next().is_none_or(|line| line.text != "map") {
        let found = Diagnostic::error("map-head", "expected the line `map`");
        problems.push(found.at(at, "").hint("the rows come behind it"));
    }
    if width.saturating_mul(height) > MOST_SQUARES {
        let message = format!("a map of {width} times {height} squares is too large");
        problems.push(Diagnostic::error("map-too-large", message).at(span, ""));
    }
    if problems.has_errors() {
        return Err(problems.finish());
    }
    let mut grid = Grid {
        width,
        height,
        squares: Vec::with_capacity(width * height),
    };
    let mut n_rows = 0;
    while let Some(line) = lines.next() {
        n_rows += 1;
        row(line, width, &mut grid.squares, &mut problems);
    }
    if n_rows != height {
        let message = format!("the map has {n_rows} rows, and not {height}");
        let found = Diagnostic::error("map-rows", message);
        problems.push(found.at(span, "this is the height"));
    }
    if problems.has_errors() {
        return Err(problems.finish());
    }
    Ok(grid.map(span))
}

/// Read a row.
fn row(line: Line<'_>, width: usize, squares: &mut Vec<Terrain>, problems: &mut Problems) {
    let n = line.text.chars().count();
    if n != width {
        let message = format!("this row has {n} squares, and not {width}");
        problems.push(Diagnostic::error("map-row", message).at(line.span, ""));
    }
    for (at, letter) in line.text.char_indices().take(width) {
        squares.push(Terrain::of(letter).unwrap_or_else(|| {
            let begin = line.span.start + at;
            let message = format!("`{letter}` isn't a letter of such maps");
            let found = Diagnostic::error("map-letter", message);
            let hint = "`.`, `G` and `S` are land, `W` is water, `@`, `O` and `T` block the way";
            problems.push(
                found
                    .at(Span::new(begin, begin + letter.len_utf8()), "")
                    .hint(hint),
            );
            Terrain::Blocked
        }));
    }
}
