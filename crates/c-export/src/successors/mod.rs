//! Successor generation: which rules apply to a state.

mod sets;
mod tree;

use std::fmt::Write;

use psvn_ir::CanonicalRule;

use crate::c_text::heading;
use crate::direction::Direction;
use crate::successors::sets::Sets;
use crate::successors::tree::Node;

/// Tables of sets with more entries than this give way to a decision tree: a million bytes is what
/// a cache holds of them beside everything else.
pub const MOST_SET_ENTRIES: usize = 1 << 17;

/// How both directions find the rules that apply.
pub(crate) enum Form {
    /// By intersecting sets, this many words of 64 rules.
    Sets {
        /// The words of an iterator, at least 1.
        n_words: usize,
    },
    /// By a decision tree that lists them.
    Tree {
        /// The most rules that an iterator lists.
        most: usize,
    },
}

impl Form {
    pub(crate) fn choose(directions: &[&Direction<'_>]) -> Self {
        let entries = directions.iter().map(|it| Sets::of(it).n_entries());
        if entries.sum::<usize>() <= MOST_SET_ENTRIES {
            let words = directions.iter().map(|it| it.n_rules().div_ceil(64));
            return Form::Sets {
                n_words: words.max().unwrap_or(0).max(1),
            };
        }
        let most = directions.iter().map(|it| max_children(&it.rule_list()));
        Form::Tree {
            most: most.max().unwrap_or(0).max(1),
        }
    }

    /// A few words for the comment at the top.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Form::Sets { .. } => "by bit sets",
            Form::Tree { .. } => "by a decision tree",
        }
    }

    /// Add the type of iterators and the function that goes on.
    pub(crate) fn write_iterator(&self, text: &mut String) {
        text.push_str(&heading("Successors"));
        match self {
            Form::Sets { n_words } => sets::write_iterator(text, *n_words),
            Form::Tree { most } => tree::write_iterator(text, *most),
        }
    }

    /// Add the function that begins an iteration over the rules of a direction.
    pub(crate) fn write_init(&self, text: &mut String, direction: &Direction<'_>) {
        let id = direction.id();
        match self {
            Form::Sets { n_words } => Sets::of(direction).write(text, id, *n_words),
            Form::Tree { .. } => tree::write_init(text, id, &direction.rule_list()),
        }
    }
}

/// An upper bound on the number of rules that apply to one state.
///
/// Rules that test one variable for different values exclude each other. The bound is exact where
/// they all do.
pub(crate) fn max_children(rules: &[&CanonicalRule]) -> usize {
    Node::of(rules).most()
}

/// Begin an init function.
fn open_init(text: &mut String, id: &str) {
    let _ = writeln!(
        text,
        "static inline void init_{id}_iter(ruleid_iterator_t *iter, const state_t *state)\n{{"
    );
}
