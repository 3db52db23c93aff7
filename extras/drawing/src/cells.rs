//! Small colored boards for the nodes of a tree.

use crate::BoardLayout;
use crate::style::{escape, put};

/// The side of a place.
const SIDE: f64 = 13.0;

/// A colored board, made by [`BoardLayout::cells`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    rows: usize,
    columns: usize,
    /// The value of each place, row by row, with its color; `None` if it is empty.
    places: Vec<Option<(String, Option<String>)>>,
}

impl BoardLayout {
    /// Return a state as a small board; `None` if the layout has no colors, since lines of text
    /// then show as much.
    pub fn cells(&self, state: &[&str]) -> Option<Cells> {
        if self.colors.is_empty() {
            return None;
        }
        let place = |place: usize| {
            let value = self.value(state, place)?;
            Some((value.to_owned(), self.colors.get(value).cloned()))
        };
        Some(Cells {
            rows: self.rows,
            columns: self.columns,
            places: (0..self.rows * self.columns).map(place).collect(),
        })
    }
}

impl Cells {
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Its width and height.
    pub(crate) fn size(&self) -> (f64, f64) {
        (self.columns as f64 * SIDE, self.rows as f64 * SIDE)
    }

    /// Draw it, from a corner.
    pub(crate) fn draw(&self, (left, top): (f64, f64), out: &mut String) {
        for (place, cell) in self.places.iter().enumerate() {
            let Some((value, color)) = cell else {
                continue;
            };
            let x = left + (place % self.columns) as f64 * SIDE;
            let y = top + (place / self.columns) as f64 * SIDE;
            // Letters on colors are black with a white seam: not everybody can distinguish the
            // colors.
            let (fill, seam) = match color {
                Some(color) => (
                    escape(color),
                    ";fill:#000;stroke:#fff;stroke-width:2px;paint-order:stroke",
                ),
                None => ("none".to_owned(), ""),
            };
            put(
                out,
                format_args!(
                    "<rect class=\"cell\" style=\"fill:{fill};stroke:var(--ink);stroke-width:.7\" \
                     x=\"{x:.1}\" y=\"{y:.1}\" width=\"{SIDE}\" height=\"{SIDE}\"/>\
                     <text style=\"font-size:9px{seam}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    x + SIDE / 2.0,
                    y + SIDE - 3.5,
                    escape(value)
                ),
            );
        }
    }
}
