//! Where the names of a text are declared and used.

use psvn_syntax::Span;

use crate::document::Document;
use crate::words::{Entity, Role, Word};

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its place.
    pub span: Span,
    /// Whether the name is declared there.
    pub is_declaration: bool,
}

impl Document {
    /// Return where the name at an offset is declared: a domain or value in its declaration, a
    /// symbol and a label where they occur first. For `-`, and for values of built-in domains, it
    /// is the domain of the variable.
    pub fn definition(&self, offset: usize) -> Option<Span> {
        let word = self.word_at(offset)?;
        match word.entity {
            Some(Entity::Value(index, value)) => self
                .meaning
                .declaration_of(self.file(), index, value)
                .or_else(|| self.column(word)),
            Some(entity @ (Entity::Domain(_) | Entity::Symbol(..) | Entity::Label(_))) => {
                let mut uses = self.words.referring_to(entity);
                uses.find(|word| word.is_declaration).map(|it| it.span)
            }
            None if word.role == Role::Dash || word.role == Role::Letter => self.column(word),
            None => None,
        }
    }

    /// Where the domain of a word's variable is named.
    fn column(&self, word: &Word) -> Option<Span> {
        let variables = self.file().variables.as_ref()?;
        Some(variables.domains.get(word.variable?)?.span)
    }

    /// Return all uses of the name at an offset, its declaration among them.
    pub fn references(&self, offset: usize) -> Vec<Reference> {
        let Some(entity) = self.word_at(offset).and_then(|word| word.entity) else {
            return Vec::new();
        };
        let reference = |word: &Word| Reference {
            span: word.span,
            is_declaration: word.is_declaration,
        };
        self.words.referring_to(entity).map(reference).collect()
    }
}
