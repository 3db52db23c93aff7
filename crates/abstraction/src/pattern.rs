//! Abstractions in one line: `keep 1 2 3 0 project 1-8`, `pieces 2 4 6`.

use psvn_ir::{DomainId, Game, Value, VarId, near_miss};

use crate::map::Abstraction;
use crate::piece_system::{PieceSystem, PiecesError};

/// The reasons why a line is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It doesn't begin with a keyword.
    #[error("a pattern begins with `keep` (values), `project` (variables) or `pieces`{}", found(.0))]
    Keyword(Option<String>),
    /// A keyword without arguments.
    #[error("nothing comes after `{0}`")]
    Empty(&'static str),
    /// A word that is not a value.
    #[error("the game has no value `{word}`{}", suggestion(.near))]
    Value {
        /// The word.
        word: String,
        /// A value with a similar spelling.
        near: Option<String>,
    },
    /// A word that is neither a variable's number nor a range of them.
    #[error("the game has no variable `{word}`; its variables are 1 to {n_variables}")]
    Variable {
        /// The word.
        word: String,
        /// The number of variables.
        n_variables: usize,
    },
    /// A word such as `w/g` that is not a piece.
    #[error("no piece has the values `{0}` in the goal")]
    Piece(String),
    /// Pieces and values or variables in one pattern.
    #[error("`pieces` can't be combined with `keep` or `project`")]
    Mixed,
    /// The game has no such pieces.
    #[error(transparent)]
    Pieces(#[from] PiecesError),
}

fn found(word: &Option<String>) -> String {
    word.as_ref()
        .map(|word| format!(", not with `{word}`"))
        .unwrap_or_default()
}

fn suggestion(near: &Option<String>) -> String {
    near.as_ref()
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}

impl Abstraction {
    /// Read a pattern: `keep` and the kept values (all others of each domain are merged into one),
    /// `project` and the kept variables, or both.
    ///
    /// Or `pieces` and the kept pieces, if rules move positions in groups
    /// ([`keep_pieces`](Self::keep_pieces)): each given by its values in the goal (`w/g`, in any
    /// order), or by a variable of its place there.
    ///
    /// Values are given by name, in any case, and refer to the value of that name in each domain
    /// that has it; `1-6` means the values 1 to 6 unless it is itself a name. Variables are given
    /// by number, counted from 1, or as ranges such as `1-8`.
    ///
    /// # Errors
    /// At the first invalid word.
    pub fn from_pattern(game: &Game, text: &str) -> Result<Self, PatternError> {
        let spaced = text.replace(',', " ");
        let mut words = spaced.split_whitespace().peekable();
        let mut lists: [Option<Vec<&str>>; 3] = [None, None, None];
        const KEYWORDS: [&str; 3] = ["keep", "project", "pieces"];
        let keyword = |word: &str| KEYWORDS.iter().position(|it| word.eq_ignore_ascii_case(it));
        while let Some(word) = words.next() {
            let Some(which) = keyword(word) else {
                return Err(PatternError::Keyword(Some(word.to_owned())));
            };
            let mut list = Vec::new();
            while let Some(word) = words.next_if(|word| keyword(word).is_none()) {
                list.push(word);
            }
            if list.is_empty() {
                return Err(PatternError::Empty(KEYWORDS[which]));
            }
            lists[which].get_or_insert_default().extend(list);
        }
        let [values, variables, pieces] = lists;
        let mut abstraction = Self::identity(game);
        match (values.is_some() || variables.is_some(), pieces) {
            (false, None) => return Err(PatternError::Keyword(None)),
            (true, Some(_)) => return Err(PatternError::Mixed),
            (false, Some(words)) => {
                let vars = variables_of_pieces(game, &words)?;
                return Ok(abstraction.keep_pieces(game, &vars)?);
            }
            (true, None) => {}
        }
        if let Some(words) = values {
            let mut kept: Vec<Vec<bool>> = game
                .domains()
                .iter()
                .map(|domain| vec![false; domain.size()])
                .collect();
            words
                .iter()
                .try_for_each(|word| mark_values(game, word, &mut kept))?;
            let keep = |id: DomainId, value: Value| kept[id.index()][value.index()];
            abstraction = Self::keep_values(game, keep);
        }
        if let Some(words) = variables {
            let mut kept = vec![false; game.n_variables()];
            for word in words {
                let (first, last) = variables_of(game, word)?;
                kept[first - 1..last].fill(true);
            }
            abstraction = abstraction.project(|var: VarId| kept[var.index()]);
        }
        Ok(abstraction)
    }

    /// Return the pattern that [`from_pattern`](Self::from_pattern) reads as this abstraction;
    /// `None` if there is none.
    pub fn to_pattern(&self, game: &Game) -> Option<String> {
        let mut words: Vec<String> = Vec::new();
        if let Some(kept) = self.pieces_at() {
            let system = PieceSystem::find(game)?;
            words.push("pieces".to_owned());
            for block in system.orbits().iter().flat_map(|orbit| &orbit.blocks) {
                if kept[block[0].index()] {
                    words.push((block[0].index() + 1).to_string());
                }
            }
        } else {
            let domains = (0..game.domains().len()).map(DomainId::from_index);
            let merges = |domain: DomainId| {
                let images = self.images(domain).iter().enumerate();
                images
                    .into_iter()
                    .any(|(value, image)| image.index() != value)
            };
            if domains.clone().any(merges) {
                words.push("keep".to_owned());
                for domain in domains {
                    let values = self.distinct_values(domain);
                    let domain = game.domain(domain);
                    words.extend(values.iter().map(|it| domain.value_name(*it).to_owned()));
                }
            }
            if words.is_empty() || !self.keeps_all_variables() {
                words.push("project".to_owned());
                words.extend(ranges(game.n_variables(), |var| {
                    self.is_kept(VarId::from_index(var))
                }));
            }
        }
        let text = words.join(" ");
        let read = Self::from_pattern(game, &text).ok()?;
        (read == *self).then_some(text)
    }
}

/// Return the numbers from 1 of those of `n` items for which `is_in` holds, runs of them as `3-8`.
fn ranges(n: usize, is_in: impl Fn(usize) -> bool) -> Vec<String> {
    let mut ranges = Vec::new();
    let mut next = 0;
    while next < n {
        let first = next;
        while next < n && is_in(next) {
            next += 1;
        }
        match next - first {
            0 => next += 1,
            1 => ranges.push(next.to_string()),
            _ => ranges.push(format!("{}-{next}", first + 1)),
        }
    }
    ranges
}

/// Parse `7` or `3-8`.
fn range_of(word: &str) -> Option<(usize, usize)> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    Some((first.parse().ok()?, last.parse().ok()?))
}

