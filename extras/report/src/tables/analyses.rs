//! Results of analyses.

use experiment::{PublishedMeasure, Spec};

use super::published::published_of;
use crate::stats::{Group, is_whole};
use crate::table::{Entry, Table};

/// Whether a group is about analyses, which have a separate table.
pub(super) fn is_analysis(group: &Group<'_>) -> bool {
    group
        .records
        .iter()
        .any(|record| record.measured.words.is_some())
}

/// The table of the results of analyses.
pub(crate) fn analyses(spec: &Spec, groups: &[Group<'_>]) -> Option<Table> {
    let caption = "Redundant words found, states of their machines, and the asymptotic branching factor. The interior \
                   nodes of the trie of words are the states that Taylor counts. Sequences of operators have no branching \
                   factor here, since how many of them can be carried out isn't known. Time in seconds.";
    let mut table = Table::new("analyses", "Redundant words and their machines", caption)
        .left("domain", "domain")
        .left("method", "method")
        .bounds("words", "redundant words")
        .right("words_published", "published")
        .bounds("trie_states", "states")
        .right("trie_states_published", "published")
        .bounds("minimized_states", "minimized")
        .right("branching_factor", "branching factor")
        .right("branching_factor_published", "published")
        .right("seconds", "time (s)")
        .left("outcome", "remark");
    for group in groups.iter().filter(|group| is_analysis(group)) {
        for record in &group.records {
            let measured = &record.measured;
            let limited = measured.outcome.is_limit();
            let number = |n: Option<u64>| Entry::maybe(n.map(|n| n as f64)).limited(limited);
            table.rows.push(vec![
                Entry::text(group.domain),
                Entry::text(group.method),
                number(measured.words),
                published_of(spec, group, None, PublishedMeasure::Words),
                number(measured.trie_states),
                published_of(spec, group, None, PublishedMeasure::TrieStates),
                number(measured.minimized_states),
                measured
                    .branching_factor
                    .map_or_else(Entry::default, |factor| Entry {
                        text: format!("{factor:.6}"),
                        ..Entry::number(factor)
                    }),
                published_of(spec, group, None, PublishedMeasure::BranchingFactor),
                Entry::seconds(Some(measured.seconds)),
                Entry::text(if is_whole(record) {
                    ""
                } else {
                    measured.outcome.in_words()
                }),
            ]);
        }
    }
    (!table.rows.is_empty()).then_some(table)
}
