//! Rows of tables for spreadsheets: which fields of a result are columns.
//!
//! A column has the name of a field, and so of the key in JSON. The compiler knows both.

use std::borrow::Cow;

use psvn::StopReason;
use psvn::text::Exact;

/// A result that is one row of a table for spreadsheets. [`columns`] says which of its fields.
pub(crate) trait Row {
    /// The names of these fields.
    const FIELDS: &'static [&'static str];

    /// Return these fields, as texts.
    fn fields(&self) -> Vec<String>;
}

/// Rows of a table for spreadsheets.
pub(crate) type Records = Vec<Vec<String>>;

/// Return the names of the columns, and the rows below them.
pub(super) fn records<'r, R: Row + 'r>(rows: impl IntoIterator<Item = &'r R>) -> Option<Records> {
    let head = R::FIELDS.iter().map(|name| (*name).to_owned()).collect();
    let rows = rows.into_iter().map(Row::fields);
    Some(std::iter::once(head).chain(rows).collect())
}

/// Say which fields of a result are columns of its table. A column may have a text of its own,
/// which `|row|` makes.
macro_rules! columns {
    (@text $field:expr, $this:ident) => { $crate::show::row::Cell::text(&$field) };
    (@text $field:expr, $this:ident, $row:ident, $text:expr) => {{
        let $row = $this;
        $text
    }};
    ($result:ty: $($field:ident $(= |$row:ident| $text:expr)?),+ $(,)?) => {
        impl $crate::show::Row for $result {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),+];

            fn fields(&self) -> Vec<String> {
                vec![$($crate::show::row::columns!(@text self.$field, self $(, $row, $text)?)),+]
            }
        }
    };
}
pub(crate) use columns;

/// A value in a table for spreadsheets.
pub(crate) trait Cell {
    /// Return it as text; empty if there is none.
    fn text(&self) -> String;
}

macro_rules! displayed {
    ($($value:ty),+) => {
        $(impl Cell for $value {
            fn text(&self) -> String {
                self.to_string()
            }
        })+
    };
}

displayed!(String, &str, Cow<'_, str>, bool, u64, u128, usize, f64);

impl Cell for Exact {
    fn text(&self) -> String {
        self.0.to_string()
    }
}

impl Cell for StopReason {
    fn text(&self) -> String {
        self.code().to_owned()
    }
}

impl<T: Cell> Cell for Option<T> {
    fn text(&self) -> String {
        self.as_ref().map(Cell::text).unwrap_or_default()
    }
}

/// Labels of moves.
impl Cell for Vec<String> {
    fn text(&self) -> String {
        self.join(" ")
    }
}
