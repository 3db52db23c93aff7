//! The redundant words of a game.

use std::sync::Arc;
use std::time::Duration;

use fsm::CertifiedWord;
use psvn::Environment;
use psvn::machine::{RedundantWord, WordFilter};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Question, numbers};
use crate::analyzed::Analyzed;
use crate::jobs::{JobState, Kind, Owner};
use crate::opened::Opened;
use crate::refusal::Refusal;
use crate::shared::Studio;

/// The longest words that are looked for.
const LONGEST: usize = 20;

/// The longest time of an analysis.
const MOST_SECONDS: u64 = 3600;

/// The most words of an answer.
const MOST_WORDS: usize = 500;

/// Look for the redundant words.
#[derive(Debug, Deserialize)]
pub(crate) struct Analyze {
    game: String,
    window: String,
    length: usize,
    seconds: u64,
    /// A state whose invariants are assumed in place of those of the goal.
    #[serde(default)]
    start: Option<String>,
}

/// Long work has begun.
#[derive(Debug, Serialize)]
pub(crate) struct Begun {
    pub(super) job: JobState,
}

impl Question for Analyze {
    type Answer = Begun;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, studio: &Arc<Studio>) -> Result<Begun, Refusal> {
        opened.game()?;
        if self.length > LONGEST {
            let error = format!("words of more than {LONGEST} rules are not looked for here");
            return Err(Refusal::wrong(error));
        }
        let owner = Owner {
            game: self.game,
            window: self.window,
        };
        let time = Duration::from_secs(self.seconds.clamp(1, MOST_SECONDS));
        let opened = Arc::clone(opened);
        let work = move |env: &Environment| -> Result<Value, Refusal> {
            let (analyzed, report) = Analyzed::of(opened.game()?, self.length, self.start, env)?;
            if !env.is_cancelled() {
                opened.set_analyzed(Arc::new(analyzed));
            }
            Ok(json!({ "report": report }))
        };
        let job = studio.begin(Kind::Analysis, owner, time, work)?;
        Ok(Begun { job })
    }
}

/// Which words are redundant?
#[derive(Debug, Deserialize)]
pub(crate) struct Words {
    game: String,
    /// A length, or lengths such as `2-3`; all of them if empty.
    #[serde(default)]
    lengths: String,
    /// Names or numbers of rules that occur in the word or in its replacement.
    #[serde(default)]
    filter: String,
    /// The number of the only word that is asked for, from 1.
    #[serde(default)]
    number: Option<usize>,
    #[serde(default)]
    offset: usize,
    #[serde(default)]
    limit: usize,
}

/// Some of the redundant words.
#[derive(Debug, Serialize)]
pub(crate) struct SomeWords {
    /// Up to which length they were looked for, and up to which all were found.
    length: usize,
    complete_length: usize,
    /// The start whose invariants are assumed; `None` for those of the goal.
    start: Option<String>,
    total: usize,
    matching: usize,
    words: Vec<Numbered>,
}

/// A redundant word, with the numbers of its rules.
#[derive(Debug, Serialize)]
struct Numbered {
    #[serde(flatten)]
    word: RedundantWord,
    rules: Vec<u32>,
    replacement: Vec<u32>,
}

impl Question for Words {
    type Answer = SomeWords;

    fn game(&self) -> &str {
        &self.game
    }

    fn answer(self, opened: &Arc<Opened>, _: &Arc<Studio>) -> Result<SomeWords, Refusal> {
        let game = opened.game()?;
        let analyzed = opened.analyzed();
        let analyzed =
            analyzed.ok_or_else(|| Refusal::not_ready("redundant words weren't looked for yet"))?;
        let machine = analyzed.machine()?;
        let lengths = match self.lengths.trim() {
            "" => None,
            text => Some(text.parse().map_err(Refusal::wrong)?),
        };
        let filter = WordFilter {
            lengths,
            letters: Vec::new(),
        };
        let asked = self.filter.to_lowercase();
        let asked: Vec<&str> = asked.split_whitespace().collect();
        let names = game.rule_names();
        let names: Vec<String> = if asked.is_empty() {
            Vec::new()
        } else {
            let name = |id| names.name(id).to_lowercase();
            game.ir().rules_with_ids().map(|(id, _)| name(id)).collect()
        };
        let has = |letter: &u32, text: &&str| names[*letter as usize].contains(*text);
        let admits = |it: &CertifiedWord| {
            let mut letters = it.word.iter().chain(it.replacements.iter().flatten());
            filter.admits(&it.word)
                && asked
                    .iter()
                    .all(|text| letters.clone().any(|it| has(it, text)))
                && letters.next().is_some()
        };
        let words = machine.words.iter().enumerate();
        let is_asked_for = |place: usize| self.number.is_none_or(|number| number == place + 1);
        let matching = words.filter(|(place, it)| is_asked_for(*place) && admits(it));
        let matching: Vec<usize> = matching.map(|(place, _)| place).collect();
        let shown = matching.iter().skip(self.offset);
        let shown: Vec<usize> = shown.take(self.limit.min(MOST_WORDS)).copied().collect();
        let explained = analyzed.explained(game, &shown)?;
        let numbered = |(word, place): (RedundantWord, &usize)| {
            let certified = &machine.words[*place];
            let replacement = certified.replacements.first();
            Numbered {
                word,
                rules: numbers(&certified.word),
                replacement: replacement.map_or_else(Vec::new, |it| numbers(it)),
            }
        };
        Ok(SomeWords {
            length: analyzed.length,
            complete_length: analyzed.complete_length(),
            start: analyzed.start.clone(),
            total: machine.words.len(),
            matching: matching.len(),
            words: explained.into_iter().zip(&shown).map(numbered).collect(),
        })
    }
}
