//! Reports of one table, with chosen columns.

use crate::section::{Report, Section};
use crate::table::{Entry, Table};

/// Why there is no such part of a report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// It has no table of this name.
    #[error("there is no table `{name}` in these results")]
    Table {
        /// The name.
        name: String,
        /// The names of the tables that there are.
        known: Vec<String>,
    },
    /// The table has no column of this name.
    #[error("the table `{table}` has no column `{column}`")]
    Column {
        /// The name of the table.
        table: String,
        /// The name of the column.
        column: String,
        /// The names of the columns that there are.
        known: Vec<String>,
    },
}

impl Report {
    /// Return the part with the tables of a name; with some of their columns in their order, if any
    /// are named: by the names for programs, or as they are titled.
    ///
    /// # Errors
    /// There is no such table or column.
    pub fn chosen(&self, name: &str, columns: &[String]) -> Result<Self, ChoiceError> {
        let mut sections = Vec::new();
        for section in &self.sections {
            let tables = section.tables.iter().filter(|table| table.name == name);
            let tables: Vec<Table> = tables
                .map(|table| table.with_columns(columns))
                .collect::<Result<_, ChoiceError>>()?;
            if !tables.is_empty() {
                sections.push(Section {
                    title: section.title.clone(),
                    description: String::new(),
                    findings: Vec::new(),
                    notes: Vec::new(),
                    tables,
                    front: None,
                    plots: Vec::new(),
                    spec: String::new(),
                });
            }
        }
        if sections.is_empty() {
            let mut known: Vec<String> = Vec::new();
            for table in self.sections.iter().flat_map(|section| &section.tables) {
                if !known.iter().any(|other| other == table.name) {
                    known.push(table.name.to_owned());
                }
            }
            let name = name.to_owned();
            return Err(ChoiceError::Table { name, known });
        }
        Ok(Self { sections })
    }
}

impl Table {
    /// The part with some columns, or all of it if none are named.
    fn with_columns(&self, columns: &[String]) -> Result<Self, ChoiceError> {
        if columns.is_empty() {
            return Ok(self.clone());
        }
        // A table with a column for each method may lack columns of its form for programs.
        let of_readers = self.places(columns);
        let (table, places) = match (of_readers, self.long.as_deref()) {
            (Ok(places), _) => (self, places),
            (Err(_), Some(long)) => (long, long.places(columns)?),
            (Err(error), None) => return Err(error),
        };
        let long = self.long.as_deref().and_then(|long| {
            let places = long.places(columns).ok()?;
            Some(Box::new(long.part(&places)))
        });
        Ok(Self {
            long,
            ..table.part(&places)
        })
    }

    /// The places of columns.
    fn places(&self, columns: &[String]) -> Result<Vec<usize>, ChoiceError> {
        let mut places = Vec::new();
        for name in columns {
            let all = self.columns.iter().enumerate();
            let found = all.filter(|(_, column)| column.key == *name || column.title == *name);
            let found: Vec<usize> = found.map(|(place, _)| place).collect();
            if found.is_empty() {
                let mut known: Vec<String> = Vec::new();
                for column in &self.for_programs().columns {
                    if !known.contains(&column.key) {
                        known.push(column.key.clone());
                    }
                }
                return Err(ChoiceError::Column {
                    table: self.name.to_owned(),
                    column: name.clone(),
                    known,
                });
            }
            places.extend(found);
        }
        Ok(places)
    }

    /// The part with the columns at some places.
    pub(crate) fn part(&self, places: &[usize]) -> Self {
        let row = |row: &Vec<Entry>| places.iter().map(|place| row[*place].clone()).collect();
        Self {
            name: self.name,
            title: self.title.clone(),
            caption: self.caption.clone(),
            columns: places.iter().map(|it| self.columns[*it].clone()).collect(),
            rows: self.rows.iter().map(row).collect(),
            long: None,
            is_chosen: true,
        }
    }

    /// The part for where there is little room: the essential columns, unless columns were chosen;
    /// and the names of the columns that are left out.
    pub(crate) fn narrowed(&self) -> (Self, Vec<&str>) {
        let used = self.used_columns();
        let is_essential = |place: &usize| self.columns[*place].is_essential;
        let all = self.is_chosen || !used.iter().any(is_essential);
        let (kept, left): (Vec<usize>, Vec<usize>) = used
            .into_iter()
            .partition(|place| all || is_essential(place));
        let left = left.iter().map(|place| self.columns[*place].key.as_str());
        (self.part(&kept), left.collect())
    }
}
