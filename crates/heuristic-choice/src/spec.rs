//! Specifications of heuristics.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use heuristics::{MAX_PARTS, Name};

/// A request for a heuristic: `auto`, names, or pattern databases.
///
/// It is parsed from names and sums of tables with commas between them, of which the greatest
/// estimate counts; a sum is files or patterns with `+` between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeuristicSpec {
    /// The heuristic for which building tables and searching together are expected to take the
    /// least work.
    Auto,
    /// The greatest of the estimates of these heuristics.
    Greatest {
        /// Heuristics with a name.
        names: Vec<Name>,
        /// Sums of pattern databases.
        sums: Vec<Vec<TableSpec>>,
    },
}

/// A pattern database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableSpec {
    /// A table in a file.
    File(PathBuf),
    /// A table that is built for this pattern.
    Pattern(String),
}

impl fmt::Display for TableSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableSpec::File(path) => path.display().fmt(f),
            TableSpec::Pattern(pattern) => f.write_str(pattern),
        }
    }
}

impl fmt::Display for HeuristicSpec {
    /// Write the text that is read as this request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Greatest { names, sums } = self else {
            return f.write_str("auto");
        };
        let sum = |tables: &Vec<TableSpec>| {
            let tables: Vec<String> = tables.iter().map(ToString::to_string).collect();
            tables.join("+")
        };
        let names = names.iter().map(|name| name.as_str().to_owned());
        let parts: Vec<String> = names.chain(sums.iter().map(sum)).collect();
        f.write_str(&parts.join(","))
    }
}

impl HeuristicSpec {
    /// Return the heuristic that is 0 everywhere, for a search without estimates.
    pub fn zero() -> Self {
        Self::named(Name::Zero)
    }

    /// Return a heuristic by its name.
    pub fn named(name: Name) -> Self {
        Self::Greatest {
            names: vec![name],
            sums: Vec::new(),
        }
    }

    /// Change the paths of the files of tables that it names.
    pub fn map_files(&mut self, change: &mut dyn FnMut(&mut PathBuf)) {
        if let HeuristicSpec::Greatest { sums, .. } = self {
            for table in sums.iter_mut().flatten() {
                if let TableSpec::File(path) = table {
                    change(path);
                }
            }
        }
    }

    /// Return the files of tables that it names.
    pub fn files(&self) -> Vec<PathBuf> {
        let HeuristicSpec::Greatest { sums, .. } = self else {
            return Vec::new();
        };
        let file = |table: &TableSpec| match table {
            TableSpec::File(path) => Some(path.clone()),
            TableSpec::Pattern(_) => None,
        };
        sums.iter().flatten().filter_map(file).collect()
    }

    /// Return whether a word names the file of one pattern database.
    pub fn is_file(word: &str) -> bool {
        let file = TableSpec::File(PathBuf::from(word));
        matches!(word.parse(), Ok(Self::Greatest { names, sums }) if names.is_empty() && sums == [vec![file]])
    }

    /// Return whether it is 0 everywhere.
    pub fn is_zero(&self) -> bool {
        matches!(self, HeuristicSpec::Greatest { names, sums } if *names == [Name::Zero] && sums.is_empty())
    }
}

/// A pattern database, if the word is the name of its file, or a pattern.
fn table(word: &str) -> Option<TableSpec> {
    let first = word.split_whitespace().next()?.to_ascii_lowercase();
    if word.to_ascii_lowercase().ends_with(".pdb") {
        Some(TableSpec::File(PathBuf::from(word)))
    } else if first != word && ["keep", "project", "pieces", "like"].contains(&first.as_str()) {
        Some(TableSpec::Pattern(word.to_owned()))
    } else {
        None
    }
}

impl FromStr for HeuristicSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("auto") {
            return Ok(HeuristicSpec::Auto);
        }
        let (mut names, mut sums) = (Vec::new(), Vec::new());
        for part in text.split(',').map(str::trim) {
            let words: Vec<&str> = part.split('+').map(str::trim).collect();
            let tables: Vec<Option<TableSpec>> = words.iter().map(|word| table(word)).collect();
            if tables.iter().any(Option::is_some) || words.len() > 1 {
                let unknown = words.iter().zip(&tables).find(|(_, table)| table.is_none());
                if let Some((word, _)) = unknown {
                    return Err(format!(
                        "only pattern databases can be added up, and `{word}` is neither a file NAME.pdb nor a pattern"
                    ));
                }
                sums.push(tables.into_iter().flatten().collect());
                continue;
            }
            let name = part.parse().map_err(|error: heuristics::UnknownName| {
                let known = Name::ALL.map(Name::as_str).join(", ");
                format!("{error}; the heuristics are {known}, auto, and files FILE.pdb")
            })?;
            names.push(name);
        }
        if names.len() > MAX_PARTS {
            return Err(format!(
                "no more than {MAX_PARTS} heuristics with a name can be combined"
            ));
        }
        Ok(HeuristicSpec::Greatest { names, sums })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<HeuristicSpec, String> {
        text.parse()
    }

    #[test]
    fn names_files_and_patterns() {
        let file = |name: &str| TableSpec::File(PathBuf::from(name));
        assert_eq!(
            parse("a.pdb+b.pdb, manhattan,c.PDB"),
            Ok(HeuristicSpec::Greatest {
                names: vec![Name::Manhattan],
                sums: vec![vec![file("a.pdb"), file("b.pdb")], vec![file("c.PDB")]],
            })
        );
        assert_eq!(
            parse("keep 0-4"),
            Ok(HeuristicSpec::Greatest {
                names: vec![],
                sums: vec![vec![TableSpec::Pattern("keep 0-4".to_owned())]],
            })
        );
        assert_eq!(parse("AUTO"), Ok(HeuristicSpec::Auto));
        assert!(parse("zero").is_ok_and(|spec| spec.is_zero()));
        assert!(!parse("zero,a.pdb").is_ok_and(|spec| spec.is_zero()));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "auto",
            "zero",
            "manhattan,gap,a.pdb+keep 0-4,b/c.pdb",
            "pieces w/g w/r",
        ] {
            let spec = parse(text).expect("a heuristic");
            assert_eq!(spec.to_string(), text);
            assert_eq!(parse(&spec.to_string()), Ok(spec));
        }
    }

    #[test]
    fn what_is_no_heuristic() {
        let error = |text| parse(text).expect_err("a mistake");
        assert!(error("manhatan").contains("did you mean `manhattan`?"));
        assert!(error("manhattan+a.pdb").contains("`manhattan` is neither"));
        assert!(error("keep").contains("no heuristic"));
        assert!(error("a.pdb,").contains("no heuristic"));
        assert!(error("gap,zero,weak,misplaced,goal-count").contains("no more than 4"));
    }
}
