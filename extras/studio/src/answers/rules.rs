//! The rules of a game, as a table.

use std::sync::Arc;

use psvn::RuleDescription;
use psvn_ir::RuleId;
use psvn_syntax::LineIndex;
use serde::{Deserialize, Serialize};

use super::Question;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The most rules of an answer.
const MOST_RULES: usize = 500;

/// Which rules are there?
#[derive(Debug, Deserialize)]
pub(crate) struct Rules {
    game: String,
    /// Words that a rule must contain, in its number, name or canonical form.
    #[serde(default)]
    filter: String,
    /// How many are left out before the first one.
    #[serde(default)]
    offset: usize,
    #[serde(default)]
    limit: usize,
}

/// Some of the rules.
#[derive(Debug, Serialize)]
pub(crate) struct SomeRules {
    total: usize,
    /// How many of them pass the filter.
    matching: usize,
    rules: Vec<Row>,
}

/// A rule with its row of the text.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    rule: RuleDescription,
    /// The line of its row, from 1.
    line: Option<usize>,
    /// The row.
    source: String,
    /// The number of the rule that undoes it.
    inverse_number: Option<usize>,
}

impl Question for Rules {
    type Answer = SomeRules;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<SomeRules, Refusal> {
        let game = opened.game()?;
        let (ir, names) = (game.ir(), game.rule_names());
        let relations = opened.relations(game);
        let filter = self.filter.to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let texts = opened.searched(game);
        let admits = |id: &RuleId| words.iter().all(|word| texts[id.index()].contains(word));
        let matching: Vec<RuleId> = ir
            .rules_with_ids()
            .map(|(id, _)| id)
            .filter(admits)
            .collect();
        let text = opened.text.as_str();
        let lines = LineIndex::new(text);
        let row = |id: &RuleId| {
            let span = ir.source_rules()[ir.rule(*id).source].span;
            let source = span.and_then(|span| text.get(span.start..span.end));
            Row {
                rule: RuleDescription::of(ir, &names, relations, *id),
                line: span.map(|span| lines.line_column(span.start).0),
                source: source.unwrap_or_default().to_owned(),
                inverse_number: relations.inverse(*id).map(|id| id.index() + 1),
            }
        };
        let shown = matching.iter().skip(self.offset);
        Ok(SomeRules {
            total: ir.rules().len(),
            matching: matching.len(),
            rules: shown.take(self.limit.min(MOST_RULES)).map(row).collect(),
        })
    }
}
