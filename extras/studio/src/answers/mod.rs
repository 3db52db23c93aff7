//! What a page asks, and what it is answered: one module for each kind of question.

pub(crate) mod board;
pub(crate) mod compose;
pub(crate) mod machine;
mod offsets;
pub(crate) mod redundant;
pub(crate) mod rules;
pub(crate) mod solution;
pub(crate) mod text;
pub(crate) mod tree;

use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// A question about a text that the server has.
pub(crate) trait Question: DeserializeOwned + Send + 'static {
    type Answer: Serialize;

    /// The hash of the text.
    fn game(&self) -> &str;

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Self::Answer, Refusal>;
}

/// An answer, with the text that it is about.
#[derive(Debug, Serialize)]
pub(crate) struct Answered<A> {
    game: String,
    #[serde(flatten)]
    answer: A,
}

/// Answer a question about a text.
pub(crate) fn answer<Q: Question>(
    question: Q,
    studio: &Arc<Studio>,
) -> Result<Answered<Q::Answer>, Refusal> {
    let opened = studio.opened(question.game())?;
    Ok(Answered {
        game: opened.id.clone(),
        answer: question.answer(&opened, studio)?,
    })
}

/// The numbers of rules, from 1.
fn numbers(word: &[u32]) -> Vec<u32> {
    word.iter().map(|letter| letter + 1).collect()
}
