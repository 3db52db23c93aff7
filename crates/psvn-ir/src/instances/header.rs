//! A first line that names the columns or gives the number of instances.

use super::fields;
use super::line::Word;
use crate::Game;

/// Whether the first line is a header instead of an instance: words that are neither numbers nor
/// values, with no field as long as a state; or the number of the lines that follow.
pub(super) fn is_header(lines: &[Vec<Word<'_>>], game: &Game) -> bool {
    let [first, rest @ ..] = lines else {
        return false;
    };
    let n = game.n_variables();
    if rest.is_empty() {
        return false;
    }
    if let [word] = first.as_slice()
        && n > 1
    {
        return word.text.parse() == Ok(rest.len());
    }
    let split = fields::split(first);
    let has_letter = |word: &Word<'_>| word.text.chars().any(char::is_alphabetic);
    let is_value = |word: &Word<'_>| {
        let mut domains = game.domains().iter();
        domains.any(|domain| domain.lookup(word.text).is_some())
    };
    let is_data = |word: &Word<'_>| is_value(word) || word.text.parse::<f64>().is_ok();
    first.len() != n
        && split.iter().all(|words| words.len() != n)
        && split.iter().flatten().any(has_letter)
        && !split.iter().flatten().any(is_data)
        // A name followed by values would be an invalid instance.
        && !(split.len() == 2 && split[0].len() == 1 && split[1].len() + 1 >= n.max(3))
}
