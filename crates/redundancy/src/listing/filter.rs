//! Which redundant words are listed.

use std::str::FromStr;

use crate::Error;
use crate::letters::LetterNames;

/// A length, or all lengths from one to another: `2`, `2-4`, `3-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthRange {
    /// The least.
    pub least: usize,
    /// The greatest.
    pub greatest: usize,
}

impl LengthRange {
    /// Return whether a length is one of them.
    pub fn contains(self, length: usize) -> bool {
        (self.least..=self.greatest).contains(&length)
    }
}

impl FromStr for LengthRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected a length, or two with a hyphen between them".to_owned();
        let number = |text: &str, default: usize| match text.trim() {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| wrong()),
        };
        let (least, greatest) = match text.split_once('-') {
            _ if text.trim().is_empty() => return Err(wrong()),
            None => (number(text, 0)?, number(text, 0)?),
            Some((least, greatest)) => (number(least, 0)?, number(greatest, usize::MAX)?),
        };
        if least > greatest {
            return Err(format!("{least} is more than {greatest}"));
        }
        Ok(Self { least, greatest })
    }
}

/// Which redundant words are listed: those of some lengths in which some letters occur.
#[derive(Clone, Debug, Default)]
pub struct WordFilter {
    /// The lengths; all of them unless given.
    pub lengths: Option<LengthRange>,
    /// Letters that must occur in a word: one of each list.
    pub letters: Vec<Vec<u32>>,
}

impl WordFilter {
    /// A filter by lengths and by the names of letters.
    ///
    /// # Errors
    /// When no letter has one of the names.
    pub fn new(
        lengths: Option<LengthRange>,
        letters: &[String],
        names: &LetterNames<'_>,
    ) -> Result<Self, Error> {
        let letters: Result<_, Error> = letters.iter().map(|name| names.resolve(name)).collect();
        Ok(Self {
            lengths,
            letters: letters?,
        })
    }

    /// Return whether a word is listed.
    pub fn admits(&self, word: &[u32]) -> bool {
        self.lengths.is_none_or(|range| range.contains(word.len()))
            && self
                .letters
                .iter()
                .all(|any_of| word.iter().any(|letter| any_of.contains(letter)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let range = |text: &str| {
            text.parse::<LengthRange>()
                .ok()
                .map(|r| (r.least, r.greatest))
        };
        assert_eq!(range("2"), Some((2, 2)));
        assert_eq!(range("2-4"), Some((2, 4)));
        assert_eq!(range("3-"), Some((3, usize::MAX)));
        assert_eq!(range("-3"), Some((0, 3)));
        for wrong in ["", " ", "x", "4-2", "1-2-3", "2..4"] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn words_have_the_length_and_all_letters() {
        let filter = WordFilter {
            lengths: "2-3".parse().ok(),
            letters: vec![vec![1, 9], vec![0]],
        };
        assert!(filter.admits(&[0, 1]) && filter.admits(&[9, 2, 0]));
        assert!(!filter.admits(&[1, 1]) && !filter.admits(&[0, 1, 0, 1]) && !filter.admits(&[]));
        assert!(WordFilter::default().admits(&[7]));
    }
}
