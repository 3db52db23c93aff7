//! The names of the letters of a machine file.

use fsm::{MachineFile, OpenFile, RulePart};
use psvn_ir::{Game, RuleId, RuleNames};

use crate::Error;
use crate::parts::fact;

/// What the letters of a machine are: parts of rules, operators, or else rules.
#[derive(Clone, Copy, Debug)]
pub struct Letters<'a> {
    n_letters: u32,
    operator_of: &'a [u32],
    parts: &'a [Vec<RulePart>],
}

impl<'a> Letters<'a> {
    /// Return whether each letter stands for all rules of a label.
    pub fn are_operators(self) -> bool {
        !self.operator_of.is_empty()
    }

    /// Return the parts of each rule; empty where letters aren't parts.
    pub fn parts(self) -> &'a [Vec<RulePart>] {
        self.parts
    }
}

impl<'a> From<&'a OpenFile> for Letters<'a> {
    fn from(file: &'a OpenFile) -> Self {
        Self {
            n_letters: file.machine().n_letters(),
            operator_of: file.operator_of(),
            parts: file.parts(),
        }
    }
}

impl<'a> From<&'a MachineFile> for Letters<'a> {
    fn from(file: &'a MachineFile) -> Self {
        Self {
            n_letters: file.machine.n_letters(),
            operator_of: &file.operator_of,
            parts: &file.parts,
        }
    }
}

/// The names of letters: those of rules, labels where letters are operators, or rules with
/// conditions where they are parts of rules.
pub enum LetterNames<'g> {
    /// Only numbers are known, which are the names, from 1.
    Numbers(u32),
    /// Letters are rules.
    Rules(RuleNames<'g>),
    /// Letters are operators: the label of each.
    Operators(Vec<String>),
    /// Letters are parts of rules.
    Parts {
        /// The name of each part.
        names: Vec<String>,
        /// The names of the rules, unless only their numbers are known.
        rules: Option<RuleNames<'g>>,
    },
}

impl<'g> LetterNames<'g> {
    /// The names of the letters of a file that was made for the game. Without the game they are
    /// numbers, and those of parts are `3.1`, `3.2` and so on: rule 3, part 1.
    pub fn new(game: impl Into<Option<&'g Game>>, file: &OpenFile) -> Self {
        Self::of(game.into(), file.into())
    }

    /// Return the names of some letters. Without the game they are numbers, and those of parts are
    /// `3.1`, `3.2` and so on: rule 3, part 1.
    pub fn of(game: Option<&'g Game>, letters: Letters<'_>) -> Self {
        let rules = game.map(RuleNames::new);
        if !letters.parts.is_empty() {
            let names = part_names(game.zip(rules.as_ref()), letters.parts);
            return LetterNames::Parts { names, rules };
        }
        match (game, rules) {
            (Some(_), Some(rules)) if letters.operator_of.is_empty() => LetterNames::Rules(rules),
            (Some(game), _) => {
                let n_letters = letters.n_letters as usize;
                LetterNames::Operators(first_labels(game, letters.operator_of, n_letters))
            }
            (None, _) => LetterNames::Numbers(letters.n_letters),
        }
    }

    /// Return the name of a letter.
    pub fn name(&self, letter: u32) -> String {
        match self {
            LetterNames::Numbers(_) => (letter + 1).to_string(),
            LetterNames::Rules(names) => names.name(RuleId(letter)),
            LetterNames::Operators(names) | LetterNames::Parts { names, .. } => {
                match names.get(letter as usize) {
                    Some(name) if !name.is_empty() => name.clone(),
                    _ => (letter + 1).to_string(),
                }
            }
        }
    }

    /// Return the names of some letters.
    pub fn names(&self, word: &[u32]) -> Vec<String> {
        word.iter().map(|letter| self.name(*letter)).collect()
    }

