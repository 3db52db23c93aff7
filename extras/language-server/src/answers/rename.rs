//! Other names for domains, values, symbols and labels.

use psvn_ir::Domain;
use psvn_syntax::Span;
use psvn_syntax::ast::Item;

use super::edit::{Edit, edited};
use crate::document::Document;
use crate::words::{Entity, Word};

/// Why a name can't be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenameError {
    /// There is no name at this place.
    #[error("there is no name here that can be changed")]
    NoName,
    /// A built-in domain, or one of its values.
    #[error("the domain `{0}` is built in, so its name and its values are given")]
    BuiltIn(String),
    /// The new name would be read as something else.
    #[error("`{name}` can't be a name: {reason}")]
    Unusable {
        /// The new name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// The new name is in use.
    #[error("`{name}` is {by} already")]
    Taken {
        /// The new name.
        name: String,
        /// What has the name.
        by: String,
    },
    /// With the new name, other words of the text would have another meaning.
    #[error("with the name `{0}`, other words of the text would have another meaning")]
    OtherMeaning(String),
}

impl Document {
    /// Return the place of the name at an offset, if it can be changed.
    ///
    /// # Errors
    /// When there is no name, or it belongs to a built-in domain.
    pub fn renamable(&self, offset: usize) -> Result<Span, RenameError> {
        let word = self.word_at(offset).ok_or(RenameError::NoName)?;
        match word.entity.ok_or(RenameError::NoName)? {
            Entity::Domain(index) | Entity::Value(index, _) => {
                let named = &self.meaning.domains[index];
                if named.declaration.is_none() {
                    return Err(RenameError::BuiltIn(named.name.clone()));
                }
            }
            Entity::Symbol(..) | Entity::Label(_) => {}
        }
        Ok(word.span)
    }

    /// Return the changes that give another name to what the word at an offset refers to: to all
    /// words that refer to it, those in comments with a meaning among them.
    ///
    /// # Errors
    /// When there is no name at the offset, or the new one is taken or unusable.
    pub fn rename(&self, offset: usize, name: &str) -> Result<Vec<Edit>, RenameError> {
        self.renamable(offset)?;
        let entity = self.word_at(offset).and_then(|word| word.entity);
        let entity = entity.ok_or(RenameError::NoName)?;
        if let Some(reason) = unusable(name, entity) {
            return Err(RenameError::Unusable {
                name: name.to_owned(),
                reason,
            });
        }
        if let Some(by) = self.owner(name, entity) {
            return Err(RenameError::Taken {
                name: name.to_owned(),
                by,
            });
        }
        let edit = |word: &Word| Edit {
            span: word.span,
            text: name.to_owned(),
        };
        let edits: Vec<Edit> = self.words.referring_to(entity).map(edit).collect();
        if self.means_the_same(&Document::new(edited(self.text(), &edits))) {
            Ok(edits)
        } else {
            Err(RenameError::OtherMeaning(name.to_owned()))
        }
    }

    /// What has a name in the place of an entity.
    fn owner(&self, name: &str, entity: Entity) -> Option<String> {
        match entity {
            Entity::Domain(index) => {
                let known = self.meaning.known(name);
                known
                    .filter(|it| *it != index)
                    .map(|_| "a domain".to_owned())
            }
            Entity::Value(index, value) => {
                let named = &self.meaning.domains[index];
                if named.value(name).is_some_and(|it| it != value) {
                    return Some(format!("a value of domain `{}`", named.name));
                }
                let row = self.row_with_symbol(name, index, None)?;
                Some(format!("a symbol in {row}"))
            }
            Entity::Symbol(item, _) => {
                let of_domain = self.words.referring_to(entity).next()?.variable?;
                let index = *self.meaning.variables.get(of_domain)?;
                let named = &self.meaning.domains[index];
                if named.value(name).is_some() {
                    return Some(format!("a value of domain `{}`", named.name));
                }
                let own = self.words.referring_to(entity).next()?;
                if self.slice(own.span).eq_ignore_ascii_case(name) {
                    return None;
                }
                let row = self.row_with_symbol(name, index, Some(item))?;
                Some(format!("a symbol in {row}"))
            }
            Entity::Label(index) => {
                let mut labels = self.words.labels.iter().enumerate();
                let is_other = |(other, label): (usize, &String)| {
                    other != index && label.eq_ignore_ascii_case(name)
                };
                if labels.any(is_other) {
                    return Some("the label of another rule".to_owned());
                }
                self.is_number_of_unlabeled(name)
                    .then(|| "the name of a rule without a label".to_owned())
            }
        }
    }

    /// The row of the text in which a word is a symbol of a domain: any row, or that of one item.
    fn row_with_symbol(&self, name: &str, domain: usize, item: Option<usize>) -> Option<String> {
        let mut words = self.words.all().iter();
        let found = words.find(|word| {
            matches!(word.entity, Some(Entity::Symbol(of, _)) if item.is_none_or(|it| it == of))
                && word.variable.and_then(|it| self.meaning.variables.get(it)) == Some(&domain)
                && self.slice(word.span).eq_ignore_ascii_case(name)
        })?;
        let line = self.text()[..found.span.start].matches('\n').count() + 1;
        Some(format!("line {line}"))
    }

    /// Whether a word is the name of a rule that has no label: `rule_N` for the N-th one.
    fn is_number_of_unlabeled(&self, name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        let number = lower
            .strip_prefix("rule_")
            .and_then(|it| it.parse::<usize>().ok());
        let Some(place) = number.and_then(|number| number.checked_sub(1)) else {
            return false;
        };
        let mut rules = self.file().items.iter().filter_map(|item| match item {
            Item::Rule(rule) => Some(rule),
            Item::Goal(_) | Item::Abstraction(_) => None,
        });
        rules.nth(place).is_some_and(|rule| rule.label.is_none())
    }

    /// Whether another text has the same words in the same roles, whatever the names are.
    fn means_the_same(&self, other: &Self) -> bool {
        let meaning = |word: &Word| Word {
            span: Span::default(),
            ..*word
        };
        let own = self.words.all().iter().map(meaning);
        own.eq(other.words.all().iter().map(meaning))
    }
}

/// Why a word can't be the name of an entity, whatever the text is.
fn unusable(name: &str, entity: Entity) -> Option<&'static str> {
    let first = name.chars().next();
    let is_cell = matches!(entity, Entity::Value(..) | Entity::Symbol(..));
    if name.is_empty() {
        Some("it is empty")
    } else if name.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Some("a name is one word")
    } else if matches!(first, Some('#' | ';')) {
        Some("`#` and `;` begin comments")
    } else if name == "=>" {
        Some("it stands between the sides of a rule")
    } else if is_cell && name == "-" {
        Some("it stands for an entry that isn't tested or changed")
    } else if is_cell && first == Some('*') {
        Some("`*` before a word means that it isn't tested")
    } else if matches!(entity, Entity::Domain(_)) && Domain::built_in(name).is_some() {
        Some("numbers are the names of built-in domains")
    } else {
        None
    }
}
