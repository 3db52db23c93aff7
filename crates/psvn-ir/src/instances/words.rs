//! Values that a text spells differently from the game: `0` for `b`, `R` for `RED`.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::fmt;

use crate::{Domain, Game, State, StateError, VarId};

/// No mapping is suggested for more unknown words than this.
const MOST_UNKNOWN: usize = 64;

/// No mapping is suggested if a word may stand for more values than this.
const MOST_VALUES: usize = 256;

/// The values that words in states stand for. A word that isn't listed stands for itself.
///
/// ```
/// use psvn_ir::instances::WordMap;
///
/// let map = WordMap::new([("0".to_owned(), "b".to_owned())])?;
/// assert_eq!((map.value_of("0"), map.value_of("1")), ("b", "1"));
/// let twice = [("0", "b"), ("0", "c")].map(|(from, to)| (from.to_owned(), to.to_owned()));
/// assert!(WordMap::new(twice).is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordMap(BTreeMap<String, String>);

impl WordMap {
    /// A map from words to values.
    ///
    /// # Errors
    /// With a message, if a word is listed for two values.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, String> {
        let mut map = BTreeMap::new();
        for (word, value) in pairs {
            match map.entry(word) {
                Entry::Occupied(known) if *known.get() != value => {
                    return Err(format!(
                        "`{}` is mapped to `{}` and to `{value}`",
                        known.key(),
                        known.get()
                    ));
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(place) => drop(place.insert(value)),
            }
        }
        Ok(Self(map))
    }

    /// Return whether every word stands for itself.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Return the words with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(word, value)| (word.as_str(), value.as_str()))
    }

    /// Return the value that a word stands for.
    pub fn value_of<'w>(&'w self, word: &'w str) -> &'w str {
        self.0.get(word).map_or(word, String::as_str)
    }

    /// Return the state that some words form.
    ///
    /// # Errors
    /// When their number is wrong, or a word isn't a value of its position's domain.
    pub fn state(&self, words: &[&str], game: &Game) -> Result<State, StateError> {
        let values: Vec<&str> = words.iter().map(|word| self.value_of(word)).collect();
        game.parse_state(&values.join(" "))
    }
}

/// As pairs with blanks between them: `0=b _=c`.
impl fmt::Display for WordMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (word, value)) in self.0.iter().enumerate() {
            let blank = if i == 0 { "" } else { " " };
            write!(f, "{blank}{word}={value}")?;
        }
        Ok(())
    }
}

/// Read one state, as `--start` gives it.
///
/// # Errors
/// When it isn't a state of the game; the error has the likely meaning.
pub fn parse_state(text: &str, map: &WordMap, game: &Game) -> Result<State, WrongState> {
    let words: Vec<&str> = text.split_whitespace().collect();
    map.state(&words, game).map_err(|error| WrongState {
        hint: hint(&words, map, game),
        error,
    })
}

/// Why a text isn't a state, with the likely meaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct WrongState {
    /// The error.
    pub error: StateError,
    /// The likely meaning.
    pub hint: Option<StateHint>,
}

/// A likely meaning of words that are no state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateHint {
    /// Values with other separators: a sentence with the right spelling.
    Write(String),
    /// A state under this map.
    Map(WordMap),
}

/// A likely meaning of words that are no state.
fn hint(words: &[&str], map: &WordMap, game: &Game) -> Option<StateHint> {
    if let Some(hint) = respelled(words, map, game) {
        return Some(StateHint::Write(hint));
    }
    fitting(&[words.to_vec()], map, game).map(StateHint::Map)
}

/// The right spelling if the values have other separators than white space, or none.
pub(super) fn respelled(words: &[&str], map: &WordMap, game: &Game) -> Option<String> {
    let is_separator = |c: char| c.is_whitespace() || ",;|()[]{}<>".contains(c);
    let text = words.join(" ");
    let parts: Vec<&str> = text.split(is_separator).filter(|s| !s.is_empty()).collect();
    if parts.len() == game.n_variables() && parts != words && map.state(&parts, game).is_ok() {
        let with = match text.chars().find(|c| is_separator(*c) && *c != ' ') {
            Some(',') => "commas between them",
            _ => "signs between them",
        };
        return Some(format!(
            "it looks like values with {with}: write `{}`",
            parts.join(" ")
        ));
    }
    let &[word] = words else { return None };
    let letters: Vec<String> = word.chars().map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    (letters.len() == game.n_variables() && letters.len() > 1 && map.state(&letters, game).is_ok())
        .then(|| {
            format!(
                "it looks like values without blanks between them: write `{}`",
                letters.join(" ")
            )
        })
}

