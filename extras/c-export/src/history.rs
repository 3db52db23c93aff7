//! Histories: what is remembered of a path, and which rules are not valid after it.
//!
//! A history is the number of a state of the machine, from 0, so the initial one is 0 in both
//! directions. Tables have the number of the next state from 1, or 0 if a rule is not valid.

use fsm::{Compressed, Dense, RowDifferences};

use crate::language::{Element, Language};

/// A machine, with its length and order.
#[derive(Clone, Copy, Debug)]
pub struct Histories<'a> {
    /// The machine; its letters are the rules.
    pub machine: &'a Dense,
    /// The length of the longest sequences that were compared.
    pub max_length: usize,
    /// The order of sequences in which replacements come first.
    pub order: &'a str,
    /// How its rows are stored.
    pub form: HistoryForm,
}

/// How the rows of a history are stored: for each path, the result of each rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryForm {
    /// Compressed if the table has more than [`MOST_TABLE_ENTRIES`] and compressed rows take at
    /// most a quarter of it; else as a table.
    #[default]
    Auto,
    /// As a table, in which a step is one look-up.
    Table,
    /// Compressed: few rows are whole, and each other row is stored as its differences from one of
    /// these. A step is a binary search in these differences.
    Compressed,
}

/// Larger tables of histories are compressed if that helps: a megabyte or more is not in the cache
/// anyway.
pub const MOST_TABLE_ENTRIES: usize = 1 << 20;

/// The history of a direction.
pub(crate) struct History<'a> {
    pub(crate) of: Histories<'a>,
    /// The rows, if they are compressed.
    compressed: Option<RowDifferences>,
}

impl<'a> History<'a> {
    pub(crate) fn new(of: Histories<'a>) -> Self {
        let n_entries = of.machine.n_states() * of.machine.n_letters() as usize;
        let is_tried = match of.form {
            HistoryForm::Auto => n_entries > MOST_TABLE_ENTRIES,
            HistoryForm::Table => false,
            HistoryForm::Compressed => true,
        };
        // A machine that can't be compressed becomes a table.
        let compressed = is_tried
            .then(|| {
                Compressed::from_dense(of.machine)
                    .ok()?
                    .row_differences()
                    .ok()
            })
            .flatten();
        let is_small = |rows: &RowDifferences| {
            of.form == HistoryForm::Compressed || n_entries_of(rows) <= n_entries / 4
        };
        Self {
            of,
            compressed: compressed.filter(is_small),
        }
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.compressed.is_some()
    }

    pub(crate) fn n_states(&self) -> usize {
        self.of.machine.n_states()
    }

    /// The bytes that the tables take, about.
    pub(crate) fn bytes(&self) -> u128 {
        let n_entries = match &self.compressed {
            None => self.n_states() * self.of.machine.n_letters() as usize,
            Some(rows) => n_entries_of(rows),
        };
        let digits = self.n_states().to_string().len() + 2;
        n_entries as u128 * digits as u128
    }

    /// A short description of the sequences that it prunes.
    pub(crate) fn describe(&self) -> String {
        format!(
            "sequences of up to {} rules, {} states{}, order {}",
            self.of.max_length,
            self.n_states(),
            if self.is_compressed() {
                " in compressed rows"
            } else {
                ""
            },
            self.of.order
        )
    }

    /// Add the tables. One is `histories`, with a row for each history. Or, compressed:
    ///
    /// * `base_rows`, one after the other;
    /// * `base_of`, for each history the place where its base row begins;
    /// * `exceptions_of`, for each history the number of exceptions of all earlier ones, and at the
    ///   end that of all;
    /// * `exceptions`, the rules, ascending for each history, and `nexts`, their results.
    pub(crate) fn write_tables<L: Language>(&self, text: &mut String, language: &L, id: &str) {
        let n_states = self.n_states();
        let machine = self.of.machine;
        let n_rules = machine.n_letters() as usize;
        let mut add = |what: &str, most, len, numbers: &mut dyn Iterator<Item = usize>| {
            let name = language.table(id, what);
            let items = numbers.map(|number| number.to_string());
            language.add_table(text, &name, Element::UpTo(most), len, items);
        };
        let Some(RowDifferences { base_rows, rows }) = &self.compressed else {
            let mut entries = (1..=n_states).flat_map(|state| machine.successors(state));
            add("histories", n_states, n_states * n_rules, &mut entries);
            return;
        };
        let mut entries = base_rows.iter().flatten().map(|next| *next as usize);
        let n_entries = base_rows.len() * n_rules;
        add("base_rows", n_states, n_entries, &mut entries);
        let mut places = rows.iter().map(|row| row.base * n_rules);
        add("base_of", n_entries, n_states, &mut places);
        let exceptions = || rows.iter().flat_map(|row| &row.exceptions);
        let n_exceptions = exceptions().count();
        let ends = rows.iter().scan(0, |end, row| {
            *end += row.exceptions.len();
            Some(*end)
        });
        let mut firsts = std::iter::once(0).chain(ends);
        add("exceptions_of", n_exceptions, n_states + 1, &mut firsts);
        let mut letters = exceptions().map(|(letter, _)| *letter as usize);
        add("exceptions", n_rules, n_exceptions, &mut letters);
        let mut nexts = exceptions().map(|(_, next)| *next as usize);
        add("nexts", n_states, n_exceptions, &mut nexts);
    }
}

/// The entries of the tables of compressed rows.
fn n_entries_of(rows: &RowDifferences) -> usize {
    let whole: usize = rows.base_rows.iter().map(Vec::len).sum();
    let exceptions: usize = rows.rows.iter().map(|row| row.exceptions.len()).sum();
    whole + 2 * exceptions + 2 * rows.rows.len()
}