/// Return the first and the last of the variables of a word, counted from 1.
fn variables_of(game: &Game, word: &str) -> Result<(usize, usize), PatternError> {
    let n_variables = game.n_variables();
    range_of(word)
        .filter(|(first, last)| 1 <= *first && first <= last && *last <= n_variables)
        .ok_or_else(|| PatternError::Variable {
            word: word.to_owned(),
            n_variables,
        })
}

/// Return, for each piece, a variable of its place in the goal.
fn variables_of_pieces(game: &Game, words: &[&str]) -> Result<Vec<VarId>, PatternError> {
    let system = PieceSystem::find(game).zip(game.goal_state());
    let (system, goal) = system.ok_or(PiecesError::None)?;
    let mut vars = Vec::new();
    for word in words {
        if !word.contains('/') {
            let (first, last) = variables_of(game, word)?;
            vars.extend((first - 1..last).map(VarId::from_index));
            continue;
        }
        // Values with the same name in several domains are tried in each.
        let before = vars.len();
        for domain in game.domains() {
            let values: Option<Vec<Value>> =
                word.split('/').map(|name| domain.lookup(name)).collect();
            let found = values.map(|values| system.named(goal.values(), &values));
            for (orbit, block) in found.unwrap_or_default() {
                vars.push(system.orbits()[orbit].blocks[block][0]);
            }
        }
        if vars.len() == before {
            return Err(PatternError::Piece((*word).to_owned()));
        }
    }
    Ok(vars)
}

