//! Sequences of rules: what they do, step by step, and whether they are redundant.

use std::sync::Arc;
use std::time::Duration;

use psvn::Environment;
use psvn::analysis::{Composition, ExplainOptions, explain};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Question;
use super::redundant::Begun;
use crate::jobs::{Kind, Owner};
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The longest time of an explanation, which may need an analysis.
const TIME_TO_EXPLAIN: Duration = Duration::from_secs(60);

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

/// Is a sequence of rules redundant, and why? That may take long.
#[derive(Debug, Deserialize)]
pub(crate) struct Explain {
    game: String,
    window: String,
    word: Vec<usize>,
}

impl Question for Explain {
    type Answer = Begun;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Begun, Refusal> {
        let word = opened.word(&self.word)?;
        let owner = Owner {
            game: self.game,
            window: self.window,
        };
        let opened = Arc::clone(opened);
        let work = move |env: &Environment| -> Result<Value, Refusal> {
            let options = ExplainOptions {
                trace: true,
                ..ExplainOptions::default()
            };
            let explained = explain(opened.game()?, &word, &options, env)?;
            Ok(json!({ "explained": explained }))
        };
        let job = studio.begin(Kind::Explanation, owner, TIME_TO_EXPLAIN, work)?;
        Ok(Begun { job })
    }
}
