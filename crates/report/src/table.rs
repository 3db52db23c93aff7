//! Tables as data.

/// To which side the entries of a column lean.
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
    /// To which side its entries lean.
    pub align: Align,
}

/// An entry: what people read, and the number behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Entry {
    /// For people.
    pub text: String,
    /// For programs; `None` where the text says it.
    pub number: Option<f64>,
    /// Whether a limit stopped what this is about, so that it is too small.
    pub is_limited: bool,
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
            is_limited: false,
        }
    }

    /// A number, or else nothing.
    pub fn maybe(number: Option<f64>) -> Self {
        number.map_or_else(Self::default, Self::number)
    }

    /// Seconds.
    pub fn seconds(number: Option<f64>) -> Self {
        number.map_or_else(Self::default, |number| Self {
            text: crate::number::seconds(number),
            number: Some(number),
            is_limited: false,
        })
    }

    /// A number or `na`, as the tables of many courses want it.
    pub fn or_na(number: Option<f64>) -> Self {
        number.map_or_else(|| Self::text("na"), Self::number)
    }

    /// Marks what a limit stopped.
    #[must_use]
    pub fn limited(mut self, is_limited: bool) -> Self {
        self.is_limited = is_limited;
        self
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it is called, for programs: `summary`, `cells` and so on.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// What is compared with what, in which units, under which limits.
    pub caption: String,
    /// The heads of its columns.
    pub columns: Vec<Column>,
    /// Its rows; each one has an entry for each column.
    pub rows: Vec<Vec<Entry>>,
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
        }
    }

    /// Adds a column of text.
    #[must_use]
    pub fn left(self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.column(key, title, Align::Left)
    }

    /// Adds a column of numbers.
    #[must_use]
    pub fn right(self, key: impl Into<String>, title: impl Into<String>) -> Self {
        self.column(key, title, Align::Right)
    }

    fn column(mut self, key: impl Into<String>, title: impl Into<String>, align: Align) -> Self {
        self.columns.push(Column {
            title: title.into(),
            key: key.into(),
            align,
        });
        self
    }

    /// Leaves out columns in which nothing stands.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Self {
        let is_used = |column: usize| {
            self.rows
                .iter()
                .any(|row| row.get(column).is_some_and(|entry| !entry.text.is_empty()))
        };
        let used: Vec<bool> = (0..self.columns.len()).map(is_used).collect();
        let mut keep = used.iter();
        self.columns.retain(|_| keep.next() == Some(&true));
        for row in &mut self.rows {
            let mut keep = used.iter();
            row.retain(|_| keep.next() == Some(&true));
        }
        self
    }

    /// Whether a limit stopped something in it.
    pub fn has_limited(&self) -> bool {
        self.rows.iter().flatten().any(|entry| entry.is_limited)
    }
}
