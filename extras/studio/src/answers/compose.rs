//! Sequences of rules: what they do, step by step, and whether they are redundant.

use std::sync::Arc;
use std::time::Duration;

use psvn::Limits;
use psvn::analysis::{Composition, ExplainOptions, RulesExplained, explain};
use serde::{Deserialize, Serialize};

use super::Question;
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The longest time of an explanation, which may need an analysis.
const TIME_TO_EXPLAIN: Duration = Duration::from_secs(3);

/// What does a sequence of rules do?
#[derive(Debug, Deserialize)]
pub(crate) struct Compose {
    game: String,
    /// The numbers of the rules, from 1.
    word: Vec<usize>,
}

/// What a sequence of rules does.
#[derive(Debug, Serialize)]
pub(crate) struct Composed {
    composition: Composition,
}

impl Question for Compose {
    type Answer = Composed;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<Composed, Refusal> {
        let word = opened.word(&self.word)?;
        Ok(Composed {
            composition: Composition::of(opened.game()?.ir(), &word, true),
        })
    }
}

/// Is a sequence of rules redundant, and why?
#[derive(Debug, Deserialize)]
pub(crate) struct Explain {
    game: String,
    word: Vec<usize>,
}

/// Whether a sequence of rules is redundant.
#[derive(Debug, Serialize)]
pub(crate) struct Explained {
    explained: RulesExplained,
}

impl Question for Explain {
    type Answer = Explained;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Explained, Refusal> {
        let word = opened.word(&self.word)?;
        let options = ExplainOptions {
            limits: Limits {
                time: Some(TIME_TO_EXPLAIN),
                ..Limits::default()
            },
            trace: true,
            ..ExplainOptions::default()
        };
        Ok(Explained {
            explained: explain(opened.game()?, &word, &options, &studio.env())?,
        })
    }
}
