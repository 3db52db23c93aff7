//! Patterns of coordinates in one line: `like U2 R2 F2`, `like U U' R2 apart at 5`.

use psvn_ir::{Game, near_miss};

/// The choice of positions that look alike: those that some rules exchange.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CoordinatePattern {
    /// The rules that exchange positions that look alike, ascending.
    pub(crate) alike: Vec<usize>,
    /// Rules with positions: among pieces that look like those at the positions, only those that
    /// these rules exchange still look alike.
    pub(crate) apart: Option<(Vec<usize>, Vec<usize>)>,
    /// The number of parts into which entries that differ only in the last digit are divided: of
    /// each, only the least distance is kept.
    pub(crate) parts: Option<usize>,
}

/// The reasons why a line isn't a pattern of coordinates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoordinatePatternError {
    /// It doesn't begin with the keyword.
    #[error("it begins with `like`, followed by rules")]
    Keyword,
    /// A word isn't a rule.
    #[error("the game has no rule `{word}`{}", suggestion(.near))]
    Rule {
        /// The word.
        word: String,
        /// A label with a similar spelling.
        near: Option<String>,
    },
    /// A word isn't a variable.
    #[error("the game has no variable `{0}`")]
    Variable(String),
    /// `apart` comes without positions.
    #[error("after `apart` come rules, `at`, and variables")]
    Apart,
    /// `parts` comes without one number that isn't zero.
    #[error("after `parts` comes a number, and nothing else")]
    Parts,
}

fn suggestion(near: &Option<String>) -> String {
    let near = near.as_ref();
    near.map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default()
}

impl CoordinatePattern {
    /// Return whether a text begins like such a pattern.
    pub fn is_begun(text: &str) -> bool {
        let first = text.split_whitespace().next();
        first.is_some_and(|word| word.eq_ignore_ascii_case("like"))
    }

    /// Parse a pattern: `like` and the rules that exchange positions that look alike, each by its
    /// label or by its number from 1 on. `apart RULES at VARIABLES` may follow: then pieces that
    /// look like those at these variables look alike only where the rules after `apart` exchange
    /// them. `parts N` may come last. It divides the states that differ only in these pieces into
    /// N parts and keeps the least distance of each part. Without `apart`, it divides the states
    /// that differ only in the last of their numbers.
    ///
    /// # Errors
    /// At the first invalid word.
    pub fn parse(game: &Game, text: &str) -> Result<Self, CoordinatePatternError> {
        let mut words = text.split_whitespace();
        if !words.next().is_some_and(Self::is_begun) {
            return Err(CoordinatePatternError::Keyword);
        }
        let is = |word: &&str, keyword: &str| word.eq_ignore_ascii_case(keyword);
        let mut words: Vec<&str> = words.collect();
        let parts = match words.iter().position(|word| is(word, "parts")) {
            None => None,
            Some(at) => {
                let number = match words.split_off(at)[1..] {
                    [number] => number.parse().ok().filter(|n| *n > 0),
                    _ => None,
                };
                Some(number.ok_or(CoordinatePatternError::Parts)?)
            }
        };
        let apart = words.iter().position(|word| is(word, "apart"));
        let (alike, rest) = words.split_at(apart.unwrap_or(words.len()));
        let apart = match rest {
            [] => None,
            [_, rest @ ..] => {
                let at = rest.iter().position(|word| is(word, "at"));
                let (rules, vars) = rest.split_at(at.ok_or(CoordinatePatternError::Apart)?);
                if vars.len() < 2 {
                    return Err(CoordinatePatternError::Apart);
                }
                let vars = vars[1..].iter().map(|word| variable(game, word));
                Some((
                    self::rules(game, rules)?,
                    sorted(vars.collect::<Result<_, _>>()?),
                ))
            }
        };
        Ok(Self {
            alike: rules(game, alike)?,
            apart,
            parts,
        })
    }

    /// Make a pattern of rules, given by number from 0 on, and of variables.
    pub(crate) fn new(alike: Vec<usize>, apart: Option<(Vec<usize>, Vec<usize>)>) -> Self {
        let apart = apart.map(|(rules, vars)| (sorted(rules), sorted(vars)));
        Self {
            alike: sorted(alike),
            apart,
            parts: None,
        }
    }

    /// Return the pattern that keeps no pieces apart.
    pub(super) fn coarse(&self) -> Self {
        Self {
            alike: self.alike.clone(),
            apart: None,
            parts: None,
        }
    }

    /// Write the pattern as text that [`parse`](Self::parse) reads.
    pub fn to_text(&self, game: &Game) -> String {
        let word = |rule: &usize| {
            let label = &*game.rules()[*rule].label;
            let is_clear = rules(game, &[label]).is_ok_and(|found| found == [*rule])
                && !label.contains([',', '+'])
                && !["apart", "at", "parts"]
                    .iter()
                    .any(|it| label.eq_ignore_ascii_case(it));
            if is_clear {
                label.to_owned()
            } else {
                (rule + 1).to_string()
            }
        };
        let mut text = vec!["like".to_owned()];
        text.extend(self.alike.iter().map(word));
        if let Some((rules, vars)) = &self.apart {
            text.push("apart".to_owned());
            text.extend(rules.iter().map(word));
            text.push("at".to_owned());
            text.extend(vars.iter().map(|var| (var + 1).to_string()));
        }
        if let Some(parts) = self.parts {
            text.push(format!("parts {parts}"));
        }
        text.join(" ")
    }
}

fn sorted(mut numbers: Vec<usize>) -> Vec<usize> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// Return the rules of some words. A label may belong to several rules.
fn rules(game: &Game, words: &[&str]) -> Result<Vec<usize>, CoordinatePatternError> {
    let mut found = Vec::new();
    for word in words {
        let labelled = |rule: &usize| &*game.rules()[*rule].label == *word;
        let before = found.len();
        found.extend((0..game.rules().len()).filter(labelled));
        if found.len() > before {
            continue;
        }
        let number = word
            .parse()
            .ok()
            .filter(|n| (1..=game.rules().len()).contains(n));
        let labels = game.rules().iter().map(|rule| &*rule.label);
        let unknown = || CoordinatePatternError::Rule {
            word: (*word).to_owned(),
            near: near_miss(word, labels).map(str::to_owned),
        };
        found.push(number.ok_or_else(unknown)? - 1);
    }
    Ok(sorted(found))
}

fn variable(game: &Game, word: &str) -> Result<usize, CoordinatePatternError> {
    let number = word
        .parse()
        .ok()
        .filter(|n| (1..=game.n_variables()).contains(n));
    let number = number.ok_or_else(|| CoordinatePatternError::Variable(word.to_owned()))?;
    Ok(number - 1)
}
