//! Tables as data.

/// The alignment of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its title, for people.
    pub title: String,
    /// Its name, for programs.
    pub key: String,
    /// The alignment of its entries.
    pub align: Align,
    /// Whether its numbers may be bounds. Data for programs then also have a column `KEY_bound`,
    /// which holds `>`, `<` or nothing.
    pub may_be_bound: bool,
    /// Whether it is among those that are shown where there is little room: as text, in LaTeX and
    /// on paper.
    pub is_essential: bool,
}

/// How a number relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is exact.
    #[default]
    Exact,
    /// The true one is larger.
    Lower,
    /// The true one is smaller.
    Upper,
}

impl Bound {
    /// Return the sign in front of the number; empty if it is exact.
    pub fn sign(self) -> &'static str {
        match self {
            Bound::Exact => "",
            Bound::Lower => ">",
            Bound::Upper => "<",
        }
    }
}

/// The comparison of a number with that of the method which others are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// It isn't compared.
    #[default]
    None,
    /// It is better.
    Better,
    /// It is worse.
    Worse,
    /// It is about the same.
    Same,
}

impl Mark {
    /// Ratios that differ from 1 by less than this are about equal.
    const CLOSE: f64 = 0.05;

    /// Mark the ratio of the other method's needs to these.
    pub fn of_ratio(ratio: f64) -> Self {
        match ratio {
            more if more > 1.0 + Self::CLOSE => Mark::Better,
            less if less < 1.0 / (1.0 + Self::CLOSE) => Mark::Worse,
            _ => Mark::Same,
        }
    }

    /// Return the sign behind the number; empty if it isn't compared.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Better => "▲",
            Mark::Worse => "▼",
            Mark::Same => "≈",
        }
    }

    /// Return the same in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Mark::None => "",
            Mark::Better => "better",
            Mark::Worse => "worse",
            Mark::Same => "about the same",
        }
    }
}

/// An entry: the text for readers, and the number behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// For people.
    pub text: String,
    /// For programs; `None` if the text is the value.
    pub number: Option<f64>,
    /// Whether the number is only a bound, because a limit stopped the measurement.
    pub bound: Bound,
    /// How the number compares with the one it is compared with.
    pub mark: Mark,
    /// How good it is among those beside it, from 0 to 1, if pages shade it.
    pub shade: Option<f64>,
}

impl Entry {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A number in the usual form.
    pub fn number(number: f64) -> Self {
        Self {
            text: crate::short(number),
            number: Some(number),
            ..Self::default()
        }
    }

    /// Make an entry from a number, or an empty one.
    pub fn maybe(number: Option<f64>) -> Self {
        number.map_or_else(Self::default, Self::number)
    }

    /// A time in seconds.
    pub fn seconds(number: Option<f64>) -> Self {
        number.map_or_else(Self::default, |number| Self {
            text: crate::number::seconds(number),
            number: Some(number),
            ..Self::default()
        })
    }

    /// A time in seconds, shown in a suitable unit.
    pub fn time(seconds: Option<f64>) -> Self {
        seconds.map_or_else(Self::default, |seconds| Self {
            text: crate::number::time(seconds),
            number: Some(seconds),
            ..Self::default()
        })
    }

    /// Mark the number as a lower bound, because a limit stopped the measurement.
    #[must_use]
    pub fn limited(self, is_limited: bool) -> Self {
        self.bounded(if is_limited {
            Bound::Lower
        } else {
            Bound::Exact
        })
    }

    /// Mark how the number compares with another one.
    #[must_use]
    pub fn marked(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }

    /// Set the kind of bound of the number.
    #[must_use]
    pub fn bounded(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name for programs: `summary`, `cells` and so on.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// The compared quantities, units and limits.
    pub caption: String,
    /// The heads of its columns.
    pub columns: Vec<Column>,
    /// Its rows; each one has an entry for each column.
    pub rows: Vec<Vec<Entry>>,
    /// The same for programs, if this table has columns that depend on the methods: one row for
    /// each method, with the same columns in every table of the name.
    pub long: Option<Box<Table>>,
    /// Whether its columns were chosen: then programs get these alone.
    pub(crate) is_chosen: bool,
}

impl Table {
    /// A table without columns and rows.
    pub fn new(name: &'static str, title: impl Into<String>, caption: impl Into<String>) -> Self {
        Self {
            name,
            title: title.into(),
            caption: caption.into(),
            columns: Vec::new(),
            rows: Vec::new(),
            long: None,
            is_chosen: false,
        }
    }

    /// Return the form for programs, in which tables of one name have the same columns.
    pub fn for_programs(&self) -> &Table {
        self.long.as_deref().unwrap_or(self)
    }

    /// Add a column of text.
    #[must_use]
    pub fn left(self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.column(key, title, Align::Left, false)
    }

    /// Add a column of numbers.
    #[must_use]
    pub fn right(self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.column(key, title, Align::Right, false)
    }

    /// Add a column of numbers that may be bounds.
    #[must_use]
    pub fn bounds(self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.column(key, title, Align::Right, true)
    }

    fn column(
        mut self,
        key: impl Into<String>,
        title: impl Into<String>,
        align: Align,
        may_be_bound: bool,
    ) -> Self {
        self.columns.push(Column {
            title: title.into(),
            key: key.into(),
            align,
            may_be_bound,
            is_essential: false,
        });
        self
    }

    /// Make the last column one that is shown where there is little room. In tables without such
    /// columns, all are.
    #[must_use]
    pub fn essential(mut self) -> Self {
        if let Some(last) = self.columns.last_mut() {
            last.is_essential = true;
        }
        self
    }

    /// Return the places of the columns that aren't empty: readers see only these, and programs
    /// all.
    pub fn used_columns(&self) -> Vec<usize> {
        let is_used = |column: &usize| {
            self.rows
                .iter()
                .any(|row| row.get(*column).is_some_and(|entry| !entry.text.is_empty()))
        };
        (0..self.columns.len()).filter(is_used).collect()
    }
}