    /// Return the names of the letters of a replacement, which are rules where words consist of
    /// parts.
    pub fn replacement(&self, word: &[u32]) -> Vec<String> {
        let name = |letter: &u32| match self {
            LetterNames::Parts { rules: None, .. } => (letter + 1).to_string(),
            LetterNames::Parts {
                rules: Some(rules), ..
            } => rules.name(RuleId(*letter)),
            LetterNames::Rules(_) | LetterNames::Operators(_) | LetterNames::Numbers(_) => {
                self.name(*letter)
            }
        };
        word.iter().map(name).collect()
    }

    /// Return the letters of a name, in any case: one, or all parts of a rule.
    ///
    /// # Errors
    /// When no letter, or more than one rule, has the name.
    pub fn resolve(&self, name: &str) -> Result<Vec<u32>, Error> {
        let called = |names: &[String], is: &dyn Fn(&str) -> bool| -> Vec<u32> {
            let letters = (0..).zip(names).filter(|(_, it)| is(it));
            letters.map(|(letter, _)| letter).collect()
        };
        let found = match self {
            LetterNames::Rules(names) => vec![names.resolve(name)?.0],
            LetterNames::Numbers(n_letters) => {
                let number = name.parse::<u32>().ok().and_then(|n| n.checked_sub(1));
                number.filter(|it| it < n_letters).into_iter().collect()
            }
            LetterNames::Operators(names) => {
                let mut letters = called(names, &|it| it.eq_ignore_ascii_case(name));
                letters.truncate(1);
                letters
            }
            LetterNames::Parts { names, rules } => {
                let part = called(names, &|it| it.eq_ignore_ascii_case(name));
                let rule = match rules {
                    Some(rules) if part.is_empty() => rules.name(rules.resolve(name)?),
                    _ => name.to_owned(),
                };
                let of_rule = |it: &str| {
                    let rest = it.strip_prefix(&rule);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
                };
                if part.is_empty() {
                    called(names, &of_rule)
                } else {
                    part
                }
            }
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let failure = Error::usage(format!("the machine has no letter called `{name}`"));
        Err(match self {
            LetterNames::Numbers(n) => failure.with_hint(format!(
                "letters are numbers from 1 to {n}; the game gives them names"
            )),
            LetterNames::Operators(names) | LetterNames::Parts { names, .. } => {
                failure.with_hint(format!("there are {}", names.join(", ")))
            }
            LetterNames::Rules(_) => failure,
        })
    }
}

/// The label of each operator: that of its first rule.
fn first_labels(game: &Game, operator_of: &[u32], n_letters: usize) -> Vec<String> {
    let mut names = vec![String::new(); n_letters];
    for (rule, letter) in game.rules().iter().zip(operator_of) {
        if let Some(name) = names.get_mut(*letter as usize)
            && name.is_empty()
        {
            *name = rule.label.to_string();
        }
    }
    names
}

/// The names of parts of rules.
fn part_names(game: Option<(&Game, &RuleNames<'_>)>, parts: &[Vec<RulePart>]) -> Vec<String> {
    let of_rules = (0..).map(RuleId).zip(parts);
    let names = of_rules.flat_map(|(id, parts)| {
        let rule = game.map(|(_, rules)| rules.name(id));
        let name = move |(place, part): (usize, &RulePart)| match (game, &rule) {
            (Some((game, _)), Some(rule)) => with_conditions(game, rule, part),
            _ => format!("{}.{}", id.0 + 1, place + 1),
        };
        parts.iter().enumerate().map(name)
    });
    names.collect()
}

/// The name of a part of a rule, such as `slide-1-2[x1=red]`.
fn with_conditions(game: &Game, rule: &str, part: &RulePart) -> String {
    let conditions = part.conditions.iter();
    let conditions: Vec<String> = conditions
        .map(|it| fact(game, *it).replace(" = ", "="))
        .collect();
    if conditions.is_empty() {
        rule.to_owned()
    } else {
        format!("{rule}[{}]", conditions.join(","))
    }
}
