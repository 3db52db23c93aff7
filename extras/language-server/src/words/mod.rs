//! Every word of a text with its role, and what it refers to.
//!
//! All answers about places in a text start here: which word is it, what does it stand for, and
//! which other words stand for the same.

mod comments;
pub(crate) mod meaning;
pub(crate) mod place;
pub(crate) mod scan;
mod tree;

use psvn_ir::Value;
use psvn_syntax::Span;
use psvn_syntax::ast::{File, Item};

use self::meaning::{DomainIndex, Meaning};
use self::tree::Collector;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// `DOMAIN`, `LABEL` and so on.
    Keyword,
    /// A size, a count or a cost.
    Number,
    /// `=>`.
    Arrow,
    /// The name of a domain.
    Domain,
    /// A value.
    Value,
    /// A variable symbol.
    Symbol,
    /// `-`.
    Dash,
    /// The label of a rule.
    Label,
    /// `K` or `P` in a block of an abstraction.
    Letter,
    /// A word that the parser didn't understand, or a brace.
    Other,
}

/// What a word refers to: words with the same entity have one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entity {
    /// A domain.
    Domain(DomainIndex),
    /// A value of a domain.
    Value(DomainIndex, Value),
    /// A variable symbol of a rule or goal: the item's index, and that of the symbol in it.
    Symbol(usize, usize),
    /// A label, by its index.
    Label(usize),
}

/// A word with its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its place, without a `*` in front.
    pub(crate) span: Span,
    /// Its role.
    pub(crate) role: Role,
    /// What it refers to, if it is a name.
    pub(crate) entity: Option<Entity>,
    /// Whether the entity is declared here.
    pub(crate) is_declaration: bool,
    /// The variable whose column it is in, from 0.
    pub(crate) variable: Option<usize>,
    /// The index of the item (rule, goal or block) that it belongs to.
    pub(crate) item: Option<usize>,
    /// Whether it is in a comment that declares something.
    pub(crate) is_in_comment: bool,
}

/// The words of a text in order of place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    all: Vec<Word>,
    /// The labels in lower case, by index.
    pub(crate) labels: Vec<String>,
}

impl Words {
    /// Give each word of a text its role.
    pub(crate) fn of(text: &str, file: &File, meaning: &Meaning) -> Self {
        let mut collector = Collector::new(meaning);
        collector.file(file);
        comments::collect(text, &mut collector);
        let Collector {
            mut found, labels, ..
        } = collector;
        // A word in the place of a missing number is read as that, and as the name that it is.
        found.sort_by_key(|word| (word.span.start, word.entity.is_none()));
        found.dedup_by_key(|word| word.span.start);
        let known = found.len();
        let mut next = 0;
        for span in scan::words(text) {
            while next < known && found[next].span.end <= span.start {
                next += 1;
            }
            if next == known || found[next].span.start >= span.end {
                found.push(Word {
                    item: item_at(file, span.start),
                    ..Word::plain(span, role_of(&text[span.start..span.end]))
                });
            }
        }
        found.sort_by_key(|word| word.span.start);
        Self {
            all: found,
            labels: labels.names,
        }
    }

    /// Return all words.
    pub(crate) fn all(&self) -> &[Word] {
        &self.all
    }

    /// Return the word that begins, lies or ends at an offset. Of two, the one that begins there.
    pub(crate) fn at(&self, offset: usize) -> Option<&Word> {
        let next = self.all.partition_point(|word| word.span.end < offset);
        let mut candidates = self.all[next..]
            .iter()
            .take_while(|word| word.span.start <= offset);
        let first = candidates.next()?;
        Some(candidates.next().unwrap_or(first))
    }

    /// Return the words in a part of the text.
    pub(crate) fn within(&self, part: Span) -> &[Word] {
        let first = self.all.partition_point(|word| word.span.end <= part.start);
        let end = self.all.partition_point(|word| word.span.start < part.end);
        &self.all[first.min(end)..end]
    }

    /// Return all words that refer to an entity.
    pub(crate) fn referring_to(&self, entity: Entity) -> impl Iterator<Item = &Word> {
        self.all
            .iter()
            .filter(move |word| word.entity == Some(entity))
    }
}

impl Word {
    /// A word that refers to nothing.
    fn plain(span: Span, role: Role) -> Self {
        Self {
            span,
            role,
            entity: None,
            is_declaration: false,
            variable: None,
            item: None,
            is_in_comment: false,
        }
    }
}

/// The words that have a meaning by their place.
pub(crate) const KEYWORDS: [&str; 7] = [
    "DOMAIN",
    "GOAL",
    "LABEL",
    "COST",
    "abstraction",
    "projection",
    "pieces",
];

/// The index of the item that an offset is in.
fn item_at(file: &File, offset: usize) -> Option<usize> {
    let next = file
        .items
        .partition_point(|item| span_of(item).start <= offset);
    let index = next.checked_sub(1)?;
    (offset < span_of(&file.items[index]).end).then_some(index)
}

/// The place of an item.
pub(crate) fn span_of(item: &Item) -> Span {
    match item {
        Item::Rule(rule) => rule.span,
        Item::Goal(goal) => goal.span,
        Item::Abstraction(block) => block.span,
    }
}

/// The role of a word that no part of the tree names.
fn role_of(word: &str) -> Role {
    if word == "=>" {
        Role::Arrow
    } else if KEYWORDS.iter().any(|it| it.eq_ignore_ascii_case(word)) {
        Role::Keyword
    } else {
        Role::Other
    }
}