/// The map that makes all of some states fit, if there is a likely one: each unknown word is
/// spelled like one value that the states don't have, or has only one such value left.
pub(super) fn fitting(states: &[Vec<&str>], map: &WordMap, game: &Game) -> Option<WordMap> {
    let mut used: HashSet<String> = HashSet::new();
    // For each unknown word, one position of each domain in which it occurs.
    let mut unknown: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut known: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for words in states
        .iter()
        .filter(|words| words.len() == game.n_variables())
    {
        for (position, word) in words.iter().enumerate() {
            let domain = domain(game, position);
            let fits = known
                .entry((word, domain.name()))
                .or_insert_with(|| domain.lookup(map.value_of(word)).is_some());
            if *fits {
                continue;
            }
            let places = unknown.entry(word).or_default();
            if places
                .iter()
                .all(|place| self::domain(game, *place).name() != domain.name())
            {
                places.push(position);
            }
        }
        if unknown.len() > MOST_UNKNOWN {
            return None;
        }
    }
    for ((word, _), fits) in &known {
        if *fits {
            used.insert(map.value_of(word).to_ascii_lowercase());
        }
    }
    if unknown.is_empty() {
        return None;
    }
    let goal = game
        .goal_state()
        .map(|goal| game.format_state(goal.values()));
    let count = |words: &[&str], word: &str| words.iter().filter(|other| **other == word).count();
    // Whether each state has the word as often as the goal has the value.
    let is_as_frequent = |word: &str, value: &str| {
        goal.as_ref().is_none_or(|goal| {
            let goal: Vec<&str> = goal.split(' ').collect();
            let n = count(&goal, value);
            states.iter().all(|words| count(words, word) == n)
        })
    };
    let mut candidates: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (word, places) in &unknown {
        let fits = |value: &&str| {
            !used.contains(&value.to_ascii_lowercase())
                && places
                    .iter()
                    .all(|place| domain(game, *place).lookup(value).is_some())
                && !(is_number(word) && is_number(value))
        };
        let values = domain(game, *places.first()?)
            .values()
            .iter()
            .map(String::as_str);
        let values: Vec<&str> = values.filter(fits).take(MOST_VALUES + 1).collect();
        if values.len() > MOST_VALUES {
            return None;
        }
        let like: Vec<&str> = values
            .iter()
            .copied()
            .filter(|v| is_like(word, v))
            .collect();
        let found = match like.as_slice() {
            [] => values
                .into_iter()
                .filter(|v| is_as_frequent(word, v))
                .collect(),
            _ => like,
        };
        candidates.insert(word, found);
    }
    let pairs = assigned(candidates)?;
    let all = map.iter().filter(|(word, _)| !unknown.contains_key(word));
    let all = all.chain(pairs.iter().map(|(word, value)| (*word, *value)));
    let fitting =
        WordMap::new(all.map(|(word, value)| (word.to_owned(), value.to_owned()))).ok()?;
    let fits =
        |words: &Vec<&str>| words.len() != game.n_variables() || fitting.state(words, game).is_ok();
    states.iter().all(fits).then_some(fitting)
}

fn domain(game: &Game, position: usize) -> &Domain {
    game.domain_of(VarId::from_index(position))
}

/// One value for each word, with no value twice, if no choice is left.
fn assigned<'a>(
    mut candidates: BTreeMap<&'a str, Vec<&'a str>>,
) -> Option<Vec<(&'a str, &'a str)>> {
    let mut pairs = Vec::new();
    while !candidates.is_empty() {
        let (word, value) = candidates
            .iter()
            .find_map(|(word, values)| match values[..] {
                [only] => Some((*word, only)),
                _ => None,
            })?;
        candidates.remove(word);
        for values in candidates.values_mut() {
            values.retain(|other| *other != value);
        }
        pairs.push((word, value));
    }
    Some(pairs)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether one of them is how the other begins.
fn is_like(word: &str, value: &str) -> bool {
    let (word, value) = (word.to_lowercase(), value.to_lowercase());
    value.starts_with(&word) || word.starts_with(&value)
}

#[cfg(test)]
mod tests {
    use super::super::test_games::{numbers, row};
    use super::*;

    fn tiles() -> Game {
        row(&["b", "1", "2", "3"], 4)
    }

    fn colors() -> Game {
        row(&["RED", "GREEN", "BLUE"], 3)
    }

    fn suggested(game: &Game, states: &[&str]) -> Option<String> {
        let states: Vec<Vec<&str>> = states.iter().map(|s| s.split(' ').collect()).collect();
        fitting(&states, &WordMap::default(), game).map(|map| map.to_string())
    }

    #[test]
    fn the_mapping_that_fits_is_found_over_all_states() {
        let zero = suggested(&tiles(), &["1 0 2 3", "3 2 1 0"]);
        assert_eq!(zero.as_deref(), Some("0=b"));
        let initials = suggested(&colors(), &["R G B", "B G R"]);
        assert_eq!(initials.as_deref(), Some("B=BLUE G=GREEN R=RED"));
        let blank = suggested(&tiles(), &["1 _ 2 3"]);
        assert_eq!(blank.as_deref(), Some("_=b"));
        // A number in place of a number is a mistake, and two words for one value are two mistakes.
        assert_eq!(suggested(&tiles(), &["b 1 2 4"]), None);
        assert_eq!(suggested(&tiles(), &["x y 2 3"]), None);
        assert_eq!(suggested(&tiles(), &["b 1 2 3"]), None);
        // `b` is there already in another state.
        assert_eq!(suggested(&tiles(), &["0 1 2 3", "b 1 2 3"]), None);
    }

    #[test]
    fn maps_are_applied_to_all_words_at_once() {
        let swapped = [("1", "2"), ("2", "1")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        let game = tiles();
        let map = WordMap::new(swapped).unwrap();
        let state = parse_state("b 1 2 3", &map, &game).unwrap();
        assert_eq!(game.format_state(state.values()), "b 2 1 3");
    }

    #[test]
    fn other_separators_are_noticed() {
        let game = numbers(4, 4);
        let hint = |text: &str| {
            let wrong = parse_state(text, &WordMap::default(), &game).unwrap_err();
            match wrong.hint {
                Some(StateHint::Write(hint)) => hint,
                _ => String::new(),
            }
        };
        assert_eq!(
            hint("1203"),
            "it looks like values without blanks between them: write `1 2 0 3`"
        );
        for text in ["1,2,0,3", "1, 2, 0, 3"] {
            assert_eq!(
                hint(text),
                "it looks like values with commas between them: write `1 2 0 3`"
            );
        }
        assert!(hint("[1 2 0 3]").contains("write `1 2 0 3`"));
        assert_eq!(hint("1234"), "");
        assert_eq!(hint("1 2 0"), "");
    }
}