fn mark_values(game: &Game, word: &str, kept: &mut [Vec<bool>]) -> Result<(), PatternError> {
    let mut mark = |name: &str| {
        let mut known = false;
        for (domain, kept) in game.domains().iter().zip(kept.iter_mut()) {
            if let Some(value) = domain.lookup(name) {
                kept[value.index()] = true;
                known = true;
            }
        }
        known
    };
    if mark(word) {
        return Ok(());
    }
    // A valid range has fewer values than this.
    let range = range_of(word).filter(|(first, last)| first < last && last - first < 1 << 20);
    let missing = match range {
        None => Some(word.to_owned()),
        Some((first, last)) => (first..=last)
            .map(|number| number.to_string())
            .find(|name| !mark(name)),
    };
    match missing {
        None => Ok(()),
        Some(word) => {
            let names = game.domains().iter().flat_map(psvn_ir::Domain::values);
            let names: Vec<String> = names.cloned().collect();
            let near = near_miss(&word, &names).map(str::to_owned);
            Err(PatternError::Value { word, near })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> Game {
        let text = "DOMAIN tile 5 blank one two three four\n3 tile tile 4\n\
                    blank X - => X blank -\nGOAL blank one 0";
        psvn_ir::load(text).game.expect("a game")
    }

    fn images(abstraction: &Abstraction, domain: u32) -> Vec<u32> {
        let images = abstraction.images(DomainId(domain));
        images.iter().map(|image| image.0).collect()
    }

    #[test]
    fn what_is_not_kept_is_merged_domain_by_domain() {
        let game = game();
        let pattern = Abstraction::from_pattern(&game, "keep BLANK two 1-2").expect("a pattern");
        assert_eq!(images(&pattern, 0), [0, 1, 2, 1, 1]);
        assert_eq!(images(&pattern, 1), [0, 1, 2, 0]);
        assert!(pattern.keeps_all_variables() && !pattern.is_identity());
        let pattern = Abstraction::from_pattern(&game, "project 1-2").expect("a pattern");
        assert_eq!(images(&pattern, 0), [0, 1, 2, 3, 4]);
        assert!(pattern.is_kept(VarId(1)) && !pattern.is_kept(VarId(2)));
        let both = Abstraction::from_pattern(&game, "project 1,3 keep one").expect("a pattern");
        assert_eq!(images(&both, 0), [0, 1, 0, 0, 0]);
        assert!(!both.is_kept(VarId(1)));
    }

    #[test]
    fn pieces_by_values_and_by_places() {
        let text = domains::generate_reference("rubik:3").expect("a built-in game");
        let game = psvn_ir::load(&text).game.expect("a game");
        let read = |text: &str| Abstraction::from_pattern(&game, text);
        let by_values = read("pieces w/g b/w").expect("two edges");
        // Stickers 2 and 7 of the face U are 2nd and 7th of the first eight variables.
        assert_eq!(read("pieces 2 7"), Ok(by_values.clone()));
        assert_eq!(read("Pieces g/w,w/b"), Ok(by_values.clone()));
        assert!(!by_values.is_identity() && by_values.fits(&game));
        let written = by_values.to_file(&game);
        assert_eq!(Abstraction::from_file(&game, &written), Ok(by_values));
        let error = |text| read(text).expect_err("a mistake").to_string();
        assert_eq!(
            error("pieces w/y"),
            "no piece has the values `w/y` in the goal"
        );
        assert!(error("pieces w/g keep w").starts_with("`pieces` can't be combined"));
        assert!(error("pieces 49").contains("no variable `49`"));
        assert_eq!(error("pieces"), "nothing comes after `pieces`");
    }

    #[test]
    fn mistakes_are_named() {
        let game = game();
        let error = |text| {
            let error = Abstraction::from_pattern(&game, text).expect_err("a mistake");
            error.to_string()
        };
        assert_eq!(
            error("keep blank thre"),
            "the game has no value `thre`; did you mean `three`?"
        );
        assert_eq!(error("keep 2-7"), "the game has no value `4`");
        assert_eq!(
            error("project 0"),
            "the game has no variable `0`; its variables are 1 to 3"
        );
        assert!(error("project 2-9").contains("`2-9`"));
        assert_eq!(error("keep"), "nothing comes after `keep`");
        assert!(error("1 2").ends_with("not with `1`"));
        assert!(error("").starts_with("a pattern begins with"));
    }
}
