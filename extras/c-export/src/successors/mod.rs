//! Successor generation: finds the rules that apply to a state.

mod sets;
mod tree;

use psvn_ir::CanonicalRule;

use crate::language::Language;
use crate::successors::sets::Sets;
use crate::successors::tree::Node;

/// Larger tables of sets are replaced by a decision tree: a cache holds about a million bytes of
/// them beside everything else.
pub const MOST_SET_ENTRIES: usize = 1 << 17;

/// The rules of which the applicable ones are found.
pub(crate) struct RuleList<'a> {
    /// The word in identifiers: `fwd` or `bwd`.
    pub(crate) id: &'static str,
    /// The rules, in order.
    pub(crate) rules: Vec<&'a CanonicalRule>,
    /// The number of values of each variable.
    pub(crate) domain_sizes: Vec<usize>,
}

impl RuleList<'_> {
    /// Whether any of them tests the state.
    pub(crate) fn has_tests(&self) -> bool {
        self.rules.iter().any(|rule| rule.tests().next().is_some())
    }
}

/// How both directions find the applicable rules.
pub(crate) enum Form {
    /// By intersecting sets of this number of words of 64 rules.
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
    pub(crate) fn choose(lists: &[&RuleList<'_>]) -> Self {
        let entries = lists
            .iter()
            .map(|it| Sets::of(it.rules.as_slice(), &it.domain_sizes).n_entries());
        if entries.sum::<usize>() <= MOST_SET_ENTRIES {
            let words = lists.iter().map(|it| it.rules.len().div_ceil(64));
            return Form::Sets {
                n_words: words.max().unwrap_or(0).max(1),
            };
        }
        let most = lists.iter().map(|it| max_children(&it.rules));
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

    /// Add the tables for the function that finds the rules of a direction.
    pub(crate) fn write_tables<L: Language>(
        &self,
        text: &mut String,
        language: &L,
        list: &RuleList<'_>,
    ) {
        if let Form::Sets { .. } = self {
            let sets = Sets::of(&list.rules, &list.domain_sizes);
            sets.write_tables(text, language, list.id);
        }
    }

    /// Add the function's statements for the values `vars` of a state. Sets are made in the
    /// variable `set` and put into the array `sets`.
    pub(crate) fn write_body<L: Language>(
        &self,
        text: &mut String,
        language: &L,
        list: &RuleList<'_>,
    ) {
        match self {
            Form::Sets { n_words } => {
                let sets = Sets::of(&list.rules, &list.domain_sizes);
                sets.write_body(text, language, list.id, *n_words);
            }
            Form::Tree { .. } => Node::of(&list.rules).write(text, language, 4),
        }
    }
}

/// An upper bound on the number of rules that apply to one state.
///
/// Rules that test one variable for different values exclude each other. The bound is exact if all
/// of them do.
pub(crate) fn max_children(rules: &[&CanonicalRule]) -> usize {
    Node::of(rules).most()
}
